//! What a turn may do over again, and how often: everything that repeats itself ends.

/// How often something may still be done.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allowance(u32);

impl Allowance {
    pub(super) fn is_left(self) -> bool {
        self.0 > 0
    }

    pub(super) fn spend(&mut self) {
        self.0 = self.0.saturating_sub(1);
    }
}

#[derive(Debug)]
pub(super) struct RetryAllowances {
    /// To start over because somebody spoke to it.
    pub(super) new_address: Allowance,
    /// To start over because somebody it answers goes on: for their second line, and for their last.
    pub(super) followup_line: Allowance,
    /// To start over because a message it answers was edited.
    pub(super) edited_message: Allowance,
    /// To ask again because an answer held no action.
    pub(super) repair: Allowance,
    /// To ask for other words than those that were held back.
    pub(super) other_words: Allowance,
    /// To ask again because a hook refused what was about to be said.
    pub(super) refused_speech: Allowance,
}

impl RetryAllowances {
    pub(super) fn new() -> Self {
        Self {
            new_address: Allowance(1),
            followup_line: Allowance(2),
            edited_message: Allowance(1),
            repair: Allowance(1),
            other_words: Allowance(1),
            refused_speech: Allowance(1),
        }
    }
}
