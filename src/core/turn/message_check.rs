//! What is looked at before a message is said: whether it is one for people at all, whether it was said already, and
//! whether only an assistant would say it. What is held back costs one more round where somebody is owed an answer.

use serde_json::Value;

use super::executor::RoundExecutor;
use super::hold_reason::HoldReason;
use crate::address::CompanionNames;
use crate::answer_split::split_messages;
use crate::call::{ToolCall, ToolKind, ToolSpec};
use crate::honesty::{HonestyFlaw, find_flaw, pick_admission};
use crate::message_guard::{CleanMessage, GuardReason, MessageGuard};
use crate::message_shape::MessageShape;
use crate::non_speech::{self, NonSpeech};
use crate::style;
use crate::truncate::truncate_line;

/// After so many messages in a row that end in a question the next one does not.
const QUESTIONS_IN_A_ROW: usize = 2;
/// The parameters of tools that people read, besides the main one of a tool whose effects they see.
const READ_BY_PEOPLE: &[&str] = &[
    "text", "question", "answers", "prompt", "title", "message", "content",
];
/// Nobody sees it happen, and everybody reads it.
const SET_STATUS: &str = "set_status";
/// What stands behind a word without a space.
const SIGNS: &str = ",.!?~，。！？～";
/// The most characters of a message that a note quotes.
const QUOTED: usize = 80;

pub(super) enum GuardedText {
    /// As these messages, one after the other.
    Say(Vec<String>),
    Silence,
    Hold(HoldReason),
}

impl RoundExecutor<'_> {
    fn build_guard(&self) -> MessageGuard {
        let (policy, timeline) = (self.policy(), self.context.timeline);
        let obligations = &self.record.obligations;
        let owed = obligations
            .unanswered()
            .iter()
            .filter_map(|id| Some(&timeline.find(*id)?.message.author));
        let names = CompanionNames::new(&policy.names);
        let called = obligations
            .find_unanswered_lines(timeline)
            .flat_map(|line| names.find_spellings(line));
        MessageGuard::new(policy, timeline, self.context.names)
            .with_answered_authors(owed, self.context.names)
            .with_called_names(called)
    }

    pub(super) fn guard_plain_text(&mut self, text: &str) -> GuardedText {
        let guard = self.build_guard();
        // What stands around a message is taken off before it is read: `Juno says: hey` is one, "Juno should wait" is none.
        let inspected = guard.inspect(text);
        let message = inspected.as_ref().map_or(text, |clean| clean.text.as_str());
        match non_speech::classify_plain_text(message, guard.names()) {
            Some(NonSpeech::Silence) => GuardedText::Silence,
            Some(NonSpeech::SilenceOrAnswer) if !self.has_unanswered_question() => {
                GuardedText::Silence
            }
            Some(NonSpeech::Deliberation) => GuardedText::Hold(HoldReason::Deliberates),
            Some(NonSpeech::Refusal) => GuardedText::Hold(HoldReason::Refusal),
            _ => self.apply_guard(&guard, inspected),
        }
    }

    /// Whether a text that was written without an action says that nothing is said.
    pub(super) fn is_silence(&self, text: &str) -> bool {
        let guard = self.build_guard();
        non_speech::classify_plain_text(text, guard.names()) == Some(NonSpeech::Silence)
    }

    pub(super) fn guard_message(&mut self, text: &str) -> GuardedText {
        let guard = self.build_guard();
        self.apply_guard(&guard, guard.inspect(text))
    }

    /// Takes the texts that people will read of a call of another tool through the guard: a poll, a thread, an edit.
    pub(super) fn guard_call_texts(
        &mut self,
        spec: &ToolSpec,
        call: &mut ToolCall,
    ) -> Result<(), HoldReason> {
        if spec.kind != ToolKind::Visible && spec.name != SET_STATUS {
            return Ok(());
        }
        let (policy, timeline) = (self.policy(), self.context.timeline);
        let guard = MessageGuard::new(policy, timeline, self.context.names);
        for (name, value) in &mut call.params {
            if spec.primary.as_ref() != Some(name) && !READ_BY_PEOPLE.contains(&name.as_str()) {
                continue;
            }
            let texts: Vec<&mut Value> = match value {
                Value::Array(list) => list.iter_mut().collect(),
                value => vec![value],
            };
            for value in texts {
                let Some(text) = value.as_str().filter(|text| !text.trim().is_empty()) else {
                    continue;
                };
                let CleanMessage { text, changes } = guard.inspect(text)?;
                self.record.history.notes.extend(changes);
                *value = Value::String(text);
            }
        }
        Ok(())
    }

    fn apply_guard(
        &mut self,
        guard: &MessageGuard,
        inspected: Result<CleanMessage, GuardReason>,
    ) -> GuardedText {
        let text = match inspected {
            Ok(CleanMessage { text, changes }) => {
                self.record.history.notes.extend(changes);
                text
            }
            Err(reason) => return GuardedText::Hold(reason.into()),
        };
        match non_speech::classify_message(&text, guard.names()) {
            Some(NonSpeech::Silence) => return GuardedText::Silence,
            Some(NonSpeech::LikelySilence) if !self.is_about_silence(guard) => {
                let may_ask = self.record.retries.other_words.is_left();
                return if may_ask && self.record.is_answer_due() {
                    GuardedText::Hold(HoldReason::LikelySilence)
                } else {
                    GuardedText::Silence
                };
            }
            Some(NonSpeech::Refusal) => return GuardedText::Hold(HoldReason::Refusal),
            Some(NonSpeech::Placeholder) => return GuardedText::Hold(HoldReason::PromptText),
            _ => {}
        }
        match self.replace_untrue_answer(text) {
            Ok(text) => self.split_fresh_messages(&text),
            Err(reason) => GuardedText::Hold(reason),
        }
    }

    /// A denial that it is an AI is held back; the second time, or spoken as a product, the truth is said in its place.
    fn replace_untrue_answer(&mut self, text: String) -> Result<String, HoldReason> {
        let mut lines = self
            .record
            .obligations
            .find_unanswered_lines(self.context.timeline);
        let flaw = lines.find_map(|line| find_flaw(line, &text));
        drop(lines);
        match flaw {
            None => return Ok(text),
            Some(HonestyFlaw::Denial) if self.record.retries.other_words.is_left() => {
                return Err(HoldReason::DeniesAi);
            }
            Some(HonestyFlaw::Denial) => {
                self.add_note("it denied twice that it is an AI: the truth was said in its place");
            }
            Some(HonestyFlaw::Product) => {
                self.add_note(
                    "it spoke of itself as a product: that it is an AI was said in its place",
                );
            }
        }
        Ok(pick_admission(self.record.language()))
    }

    /// The messages of a text without those that there is an objection to.
    fn split_fresh_messages(&mut self, text: &str) -> GuardedText {
        let mut fresh: Vec<String> = Vec::new();
        let mut held = None;
        for part in split_messages(text) {
            let part = self.strip_assistant_phrases(part);
            let Some(part) = self.strip_own_calls(part) else {
                continue;
            };
            match self.find_objection(&part) {
                Some(reason) if !self.should_say_anyway(reason) => {
                    // A message said twice is no reason to ask for another.
                    held = held
                        .filter(|held| *held != HoldReason::SaidInTurn)
                        .or(Some(reason));
                }
                _ => fresh.push(part),
            }
        }
        self.leave_out_repeated_closing(&mut fresh);
        self.leave_out_question(&mut fresh);
        match held {
            _ if !fresh.is_empty() => GuardedText::Say(fresh),
            held => GuardedText::Hold(held.unwrap_or(HoldReason::Empty)),
        }
    }

    /// Whether a text is said although something speaks against it: the model was told once, and somebody waits.
    fn should_say_anyway(&self, held: HoldReason) -> bool {
        let was_told = !self.record.retries.other_words.is_left();
        held.is_better_than_nothing() && was_told && self.record.is_answer_due()
    }

    /// Without its own name where it calls itself and no other words are asked for; none where nothing else is said.
    fn strip_own_calls(&mut self, part: String) -> Option<String> {
        let may_ask = self.record.retries.other_words.is_left() && self.record.is_answer_due();
        if may_ask || !self.calls_itself(&part) {
            return Some(part);
        }
        self.add_note("took its own name out: it called itself");
        let (bare, _) = CompanionNames::new(&self.policy().names).strip_names(&part);
        let words: Vec<&str> = bare.split_whitespace().collect();
        let joined = SIGNS.chars().fold(words.join(" "), |text, sign| {
            text.replace(&format!(" {sign}"), &sign.to_string())
        });
        let is_sign = |c: char| c.is_whitespace() || SIGNS.contains(c);
        (!joined.chars().all(is_sign))
            .then(|| joined.trim_start_matches([',', '，', ' ']).to_owned())
    }

    fn strip_assistant_phrases(&mut self, part: String) -> String {
        let plain = style::strip_assistant_phrases(&part);
        if self.policy().assistant_phrases
            || plain.text.is_empty() && self.should_say_anyway(HoldReason::Assistant)
        {
            return part;
        }
        for clause in &plain.left_out {
            self.add_note(format!("left out \"{clause}\": an assistant would say it"));
        }
        plain.text
    }

    /// Its last two messages asked something already: the question this one ends in is left out, where more is said.
    fn leave_out_question(&mut self, parts: &mut Vec<String>) {
        let before = self.context.timeline.own().take(QUESTIONS_IN_A_ROW);
        let asked = before
            .filter(|said| style::ends_in_question(&said.message.text))
            .count();
        if asked < QUESTIONS_IN_A_ROW
            || self.policy().assistant_phrases
            || self.record.obligations.is_reminder()
        {
            return;
        }
        let Some(last) = parts.pop() else { return };
        let cut = style::split_last_question(&last)
            .map(|(kept, question)| (kept.to_owned(), question.to_owned()));
        let question = match cut {
            Some((kept, question)) => {
                parts.push(kept);
                question
            }
            None if !parts.is_empty() && style::ends_in_question(&last) => last,
            None => return parts.push(last),
        };
        let question = truncate_line(&question, QUOTED);
        self.add_note(format!(
            "left out \"{question}\": its last messages ended in questions, too"
        ));
    }

    pub(super) fn has_unanswered_question(&self) -> bool {
        self.record
            .obligations
            .find_unanswered_lines(self.context.timeline)
            .any(|line| MessageShape::from_text(line).question)
    }

    fn is_about_silence(&self, guard: &MessageGuard) -> bool {
        self.record
            .obligations
            .find_unanswered_lines(self.context.timeline)
            .any(|line| non_speech::is_about_silence(line, guard.names()))
    }
}
