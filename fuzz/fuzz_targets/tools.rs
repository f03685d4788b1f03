//! The tools that fuzzed answers may call, and the checks the targets share.
#![expect(dead_code, reason = "each target uses one of them")]

use std::sync::Arc;

use kith_core::call::{ToolKind, ToolSpec};
use kith_core::policy::OutputProtocol;
use kith_core::protocol::{AnswerParser, ToolDelta, parse_whole};
use kith_core::schema::{Param, ParamType, Schema};

fn tool(name: &str, primary: &str, params: &[(&str, ParamType)]) -> ToolSpec {
    let params = params.iter().map(|(name, kind)| Param { name: (*name).into(), kind: *kind, ..Param::default() });
    ToolSpec {
        name: name.into(),
        kind: ToolKind::Visible,
        description: String::new(),
        schema: Schema { params: params.collect() },
        primary: Some(primary.into()),
        ..ToolSpec::default()
    }
}

fn tools() -> Arc<[ToolSpec]> {
    use ParamType::{Array, Integer, Object, String};
    Arc::from(vec![
        tool("send_message", "text", &[("text", String), ("reply_to", Integer)]),
        tool("react", "emoji", &[("to", Integer), ("emoji", String)]),
        tool("poll", "question", &[("question", String), ("options", Array), ("style", Object)]),
    ])
}

/// Reads an answer in pieces of `size` bytes and at once: no panic, and no difference.
pub fn read(protocol: OutputProtocol, data: &[u8], size: usize) {
    let mut parser = AnswerParser::new(protocol, tools());
    let mut calls = Vec::new();
    for piece in data.chunks(size.max(1)) {
        calls.extend(parser.feed(piece));
    }
    let (last, answer) = parser.finish();
    calls.extend(last);
    let whole = parse_whole(Some(protocol), data, tools(), &[]);
    assert_eq!((calls, answer.thoughts, answer.repairs), (whole.calls, whole.thoughts, whole.repairs));
}

/// Hands over calls whose pieces are a number, whether it has a name, and text: with each text whole and in pieces of
/// `size` bytes. What was given before the end is not taken back, and both give the same.
pub fn hand_over(pieces: &[(u8, bool, String)], size: usize) {
    let read = |size: usize| {
        let mut parser = AnswerParser::new(OutputProtocol::Native, tools());
        let mut calls = Vec::new();
        for (index, named, text) in pieces {
            let mut name = named.then(|| "send_message".to_owned());
            let mut rest = text.as_str();
            loop {
                let (head, tail) = rest.split_at(rest.ceil_char_boundary(size.min(rest.len())));
                let (index, arguments) = (u32::from(*index % 4), head.to_owned());
                calls.extend(parser.feed_tool(ToolDelta { index, id: None, name: name.take(), arguments }));
                rest = tail;
                if rest.is_empty() {
                    break;
                }
            }
        }
        let (last, answer) = parser.finish();
        assert_eq!(answer.plain_text, "");
        calls.extend(last);
        (calls, answer.repairs)
    };
    assert_eq!(read(size.max(1)), read(usize::MAX));
}
