//! Calls that hold the name of what belongs into them, or a program's word for nothing.

use serde_json::{Map, Value};

use super::answer_words::ANSWER_WORDS;
use super::names::{self, ToolNames};
use crate::call::{ToolCall, ToolKind, ToolSpec};

/// Whether a call is only the form of one: where its words belong stands what they are called.
pub(super) fn is_placeholder_call(call: &ToolCall, names: &ToolNames) -> bool {
    // Whoever says nothing needs no words for it.
    if call.name == "stay_silent" {
        return false;
    }
    let tool = names
        .tools
        .iter()
        .find(|tool| tool.name == call.name)
        .filter(|tool| tool.kind == ToolKind::Visible);
    let Some(primary) = tool.and_then(|tool| tool.primary.as_ref()) else {
        return false;
    };
    let text = call
        .params
        .get(primary)
        .and_then(Value::as_str)
        .unwrap_or_default();
    let inner = text.trim().to_lowercase();
    let inner = inner
        .trim_matches(['[', ']', '<', '>', '{', '}'])
        .trim_end_matches(['?', '.']);
    inner == primary || ANSWER_WORDS.placeholders.contains(inner)
}

/// The parameters of a call that are written once more, as JSON, where its own text belongs.
pub(super) fn parse_repeated_params(
    text: &str,
    primary: &str,
    tool: &ToolSpec,
) -> Option<Map<String, Value>> {
    let text = text.trim();
    if !text.starts_with('{') {
        return None;
    }
    let fields: Map<String, Value> = serde_json::from_str(text).ok()?;
    let is_whole = fields.get(primary).is_some_and(Value::is_string);
    (is_whole
        && fields
            .keys()
            .all(|key| names::find_param(tool, key).is_some()))
    .then_some(fields)
}
