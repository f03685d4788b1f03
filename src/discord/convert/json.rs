//! Reads Discord's JSON without trusting its shape: what is missing or of another kind is simply not there, so that no
//! unknown field ever loses the rest.

use chrono::DateTime;
use serde_json::Value;

use kith_core::chat::Millis;
use kith_core::directory::PermissionSet;

/// A field, unless it is null.
pub(super) fn read_field<'a>(value: &'a Value, name: &str) -> Option<&'a Value> {
    value.get(name).filter(|value| !value.is_null())
}

/// A text field that is not empty.
pub(super) fn read_text<'a>(value: &'a Value, name: &str) -> Option<&'a str> {
    read_field(value, name)?
        .as_str()
        .filter(|text| !text.is_empty())
}

/// A whole number, also one in quotes: ids and permissions are written so.
pub(super) fn read_number(value: &Value) -> Option<u64> {
    value.as_u64().or_else(|| value.as_str()?.parse().ok())
}

pub(super) fn read_id(value: &Value, name: &str) -> Option<u64> {
    read_field(value, name).and_then(read_number).filter(is_id)
}

/// 0 is no id, nor is what lies past the year 2084: no database keeps it, and one such must not be believed.
fn is_id(id: &u64) -> bool {
    *id != 0 && i64::try_from(*id).is_ok()
}

/// A yes or no that is no where it is missing.
pub(super) fn read_flag(value: &Value, name: &str) -> bool {
    read_field(value, name)
        .and_then(Value::as_bool)
        .unwrap_or_default()
}

/// The elements of a list; none where there is no list.
pub(super) fn read_list<'a>(value: &'a Value, name: &str) -> &'a [Value] {
    read_field(value, name)
        .and_then(Value::as_array)
        .map_or(&[], Vec::as_slice)
}

/// The ids of a list; what is none is left out.
pub(super) fn read_ids(value: &Value, name: &str) -> Vec<u64> {
    read_list(value, name)
        .iter()
        .filter_map(read_number)
        .filter(is_id)
        .collect()
}

pub(super) fn read_permissions(value: &Value, name: &str) -> Option<PermissionSet> {
    read_field(value, name)
        .and_then(read_number)
        .map(PermissionSet)
}

/// A point in time, as ISO 8601.
pub(super) fn read_time(value: &Value, name: &str) -> Option<Millis> {
    DateTime::parse_from_rfc3339(read_text(value, name)?)
        .ok()
        .map(|time| time.timestamp_millis())
}
