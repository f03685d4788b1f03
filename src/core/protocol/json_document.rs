//! A JSON document that stands alone in a text, read as forgivingly as one that streams.

use serde_json::Value;

use super::json::{JsonReader, JsonStep};
use super::repair::Repairs;

/// Reads a whole document from `text`; none where it holds none or more than one.
pub(super) fn parse_document(text: &str, repairs: &mut Repairs) -> Option<Value> {
    if let Ok(value) = serde_json::from_str(text) {
        return Some(value);
    }
    let mut reader = JsonReader::new_for_value(0);
    let mut pos = 0;
    match reader.read_next(text, &mut pos) {
        Some(JsonStep::Root(root)) if text.get(pos..)?.trim().is_empty() => {
            repairs.extend(reader.repairs);
            Some(root)
        }
        _ => None,
    }
}
