//! What a message said, for whoever may be about to repeat it.

use std::sync::Arc;

use super::{ErasedPassage, QuotedWords};
use crate::chat::ChannelId;

/// What a message said that is deleted, or says something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ErasedMessage {
    pub channel: ChannelId,
    pub text: Arc<str>,
    /// What it says now; empty if it is gone.
    pub remaining_text: Arc<str>,
}

/// Takes a message out of what repeats it: all of it, or telling words of it.
pub struct QuoteRedactor {
    passage: ErasedPassage,
    words: QuotedWords,
}

impl QuoteRedactor {
    /// None if the message gave nothing away.
    pub fn new(gone: &ErasedMessage) -> Option<Self> {
        Some(Self {
            passage: ErasedPassage::new(&gone.text)?,
            words: QuotedWords::from_text(&gone.text, &gone.remaining_text),
        })
    }

    /// A text without it; none if the text does not repeat it.
    pub fn redact(&self, text: &str) -> Option<String> {
        let unquoted = self.passage.redact(text);
        let untold = self.words.redact(unquoted.as_deref().unwrap_or(text));
        untold.or(unquoted)
    }

    pub fn clean(&self, text: &mut String) {
        if let Some(left) = self.redact(text) {
            *text = left;
        }
    }
}
