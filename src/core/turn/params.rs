//! Reading the parameters of a call.

use serde_json::Value;

use crate::call::ToolCall;
use crate::chat::MessageId;
use crate::timeline::Timeline;

/// A parameter as text; empty where there is none.
pub(super) fn read_text_param(call: &ToolCall, name: &str) -> String {
    match call.params.get(name) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Null) | None => String::new(),
        Some(other) => other.to_string(),
    }
}

/// The message behind a short id in a parameter.
pub(super) fn find_message_id(
    call: &ToolCall,
    name: &str,
    timeline: &Timeline,
) -> Option<MessageId> {
    let value = call.params.get(name)?;
    let short = value
        .as_u64()
        .or_else(|| value.as_str()?.trim_start_matches('#').trim().parse().ok());
    short
        .and_then(|short| timeline.find_by_short_id(u16::try_from(short).ok()?))
        .map(|said| said.message.id)
}
