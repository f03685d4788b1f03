//! One message in the writings of many models and frameworks, and what looks like a call in them and is none.

use kith_core::policy::OutputProtocol::{Json, Xml};
use serde_json::json;

use crate::protocol::check::check;

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

/// The same where a number is text, as in every attribute.
const WITH_A_NUMBER_AS_TEXT: &[(&str, &str)] = &[
    (
        "deepseek v3.2 DSML",
        "<｜DSML｜function_calls>\n<｜DSML｜invoke name=\"send_message\">\n<｜DSML｜parameter name=\"text\" string=\"true\">that was Ben, not me</｜DSML｜parameter>\n<｜DSML｜parameter name=\"reply_to\" string=\"false\">7</｜DSML｜parameter>\n</｜DSML｜invoke>\n</｜DSML｜function_calls>",
    ),
    (
        "qwen coder",
        "<tool_call>\n<function=send_message>\n<parameter=text>\nthat was Ben, not me\n</parameter>\n<parameter=reply_to>\n7\n</parameter>\n</function>\n</tool_call>",
    ),
    (
        "qwen coder without outer",
        "<function=send_message>\n<parameter=text>\nthat was Ben, not me\n</parameter>\n<parameter=reply_to>\n7\n</parameter>\n</function>\n</tool_call>",
    ),
    (
        "glm 4.5",
        "<tool_call>send_message\n<arg_key>text</arg_key>\n<arg_value>that was Ben, not me</arg_value>\n<arg_key>reply_to</arg_key>\n<arg_value>7</arg_value>\n</tool_call>",
    ),
    (
        "minimax m2",
        "<minimax:tool_call>\n<invoke name=\"send_message\">\n<parameter name=\"text\">that was Ben, not me</parameter>\n<parameter name=\"reply_to\">7</parameter>\n</invoke>\n</minimax:tool_call>",
    ),
    (
        "ernie/seed",
        r##"<seed:tool_call><function=send_message><parameter=text>that was Ben, not me</parameter><parameter=reply_to>7</parameter></function></seed:tool_call>"##,
    ),
    (
        "xml unquoted attrs",
        r##"<turn><send_message reply_to=7>that was Ben, not me</send_message></turn>"##,
    ),
    (
        "xml attrs only no quotes",
        r##"<turn><send_message reply_to=7 text="that was Ben, not me"/></turn>"##,
    ),
    (
        "html escaped tags",
        "&lt;turn&gt;\n&lt;send_message reply_to=\"7\"&gt;that was Ben, not me&lt;/send_message&gt;\n&lt;/turn&gt;",
    ),
    (
        "html escaped tags with quot",
        r##"&lt;send_message reply_to=&quot;7&quot;&gt;that was Ben, not me&lt;/send_message&gt;"##,
    ),
    (
        "fence wrong lang",
        "```python\n<turn><send_message reply_to=\"7\">that was Ben, not me</send_message></turn>\n```",
    ),
    (
        "fence html",
        "```html\n<turn>\n<send_message reply_to=\"7\">that was Ben, not me</send_message>\n</turn>\n```",
    ),
    (
        "full-width brackets",
        r##"＜turn＞＜send_message reply_to="7"＞that was Ben, not me＜/send_message＞＜/turn＞"##,
    ),
    (
        "full-width quotes attr",
        r##"<turn><send_message reply_to=“7”>that was Ben, not me</send_message></turn>"##,
    ),
    (
        "square brackets attr",
        r##"[send_message reply_to="7"]that was Ben, not me[/send_message]"##,
    ),
    (
        "curly bracket tags",
        r##"{send_message reply_to=7}that was Ben, not me{/send_message}"##,
    ),
    (
        "anthropic invoke in fence",
        "```\n<function_calls>\n<invoke name=\"send_message\">\n<parameter name=\"text\">that was Ben, not me</parameter>\n<parameter name=\"reply_to\">7</parameter>\n</invoke>\n</function_calls>\n```",
    ),
    (
        "namespaced invoke",
        "<antml:function_calls>\n<antml:invoke name=\"send_message\">\n<antml:parameter name=\"text\">that was Ben, not me</antml:parameter>\n<antml:parameter name=\"reply_to\">7</antml:parameter>\n</antml:invoke>\n</antml:function_calls>",
    ),
    (
        "html comment around",
        "<!-- the answer -->\n<turn><!-- say --><send_message reply_to=\"7\">that was Ben, not me</send_message></turn>",
    ),
    (
        "xml declaration and doctype",
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!DOCTYPE turn>\n<turn><send_message reply_to=\"7\">that was Ben, not me</send_message></turn>",
    ),
    (
        "soap-like wrapper",
        r##"<response><actions><action><name>send_message</name><params><text>that was Ben, not me</text><reply_to>7</reply_to></params></action></actions></response>"##,
    ),
    (
        "action type attr",
        r##"<actions><action type="send_message" reply_to="7">that was Ben, not me</action></actions>"##,
    ),
    (
        "tool use id",
        r##"<tool_use id="1"><tool_name>send_message</tool_name><parameters><text>that was Ben, not me</text><reply_to>7</reply_to></parameters></tool_use>"##,
    ),
    (
        "camel case element",
        r##"<Turn><SendMessage replyTo="7">that was Ben, not me</SendMessage></Turn>"##,
    ),
    (
        "kebab element",
        r##"<turn><send-message reply-to="7">that was Ben, not me</send-message></turn>"##,
    ),
    (
        "message alias child",
        r##"<turn><send_message><message>that was Ben, not me</message><reply_to>7</reply_to></send_message></turn>"##,
    ),
    (
        "cline style",
        "<send_message>\n<text>that was Ben, not me</text>\n<reply_to>7</reply_to>\n</send_message>",
    ),
    (
        "cdata",
        r##"<turn><send_message reply_to="7"><![CDATA[that was Ben, not me]]></send_message></turn>"##,
    ),
    (
        "cdata in text child",
        r##"<turn><send_message><text><![CDATA[that was Ben, not me]]></text><reply_to>7</reply_to></send_message></turn>"##,
    ),
    (
        "latex boxed",
        r##"$\boxed{\text{<turn><send_message reply_to="7">that was Ben, not me</send_message></turn>}}$"##,
    ),
    (
        "assistant: prefix",
        r##"assistant: <turn><send_message reply_to="7">that was Ben, not me</send_message></turn>"##,
    ),
    (
        "Juno: prefix",
        r##"14 Juno: <turn><send_message reply_to="7">that was Ben, not me</send_message></turn>"##,
    ),
    (
        "header tokens",
        "<|start_header_id|>assistant<|end_header_id|>\n\n<turn><send_message reply_to=\"7\">that was Ben, not me</send_message></turn><|eot_id|>",
    ),
    (
        "zero width in tag",
        "<turn><send\u{200b}_message reply_to=\"7\">that was Ben, not me</send\u{200b}_message></turn>",
    ),
    (
        "rtl marks",
        "\u{200e}<turn>\u{200e}<send_message reply_to=\"7\">that was Ben, not me</send_message>\u{200e}</turn>",
    ),
    (
        "carriage returns only",
        "<turn>\r<send_message reply_to=\"7\">that was Ben, not me</send_message>\r</turn>",
    ),
    (
        "xml prefilled open",
        "thoughts>hm</thoughts>\n<send_message reply_to=\"7\">that was Ben, not me</send_message>\n</turn>",
    ),
    (
        "prefilled turn open",
        "<send_message reply_to=\"7\">that was Ben, not me</send_message>\n</turn>",
    ),
    (
        "then user continues",
        "<turn><send_message reply_to=\"7\">that was Ben, not me</send_message></turn>\n\nHuman: thanks\n\nAssistant: <turn><send_message>welcome</send_message></turn>",
    ),
    (
        "then history goes on",
        "<turn><send_message reply_to=\"7\">that was Ben, not me</send_message></turn>\n[18:05] Ben: lol\n<turn><send_message>haha</send_message></turn>",
    ),
    (
        "draft revised",
        "First attempt: <turn><send_message>nope nope</send_message></turn>\nRevised: <turn><send_message reply_to=\"7\">that was Ben, not me</send_message></turn>",
    ),
];

/// The same without a line that is answered.
const WITHOUT_A_LINE: &[(&str, &str)] = &[
    (
        "python positional",
        r##"send_message("that was Ben, not me")"##,
    ),
    (
        "cjk brackets",
        r##"【send_message】that was Ben, not me【/send_message】"##,
    ),
    (
        "square brackets",
        r##"[send_message]that was Ben, not me[/send_message]"##,
    ),
];

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
fn what_is_shown_explained_refused_or_somebody_elses_is_no_call() {
    for (kind, input) in NO_CALLS {
        for protocol in [Xml, Json] {
            println!("{kind}");
            check(protocol, input, json!([]));
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
