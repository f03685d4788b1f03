//! Which tools a round has: all of the channel's but those that have to be found first, and in the wrap-up round none
//! that asks for information.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{RoundKind, Turn};
use crate::call::{ToolExposure, ToolKind, ToolSpec};
use crate::policy::ChannelPolicy;
use crate::report::CallReport;

impl Turn {
    /// The tools of the current round.
    pub fn offered(&self) -> Arc<[ToolSpec]> {
        offered(&self.policy, self.kind, &self.discovered_tools)
    }

    /// Whether a tool of the round was not called with success for so many rounds.
    pub fn is_tool_unused(&self, name: &str, rounds: usize) -> bool {
        let is_done = |done: &CallReport| {
            done.call.name == name && done.result.as_ref().is_some_and(|result| !result.is_error)
        };
        let finished = self
            .rounds
            .split_last()
            .map_or(&[][..], |(_, finished)| finished);
        let counted = finished.iter().rev().filter(|round| !round.is_retried());
        let since = counted
            .take_while(|round| !round.calls.iter().any(is_done))
            .count();
        since >= rounds && self.offered().iter().any(|tool| tool.name == name)
    }
}

/// The tools of a round; `found` are the names of those that calls of the turn have put on offer.
pub fn offered(
    policy: &ChannelPolicy,
    kind: RoundKind,
    found: &BTreeSet<String>,
) -> Arc<[ToolSpec]> {
    let is_hidden =
        |tool: &ToolSpec| tool.offer != ToolExposure::Always && !found.contains(&tool.name);
    let is_over = |tool: &ToolSpec| kind == RoundKind::WrapUp && tool.kind == ToolKind::Tool;
    if policy
        .tools
        .iter()
        .any(|tool| is_hidden(tool) || is_over(tool))
    {
        return policy
            .tools
            .iter()
            .filter(|tool| !is_hidden(tool) && !is_over(tool))
            .cloned()
            .collect();
    }
    policy.tools.clone()
}
