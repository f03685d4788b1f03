//! Tags and calls that are only mentioned: in a message, in CDATA, in fields of a document that hold no calls.

use kith_core::policy::OutputProtocol::{Json, Xml};
use serde_json::json;

use crate::protocol::check::check;

#[test]
fn a_tag_in_the_middle_of_a_line_is_part_of_the_message() {
    for text in [
        "use <react to=\"3\" emoji=\"x\"/> for that",
        "I use <send_message> tags, cute right",
        "用<react to=\"3\" emoji=\"x\"/>就行",
        "it is `<send_message>`, not that",
        "so <react> and </react> it is",
    ] {
        let expected = json!([["send_message", {"text": text}], ["stay_silent", {}]]);
        check(
            Xml,
            &format!("<turn><send_message>{text}</send_message>\n<stay_silent/></turn>"),
            expected,
        );
    }
}

#[test]
fn a_tag_behind_which_nothing_is_said_begins_the_next_call() {
    let both = json!([["send_message", {"text": "one"}], ["react", {"to": "3", "emoji": "x"}]]);
    for input in [
        "<turn><send_message>one<react to=\"3\" emoji=\"x\"/></turn>",
        "<turn><send_message>one <react to=\"3\" emoji=\"x\"/> \n</turn>",
        "<turn><send_message>one\n<react to=\"3\" emoji=\"x\"/> and</turn>",
    ] {
        let answer = check(Xml, input, both.clone());
        assert_eq!(
            answer
                .repairs
                .first()
                .map(|repair| repair.name())
                .as_deref(),
            Some("xml_syntax"),
            "{input}"
        );
    }
    let two = json!([["send_message", {"text": "one"}], ["send_message", {"text": "two"}]]);
    check(
        Xml,
        "<turn><send_message>one <send_message>two</send_message></turn>",
        two,
    );
}

#[test]
fn an_end_tag_inside_cdata_is_text_while_the_section_ends() {
    let code = json!([["send_message", {"text": "code </send_message> more"}]]);
    check(
        Xml,
        "<turn><send_message><![CDATA[code </send_message> more]]></send_message></turn>",
        code,
    );
    let open = json!([["send_message", {"text": "hi"}], ["react", {"to": "3", "emoji": "x"}]]);
    for input in [
        "<turn><send_message><![CDATA[hi</send_message> <react to=\"3\" emoji=\"x\"/></turn>",
        "<turn><send_message><![CDATA[hi</send_message> so <react to=\"3\" emoji=\"x\"/></turn>",
    ] {
        check(Xml, input, open.clone());
    }
    check(
        Xml,
        "<send_message><![CDATA[hi</send_message>",
        json!([["send_message", {"text": "hi"}]]),
    );
}

#[test]
fn beside_the_list_of_calls_no_other_field_holds_any() {
    let draft = r#"{"name":"send_message","params":{"text":"draft"}}"#;
    let silent = json!([["stay_silent", {}]]);
    for (input, expected) in [
        (format!(r#"{{"example":{draft},"actions":[]}}"#), json!([])),
        (
            format!(
                r#"{{"rejected":{{"actions":[{draft}]}},"actions":[{{"name":"stay_silent"}}]}}"#
            ),
            silent.clone(),
        ),
        (
            format!(
                r#"{{"actions":[{{"name":"stay_silent"}}],"rejected":{{"actions":[{draft}]}}}}"#
            ),
            silent,
        ),
        (
            format!(r#"{{"rejected":{{"actions":[{draft}]}},"act"#),
            json!([]),
        ),
        (
            r#"{"note":"<turn><send_message>draft</send_message></turn>","actions":[]}"#.to_owned(),
            json!([]),
        ),
        (
            format!(r#"{{"reply":{{"actions":[{draft}]}}}}"#),
            json!([["send_message", {"text": "draft"}]]),
        ),
    ] {
        check(Json, &input, expected);
    }
}

#[test]
fn what_of_an_element_is_left_out_is_named() {
    let hi = json!([["send_message", {"text": "a"}]]);
    for (input, repair) in [
        (
            "<turn><send_message text=\"a\">b</send_message></turn>",
            "dropped_text",
        ),
        (
            "<turn><send_message>a<!-- b --></send_message></turn>",
            "xml_syntax",
        ),
    ] {
        let names: Vec<_> = check(Xml, input, hi.clone())
            .repairs
            .iter()
            .map(|repair| repair.name())
            .collect();
        assert_eq!(names, [repair], "{input}");
    }
}
