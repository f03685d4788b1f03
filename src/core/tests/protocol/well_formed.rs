//! Answers without a fault: nothing is mended, nothing is lost.

use kith_core::policy::OutputProtocol::{Json, Xml};
use kith_core::protocol::AnswerParser;
use serde_json::json;

use crate::protocol::check::{check, shape, tools};

#[test]
fn the_xml_of_the_design_is_read_without_a_repair() {
    let answer = check(
        Xml,
        "<turn>\n  <thoughts>she is back after the exam; ask how it went</thoughts>\n  \
         <send_message reply_to=\"12\">so?? how did it go</send_message>\n  <react to=\"12\" emoji=\"👀\"/>\n</turn>",
        json!([["send_message", {"reply_to": "12", "text": "so?? how did it go"}], ["react", {"to": "12", "emoji": "👀"}]]),
    );
    assert_eq!(
        answer.thoughts,
        "she is back after the exam; ask how it went"
    );
    assert_eq!(
        (
            answer.repairs,
            answer.plain_text.as_str(),
            answer.residue,
            answer.wants_another_round
        ),
        (vec![], "", false, false)
    );
    assert_eq!((answer.readable, answer.calls_seen), (true, 2));
}

#[test]
fn the_json_of_the_design_is_read_without_a_repair() {
    let answer = check(
        Json,
        r#"{"thoughts": "咱们说说", "actions": [{"name": "send_message", "params": {"text": "你好呀", "reply_to": 12}}, {"name": "react", "params": {"to": 12, "emoji": "👀"}}], "request_heartbeat": false}"#,
        json!([["send_message", {"text": "你好呀", "reply_to": 12}], ["react", {"to": 12, "emoji": "👀"}]]),
    );
    assert_eq!(
        (answer.thoughts.as_str(), answer.repairs),
        ("咱们说说", vec![])
    );
    assert_eq!(
        (
            answer.plain_text.as_str(),
            answer.residue,
            answer.wants_another_round,
            answer.readable
        ),
        ("", false, false, true)
    );
}

#[test]
fn a_call_is_given_out_the_moment_it_closes() {
    for (protocol, before, rest) in [
        (
            Xml,
            "<turn><thoughts>hm</thoughts><send_message>hi</send_message>",
            "<send_message>you</send_message></turn>",
        ),
        (
            Json,
            r#"{"thoughts":"hm","actions":[{"name":"send_message","params":{"text":"hi"}}"#,
            r#",{"name":"send_message","params":{"text":"you"}}]}"#,
        ),
    ] {
        let mut parser = AnswerParser::new(protocol, tools());
        let (last, most) = before.as_bytes().split_last().expect("not empty");
        assert_eq!(parser.feed(most), vec![]);
        assert_eq!(
            shape(&parser.feed(&[*last])),
            json!([["send_message", {"text": "hi"}]])
        );
        assert_eq!(
            shape(&parser.feed(rest.as_bytes())),
            json!([["send_message", {"text": "you"}]])
        );
        assert_eq!(parser.finish().0, vec![]);
    }
}

#[test]
fn parameters_may_be_attributes_or_children_and_repeat_and_nest() {
    check(
        Xml,
        "<turn><poll><question>晚饭?</question><options>火锅</options><options>面</options>\
         <style><color>red</color><size>2</size></style></poll>\
         <poll question=\"q\"><options><item>a</item><item>b</item></options></poll></turn>",
        json!([
            ["poll", {"question": "晚饭?", "options": ["火锅", "面"], "style": {"color": "red", "size": "2"}}],
            ["poll", {"question": "q", "options": ["a", "b"]}]
        ]),
    );
}

#[test]
fn older_json_spellings_are_read() {
    let answer = check(
        Json,
        r#"{"thoughts":{"observe":"o","analyze_infer":"a","plan":"p"},"actions":[{"function":"send_message","params":{"inner_thoughts":"why not","text":"hi"}},{"function":"recall","arguments":{"query":"x"}}],"request_heartbeat":true}"#,
        json!([["send_message", {"text": "hi"}], ["recall", {"query": "x"}]]),
    );
    assert!(answer.wants_another_round);
    assert_eq!(answer.thoughts, "why not\no\na\np");
    assert_eq!(answer.repairs, vec![]);
}

#[test]
fn an_empty_turn_is_readable() {
    for (protocol, input) in [
        (Xml, "<turn></turn>"),
        (Xml, "<turn/>"),
        (Json, r#"{"actions":[]}"#),
    ] {
        assert!(check(protocol, input, json!([])).readable, "{input}");
    }
    let answer = check(Xml, "hey, how are you?", json!([]));
    assert!(!answer.readable && !answer.residue);
    assert_eq!(answer.plain_text, "hey, how are you?");
}
