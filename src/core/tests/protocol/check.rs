//! The tools of the tests and the one way to check an answer.

use std::sync::Arc;

use kith_core::call::{ToolCall, ToolKind, ToolSpec};
use kith_core::policy::OutputProtocol;
use kith_core::protocol::{AnswerParser, ParsedAnswer};
use kith_core::schema::{Param, ParamType, Schema};
use serde_json::{Value, json};

fn tool(
    name: &str,
    kind: ToolKind,
    primary: Option<&str>,
    params: &[(&str, ParamType)],
) -> ToolSpec {
    let params = params.iter().map(|(name, kind)| Param {
        name: (*name).into(),
        kind: *kind,
        ..Param::default()
    });
    ToolSpec {
        name: name.into(),
        kind,
        description: String::new(),
        schema: Schema {
            params: params.collect(),
        },
        primary: primary.map(Into::into),
        ..ToolSpec::default()
    }
}

/// The tools of the first release, and one with a nested parameter.
pub fn tools() -> Arc<[ToolSpec]> {
    use ParamType::{Array, Integer, Object, String};
    Arc::from(vec![
        tool(
            "send_message",
            ToolKind::Visible,
            Some("text"),
            &[("text", String), ("reply_to", Integer)],
        ),
        tool(
            "react",
            ToolKind::Visible,
            Some("emoji"),
            &[("to", Integer), ("emoji", String)],
        ),
        tool(
            "stay_silent",
            ToolKind::Visible,
            Some("reason"),
            &[("reason", String)],
        ),
        tool(
            "get_time",
            ToolKind::Tool,
            Some("zone"),
            &[("zone", String), ("format", String)],
        ),
        tool(
            "recall",
            ToolKind::Tool,
            Some("query"),
            &[("query", String), ("speaker", String), ("since", String)],
        ),
        tool(
            "core_memory_append",
            ToolKind::Quiet,
            Some("text"),
            &[("label", String), ("text", String)],
        ),
        tool(
            "core_memory_replace",
            ToolKind::Quiet,
            None,
            &[
                ("label", String),
                ("old_text", String),
                ("new_text", String),
            ],
        ),
        tool(
            "poll",
            ToolKind::Visible,
            Some("question"),
            &[("question", String), ("options", Array), ("style", Object)],
        ),
    ])
}

/// What the companion is called.
const OWN: [&str; 2] = ["Juno", "阿柚"];

/// Reads an answer in pieces of `size` bytes.
pub fn read_in(
    protocol: OutputProtocol,
    input: &[u8],
    size: usize,
) -> (Vec<ToolCall>, ParsedAnswer) {
    let mut parser = AnswerParser::with_names(protocol, tools(), &OWN.map(str::to_owned), &[]);
    let mut calls = Vec::new();
    for piece in input.chunks(size.max(1)) {
        calls.extend(parser.feed(piece));
    }
    let (last, answer) = parser.finish();
    calls.extend(last);
    (calls, answer)
}

/// `[["name", {params}], …]`
pub fn shape(calls: &[ToolCall]) -> Value {
    calls
        .iter()
        .map(|call| json!([call.name, call.params]))
        .collect()
}

/// Checks the calls of an answer, read at once and byte by byte, and gives the rest of it back.
#[track_caller]
pub fn check(protocol: OutputProtocol, input: &str, expected: Value) -> ParsedAnswer {
    let (calls, answer) = read_in(protocol, input.as_bytes(), usize::MAX);
    assert_eq!(
        shape(&calls),
        expected,
        "\ninput: {input}\nanswer: {answer:#?}"
    );
    let (split, split_answer) = read_in(protocol, input.as_bytes(), 1);
    assert_eq!(
        (calls, &answer),
        (split, &split_answer),
        "byte by byte differs\ninput: {input}"
    );
    answer
}
