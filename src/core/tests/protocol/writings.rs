//! One message in the writings of many models and frameworks, and what looks like a call in them and is none.

use kith_core::policy::OutputProtocol::{Json, Xml};
use serde_json::json;

use crate::protocol::check::check;
use crate::protocol::near_writings::{WITH_A_NUMBER_AS_TEXT, WITHOUT_A_LINE};

const TEXT: &str = "that was Ben, not me";

/// Who writes so, and what: all say [`TEXT`] to line 7.
const WRITINGS: &[(&str, &str)] = &[
    (
        "mistral v3 [TOOL_CALLS] list",
        r##"[TOOL_CALLS] [{"name": "send_message", "arguments": {"text": "that was Ben, not me", "reply_to": 7}}]</s>"##,
    ),
    (
        "mistral v13 [TOOL_CALLS]name[ARGS]",
        r##"[TOOL_CALLS]send_message[ARGS]{"text": "that was Ben, not me", "reply_to": 7}</s>"##,
    ),
    (
        "mistral call id",
        r##"[TOOL_CALLS]send_message[CALL_ID]abc123XYZ[ARGS]{"text": "that was Ben, not me", "reply_to": 7}"##,
    ),
    (
        "deepseek r1 fence",
        "<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>send_message\n```json\n{\"text\": \"that was Ben, not me\", \"reply_to\": 7}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜><｜end▁of▁sentence｜>",
    ),
    (
        "deepseek v3.1",
        r##"<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>send_message<｜tool▁sep｜>{"text": "that was Ben, not me", "reply_to": 7}<｜tool▁call▁end｜><｜tool▁calls▁end｜>"##,
    ),
    (
        "hermes python dict",
        "<tool_call>\n{'name': 'send_message', 'arguments': {'text': 'that was Ben, not me', 'reply_to': 7}}\n</tool_call>",
    ),
    (
        "llama python_tag json",
        r##"<|python_tag|>{"name": "send_message", "parameters": {"text": "that was Ben, not me", "reply_to": 7}}<|eom_id|>"##,
    ),
    (
        "llama python_tag call",
        r##"<|python_tag|>send_message.call(text="that was Ben, not me", reply_to=7)<|eom_id|>"##,
    ),
    (
        "llama 4 pythonic",
        r##"<|python_start|>[send_message(text="that was Ben, not me", reply_to=7)]<|python_end|><|eot|>"##,
    ),
    (
        "llama function tag json",
        r##"<function=send_message>{"text": "that was Ben, not me", "reply_to": 7}</function><|eot_id|>"##,
    ),
    (
        "command-r action",
        "Action: ```json\n[\n    {\n        \"tool_name\": \"send_message\",\n        \"parameters\": {\"text\": \"that was Ben, not me\", \"reply_to\": 7}\n    }\n]```",
    ),
    (
        "command-a START_ACTION",
        "<|START_THINKING|>hm<|END_THINKING|><|START_ACTION|>[\n {\"tool_call_id\": \"0\", \"tool_name\": \"send_message\", \"parameters\": {\"text\": \"that was Ben, not me\", \"reply_to\": 7}}\n]<|END_ACTION|><|END_OF_TURN_TOKEN|>",
    ),
    (
        "phi functools",
        r##"functools[{"name": "send_message", "arguments": {"text": "that was Ben, not me", "reply_to": 7}}]"##,
    ),
    (
        "phi-4 tool_call token",
        r##"<|tool_call|>[{"name": "send_message", "arguments": {"text": "that was Ben, not me", "reply_to": 7}}]<|/tool_call|>"##,
    ),
    (
        "granite",
        r##"<|tool_call|>[{"name": "send_message", "arguments": {"text": "that was Ben, not me", "reply_to": 7}}]"##,
    ),
    (
        "granite 3 list word",
        r##"<tool_call>[{"name": "send_message", "arguments": {"text": "that was Ben, not me", "reply_to": 7}}]"##,
    ),
    (
        "minimax m1",
        "<tool_calls>\n{\"name\": \"send_message\", \"arguments\": {\"text\": \"that was Ben, not me\", \"reply_to\": 7}}\n</tool_calls>",
    ),
    (
        "kimi k2",
        r##"<|tool_calls_section_begin|><|tool_call_begin|>functions.send_message:0<|tool_call_argument_begin|>{"text": "that was Ben, not me", "reply_to": 7}<|tool_call_end|><|tool_calls_section_end|>"##,
    ),
    (
        "internlm plugin",
        "<|action_start|><|plugin|>\n{\"name\": \"send_message\", \"parameters\": {\"text\": \"that was Ben, not me\", \"reply_to\": 7}}<|action_end|>",
    ),
    (
        "hunyuan",
        "<tool_calls><tool_call>send_message\n```json\n{\"text\": \"that was Ben, not me\", \"reply_to\": 7}\n```</tool_call></tool_calls>",
    ),
    (
        "nemotron TOOLCALL",
        r##"<TOOLCALL>[{"name": "send_message", "arguments": {"text": "that was Ben, not me", "reply_to": 7}}]</TOOLCALL>"##,
    ),
    (
        "xlam list",
        r##"[{"name": "send_message", "arguments": {"text": "that was Ben, not me", "reply_to": 7}}]"##,
    ),
    (
        "functionary v3",
        ">>>send_message\n{\"text\": \"that was Ben, not me\", \"reply_to\": 7}",
    ),
    (
        "functionary v2",
        "<|from|>assistant\n<|recipient|>send_message\n<|content|>{\"text\": \"that was Ben, not me\", \"reply_to\": 7}<|stop|>",
    ),
    (
        "firefunction",
        r##" functools[{"name": "send_message", "arguments": {"text": "that was Ben, not me", "reply_to": 7}}]"##,
    ),
    (
        "gemma tool_code",
        "```tool_code\nsend_message(text=\"that was Ben, not me\", reply_to=7)\n```",
    ),
    (
        "gemma tool_code print default_api",
        "```tool_code\nprint(default_api.send_message(text=\"that was Ben, not me\", reply_to=7))\n```",
    ),
    (
        "gemma function call",
        r##"<start_function_call>call:send_message{text:<escape>that was Ben, not me<escape>,reply_to:7}<end_function_call>"##,
    ),
    (
        "gemma 4 call",
        r##"<|tool_call>call:send_message{text:<|"|>that was Ben, not me<|"|>,reply_to:7}<tool_call|>"##,
    ),
    (
        "lfm2",
        r##"<|tool_call_start|>[send_message(text="that was Ben, not me", reply_to=7)]<|tool_call_end|>"##,
    ),
    (
        "olmo function_calls",
        "<function_calls>\nsend_message(text=\"that was Ben, not me\", reply_to=7)\n</function_calls>",
    ),
    (
        "apertus",
        r##"<|tools_prefix|>[{"send_message": {"text": "that was Ben, not me", "reply_to": 7}}]<|tools_suffix|>"##,
    ),
    (
        "qwen agent ✿",
        "✿FUNCTION✿: send_message\n✿ARGS✿: {\"text\": \"that was Ben, not me\", \"reply_to\": 7}\n✿RESULT✿",
    ),
    (
        "jamba",
        "<tool_calls>[\n{\"name\": \"send_message\", \"arguments\": {\"text\": \"that was Ben, not me\", \"reply_to\": 7}}\n]</tool_calls>",
    ),
    (
        "ReAct",
        "Thought: hm\nAction: send_message\nAction Input: {\"text\": \"that was Ben, not me\", \"reply_to\": 7}",
    ),
    (
        "yaml actions",
        "thoughts: hm\nactions:\n  - name: send_message\n    params:\n      text: \"that was Ben, not me\"\n      reply_to: 7\n",
    ),
    (
        "yaml keyed by tool",
        "```yaml\n- send_message:\n    text: \"that was Ben, not me\"\n    reply_to: 7\n```",
    ),
    (
        "yaml block text",
        "```yaml\nactions:\n- name: send_message\n  params:\n    text: |\n      that was Ben, not me\n    reply_to: 7\n```",
    ),
    (
        "yaml tool at top",
        "send_message:\n  text: \"that was Ben, not me\"\n  reply_to: 7\n",
    ),
    (
        "toml",
        "```toml\n[[actions]]\nname = \"send_message\"\n\n[actions.params]\ntext = \"that was Ben, not me\"\nreply_to = 7\n```",
    ),
    (
        "python positional fence",
        "```python\nsend_message(\"that was Ben, not me\", 7)\n```",
    ),
    (
        "typescript object",
        "```ts\nawait send_message({ text: \"that was Ben, not me\", reply_to: 7 });\n```",
    ),
    (
        "typescript functions namespace",
        "```typescript\nconst result = await functions.send_message({\n  text: \"that was Ben, not me\",\n  reply_to: 7,\n});\n```",
    ),
    (
        "js object keys bare",
        r##"{ actions: [{ name: 'send_message', params: { text: "that was Ben, not me", reply_to: 7 } }] }"##,
    ),
    (
        "shell flags",
        r##"send_message --text "that was Ben, not me" --reply_to 7"##,
    ),
    (
        "shell equals flags",
        "```bash\nsend_message --text=\"that was Ben, not me\" --reply-to=7\n```",
    ),
    (
        "slash command",
        r##"/send_message text:"that was Ben, not me" reply_to:7"##,
    ),
    (
        "markdown heading params",
        "### send_message\n- text: that was Ben, not me\n- reply_to: 7",
    ),
    (
        "markdown bold name",
        "**send_message**\n- **text**: that was Ben, not me\n- **reply_to**: 7",
    ),
    (
        "markdown bold tool line",
        "**Tool:** send_message\n**text:** that was Ben, not me\n**reply_to:** 7",
    ),
    (
        "json5 comments trailing",
        "{\n  // say it\n  actions: [\n    {name: 'send_message', params: {text: \"that was Ben, not me\", reply_to: 7,},},\n  ],\n}",
    ),
    (
        "arguments double encoded",
        r##"{"name": "send_message", "arguments": "{\"text\": \"that was Ben, not me\", \"reply_to\": 7}"}"##,
    ),
    (
        "whole doubly encoded",
        r##""{\"actions\": [{\"name\": \"send_message\", \"params\": {\"text\": \"that was Ben, not me\", \"reply_to\": 7}}]}""##,
    ),
    (
        "json chinese quotes",
        r##"{“actions”: [{“name”: “send_message”, “params”: {“text”: “that was Ben, not me”, “reply_to”: 7}}]}"##,
    ),
    (
        "json full-width all",
        r##"｛"actions"：［｛"name"："send_message"，"params"：｛"text"："that was Ben, not me"，"reply_to"：7｝｝］｝"##,
    ),
    (
        "responses api item",
        r##"{"type": "function_call", "call_id": "c1", "name": "send_message", "arguments": "{\"text\": \"that was Ben, not me\", \"reply_to\": 7}"}"##,
    ),
    (
        "openai message whole",
        r##"{"role": "assistant", "content": null, "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "send_message", "arguments": "{\"text\": \"that was Ben, not me\", \"reply_to\": 7}"}}]}"##,
    ),
    (
        "vertex functionCall",
        r##"{"functionCall": {"name": "send_message", "args": {"text": "that was Ben, not me", "reply_to": 7}}}"##,
    ),
    (
        "cohere tool_plan",
        r##"{"tool_plan": "I say it", "tool_calls": [{"id": "0", "type": "function", "function": {"name": "send_message", "arguments": "{\"text\": \"that was Ben, not me\", \"reply_to\": 7}"}}]}"##,
    ),
    (
        "letta",
        r##"{"inner_thoughts": "hm", "function": "send_message", "params": {"text": "that was Ben, not me", "reply_to": 7, "request_heartbeat": false}}"##,
    ),
    (
        "autogpt",
        r##"{"thoughts": {"text": "hm", "reasoning": "so", "plan": "- say", "criticism": "none", "speak": "ok"}, "command": {"name": "send_message", "args": {"text": "that was Ben, not me", "reply_to": 7}}}"##,
    ),
    (
        "tool and tool_input",
        r##"{"tool": "send_message", "tool_input": {"text": "that was Ben, not me", "reply_to": 7}}"##,
    ),
    (
        "jsonrpc",
        r##"{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "send_message", "arguments": {"text": "that was Ben, not me", "reply_to": 7}}}"##,
    ),
    (
        "jsonrpc method is tool",
        r##"{"jsonrpc": "2.0", "id": 1, "method": "send_message", "params": {"text": "that was Ben, not me", "reply_to": 7}}"##,
    ),
    (
        "steps list",
        r##"{"steps": [{"step": 1, "tool": "send_message", "args": {"text": "that was Ben, not me", "reply_to": 7}}]}"##,
    ),
    (
        "intent slots",
        r##"{"intent": "send_message", "slots": {"text": "that was Ben, not me", "reply_to": 7}}"##,
    ),
    (
        "op do",
        r##"{"do": "send_message", "with": {"text": "that was Ben, not me", "reply_to": 7}}"##,
    ),
    (
        "list of arrays",
        r##"[["send_message", "that was Ben, not me", 7]]"##,
    ),
    (
        "kv text lines",
        "name: send_message\ntext: that was Ben, not me\nreply_to: 7",
    ),
    (
        "ini section",
        "[send_message]\ntext = that was Ben, not me\nreply_to = 7",
    ),
    (
        "chinese key lines",
        "动作：send_message\n参数：{\"text\": \"that was Ben, not me\", \"reply_to\": 7}",
    ),
    (
        "json in string concat",
        r##"{"actions": [{"name": "send_message", "params": {"text": "that " + "was Ben, not me", "reply_to": 7}}]}"##,
    ),
    (
        "json backtick text",
        r##"{"name": "send_message", "params": {"text": `that was Ben, not me`, "reply_to": 7}}"##,
    ),
    (
        "json missing outer open",
        r##""actions": [{"name": "send_message", "params": {"text": "that was Ben, not me", "reply_to": 7}}]}"##,
    ),
    (
        "json no braces at all",
        r##""name": "send_message", "params": {"text": "that was Ben, not me", "reply_to": 7}"##,
    ),
    (
        "json prefilled open",
        r##"thoughts": "hm", "actions": [{"name": "send_message", "params": {"text": "that was Ben, not me", "reply_to": 7}}]}"##,
    ),
    (
        "pipe call",
        r##"send_message | {"text": "that was Ben, not me", "reply_to": 7}"##,
    ),
    (
        "arrow call",
        r##"→ send_message: {"text": "that was Ben, not me", "reply_to": 7}"##,
    ),
    (
        "name colon json",
        r##"send_message: {"text": "that was Ben, not me", "reply_to": 7}"##,
    ),
    (
        "name equals json",
        r##"send_message = {"text": "that was Ben, not me", "reply_to": 7}"##,
    ),
    (
        "call verb",
        r##"Call send_message with {"text": "that was Ben, not me", "reply_to": 7}"##,
    ),
    (
        "function dot name fence",
        "```json\nsend_message({\"text\": \"that was Ben, not me\", \"reply_to\": 7})\n```",
    ),
    (
        "tool_call fence info",
        "```tool_call\n{\"name\": \"send_message\", \"arguments\": {\"text\": \"that was Ben, not me\", \"reply_to\": 7}}\n```",
    ),
    (
        "tool name as fence info",
        "```send_message\n{\"text\": \"that was Ben, not me\", \"reply_to\": 7}\n```",
    ),
    (
        "then alternative",
        "{\"name\": \"send_message\", \"arguments\": {\"text\": \"that was Ben, not me\", \"reply_to\": 7}}\n\nAlternatively:\n{\"name\": \"send_message\", \"arguments\": {\"text\": \"no no no no\", \"reply_to\": 7}}",
    ),
    (
        "same call in two syntaxes",
        "{\"name\": \"send_message\", \"arguments\": {\"text\": \"that was Ben, not me\", \"reply_to\": 7}}\n<send_message reply_to=\"7\">that was Ben, not me</send_message>",
    ),
    (
        "same call json and python",
        "{\"name\": \"send_message\", \"arguments\": {\"text\": \"that was Ben, not me\", \"reply_to\": 7}}\nsend_message(text=\"that was Ben, not me\", reply_to=7)",
    ),
];

#[test]
fn one_message_is_read_in_every_writing_whichever_was_asked_for() {
    for (written, params) in [
        (WRITINGS, json!({"text": TEXT, "reply_to": 7})),
        (
            WITH_A_NUMBER_AS_TEXT,
            json!({"text": TEXT, "reply_to": "7"}),
        ),
        (WITHOUT_A_LINE, json!({"text": TEXT})),
    ] {
        for (kind, input) in written {
            for protocol in [Xml, Json] {
                println!("{kind}");
                check(protocol, input, json!([["send_message", params]]));
            }
        }
    }
}

#[test]
fn a_comma_makes_no_list_of_a_text_and_other_marks_do() {
    for (written, read) in [
        (
            r#"<options>Paris, France</options><options>Rome, Italy</options>"#,
            json!(["Paris, France", "Rome, Italy"]),
        ),
        (
            r#"<options><option>Paris, France</option></options>"#,
            json!(["Paris, France"]),
        ),
        (
            r#"<options>Paris, France</options>"#,
            json!("Paris, France"),
        ),
        (
            "<options>\nParis, France\nRome, Italy\n</options>",
            json!(["Paris, France", "Rome, Italy"]),
        ),
        (
            r#"<options>Paris | Rome</options>"#,
            json!(["Paris", "Rome"]),
        ),
    ] {
        let input = format!("<turn><poll><question>where?</question>{written}</poll></turn>");
        check(
            Xml,
            &input,
            json!([["poll", {"question": "where?", "options": read}]]),
        );
    }
    check(
        Xml,
        r#"<turn><get_time zone="Paris, France"/></turn>"#,
        json!([["get_time", {"zone": "Paris, France"}]]),
    );
}
