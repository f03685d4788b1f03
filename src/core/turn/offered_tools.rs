//! Which tools a round has: all of the channel's but those that have to be found first, and in the wrap-up round none
//! that asks for information.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::model_question::RoundKind;
use crate::call::{ToolExposure, ToolKind, ToolSpec};
use crate::policy::ChannelPolicy;

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
