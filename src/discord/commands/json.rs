//! Small readers of Discord's JSON.

use serde_json::Value;

/// An id: Discord writes a string, some libraries a number.
pub(super) fn read_id(value: &Value) -> Option<u64> {
    value
        .as_str()
        .map_or_else(|| value.as_u64(), |text| text.parse().ok())
}
