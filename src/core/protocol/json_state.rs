//! Where the reader of a JSON document stands: which value is open, what may come next in it, and what is being read.

use serde_json::Value;

use super::json_text::JsonText;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum JsonExpectation {
    Key,
    Colon,
    Value,
    Comma,
}

#[derive(Debug)]
pub(super) struct JsonFrame {
    pub(super) value: Value,
    pub(super) key: Option<String>,
    pub(super) expectation: JsonExpectation,
}

#[derive(Debug)]
pub(super) enum JsonPosition {
    Structure,
    Text(JsonText),
    Bare {
        from: usize,
    },
    /// Inside what may be a quote that is a token.
    Token {
        from: usize,
    },
    Slash,
    LineComment,
    BlockComment {
        star: bool,
    },
}
