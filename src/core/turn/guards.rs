//! What is looked at before a message is said: whether it is one for people at all, whether it was said already, and
//! whether only an assistant would say it. What is held back costs one more round where somebody is owed an answer.

use serde_json::Value;

use super::failure_texts::FailureTexts;
use super::steps::{TurnStep, read_text_param};
use super::{Turn, TurnContext};
use crate::address::CompanionNames;
use crate::call::{ToolCall, ToolKind, ToolResult, ToolSpec};
use crate::chat::{AuthorKind, MessageId, UserId};
use crate::context::{WorkingItem, strip_companion_name};
use crate::effect::Effect;
use crate::honesty::{is_ai_denial, pick_admission};
use crate::message_guard::{CleanMessage, GuardReason, MessageGuard};
use crate::message_shape::MessageShape;
use crate::non_speech::{self, NonSpeech};
use crate::pacing::split_messages;
use crate::persona::Language;
use crate::similarity::{compute_similarity, extract_letters, letter_count};
use crate::style;
use crate::timeline::{Timeline, TimelineMessage};
use crate::truncate::truncate_line;

/// How many of its own last lines a new one is compared with.
const OWN_LINES_COMPARED: usize = 8;
/// Of its last lines so many are compared whatever their length: lines too short to be alike can still be the same.
const SHORT_COMPARED: usize = 3;
/// After so many messages in a row that end in a question the next one does not.
const QUESTIONS_IN_A_ROW: usize = 2;
/// How many lines of others a new one is compared with.
const LINES_COMPARED: usize = 30;
/// Shorter lines of others may be repeated: "good night", "happy birthday". In letters, a wide one counts as two.
const SHORTEST_COPY: usize = 20;
/// The same where nobody spoke to it: it need not say anything.
const SHORTEST_UNASKED_COPY: usize = 13;
/// The parameters of tools that people read, besides the main one of a tool whose effects they see.
const READ_BY_PEOPLE: &[&str] = &[
    "text", "question", "answers", "prompt", "title", "message", "content",
];
/// Nobody sees it happen, and everybody reads it.
const SET_STATUS: &str = "set_status";
/// The most characters of a message that a note quotes.
const QUOTED: usize = 80;

/// A text as it may be said.
pub(super) enum GuardedText {
    /// As these messages, one after the other.
    Say(Vec<String>),
    /// It says that nothing is said.
    Silence,
    /// Not at all.
    Hold(HoldReason),
}

/// Why a text is not said.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HoldReason {
    Empty,
    Repeats,
    SaidInTurn,
    Assistant,
    Copies,
    Refusal,
    Deliberates,
    LikelySilence,
    AnotherSpeaker,
    PromptText,
    DeniesAi,
    SilenceWhenAddressed,
}

impl HoldReason {
    /// For the model, which may try again.
    pub(super) fn failure_text(self, language: Language) -> &'static str {
        let texts = FailureTexts::from_language(language);
        match self {
            Self::Empty => texts.empty,
            Self::Repeats => texts.repeats,
            Self::SaidInTurn => texts.said_in_turn,
            Self::Assistant => texts.assistant,
            Self::Copies => texts.copies,
            Self::Refusal => texts.refusal,
            Self::Deliberates => texts.deliberates,
            Self::LikelySilence => texts.silence,
            Self::AnotherSpeaker => texts.another_speaker,
            Self::PromptText => texts.prompt_text,
            Self::DeniesAi => texts.denies_ai,
            Self::SilenceWhenAddressed => texts.silence_when_addressed,
        }
    }

    /// For people, as the reason why a turn said nothing.
    pub(super) fn reason(self) -> &'static str {
        match self {
            Self::Empty => "it wrote nothing",
            Self::Repeats => "it only repeated itself",
            Self::SaidInTurn => "it only said the same again",
            Self::Assistant => "it only talked like an assistant",
            Self::Copies => "it only copied what somebody else had said",
            Self::Refusal => "it only refused as an assistant would",
            Self::Deliberates => "it only talked about what to say",
            Self::LikelySilence => "it wrote that no answer is needed",
            Self::AnotherSpeaker => "it only wrote lines of others",
            Self::PromptText => "it only copied its instructions",
            Self::DeniesAi => "it denied that it is an AI",
            Self::SilenceWhenAddressed => "it kept silent though somebody spoke to it",
        }
    }

    /// Whether it is said after all where somebody is owed an answer and the model, asked once, knows no other words.
    fn is_better_than_nothing(self) -> bool {
        matches!(self, Self::Repeats | Self::Assistant | Self::Copies)
    }
}

impl From<GuardReason> for HoldReason {
    fn from(reason: GuardReason) -> Self {
        match reason {
            GuardReason::AnotherSpeaker => Self::AnotherSpeaker,
            GuardReason::PromptText => Self::PromptText,
            GuardReason::Thoughts => Self::Deliberates,
            GuardReason::Silence | GuardReason::Empty => Self::Empty,
        }
    }
}

impl Turn {
    /// The guard for what answers those who are owed.
    fn build_guard(&self, context: &TurnContext<'_>) -> MessageGuard {
        let owed = self
            .unanswered
            .iter()
            .filter_map(|id| Some(&context.timeline.find(*id)?.message.author));
        let names = CompanionNames::new(&self.policy.names);
        let called = self
            .find_unanswered_lines(context.timeline)
            .flat_map(|line| names.find_spellings(line));
        MessageGuard::new(&self.policy, context.timeline, context.names)
            .with_answered_authors(owed, context.names)
            .with_called_names(called)
    }

    /// A text that was written without an action, as it may be said.
    pub(super) fn guard_plain_text(
        &mut self,
        text: &str,
        context: &TurnContext<'_>,
    ) -> GuardedText {
        let guard = self.build_guard(context);
        // What stands around a message is taken off before it is read: `Juno says: hey` is one, "Juno should wait" is none.
        let inspected = guard.inspect(text);
        let message = inspected.as_ref().map_or(text, |clean| clean.text.as_str());
        match non_speech::classify_plain_text(message, guard.names()) {
            Some(NonSpeech::Silence) => GuardedText::Silence,
            Some(NonSpeech::Deliberation) => GuardedText::Hold(HoldReason::Deliberates),
            Some(NonSpeech::Refusal) => GuardedText::Hold(HoldReason::Refusal),
            _ => self.apply_guard(&guard, inspected, context.timeline),
        }
    }

    /// Whether a text that was written without an action says that nothing is said.
    pub(super) fn is_silence(&self, text: &str, context: &TurnContext<'_>) -> bool {
        let guard = self.build_guard(context);
        non_speech::classify_plain_text(text, guard.names()) == Some(NonSpeech::Silence)
    }

    /// The text of a message, as it may be said.
    pub(super) fn guard_message(&mut self, text: &str, context: &TurnContext<'_>) -> GuardedText {
        let guard = self.build_guard(context);
        self.apply_guard(&guard, guard.inspect(text), context.timeline)
    }

    /// Takes the texts that people will read of a call of another tool through the guard: a poll, a thread, an edit.
    pub(super) fn guard_call_texts(
        &mut self,
        spec: &ToolSpec,
        call: &mut ToolCall,
        context: &TurnContext<'_>,
    ) -> Result<(), HoldReason> {
        if spec.kind != ToolKind::Visible && spec.name != SET_STATUS {
            return Ok(());
        }
        let guard = MessageGuard::new(&self.policy, context.timeline, context.names);
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
                self.notes.extend(changes);
                *value = Value::String(text);
            }
        }
        Ok(())
    }

    fn apply_guard(
        &mut self,
        guard: &MessageGuard,
        inspected: Result<CleanMessage, GuardReason>,
        timeline: &Timeline,
    ) -> GuardedText {
        let text = match inspected {
            Ok(CleanMessage { text, changes }) => {
                self.notes.extend(changes);
                text
            }
            Err(GuardReason::Silence) => return GuardedText::Silence,
            Err(reason) => return GuardedText::Hold(reason.into()),
        };
        match non_speech::classify_message(&text, guard.names()) {
            Some(NonSpeech::Silence) => return GuardedText::Silence,
            Some(NonSpeech::SilenceOrAnswer) if !self.has_unanswered_question(timeline) => {
                return GuardedText::Silence;
            }
            Some(NonSpeech::LikelySilence) if !self.is_about_silence(guard, timeline) => {
                let is_meant = self.was_asked_again || !self.is_answer_due();
                return if is_meant {
                    GuardedText::Silence
                } else {
                    GuardedText::Hold(HoldReason::LikelySilence)
                };
            }
            Some(NonSpeech::Refusal) => return GuardedText::Hold(HoldReason::Refusal),
            Some(NonSpeech::Placeholder) => return GuardedText::Hold(HoldReason::PromptText),
            _ => {}
        }
        let is_denial = self
            .find_unanswered_lines(timeline)
            .any(|line| is_ai_denial(line, &text));
        let text = match is_denial {
            false => text,
            true if self.was_asked_again => {
                self.notes.push(
                    "it denied twice that it is an AI: the truth was said in its place".into(),
                );
                pick_admission(self.policy.persona.language).to_owned()
            }
            true => return GuardedText::Hold(HoldReason::DeniesAi),
        };
        let mut fresh: Vec<String> = Vec::new();
        let mut held = None;
        for part in split_messages(&text) {
            let part = self.strip_assistant_phrases(part);
            match self.find_objection(&part, timeline) {
                Some(reason) if !self.should_say_anyway(reason) => {
                    // A message said twice is no reason to ask for another.
                    held = held
                        .filter(|held| *held != HoldReason::SaidInTurn)
                        .or(Some(reason));
                }
                _ => fresh.push(part),
            }
        }
        self.leave_out_question(&mut fresh, timeline);
        match held {
            _ if !fresh.is_empty() => GuardedText::Say(fresh),
            held => GuardedText::Hold(held.unwrap_or(HoldReason::Empty)),
        }
    }

    /// Whether a text is said although something speaks against it: the model was told once, and somebody waits.
    fn should_say_anyway(&self, held: HoldReason) -> bool {
        held.is_better_than_nothing() && self.was_asked_again && self.is_answer_due()
    }

    fn strip_assistant_phrases(&mut self, part: String) -> String {
        let plain = style::strip_assistant_phrases(&part);
        if self.policy.assistant_phrases
            || plain.text.is_empty() && self.should_say_anyway(HoldReason::Assistant)
        {
            return part;
        }
        for clause in &plain.left_out {
            self.notes
                .push(format!("left out \"{clause}\": an assistant would say it"));
        }
        plain.text
    }

    /// Its last two messages asked something already: the question this one ends in is left out, where more is said.
    fn leave_out_question(&mut self, parts: &mut Vec<String>, timeline: &Timeline) {
        let before = timeline.own().take(QUESTIONS_IN_A_ROW);
        let asked = before
            .filter(|said| style::ends_in_question(&said.message.text))
            .count();
        if asked < QUESTIONS_IN_A_ROW || self.policy.assistant_phrases || self.is_reminder_turn {
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
        self.notes.push(format!(
            "left out \"{question}\": its last messages ended in questions, too"
        ));
    }

    fn find_objection(&mut self, part: &str, timeline: &Timeline) -> Option<HoldReason> {
        if part.is_empty() {
            return Some(HoldReason::Assistant);
        }
        if self.is_said_in_turn(part) {
            return Some(HoldReason::SaidInTurn);
        }
        if self.is_reminder_turn {
            // A reminder may come every day, and in the words it was asked for with.
            return None;
        }
        if let Some(earlier) = self.find_repeated_line(part, timeline) {
            self.notes.push(format!(
                "too like its own \"{}\"",
                truncate_line(&earlier, QUOTED)
            ));
            return Some(HoldReason::Repeats);
        }
        self.is_copied(part, timeline).then_some(HoldReason::Copies)
    }

    /// Whether it was said in this very turn, or is about to be.
    fn is_said_in_turn(&self, text: &str) -> bool {
        let threshold = self.policy.near_duplicate;
        let queued = self.queue.iter().filter_map(|step| match step {
            TurnStep::Say { text, .. } => Some(text),
            _ => None,
        });
        let is_same = |earlier: &String| {
            compute_similarity(text, earlier) >= threshold
                || threshold <= 1.0 && is_equal(text, earlier)
        };
        self.sent_texts.iter().chain(queued).any(is_same)
    }

    /// Its own earlier line that a text is too like. Somebody else who asks the same may well be told the same.
    fn find_repeated_line(&self, text: &str, timeline: &Timeline) -> Option<String> {
        let threshold = self.policy.near_duplicate;
        let mut recent = timeline.own().take(OWN_LINES_COMPARED).enumerate();
        let is_same = |place: usize, earlier: &str| {
            threshold <= 1.0 && place < SHORT_COMPARED && is_equal(text, earlier)
        };
        let (_, earlier) = recent.find(|(place, said)| {
            compute_similarity(text, &said.message.text) >= threshold
                || is_same(*place, &said.message.text)
        })?;
        let asked = self.find_unanswered_users(timeline);
        let answered = find_answered_user(earlier, timeline, &self.policy.names);
        let is_for_another = asked.iter().any(|asker| Some(*asker) != answered);
        (!is_for_another).then(|| earlier.message.text.to_string())
    }

    /// Whether it is what one other member said. What several have said is a chorus, which friends join.
    fn is_copied(&self, text: &str, timeline: &Timeline) -> bool {
        let threshold = self.policy.near_duplicate;
        if self.is_echo(text, timeline) {
            return true;
        }
        if letter_count(text)
            < if self.is_answer_due() {
                SHORTEST_COPY
            } else {
                SHORTEST_UNASKED_COPY
            }
        {
            return false;
        }
        let others = timeline.messages().rev().map(|said| &said.message);
        let others = others
            .filter(|message| message.author.kind != AuthorKind::Companion)
            .take(LINES_COMPARED);
        let mut authors: Vec<UserId> = others
            .filter(|message| compute_similarity(text, &message.text) >= threshold)
            .map(|message| message.author.id)
            .collect();
        authors.sort_unstable();
        authors.dedup();
        authors.len() == 1
    }

    /// Whether it is what it was told, word for word, where that is no answer at any length: a question asked back, or
    /// somebody's own news. "Good night" is, and "i love you" is.
    fn is_echo(&self, text: &str, timeline: &Timeline) -> bool {
        let said = extract_letters(text);
        let is_no_answer = || {
            let words = MessageShape::from_text(text);
            words.question || words.personal && !words.you
        };
        !said.is_empty()
            && self.find_unanswered_lines(timeline).any(|line| {
                let (whole, bare) = (
                    extract_letters(line),
                    extract_letters(&strip_companion_name(line, self.names())),
                );
                // With its own name in it, it is said to itself.
                let to_itself = || {
                    self.names()
                        .any(|name| whole.contains(&extract_letters(name)))
                };
                whole == said && to_itself() || bare == said && is_no_answer()
            })
    }

    /// What those wrote who are owed an answer.
    fn find_unanswered_lines<'a>(
        &'a self,
        timeline: &'a Timeline,
    ) -> impl Iterator<Item = &'a str> {
        self.unanswered
            .iter()
            .filter_map(|id| timeline.find(*id))
            .map(|said| &*said.message.text)
    }

    fn has_unanswered_question(&self, timeline: &Timeline) -> bool {
        self.find_unanswered_lines(timeline)
            .any(|line| MessageShape::from_text(line).question)
    }

    fn is_about_silence(&self, guard: &MessageGuard, timeline: &Timeline) -> bool {
        self.find_unanswered_lines(timeline)
            .any(|line| non_speech::is_about_silence(line, guard.names()))
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.policy.names.iter().map(String::as_str)
    }

    /// Keeps a message back: the model sees why, and is asked once more where somebody is owed an answer.
    pub(super) fn hold_back_message(
        &mut self,
        call: ToolCall,
        held: HoldReason,
        context: &TurnContext<'_>,
        effects: &mut Vec<Effect>,
    ) {
        effects.push(Effect::ReportHeldBack {
            channel: self.channel,
            why: held.reason(),
        });
        let text = read_text_param(
            &call,
            if held == HoldReason::SilenceWhenAddressed {
                "reason"
            } else {
                "text"
            },
        );
        self.notes.push(format!(
            "held back \"{}\": {}",
            truncate_line(text.trim(), QUOTED),
            held.reason()
        ));
        let result = ToolResult::error(held.failure_text(self.policy.persona.language));
        self.record_call(
            call.clone(),
            Some(ToolKind::Visible),
            Some(result.clone()),
            context.now,
        );
        if held != HoldReason::SaidInTurn {
            self.hold_reason = Some(held);
            self.working.push(WorkingItem::Called { call, result });
        }
    }

    /// Whether somebody waits for an answer, or for the reminder they asked for.
    pub fn is_answer_due(&self) -> bool {
        !self.unanswered.is_empty() || self.is_reminder_turn && !self.acted
    }

    /// It says that nothing is said: nobody is owed more.
    pub(super) fn choose_silence(&mut self, reason: &str) {
        let reason = truncate_line(reason.trim(), QUOTED);
        self.unanswered.clear();
        self.silence_reason = Some(if reason.is_empty() {
            "no reason given".into()
        } else {
            reason
        });
    }
}

/// Who was answered by one of its lines: whom it replied to, else who last spoke to it before, else who spoke last.
fn find_answered_user(
    line: &TimelineMessage,
    timeline: &Timeline,
    names: &[String],
) -> Option<UserId> {
    let author = |id: MessageId| timeline.find(id).map(|said| said.message.author.id);
    if let Some(replied_to) = line.message.reply_to.and_then(author) {
        return Some(replied_to);
    }
    let me = line.message.author.id;
    let before = || {
        let earlier = timeline
            .messages()
            .rev()
            .map(|said| &said.message)
            .skip_while(|said| said.id >= line.message.id);
        earlier.filter(|said| said.author.kind != AuthorKind::Companion)
    };
    let names: Vec<String> = names.iter().map(|name| name.to_lowercase()).collect();
    let mut spoke = before().take(LINES_COMPARED).filter(|said| {
        let text = said.text.to_lowercase();
        said.mentions.contains(&me)
            || said.reply_to.and_then(author) == Some(me)
            || names.iter().any(|name| text.contains(name))
    });
    spoke
        .next()
        .or_else(|| before().next())
        .map(|said| said.author.id)
}

fn is_equal(a: &str, b: &str) -> bool {
    let plain = |text: &str| {
        text.split_whitespace()
            .collect::<Vec<_>>()
            .join(" ")
            .to_lowercase()
    };
    plain(a) == plain(b)
}
