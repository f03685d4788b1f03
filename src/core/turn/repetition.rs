//! What speaks against a message because it was said before: by the companion itself, or by somebody else.

use std::collections::BTreeSet;

use super::executor::RoundExecutor;
use super::hold_reason::HoldReason;
use super::turn_step::TurnStep;
use crate::address::{CompanionNames, NameUse};
use crate::chat::{AuthorKind, HOUR, MessageId, Millis, UserId};
use crate::closing::{RepeatedClosing, find_repeated_closing};
use crate::context::strip_companion_name;
use crate::echo::{MemberLine, is_echo};
use crate::similarity::compute_similarity;
use crate::timeline::{Timeline, TimelineMessage};
use crate::truncate::truncate_line;

/// How many of its own last lines a new one is compared with.
const OWN_LINES_COMPARED: usize = 8;
/// Of its last lines so many are compared whatever their length: lines too short to be alike can still be the same.
const SHORT_COMPARED: usize = 3;
/// How many lines of others a new one is compared with.
const LINES_COMPARED: usize = 30;
/// Shorter lines of others may be repeated: "good night", "happy birthday". In letters, a wide one counts as two.
const SHORTEST_COPY: usize = 20;
/// The same where nobody spoke to it: it need not say anything.
const SHORTEST_UNASKED_COPY: usize = 13;
/// For so long a sentence it closed with is not said again at the end of another message.
const CLOSING_REMEMBERED: Millis = 3 * HOUR;
/// The most characters of an earlier line that a note quotes.
const QUOTED: usize = 80;

impl RoundExecutor<'_> {
    /// Why one message of an answer is not said, if anything speaks against it.
    pub(super) fn find_objection(&mut self, part: &str) -> Option<HoldReason> {
        if part.is_empty() {
            return Some(HoldReason::Assistant);
        }
        if self.is_said_in_turn(part) {
            return Some(HoldReason::SaidInTurn);
        }
        if self.record.obligations.is_reminder() {
            // A reminder may come every day, and in the words it was asked for with.
            return None;
        }
        if let Some(earlier) = self.find_repeated_line(part) {
            let earlier = truncate_line(&earlier, QUOTED);
            self.add_note(format!("too like its own \"{earlier}\""));
            return Some(HoldReason::Repeats);
        }
        if self.calls_itself(part) {
            return Some(HoldReason::CallsItself);
        }
        self.is_copied(part).then_some(HoldReason::Copies)
    }

    /// How alike two lines are that say the same.
    fn threshold(&self) -> f32 {
        self.policy().near_duplicate
    }

    /// Whether it was said in this very turn, or is about to be.
    fn is_said_in_turn(&self, text: &str) -> bool {
        let threshold = self.threshold();
        let queued = self.round.steps.iter().filter_map(|step| match step {
            TurnStep::Say { text, .. } => Some(text),
            _ => None,
        });
        let is_same = |earlier: &String| {
            compute_similarity(text, earlier) >= threshold
                || threshold <= 1.0 && is_equal(text, earlier)
        };
        let sent = &self.record.speech.sent_texts;
        sent.iter().chain(queued).any(is_same)
    }

    /// Its own earlier line that a text is too like. Somebody else who asks the same may well be told the same.
    fn find_repeated_line(&self, text: &str) -> Option<String> {
        let (threshold, timeline) = (self.threshold(), self.context.timeline);
        let mut recent = timeline.own().take(OWN_LINES_COMPARED).enumerate();
        let is_same = |place: usize, earlier: &str| {
            threshold <= 1.0 && place < SHORT_COMPARED && is_equal(text, earlier)
        };
        let (_, earlier) = recent.find(|(place, said)| {
            compute_similarity(text, &said.message.text) >= threshold
                || is_same(*place, &said.message.text)
        })?;
        (!self.is_for_another(earlier)).then(|| earlier.message.text.to_string())
    }

    /// Whether somebody is owed an answer whom its earlier line did not answer.
    fn is_for_another(&self, earlier: &TimelineMessage) -> bool {
        let timeline = self.context.timeline;
        let asked = self.record.obligations.find_unanswered_users(timeline);
        let answered = find_answered_user(earlier, timeline, &self.policy().names);
        asked.iter().any(|asker| Some(*asker) != answered)
    }

    /// Leaves out a closing it used a moment ago, where more is said. What answers a question may well be said again.
    pub(super) fn leave_out_repeated_closing(&mut self, parts: &mut Vec<String>) {
        let is_only = parts.len() == 1;
        let Some(last) = parts.last_mut() else { return };
        if self.threshold() > 1.0 || self.record.obligations.is_reminder() {
            return;
        }
        let may_answer = self.has_unanswered_question();
        let since = self.context.now - CLOSING_REMEMBERED;
        let own = self.context.timeline.own().take(OWN_LINES_COMPARED);
        let recent = own.take_while(|earlier| earlier.message.at >= since);
        let repeated = recent
            .filter(|earlier| !self.is_for_another(earlier))
            .filter_map(|earlier| find_repeated_closing(last, &earlier.message.text))
            .find(|found| found.is_question || !may_answer);
        let Some(RepeatedClosing { kept, closing, .. }) =
            repeated.filter(|found| !is_only || !found.kept.is_empty())
        else {
            return;
        };
        let closing = truncate_line(closing, QUOTED);
        *last = kept.to_owned();
        parts.retain(|part| !part.is_empty());
        self.add_note(format!(
            "left out \"{closing}\": one of its last messages ended with it, too"
        ));
    }

    /// Whether it is what one other member said. What several have said is a chorus, which friends join.
    fn is_copied(&self, text: &str) -> bool {
        let shortest = match self.record.is_answer_due() {
            _ if self.threshold() > 1.0 => usize::MAX,
            true => SHORTEST_COPY,
            false => SHORTEST_UNASKED_COPY,
        };
        let unanswered = self.record.obligations.unanswered();
        let names = || self.policy().names.iter().map(String::as_str);
        let others = self.context.timeline.messages().rev();
        let others = others
            .map(|said| &said.message)
            .filter(|message| message.author.kind != AuthorKind::Companion);
        let echoed = others.take(LINES_COMPARED).filter(|message| {
            let line = MemberLine {
                text: &strip_companion_name(&message.text, names()),
                author: &message.author.name,
                is_answered: unanswered.contains(&message.id),
                shortest,
            };
            is_echo(text, &line)
        });
        let mut authors = BTreeSet::new();
        for message in echoed {
            if unanswered.contains(&message.id) {
                return true;
            }
            authors.insert(message.author.id);
        }
        authors.len() == 1
    }

    /// Whether a text calls the companion as others call it: a small model that was called so calls itself.
    pub(super) fn calls_itself(&self, text: &str) -> bool {
        let own = &self.policy().names;
        // What people make of its name may be a thing: 柚子 of 阿柚.
        let is_other = |said: &str| !own.iter().any(|name| said.contains(name.as_str()));
        CompanionNames::new(own).find_name_use_among(text, is_other) == NameUse::Vocative
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
