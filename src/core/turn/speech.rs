//! What a turn said and did that people see, and what of it did not reach them.

/// How far the turn is with what people see.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum VisibleProgress {
    Nothing,
    /// It has started to do something: from then on it never starts over.
    Begun,
    /// Something has really arrived.
    Arrived,
}

/// What one turn said.
#[derive(Debug)]
pub(super) struct TurnSpeech {
    progress: VisibleProgress,
    /// The messages that were sent, delivered or not.
    pub(super) sent_texts: Vec<String>,
    /// The lines it was kept from saying.
    pub(super) unsent: Vec<String>,
    /// What could not be delivered or done, for the next prompt.
    pub(super) next_prompt_notes: Vec<String>,
    /// What it says may quote a message that is gone by now: no later prompt shows it.
    may_quote_gone: bool,
}

impl TurnSpeech {
    pub(super) fn new() -> Self {
        Self {
            progress: VisibleProgress::Nothing,
            sent_texts: Vec::new(),
            unsent: Vec::new(),
            next_prompt_notes: Vec::new(),
            may_quote_gone: false,
        }
    }

    /// Something people see is on its way.
    pub(super) fn mark_begun(&mut self) {
        self.progress = self.progress.max(VisibleProgress::Begun);
    }

    /// Something people see is there.
    pub(super) fn mark_arrived(&mut self) {
        self.progress = VisibleProgress::Arrived;
    }

    /// Whether it has started to do something people see.
    pub(super) fn has_acted(&self) -> bool {
        self.progress >= VisibleProgress::Begun
    }

    /// Whether something people see has really arrived.
    pub(super) fn has_arrived(&self) -> bool {
        self.progress == VisibleProgress::Arrived
    }

    /// Takes out every word that is still to be told.
    pub(super) fn forget(&mut self) {
        self.unsent.clear();
        self.next_prompt_notes.clear();
    }

    /// A message is gone that a prompt of the turn may have shown.
    pub(super) fn mark_quotes_gone(&mut self) {
        self.may_quote_gone = true;
        self.forget();
    }

    /// Whether a later prompt may show what it says.
    pub(super) fn is_quotable(&self) -> bool {
        !self.may_quote_gone
    }

    /// The lines it was kept from saying, where a later prompt may show them.
    pub(super) fn take_unsent(&mut self) -> Vec<String> {
        let unsent = std::mem::take(&mut self.unsent);
        if self.is_quotable() {
            unsent
        } else {
            Vec::new()
        }
    }
}
