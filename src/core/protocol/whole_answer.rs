//! One whole answer at once, for `kith parse` and for tests.

use std::sync::Arc;

use serde::Serialize;

use super::{AnswerParser, ParsedAnswer, Repair};
use crate::call::{ToolCall, ToolSpec};
use crate::policy::OutputProtocol;

/// What `kith parse` prints.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ParsedJson {
    /// What the model thought.
    pub thoughts: String,
    /// Its calls, in order.
    pub calls: Vec<ToolCall>,
    /// What had to be mended.
    pub repairs: Vec<Repair>,
    /// Whether anything of a protocol could be read; where not, `kith parse` exits with 1.
    #[serde(skip)]
    pub readable: bool,
}

/// Reads a whole answer of a companion called by these names. Without a protocol, whichever is found is taken to be the
/// one asked for.
pub fn parse_whole_answer(
    protocol: Option<OutputProtocol>,
    text: &[u8],
    tools: Arc<[ToolSpec]>,
    own_names: &[String],
) -> ParsedJson {
    let mut parser = AnswerParser::with_optional_protocol(protocol, tools, own_names);
    let mut calls = parser.feed(text);
    let (
        last,
        ParsedAnswer {
            thoughts,
            repairs,
            readable,
            ..
        },
    ) = parser.finish();
    calls.extend(last);
    ParsedJson {
        thoughts,
        calls,
        repairs,
        readable,
    }
}
