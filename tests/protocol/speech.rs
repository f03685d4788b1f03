//! Answers that name no tool as they should and can only be a message, and those that only look so.

use kith::core::policy::Protocol::{Json, Xml};
use serde_json::{Value, json};

use crate::check::check;

fn says(text: &str) -> Value {
    json!([["send_message", {"text": text}]])
}

#[test]
fn an_object_whose_one_text_is_called_words_is_a_message() {
    for key in
        ["text", "message", "response", "content", "reply", "answer", "say", "msg", "Message", "内容", "回复", "消息"]
    {
        for input in [
            format!("{{\"{key}\": \"hi\"}}"),
            format!("```json\n{{\"{key}\": \"hi\"}}\n```"),
            format!("[{{\"{key}\": \"hi\"}}]"),
            format!("{{\"role\": \"assistant\", \"{key}\": \"hi\"}}"),
            format!("{{\"thoughts\": \"hm\", \"{key}\": \"hi\"}}"),
            format!("{{\"turn\": {{\"{key}\": \"hi\"}}}}"),
        ] {
            check(Json, &input, says("hi"));
            check(Xml, &input, says("hi"));
        }
    }
    check(Json, "{\"text\": \"hi\", \"reply_to\": 7}", json!([["send_message", {"text": "hi", "reply_to": 7}]]));
    check(Json, "{\"message\": {\"content\": \"hi\"}}", says("hi"));
    check(
        Json,
        "{\"thoughts\": \"hm\", \"actions\": [{\"text\": \"hi\"}, {\"message\": \"you up?\", \"reply_to\": 7}]}",
        json!([["send_message", {"text": "hi"}], ["send_message", {"reply_to": 7, "text": "you up?"}]]),
    );
}

#[test]
fn an_object_that_holds_anything_else_is_none() {
    for input in [
        "{\"query\": \"weather\"}",
        "{\"error\": \"rate limit\"}",
        "{\"text\": \"\"}",
        "{\"text\": \"text\"}",
        "{\"text\": \"hi\", \"emoji\": \"x\"}",
        "{\"role\": \"user\", \"content\": \"hi\"}",
        "{\"user\": \"Ben\", \"message\": \"hi\"}",
        "{\"thoughts\": \"nobody spoke to me\"}",
        "[{\"text\": \"hi\"}, {\"text\": \"yo\"}]",
        "he sent me {\"text\": \"hi\"} and nothing else",
        "the api gives you\n{\"message\": \"hi\"}\nback",
    ] {
        check(Json, input, json!([]));
    }
}

#[test]
fn a_tools_whole_name_at_the_beginning_of_a_line_calls_it_with_the_words_behind() {
    for input in [
        "send_message: hi",
        "send_message：hi",
        "send_message: \"hi\"",
        "send_message -> hi",
        "**send_message**: hi",
        "**send_message:** hi",
        "`send_message`: hi",
        "- send_message: hi",
        "[send_message] hi",
        "[send_message]: hi",
        "[send_message: hi",
        "```\nsend_message: hi\n```",
        "Thought: hm\nsend_message: hi",
    ] {
        check(Xml, input, says("hi"));
    }
    check(Xml, "send_message: hi\nyou up?", says("hi\nyou up?"));
    check(Xml, "send_message: hi\nreply_to: 7", json!([["send_message", {"text": "hi", "reply_to": "7"}]]));
    check(Xml, "stay_silent: nothing to add", json!([["stay_silent", {"reason": "nothing to add"}]]));
    for input in [
        "react: to what",
        "send_message hi",
        "I used send_message: it works",
        "send_message: says something\nstay_silent: says nothing",
        "send_message: text",
        "send_message: hi\nreact: to=3 emoji=x",
    ] {
        check(Xml, input, json!([]));
    }
}

#[test]
fn an_element_called_words_around_the_whole_answer_is_a_message() {
    for name in ["message", "response", "text", "content", "reply", "answer", "msg", "say", "output"] {
        for input in [
            format!("<turn><{name}>hi</{name}></turn>"),
            format!("<turn>\n<thoughts>hm</thoughts>\n<{name}>hi</{name}>\n</turn>"),
        ] {
            check(Xml, &input, says("hi"));
        }
    }
    check(
        Xml,
        "<turn><message reply_to=\"7\">hi</message></turn>",
        json!([["send_message", {"text": "hi", "reply_to": "7"}]]),
    );
}

#[test]
fn keys_in_another_language_or_by_another_word_name_the_tool_and_its_words() {
    for input in [
        "动作：send_message\n内容：hi",
        "动作: send_message\n参数: hi",
        "行动：send_message\n消息：hi",
        "工具：send_message\n文本：hi",
        "Action: send_message\nContent: hi",
        "Action: send_message\nMessage: hi",
    ] {
        check(Xml, input, says("hi"));
    }
    for name in ["reply", "say", "speak", "respond", "turn"] {
        check(Json, &format!("{{\"name\": \"{name}\", \"params\": {{\"text\": \"hi\"}}}}"), says("hi"));
    }
}

#[test]
fn an_escape_that_was_escaped_once_more_is_read() {
    check(Xml, "<turn><send_message>\\\\u4f60\\\\u597d</send_message></turn>", says("你好"));
    check(Xml, "<turn><send_message>ok \\\\ud83d\\\\ude02</send_message></turn>", says("ok 😂"));
    check(Xml, "<turn><send_message>C:\\\\users</send_message></turn>", says("C:\\\\users"));
}
