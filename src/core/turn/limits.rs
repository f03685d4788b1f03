//! How much one turn may do: a model that runs wild posts a thousand messages otherwise. Rounds and the
//! wrap-up round are counted in `conclude.rs`.

use crate::answer_split::pack_messages;
use crate::call::{ToolKind, ToolSpec};
use kith_language::{LocalizedMessage, refusals};

/// The most things people see in one turn: messages, reactions, polls and the like.
pub const MOST_VISIBLE: usize = 8;
/// The most threads that are opened in one turn, sessions included.
pub const MOST_THREADS: usize = 2;
/// The most calls of one answer.
pub const MOST_CALLS: usize = 32;
const OPENS_THREAD: &[&str] = &["create_thread", "create_session"];

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TurnCounts {
    /// Calls that were handed out; the last one's number.
    calls: u32,
    /// Messages and reactions that were handed out; the last one's number.
    parts: u32,
    visible: usize,
    threads: usize,
    /// How many calls and messages were refused because there were enough.
    refused: usize,
}

impl TurnCounts {
    pub(super) fn number_call(&mut self) -> u32 {
        self.calls += 1;
        self.calls
    }

    pub(super) fn number_part(&mut self) -> u32 {
        self.parts += 1;
        self.parts
    }

    /// What the model is told where a call would go beyond what one turn may do; its answer made so many calls before.
    pub(super) fn check_call(
        &self,
        spec: &ToolSpec,
        calls_before: usize,
    ) -> Option<LocalizedMessage> {
        let is_visible = spec.kind == ToolKind::Visible && spec.name != "stay_silent";
        let opens_thread = OPENS_THREAD.contains(&spec.name.as_str());
        if calls_before >= MOST_CALLS {
            Some(refusals::too_many_calls(MOST_CALLS))
        } else if is_visible && self.visible >= MOST_VISIBLE {
            Some(refusals::too_many_visible(MOST_VISIBLE))
        } else if opens_thread && self.threads >= MOST_THREADS {
            Some(refusals::too_many_threads(MOST_THREADS))
        } else {
            None
        }
    }

    pub(super) fn count_visible(&mut self, name: &str) {
        self.visible += 1;
        self.threads += usize::from(OPENS_THREAD.contains(&name));
    }

    pub(super) fn count_refused(&mut self) {
        self.refused += 1;
    }

    pub(super) fn refused(&self) -> usize {
        self.refused
    }

    /// The messages of one call that may still be sent: many short ones become fewer long ones before any is left out.
    pub(super) fn limit_messages(&mut self, parts: Vec<String>) -> Vec<String> {
        let room = MOST_VISIBLE.saturating_sub(self.visible);
        let mut parts = if parts.len() > room {
            pack_messages(&parts, room)
        } else {
            parts
        };
        self.refused += parts.len().saturating_sub(room);
        parts.truncate(room);
        self.visible += parts.len();
        parts
    }
}
