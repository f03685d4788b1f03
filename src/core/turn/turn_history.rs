//! What a turn's report tells: its rounds, and what people should know besides.

use crate::call::{ToolCall, ToolKind, ToolResult};
use crate::chat::Millis;
use crate::report::{CallReport, RoundReport};

use super::model_question::RoundKind;

/// The rounds of a turn so far, the current one last.
#[derive(Debug)]
pub(super) struct TurnHistory {
    earlier: Vec<RoundReport>,
    current: RoundReport,
    /// Rounds begun, repairs and restarts not counted.
    counted_rounds: u32,
    /// What people should know of the turn besides.
    pub(super) notes: Vec<String>,
}

impl TurnHistory {
    pub(super) fn new(now: Millis) -> Self {
        Self {
            earlier: Vec::new(),
            current: begin_report(1, now),
            counted_rounds: 1,
            notes: Vec::new(),
        }
    }

    pub(super) fn begin_round(&mut self, kind: RoundKind, now: Millis) {
        if kind == RoundKind::Normal && !self.current.is_retried() {
            self.counted_rounds += 1;
        }
        let next = begin_report(self.current.ask + 1, now);
        self.earlier
            .push(std::mem::replace(&mut self.current, next));
    }

    pub(super) fn current(&self) -> &RoundReport {
        &self.current
    }

    pub(super) fn current_mut(&mut self) -> &mut RoundReport {
        &mut self.current
    }

    /// The rounds before the current one, oldest first.
    pub(super) fn earlier(&self) -> &[RoundReport] {
        &self.earlier
    }

    /// All rounds, the newest first.
    pub(super) fn newest_first(&self) -> impl Iterator<Item = &RoundReport> {
        std::iter::once(&self.current).chain(self.earlier.iter().rev())
    }

    pub(super) fn counted_rounds(&self) -> u32 {
        self.counted_rounds
    }

    pub(super) fn add_note(&mut self, note: impl Into<String>) {
        self.notes.push(note.into());
    }

    /// Adds a call to the current round's report, and answers with its place there. No kind where there is no such tool.
    pub(super) fn record_call(
        &mut self,
        call: ToolCall,
        kind: impl Into<Option<ToolKind>>,
        result: Option<ToolResult>,
        at: Millis,
    ) -> usize {
        let calls = &mut self.current.calls;
        calls.push(CallReport {
            call,
            kind: kind.into(),
            result,
            message: None,
            hindrance: None,
            at,
        });
        calls.len() - 1
    }

    /// Takes out every word of it; the reason why stays.
    pub(super) fn forget(&mut self, reason: &str) {
        self.notes = vec![reason.to_owned()];
        self.earlier.iter_mut().for_each(RoundReport::forget);
        self.current.forget();
    }

    /// The rounds for a report, oldest first.
    pub(super) fn rounds(&self) -> Vec<RoundReport> {
        let current = std::iter::once(&self.current);
        self.earlier.iter().chain(current).cloned().collect()
    }
}

fn begin_report(ask: u32, now: Millis) -> RoundReport {
    RoundReport {
        ask,
        asked_at: now,
        ..RoundReport::default()
    }
}
