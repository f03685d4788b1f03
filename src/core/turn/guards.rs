//! What is looked at before a message is said: whether it was said already, and whether an assistant would say it.

use super::Turn;
use super::steps::Step;
use crate::core::pacing::{likeness, messages};
use crate::core::sound;
use crate::core::timeline::Timeline;

/// How many of its own last lines a new one is compared with.
const OWN_LINES_COMPARED: usize = 8;

/// A text as it may be said.
pub(super) enum Guarded {
    /// As these messages, one after the other.
    Say(Vec<String>),
    /// Not at all.
    Hold(Held),
}

/// Why a text is not said.
#[derive(Clone, Copy, Debug)]
pub(super) enum Held {
    Empty,
    Repeats,
    Assistant,
}

impl Held {
    /// For the model, which may try again.
    pub(super) fn told(self) -> &'static str {
        match self {
            Self::Empty => "the message is empty",
            Self::Repeats => "not sent: you said nearly the same a moment ago; say something else or stay silent",
            Self::Assistant => "not sent: only an assistant would say this; say it as a friend would, or stay silent",
        }
    }

    /// For people, as the reason why a turn said nothing.
    pub(super) fn reason(self) -> &'static str {
        match self {
            Self::Empty => "it wrote nothing",
            Self::Repeats => "it only repeated itself",
            Self::Assistant => "it only talked like an assistant",
        }
    }
}

impl Turn {
    /// Cuts a text into messages, and holds back what it said before or what only an assistant would say. The latter is
    /// asked for anew once a turn; after that a stilted answer is better than none.
    pub(super) fn guarded(&mut self, text: &str, timeline: &Timeline) -> Guarded {
        let parts = messages(text);
        if parts.is_empty() {
            return Guarded::Hold(Held::Empty);
        }
        let mut fresh = Vec::new();
        let mut held = Held::Repeats;
        for part in parts {
            let part = self.without_phrases(part);
            if part.is_empty() {
                held = Held::Assistant;
                continue;
            }
            match self.repeated(&part, timeline) {
                Some(earlier) => self.notes.push(format!("held back \"{part}\": too like its own \"{earlier}\"")),
                None => fresh.push(part),
            }
        }
        if fresh.is_empty() {
            self.reworded = true;
            return Guarded::Hold(held);
        }
        Guarded::Say(fresh)
    }

    fn without_phrases(&mut self, part: String) -> String {
        let plain = sound::plain(&part);
        if self.policy.assistant_phrases || plain.text.is_empty() && self.reworded {
            return part;
        }
        for clause in &plain.left_out {
            self.notes.push(format!("left out \"{clause}\": an assistant would say it"));
        }
        plain.text
    }

    fn repeated(&self, text: &str, timeline: &Timeline) -> Option<String> {
        let bar = self.policy.near_duplicate;
        let recent = timeline.own().take(OWN_LINES_COMPARED).map(|said| &*said.message.text);
        let planned = self.queue.iter().filter_map(|step| match step {
            Step::Say { text, .. } => Some(text.as_str()),
            _ => None,
        });
        recent
            .chain(self.said.iter().map(String::as_str))
            .chain(planned)
            .find(|earlier| likeness(text, earlier) >= bar)
            .map(str::to_owned)
    }
}
