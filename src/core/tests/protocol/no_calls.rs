//! What looks like a call and is none.

use kith_core::policy::OutputProtocol::{Json, Xml};
use serde_json::json;

use crate::protocol::check::check;

/// What is shown, explained, refused or somebody else's.
const NO_CALLS: &[(&str, &str)] = &[
    (
        "tools explained below their names",
        "**send_message**\n- text: the message\n- reply_to: number of the line\n",
    ),
    (
        "a tool's parameters by type",
        "send_message:\n  text: string\n  reply_to: integer, optional",
    ),
    (
        "a section of types",
        "[send_message]\ntext = string\nreply_to = integer",
    ),
    ("a list of names", r#"["send_message", "react"]"#),
    (
        "lists of names",
        r#"[["send_message", "react"], ["recall"]]"#,
    ),
    (
        "explains in prose",
        r##"I could call send_message("that was Ben, not me") but Anna asked me to be quiet."##,
    ),
    (
        "prompt echo tools",
        "# Tools\n- send_message(text, reply_to): posts a message\n- react(to, emoji): reacts",
    ),
    (
        "schema echo",
        r##"[{"type": "function", "function": {"name": "send_message", "description": "posts", "parameters": {"type": "object", "properties": {"text": {"type": "string"}}}}}]"##,
    ),
    (
        "placeholder braces",
        r##"<turn><send_message reply_to="{line}">{text}</send_message></turn>"##,
    ),
    (
        "placeholder YOUR MESSAGE",
        r##"<turn><send_message>YOUR MESSAGE HERE</send_message></turn>"##,
    ),
    (
        "placeholder angle",
        r##"{"actions": [{"name": "send_message", "params": {"text": "<your message>"}}]}"##,
    ),
    (
        "code block of a user's question",
        "Ben asked what this does:\n```python\nsend_message(\"that was Ben, not me\")\n```\nIt posts a message in the channel.",
    ),
    (
        "negated",
        r##"I will not <send_message>that was Ben, not me</send_message> because it is rude."##,
    ),
    (
        "tool_result echo",
        r##"<tool_result>{"name": "send_message", "arguments": {"text": "that was Ben, not me", "reply_to": 7}}</tool_result>"##,
    ),
    (
        "function response role",
        r##"{"role": "tool", "name": "send_message", "content": "{\"text\": \"that was Ben, not me\", \"reply_to\": 7}"}"##,
    ),
    (
        "user message echo json",
        r##"{"role": "user", "content": "that was Ben, not me"}"##,
    ),
    (
        "html comment call",
        r##"<!-- <send_message>that was Ben, not me</send_message> -->"##,
    ),
    (
        "unclosed think with draft",
        r##"<think>maybe <send_message>that was Ben, not me</send_message>? hmm, no, better not"##,
    ),
];

#[test]
fn what_is_shown_explained_refused_or_somebody_elses_is_no_call() {
    for (kind, input) in NO_CALLS {
        for protocol in [Xml, Json] {
            println!("{kind}");
            check(protocol, input, json!([]));
        }
    }
}
