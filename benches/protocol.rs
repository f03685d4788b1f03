//! What reading an answer costs: one of 1 KB (to stay under 20 microseconds), one of 1 MB, and hostile nesting of
//! a quarter and a whole megabyte, which must grow with the length and no faster.

mod scale;

use std::sync::Arc;

use divan::Bencher;
use divan::counter::BytesCount;
use kith_core::call::{ToolKind, ToolSpec};
use kith_core::policy::OutputProtocol::{self, Json, Native, Xml};
use kith_core::protocol::AnswerParser;
use kith_core::schema::{Param, Schema};

use scale::scale_down;

fn main() {
    divan::main();
}

fn tools() -> Arc<[ToolSpec]> {
    let tool = |name: &str, primary: &str, params: &[&str]| ToolSpec {
        name: name.into(),
        kind: ToolKind::Visible,
        description: String::new(),
        schema: Schema {
            params: params
                .iter()
                .map(|name| Param {
                    name: (*name).into(),
                    ..Param::default()
                })
                .collect(),
        },
        primary: Some(primary.into()),
        ..ToolSpec::default()
    };
    Arc::from(vec![
        tool("send_message", "text", &["text", "reply_to"]),
        tool("react", "emoji", &["to", "emoji"]),
        tool("stay_silent", "reason", &["reason"]),
        tool("get_time", "zone", &["zone", "format"]),
        tool("recall", "query", &["query", "speaker"]),
        tool("core_memory_append", "text", &["label", "text"]),
        tool(
            "core_memory_replace",
            "new_text",
            &["label", "old_text", "new_text"],
        ),
    ])
}

const LINE: &str = "so you really went there on your own? 太勇敢了, i would have needed two of you to hold my hands & a map ";

/// An answer of about `bytes`: thoughts, then messages of about 200 bytes.
fn answer(protocol: OutputProtocol, bytes: usize) -> String {
    let text = LINE
        .repeat(2)
        .replace('&', if protocol == Xml { "&amp;" } else { "&" });
    let calls = bytes / 256;
    match protocol {
        Xml => {
            let call = format!("  <send_message reply_to=\"12\">{text}</send_message>\n");
            format!(
                "<turn>\n  <thoughts>{text}</thoughts>\n{}</turn>",
                call.repeat(calls)
            )
        }
        Json | Native => {
            let call = format!(
                "    {{\"name\": \"send_message\", \"params\": {{\"text\": \"{text}\", \"reply_to\": 12}}}}"
            );
            format!(
                "{{\n  \"thoughts\": \"{text}\",\n  \"actions\": [\n{}\n  ]\n}}",
                vec![call; calls].join(",\n")
            )
        }
    }
}

/// Reads `input` in pieces of `size` bytes.
fn read(protocol: OutputProtocol, tools: &Arc<[ToolSpec]>, input: &str, size: usize) -> usize {
    let mut parser = AnswerParser::new(protocol, tools.clone());
    let mut calls = 0;
    for piece in input.as_bytes().chunks(size) {
        calls += parser.feed(piece).len();
    }
    calls + parser.finish().0.len()
}

fn bench(bencher: Bencher, protocol: OutputProtocol, input: &str, size: usize) {
    let tools = tools();
    bencher
        .counter(BytesCount::of_str(input))
        .bench(|| read(protocol, &tools, divan::black_box(input), size));
}

#[divan::bench(args = [Xml, Json])]
fn one_kilobyte(bencher: Bencher, protocol: OutputProtocol) {
    bench(bencher, protocol, &answer(protocol, 1_000), usize::MAX);
}

#[divan::bench(args = [Xml, Json])]
fn one_kilobyte_in_tokens(bencher: Bencher, protocol: OutputProtocol) {
    bench(bencher, protocol, &answer(protocol, 1_000), 4);
}

#[divan::bench(args = [Xml, Json], sample_count = 20)]
fn one_megabyte(bencher: Bencher, protocol: OutputProtocol) {
    bench(
        bencher,
        protocol,
        &answer(protocol, scale_down(1 << 20) as usize),
        usize::MAX,
    );
}

/// What hostile input repeats.
const PIECES: &[&str] = &[
    "<a>",
    "<send_message>",
    "<turn>",
    "<turn><zzzzzz>",
    "<think>",
    "</think>",
    "</a>",
    "<send_message to=\"",
    "<action>",
    "<text>",
    "\n<react",
    "<a b=\"> <",
    "<![CDATA[",
    "<",
    "&",
    "{",
    "[",
    "{\"a\":",
    "[{\"a\":",
    "{\"",
    "{'a",
    "{\"a\":\"b\",\"",
    "{\"query\":1}",
    "{\\\"",
    "functions.recall({\"query\":",
    "{\"actions\":[\"a\", ",
    "send_message ",
    "```",
    "</turn",
];

#[divan::bench(args = PIECES, sample_count = 3, sample_size = 1)]
fn hostile_quarter(bencher: Bencher, piece: &str) {
    bench(
        bencher,
        Xml,
        &piece.repeat(scale_down(1 << 18) as usize / piece.len()),
        usize::MAX,
    );
}

#[divan::bench(args = PIECES, sample_count = 3, sample_size = 1)]
fn hostile_megabyte(bencher: Bencher, piece: &str) {
    bench(
        bencher,
        Xml,
        &piece.repeat(scale_down(1 << 20) as usize / piece.len()),
        usize::MAX,
    );
}
