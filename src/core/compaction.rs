//! A channel's history in short: which lines that left the prompt are summed up, and how they are told to who does it.
//! Pure; the model that does it and where it is kept are others' business.

use super::chat::{MessageId, Millis};
use super::context::{Estimator, Recalled, escape};

/// The most messages that are summed up at once, the newest; what is older stays where it can be recalled.
pub const MOST_MESSAGES: usize = 400;
/// The longest piece of one message that is told, in bytes.
const LONGEST_LINE: usize = 400;

/// What was said in a channel, in short.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Summary {
    /// The first message it was made from.
    pub since: MessageId,
    /// The last.
    pub until: MessageId,
    /// A model's words.
    pub text: String,
    /// When the messages were read for it.
    pub begun: Millis,
}

/// What is to be summed up: messages between two, and what was summed up before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stretch {
    /// The message before its first.
    pub after: Option<MessageId>,
    /// The message behind its last.
    pub before: MessageId,
    /// What is to be taken up.
    pub earlier: Option<Summary>,
}

impl Summary {
    /// Whether a prompt may show it: not where all of it was left out of the context for good.
    pub fn is_shown(&self, begins_after: Option<MessageId>) -> bool {
        begins_after.is_none_or(|left_out| left_out < self.since)
    }
}

impl Stretch {
    /// What is missing between what is summed up and the first line that the prompt shows; none where nothing is.
    pub fn missing(first: MessageId, summary: Option<Summary>, begins_after: Option<MessageId>) -> Option<Self> {
        let earlier = summary.filter(|summary| summary.is_shown(begins_after));
        let after = earlier.as_ref().map(|summary| summary.until).max(begins_after);
        let is_missing = after.is_none_or(|after| after < first);
        is_missing.then_some(Self { after, before: first, earlier })
    }

    /// The question that is put, in so many estimated tokens, and what the answer will have been made from; none where
    /// nobody said anything.
    pub fn told(&self, said: &[(MessageId, Recalled)], tokens: u32, estimator: &Estimator) -> Option<Told> {
        let mut text = String::new();
        if let Some(earlier) = &self.earlier {
            escape::block(&mut text, &earlier.text, "| ");
            text.push('\n');
        }
        let mut room = tokens.saturating_sub(estimator.tokens(&text));
        let mut lines: Vec<String> = Vec::new();
        let mut first = None;
        for (id, said) in said.iter().rev() {
            let line = line(said);
            let size = estimator.tokens(&line);
            if size > room {
                break;
            }
            room -= size;
            first = Some(*id);
            lines.push(line);
        }
        let until = said.last().map(|(id, _)| *id)?;
        let since = self.earlier.as_ref().map(|earlier| earlier.since).or(first)?;
        lines.reverse();
        text.push_str(&lines.concat());
        first.map(|_| Told { since, until, text })
    }
}

/// What is told to who sums it up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// The first message in it, what was summed up before included.
    pub since: MessageId,
    /// The last.
    pub until: MessageId,
    /// The text.
    pub text: String,
}

/// `Anna: text`, safe and not too long.
fn line(said: &Recalled) -> String {
    let mut line = format!("{}: ", escape::name(&said.name));
    let end = said.text.floor_char_boundary(LONGEST_LINE);
    escape::line(&mut line, &said.text[..end], &|_| None);
    line.push_str(if end < said.text.len() { "…\n" } else { "\n" });
    line
}
