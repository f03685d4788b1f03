//! Any bytes in any pieces, with a tool that is known: no panic, and the same as all at once.
#![no_main]

use std::sync::Arc;

use kith::core::call::{ToolKind, ToolSpec};
use kith::core::policy::Protocol;
use kith::core::protocol::{Parser, parse_whole};
use kith::core::schema::{Param, Schema};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: (bool, u8, &[u8])| {
    let (xml, size, data) = input;
    let protocol = if xml { Protocol::Xml } else { Protocol::Json };
    let param = |name: &str| Param { name: name.into(), ..Param::default() };
    let tools: Arc<[ToolSpec]> = Arc::from(vec![ToolSpec {
        name: "send_message".into(),
        kind: ToolKind::Visible,
        description: String::new(),
        schema: Schema { params: vec![param("text"), param("reply_to")] },
        primary: Some("text".into()),
    }]);
    let mut parser = Parser::new(protocol, tools.clone());
    let mut calls = Vec::new();
    for piece in data.chunks(usize::from(size).max(1)) {
        calls.extend(parser.feed(piece));
    }
    let (last, answer) = parser.finish();
    calls.extend(last);
    let whole = parse_whole(Some(protocol), data, tools);
    assert_eq!((calls, answer.thoughts, answer.repairs), (whole.calls, whole.thoughts, whole.repairs));
});
