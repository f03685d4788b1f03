//! Answers that name no tool as they should and can only be a message, and those that only look so.

use kith_core::policy::OutputProtocol::{Json, Xml};
use kith_core::protocol::AnswerParser;
use serde_json::{Value, json};

use crate::protocol::check::{check, shape, tools};

fn says(text: &str) -> Value {
    json!([["send_message", {"text": text}]])
}

#[test]
fn an_object_whose_one_text_is_called_words_is_a_message() {
    for key in [
        "text", "message", "response", "content", "reply", "answer", "say", "msg", "Message",
        "内容", "回复", "消息",
    ] {
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
    check(
        Json,
        "{\"text\": \"hi\", \"reply_to\": 7}",
        json!([["send_message", {"text": "hi", "reply_to": 7}]]),
    );
    check(Json, "{\"message\": {\"content\": \"hi\"}}", says("hi"));
    check(
        Json,
        "{\"answer\": \"hi\", \"done\": true, \"error\": null}",
        says("hi"),
    );
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
        "{\"should_reply\": false, \"message\": \"hi\"}",
        "{\"done\": false, \"answer\": \"hi\"}",
        "{\"error\": \"rate limit\"}",
        "{\"text\": \"\"}",
        "{\"text\": \"text\"}",
        "{\"message\": \"stay_silent\"}",
        "{\"type\": \"error\", \"message\": \"rate limit\"}",
        "{\"type\": \"tool_result\", \"output\": \"sunny\"}",
        "{\"status\": \"ok\", \"message\": \"sent\"}",
        "{\"speaker\": \"Ben\", \"text\": \"hi\"}",
        "{\"messages\": [{\"role\": \"user\", \"content\": \"yo\"}, {\"role\": \"assistant\", \"content\": \"hi\"}]}",
        "{\"messages\": [\"hi\", 7]}",
        "{\"replies\": [\"hi\", \"hey\"]}",
        "{\"response\": [\"hi\", \"hey\"]}",
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
        "1. send_message: hi",
        "send_message \"hi\"",
        "send_message 'hi'",
        "send_message “hi”",
        "send_message = \"hi\"",
        "send_message: hi\nObservation: sent",
        "<turn>\nsend_message \"hi\"\n</turn>",
        "Final Answer: hi",
        "Thought: hm\nFinal Answer: hi",
        "思考：嗯\n回复：hi",
        "Thought: hm\nsend_message: hi",
        "send_message\nhi",
        "**send_message**\n\nhi",
        "Call send_message: hi",
        "调用 send_message：hi",
    ] {
        check(Xml, input, says("hi"));
    }
    check(Xml, "send_message: hi\nyou up?", says("hi\nyou up?"));
    check(
        Xml,
        "send_message: hi\nreply_to: 7",
        json!([["send_message", {"text": "hi", "reply_to": "7"}]]),
    );
    check(
        Xml,
        "stay_silent: nothing to add",
        json!([["stay_silent", {"reason": "nothing to add"}]]),
    );
    for input in [
        "react: to what",
        "send_message hi",
        "I used send_message: it works",
        "send_message: says something\nstay_silent: says nothing",
        "send_message: text",
        "send_message: hi\nreact: to=3 emoji=x",
        "1. send_message: hi\n2. wait for an answer",
        "1. send_message: hi\n2. react: to=3 emoji=x",
        "send_message 'a' and 'b'",
        "send_message \"hi\" is what it would call",
        "Answer: hi",
        "send_message\nsays something\nstay_silent\nsays nothing",
        "send_message\nreact",
    ] {
        check(Xml, input, json!([]));
    }
}

#[test]
fn an_element_called_words_around_the_whole_answer_is_a_message() {
    for name in [
        "message", "response", "text", "content", "reply", "answer", "msg", "say", "output",
    ] {
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
        check(
            Json,
            &format!("{{\"name\": \"{name}\", \"params\": {{\"text\": \"hi\"}}}}"),
            says("hi"),
        );
    }
}

#[test]
fn an_escape_that_was_escaped_once_more_is_read() {
    check(
        Xml,
        "<turn><send_message>\\\\u4f60\\\\u597d</send_message></turn>",
        says("你好"),
    );
    check(
        Xml,
        "<turn><send_message>ok \\\\ud83d\\\\ude02</send_message></turn>",
        says("ok 😂"),
    );
    check(
        Xml,
        "<turn><send_message>C:\\\\users</send_message></turn>",
        says("C:\\\\users"),
    );
}

#[test]
fn a_list_of_messages_is_as_many_messages_or_none() {
    let two = json!([["send_message", {"text": "hi"}], ["send_message", {"text": "you up?"}]]);
    for input in [
        "{\"messages\": [\"hi\", \"you up?\"]}",
        "{\"messages\": [{\"content\": \"hi\"}, {\"content\": \"you up?\"}]}",
        "{\"messages\": [{\"role\": \"assistant\", \"content\": \"hi\"}, \"you up?\"]}",
        "{\"thoughts\": \"hm\", \"messages\": [\"hi\", \"you up?\"]}",
        "{\"send_message\": [\"hi\", \"you up?\"]}",
        "<turn><message>hi</message>\n<message>you up?</message></turn>",
    ] {
        check(Json, input, two.clone());
    }
    check(
        Json,
        "{\"content\": [{\"type\": \"text\", \"text\": \"hi\"}]}",
        says("hi"),
    );
    check(
        Json,
        "{\"messages\": [{\"text\": \"hi\", \"reply_to\": 7}]}",
        json!([["send_message", {"text": "hi", "reply_to": 7}]]),
    );
    check(
        Json,
        "{\"messages\": [\"Ben: yo\", \"Juno: hi\"]}",
        json!([]),
    );
    check(
        Json,
        "{\"text\": \"{\\\"text\\\": \\\"hi\\\"}\"}",
        says("hi"),
    );
    check(
        Json,
        "{\"poll\": [\"pizza?\", \"yes\"]}",
        json!([["poll", {"question": "pizza?"}]]),
    );
    for input in [
        "<message>hi</message><message>hey</message>",
        "<turn><message>hi</message> or <message>hey</message></turn>",
    ] {
        check(Xml, input, json!([]));
    }
}

#[test]
fn what_stands_beside_words_tells_only_who_says_them_and_how() {
    let own = ["Juno".to_owned(), "阿柚".to_owned()];
    let read = |input: &str| {
        let mut parser = AnswerParser::with_names(Json, tools(), &own, &[]);
        let mut calls = parser.feed(input.as_bytes());
        calls.extend(parser.finish().0);
        shape(&calls)
    };
    for input in [
        "{\"speaker\": \"Juno\", \"text\": \"hi\"}",
        "{\"name\": \"juno\", \"message\": \"hi\"}",
        "{\"role\": \"Juno\", \"content\": \"hi\"}",
        "{\"角色\": \"阿柚\", \"回复\": \"hi\"}",
        "{\"action\": \"reply\", \"text\": \"hi\"}",
        "{\"message\": \"hi\", \"emotion\": \"happy\"}",
        "{\"output\": \"hi\"}",
        "{\"final_answer\": \"hi\"}",
        "{\"response\": {\"message\": {\"content\": \"hi\"}}}",
        "<turn><Juno>hi</Juno></turn>",
    ] {
        assert_eq!(read(input), says("hi"), "{input}");
    }
    for input in [
        "{\"speaker\": \"Ben\", \"text\": \"hi\"}",
        "{\"messages\": [{\"speaker\": \"Ben\", \"text\": \"yo\"}, {\"speaker\": \"Juno\", \"text\": \"hi\"}]}",
        "{\"action\": \"ignore\", \"text\": \"hi\"}",
    ] {
        assert_eq!(read(input), json!([]), "{input}");
    }
}

#[test]
fn a_mark_that_lacks_its_angle_or_slash_is_one_where_it_can_be_nothing_else() {
    for input in [
        "send_message>hi</send_message>",
        "<turn>\nsend_message>hi</send_message>\n</turn>",
        "<send_message>hi<send_message>",
        "<turn><send_message=\"hi\"></turn>",
        "send_message（\"hi\"）",
        "send_message(text=“hi”)",
    ] {
        check(Xml, input, says("hi"));
    }
    check(Xml, "the send_message>hi</send_message> form", json!([]));
}
