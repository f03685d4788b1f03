//! What a turn said and did that people see, and what of it did not reach them.

use crate::quotes::QuoteRedactor;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum VisibleProgress {
    Nothing,
    /// It has started to do something: from then on it never starts over.
    Begun,
    /// Something has really arrived.
    Arrived,
}

#[derive(Debug)]
pub(super) struct TurnSpeech {
    progress: VisibleProgress,
    /// The messages that were sent, delivered or not.
    pub(super) sent_texts: Vec<String>,
    /// The lines it was kept from saying.
    pub(super) unsent: Vec<String>,
    /// What could not be delivered or done, for the next prompt.
    pub(super) next_prompt_notes: Vec<String>,
}

impl TurnSpeech {
    pub(super) fn new() -> Self {
        Self {
            progress: VisibleProgress::Nothing,
            sent_texts: Vec::new(),
            unsent: Vec::new(),
            next_prompt_notes: Vec::new(),
        }
    }

    pub(super) fn mark_begun(&mut self) {
        self.progress = self.progress.max(VisibleProgress::Begun);
    }

    pub(super) fn mark_arrived(&mut self) {
        self.progress = VisibleProgress::Arrived;
    }

    pub(super) fn has_acted(&self) -> bool {
        self.progress >= VisibleProgress::Begun
    }

    pub(super) fn has_arrived(&self) -> bool {
        self.progress == VisibleProgress::Arrived
    }

    /// Nothing that is still to be told repeats a message that is gone. A line that was not said goes whole.
    pub(super) fn remove_quotes(&mut self, quotes: &QuoteRedactor) {
        self.unsent.retain(|line| quotes.redact(line).is_none());
        self.next_prompt_notes
            .iter_mut()
            .for_each(|note| quotes.clean(note));
    }

    pub(super) fn forget(&mut self) {
        self.unsent.clear();
        self.next_prompt_notes.clear();
    }
}
