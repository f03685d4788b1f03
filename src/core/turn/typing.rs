//! When the typing notice is shown, and since when the companion has had its hands free to type.

use crate::chat::{Millis, SECOND};

/// The typing notice is renewed this often; platforms show it for ten seconds.
const NOTICE_RENEWED: Millis = 8 * SECOND;

#[derive(Debug)]
pub(super) struct TypingState {
    /// When it last began to think or a message went out: typing times count from then.
    free_since: Millis,
    /// When the notice is asked for next; none where it is not to be shown.
    next_notice: Option<Millis>,
    /// A message was posted since the notice was last asked for: platforms take it away then.
    is_notice_gone: bool,
}

impl TypingState {
    pub(super) fn new(now: Millis) -> Self {
        Self {
            free_since: now,
            next_notice: None,
            is_notice_gone: false,
        }
    }

    pub(super) fn free_since(&self) -> Millis {
        self.free_since
    }

    pub(super) fn next_notice(&self) -> Option<Millis> {
        self.next_notice
    }

    /// Who spoke to it sees at once that it was heard. Unasked it may choose silence, so nothing shows before it writes.
    pub(super) fn begin_thinking(&mut self, is_owed: bool, now: Millis) {
        self.free_since = now;
        self.next_notice = is_owed.then(|| self.next_notice.unwrap_or(now));
    }

    pub(super) fn begin_writing(&mut self, now: Millis) {
        self.next_notice.get_or_insert(now);
    }

    pub(super) fn begin_pause(&mut self, now: Millis) {
        if self.is_notice_gone {
            self.next_notice = Some(now);
        }
        self.next_notice.get_or_insert(now);
    }

    /// A message or reaction is out, or it is known not to be.
    pub(super) fn end_delivery(&mut self, now: Millis) {
        self.free_since = now;
    }

    pub(super) fn mark_notice_gone(&mut self) {
        self.is_notice_gone = true;
    }

    pub(super) fn renew_notice(&mut self, is_writing: bool, now: Millis) -> bool {
        match self.next_notice {
            Some(_) if !is_writing => self.next_notice = None,
            Some(due) if due <= now => {
                self.is_notice_gone = false;
                self.next_notice = Some(now + NOTICE_RENEWED);
                return true;
            }
            _ => {}
        }
        false
    }
}
