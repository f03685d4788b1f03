//! The names under which words can only be meant to be said.

use serde_json::{Map, Value};

use super::names::{self, ANSWER_WORDS, TURN, ToolNames, fold_name};
use crate::call::ToolSpec;

pub(super) const SPEAKS: &str = "send_message";

/// The tool that another name for saying something means, if the parameters hold words.
pub(super) fn resolve_speech_tool<'a>(
    written: &str,
    params: &Map<String, Value>,
    names: &'a ToolNames,
) -> Option<&'a ToolSpec> {
    let has_words = || {
        params
            .iter()
            .any(|(key, value)| is_speech_field(key, value, names))
    };
    names
        .find_named_tool(SPEAKS)
        .filter(|_| (is_speech_name(written) || names.is_own_name(written)) && has_words())
}

/// Whether a name is one for saying something, or for what is said.
pub(super) fn is_speech_name(name: &str) -> bool {
    names::is_text_word(name)
        || fold_name(name) == TURN
        || ANSWER_WORDS.saying.contains(&fold_name(name))
}

/// Whether these are words under a name for them; a tool's name is none, and neither is what is written for a program.
pub(super) fn is_speech_field(key: &str, value: &Value, names: &ToolNames) -> bool {
    let is_speech = |text: &str| {
        !text.is_empty() && !text.starts_with("<turn") && names.find_named_tool(text).is_none()
    };
    is_speech_name(key) && value.as_str().is_some_and(|text| is_speech(text.trim()))
}
