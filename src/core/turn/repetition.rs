//! What speaks against a message because it was said before: by the companion itself, or by somebody else.

use std::sync::LazyLock;

use kith_language::{WordSet, word_lists, word_table};

use super::executor::RoundExecutor;
use super::hold_reason::HoldReason;
use super::turn_step::TurnStep;
use crate::chat::{AuthorKind, HOUR, Message, MessageId, Millis, UserId};
use crate::closing::{RepeatedClosing, find_repeated_closing};
use crate::context::strip_companion_name;
use crate::message_shape::MessageShape;
use crate::similarity::{compute_similarity, extract_letters, letter_count};
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
/// The same for what somebody tells of themselves: "me too" and "i'm in" are everybody's.
const SHORTEST_NEWS: usize = 9;
/// The same for what somebody wants or does and leaves the "I" out of, told again with it. "Tired" and "promise" may be answered so.
const SHORTEST_RETOLD: usize = 8;
/// Around a quotation, as friends do it.
const QUOTATION_SIGNS: [char; 9] = ['"', '“', '”', '„', '«', '「', '『', '《', '>'];
/// For so long a sentence it closed with is not said again at the end of another message.
const CLOSING_REMEMBERED: Millis = 3 * HOUR;
/// The most characters of an earlier line that a note quotes.
const QUOTED: usize = 80;

word_table! {
    /// What stands between two things to choose from.
    struct Choices {
        words: WordSet,
        unspaced: Vec<&'static str>,
    }
}

static CHOICES: LazyLock<Choices> = LazyLock::new(|| Choices::from_lists(word_lists("choices")));

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

    /// The last message closes as one of its own did a moment ago: that is left out, where more is said. What answers a
    /// question may well be said again.
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
        if self.is_echo(text) {
            return true;
        }
        let shortest = if self.record.is_answer_due() {
            SHORTEST_COPY
        } else {
            SHORTEST_UNASKED_COPY
        };
        let threshold = self.threshold();
        if threshold > 1.0 {
            return false;
        }
        let (letters, length) = (extract_letters(text), letter_count(text));
        let is_news = length >= SHORTEST_NEWS && is_news(text);
        let is_quotation = text.contains(QUOTATION_SIGNS);
        let is_copy = |said: &Message| {
            length >= shortest && compute_similarity(text, &said.text) >= threshold
                || !is_quotation
                    && letter_count(&said.text) >= shortest
                    && is_told_again(&letters, said)
                || is_news && extract_letters(&said.text) == letters
        };
        let others = self.context.timeline.messages().rev();
        let others = others
            .map(|said| &said.message)
            .filter(|message| message.author.kind != AuthorKind::Companion)
            .take(LINES_COMPARED);
        let mut authors: Vec<UserId> = others
            .filter(|message| is_copy(message))
            .map(|message| message.author.id)
            .collect();
        authors.sort_unstable();
        authors.dedup();
        authors.len() == 1
    }

    /// Whether it is what it was told, word for word, where that is no answer at any length: a question or a choice asked
    /// back, or somebody's own news. "Good night" is, and "i love you" is.
    fn is_echo(&self, text: &str) -> bool {
        let said = extract_letters(text);
        let is_question = || MessageShape::from_text(text).question;
        let is_no_answer = || is_question() || is_choice(text) || is_news(text);
        let names = || self.policy().names.iter().map(String::as_str);
        let mut lines = self
            .record
            .obligations
            .find_unanswered_lines(self.context.timeline);
        !said.is_empty()
            && lines.any(|line| {
                let whole = extract_letters(line);
                let bare = extract_letters(&strip_companion_name(line, names()));
                // With its own name in it, it is said to itself.
                let to_itself = || names().any(|name| holds_name(&whole, name));
                whole == said && to_itself()
                    || bare == said && is_no_answer()
                    || is_news(text)
                        && is_told_of_itself(&said, &bare)
                        && !MessageShape::from_text(line).question
            })
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

/// Whether the letters of a text are mostly those of somebody's line, and do not say whose it is.
fn is_told_again(letters: &str, said: &Message) -> bool {
    let line = extract_letters(&said.text);
    letters.contains(&line)
        && letters.len() <= 2 * line.len()
        && !holds_name(letters, &said.author.name)
}

/// Whether the letters of a text are those of a line with an "I" in front of them.
fn is_told_of_itself(letters: &str, line: &str) -> bool {
    letter_count(line) >= SHORTEST_RETOLD
        && letters
            .strip_suffix(line)
            .is_some_and(|lead| lead.chars().count() == 1 && is_news(lead))
}

/// Whether a name is among the letters of a text. One of signs alone never is.
fn holds_name(letters: &str, name: &str) -> bool {
    let name = extract_letters(name);
    !name.is_empty() && letters.contains(&name)
}

/// Whether a text lets somebody choose: "tea or coffee", also without a mark that asks.
fn is_choice(text: &str) -> bool {
    let text = text.to_lowercase();
    let mut words = text.split(|c: char| !c.is_alphanumeric());
    words.any(|word| CHOICES.words.contains(word))
        || CHOICES.unspaced.iter().any(|choice| text.contains(choice))
}

/// Whether a text tells of who writes it, and of nobody it speaks to.
fn is_news(text: &str) -> bool {
    let words = MessageShape::from_text(text);
    words.personal && !words.you
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
