//! Counts how many bytes the scanner goes over: each of a well-formed answer once, however it is split.

use std::sync::Arc;

use super::AnswerScanner;
use crate::call::{ToolKind, ToolSpec};
use crate::policy::OutputProtocol;
use crate::protocol::AnswerParser;
use crate::protocol::names::ToolNames;
use crate::protocol::work_counter;
use crate::schema::{Param, Schema};

fn names() -> Arc<ToolNames> {
    Arc::new(ToolNames::new(tools()))
}

fn tools() -> Arc<[ToolSpec]> {
    let param = |name: &str| Param {
        name: name.into(),
        ..Param::default()
    };
    let tool = |name: &str, primary: &str, params: &[&str]| ToolSpec {
        name: name.into(),
        kind: ToolKind::Visible,
        description: String::new(),
        schema: Schema {
            params: params.iter().map(|name| param(name)).collect(),
        },
        primary: Some(primary.into()),
        ..ToolSpec::default()
    };
    Arc::from([
        tool("send_message", "text", &["text", "reply_to"]),
        tool("react", "emoji", &["to", "emoji"]),
    ])
}

/// The bytes gone over for each byte of an answer that comes in pieces of `size` bytes between characters.
fn looks(protocol: OutputProtocol, answer: &str, size: usize) -> f64 {
    let mut scanner = AnswerScanner::new(Some(protocol), names());
    let mut rest = answer;
    while !rest.is_empty() {
        let (piece, tail) = rest.split_at(rest.ceil_char_boundary(size.min(rest.len())));
        rest = tail;
        scanner.text.push_str(piece);
        scanner.scan_available_text();
    }
    assert_eq!(scanner.text.len(), answer.len());
    scanner.shift as f64 / answer.len() as f64
}

const SIZES: [usize; 4] = [1, 3, 7, usize::MAX];

fn xml(calls: usize) -> String {
    let call = "  <send_message reply_to=\"12\">so?? 去了吗 👀 a &lt; b &amp; c</send_message>\n  <react to=\"12\" emoji=\"👀\"/>\n";
    format!(
        "<turn>\n  <thoughts>she is back; 问问她 {{not json}}</thoughts>\n{}</turn>",
        call.repeat(calls)
    )
}

fn json(calls: usize) -> String {
    let call = r#"{"name": "send_message", "params": {"text": "so?? 去了吗 \"👀\" {a} <b>\n", "reply_to": 12}}"#;
    format!(
        "{{\"thoughts\": \"she is back; 问问她\", \"actions\": [{}]}}",
        vec![call; calls].join(",\n  ")
    )
}

#[test]
fn each_byte_of_a_well_formed_answer_is_gone_over_once_in_any_split() {
    for calls in [0, 1, 3, 500] {
        for size in SIZES {
            assert_eq!(
                looks(OutputProtocol::Xml, &xml(calls), size),
                1.0,
                "xml, {calls} calls, {size}"
            );
            assert_eq!(
                looks(OutputProtocol::Json, &json(calls), size),
                1.0,
                "json, {calls} calls, {size}"
            );
        }
    }
}

#[test]
fn of_what_is_broken_less_than_a_tenth_is_gone_over_again() {
    let broken = [
        format!("Sure! Here you go:\n```xml\n{}\n```\nDone.", xml(2)),
        xml(2).replace("</send_message>", ""),
        xml(2).replace("</send_message>", "<send_message>"),
        xml(2).replace("\">", " "),
        xml(2).replace("&lt;", "<").replace("&amp;", "&"),
        format!("<think>{}</think>{}", json(1), xml(1)),
        format!("<tool_call>{}</tool_call>", json(1)),
        json(2).replace("\\\"", "\""),
        json(2).replace('"', "'"),
        json(2).replace("}}", ""),
        format!("```json\n{}\n```", json(2)),
        xml(3)[..150].to_owned(),
        "<a".repeat(500),
        "{\"a\":".repeat(500),
        "<turn><zzzzzz>".repeat(100),
    ];
    for answer in &broken {
        for (protocol, size) in [OutputProtocol::Xml, OutputProtocol::Json]
            .into_iter()
            .flat_map(|p| SIZES.map(|size| (p, size)))
        {
            let looks = looks(protocol, answer, size);
            assert!(
                looks <= 1.1,
                "{looks:.2} in pieces of {size}: {}",
                answer.chars().take(120).collect::<String>()
            );
        }
    }
}

/// What hostile input repeats: whatever begins or ends something, alone and in pairs.
#[rustfmt::skip]
const SIGNS: &[&str] = &[
    "<", "</", "<|", "<!", "<![CDATA[", "]]>", "<!--", "-->", "<a>", "</a>", "<a b=\"", "<turn>", "</turn>",
    "<send_message>", "</send_message>", "<send_message", "<think>", "</think>", "<|im_end|>", "[THINK]", "[INST]",
    "◁", "＜", ">", "/>", "{", "}", "[", "]", "(", "\"", "'", "“", "`", "`a ", "```", "```\n", "\\", "\\n", "\\u00",
    "&", "&amp;", "&lt;", "a ", "a\n", "\n", " ", "a: ", "- a\n", "> ", "1>2 Ben: a\n", "send_message(",
    "send_message ", "{\"a\":", "{\"actions\":[", "{\"name\": \"send_message\"}", ",", ":", "=", "//", "/*", "#",
];

/// The bytes looked at in an answer that says nothing but `piece` behind `before`, `bytes` long.
fn looked_at(protocol: OutputProtocol, before: &str, piece: &str, bytes: usize) -> usize {
    let mut parser = AnswerParser::new(protocol, tools());
    work_counter::take_byte_count();
    parser.feed(format!("{before}{}", piece.repeat(bytes / piece.len())).as_bytes());
    parser.mark_stopped();
    parser.finish();
    work_counter::take_byte_count()
}

#[test]
fn of_whatever_is_repeated_four_times_as_much_takes_about_four_times_as_many_looks() {
    const BYTES: usize = 1 << 9;
    let pairs = SIGNS.iter().flat_map(|first| {
        SIGNS
            .iter()
            .map(move |second| ("", format!("{first}{second}")))
    });
    let inside = SIGNS
        .iter()
        .map(|sign| ("<turn><send_message>", (*sign).to_owned()));
    for (before, piece) in pairs.chain(inside) {
        // What looks a bounded way ahead at each sign may begin to only in the longer one.
        let few = looked_at(OutputProtocol::Xml, before, &piece, BYTES).max(16 * BYTES);
        let many = looked_at(OutputProtocol::Xml, before, &piece, 4 * BYTES);
        assert!(
            many <= 8 * few,
            "{few} and {many} looks for {piece:?} behind {before:?}"
        );
    }
}
