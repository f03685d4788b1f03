//! The tools that fuzzed answers may call, and the check all targets share.

use std::sync::Arc;

use kith::core::call::{ToolKind, ToolSpec};
use kith::core::policy::Protocol;
use kith::core::protocol::{Parser, parse_whole};
use kith::core::schema::{Param, ParamType, Schema};

fn tool(name: &str, primary: &str, params: &[(&str, ParamType)]) -> ToolSpec {
    let params = params.iter().map(|(name, kind)| Param { name: (*name).into(), kind: *kind, ..Param::default() });
    ToolSpec {
        name: name.into(),
        kind: ToolKind::Visible,
        description: String::new(),
        schema: Schema { params: params.collect() },
        primary: Some(primary.into()),
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
pub fn read(protocol: Protocol, data: &[u8], size: usize) {
    let mut parser = Parser::new(protocol, tools());
    let mut calls = Vec::new();
    for piece in data.chunks(size.max(1)) {
        calls.extend(parser.feed(piece));
    }
    let (last, answer) = parser.finish();
    calls.extend(last);
    let whole = parse_whole(Some(protocol), data, tools());
    assert_eq!((calls, answer.thoughts, answer.repairs), (whole.calls, whole.thoughts, whole.repairs));
}
