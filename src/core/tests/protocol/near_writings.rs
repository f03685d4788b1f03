//! The message of `writings.rs` in writings that lose a little of it: the type of a number, or the line it answers.

/// The same where a number is text, as in every attribute.
pub const WITH_A_NUMBER_AS_TEXT: &[(&str, &str)] = &[
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
pub const WITHOUT_A_LINE: &[(&str, &str)] = &[
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
