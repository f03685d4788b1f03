//! Answers inside texts of answers.

use std::sync::Arc;

use super::AnswerScanner;
use crate::protocol::collected_calls::CollectedCalls;
use crate::protocol::names::ToolNames;

/// How many answers may stand in each other's texts.
const DEEPEST: usize = 3;

/// Reads text inside another structure; whether it was of a protocol. Answers in texts of answers end somewhere: nobody
/// means them, and each costs a part of the stack.
pub(in crate::protocol) fn scan_nested_text(
    text: &str,
    names: &ToolNames,
    found: &mut CollectedCalls,
) -> bool {
    if found.depth >= DEEPEST {
        return false;
    }
    let mut inner = AnswerScanner::new(None, Arc::new(names.clone()));
    inner.recovering = true;
    inner.found.depth = found.depth + 1;
    inner.text.push_str(text);
    inner.scan_available_text();
    inner.finish();
    inner.merge_into(found)
}

impl AnswerScanner {
    /// Hands what was found to the reader of the text around; whether it was of a protocol.
    fn merge_into(mut self, found: &mut CollectedCalls) -> bool {
        found.add_thought(&self.found.thoughts);
        found.wants_another_round |= self.found.wants_another_round;
        let calls = self.take_calls(true);
        let readable = self.has_structure || !calls.is_empty();
        found.calls.extend(calls);
        found.repairs.extend(self.found.repairs);
        found.problems.extend(self.found.problems);
        readable
    }
}
