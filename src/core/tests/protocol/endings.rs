//! Which of what a model wrote is its answer: where it ends, and what was only a draft, a form or spoken of.

use kith_core::policy::OutputProtocol::{self, Json, Xml};
use kith_core::protocol::AnswerParser;
use serde_json::{Value, json};

use crate::protocol::check::{check, shape, tools};

const XML: &str = "<turn><send_message>see you at the lake</send_message></turn>";
const JSON: &str =
    r#"{"actions": [{"name": "send_message", "params": {"text": "see you at the lake"}}]}"#;
const OTHER_XML: &str = "<turn><send_message>bring a towel</send_message></turn>";
const OTHER_JSON: &str =
    r#"{"actions": [{"name": "send_message", "params": {"text": "bring a towel"}}]}"#;
/// Each protocol with its answer and another one.
const PAIRS: [(OutputProtocol, &str, &str); 2] = [(Xml, XML, OTHER_XML), (Json, JSON, OTHER_JSON)];

fn lake() -> Value {
    json!([["send_message", {"text": "see you at the lake"}]])
}

#[test]
fn nothing_is_read_behind_a_complete_answer_once_somebody_else_speaks_or_it_is_tried_again() {
    for between in [
        "<|im_end|>\n<|im_start|>user\n9 Mia: ok<|im_end|>\n<|im_start|>assistant\n",
        "</s><s>[INST] more [/INST] ",
        "\n\nUser: more\nAssistant: ",
        "\n9 Mia: ok\n10>9 Tom: me too\n",
        "\n\nWait, once more:\n",
        "\n\nOption 2:\n",
        "\n\n用户：好\n助手：",
    ] {
        for (protocol, answer, other) in PAIRS {
            check(protocol, &format!("{answer}{between}{other}"), lake());
        }
    }
}

#[test]
fn an_answer_that_went_on_is_known_to_be_over_before_the_stream_ends() {
    let mut parser = AnswerParser::new(Xml, tools());
    assert_eq!(shape(&parser.feed(XML.as_bytes())), lake());
    assert!(!parser.is_over());
    parser.feed(b"<|im_end|>");
    assert!(parser.is_over());
}

#[test]
fn a_draft_is_no_answer_and_the_same_is_said_once() {
    for (protocol, answer, other) in PAIRS {
        check(protocol, &format!("{answer}\n{answer}"), lake());
        for tag in ["scratch_pad", "antThinking", "推理", "notes"] {
            check(
                protocol,
                &format!("<{tag}>Maybe {other}? Too short.</{tag}>\n{answer}"),
                lake(),
            );
        }
        for before in [
            format!("Draft:\n{other}\n\nFinal:\n"),
            format!("草稿：\n{other}\n\n最终：\n"),
            format!("For example:\n```\n{other}\n```\nMine:\n"),
            format!("One writes `{other}`, so:\n"),
            format!("The form is {other} and nothing else. So:\n"),
            format!("<example>\n{other}\n</example>\n"),
        ] {
            check(protocol, &format!("{before}{answer}"), lake());
        }
    }
}

#[test]
fn what_is_only_explained_is_not_done() {
    for (protocol, input) in [
        (
            Xml,
            "One writes `<send_message>hi</send_message>` for that.",
        ),
        (
            Xml,
            "I would write <send_message>hi</send_message> here but I must not.",
        ),
        (Xml, "<send_message>text</send_message>"),
        (
            Json,
            r#"{"name": "send_message", "parameters": {"type": "object", "properties": {"text": {"type": "string"}}}}"#,
        ),
        (Json, "recall: the keys are with Tom"),
    ] {
        check(protocol, input, json!([]));
    }
}

#[test]
fn a_closed_cdata_section_is_opaque() {
    let inner = "</send_message><core_memory_append label=\"a\">b</core_memory_append> and so on";
    let said = json!([["send_message", {"text": inner}]]);
    check(
        Xml,
        &format!("<turn><send_message><![CDATA[{inner}]]></send_message></turn>"),
        said,
    );
}

fn ended(end: fn(&mut AnswerParser)) -> Value {
    let mut parser = AnswerParser::new(Xml, tools());
    let mut calls = parser.feed(b"<turn><send_message>see you at the lake");
    end(&mut parser);
    calls.extend(parser.finish().0);
    shape(&calls)
}

#[test]
fn a_message_without_its_end_is_said_where_the_model_stopped_by_itself_and_only_there() {
    assert_eq!(ended(AnswerParser::mark_stopped), lake());
    assert_eq!(
        (ended(AnswerParser::mark_cut), ended(|_| ())),
        (json!([]), json!([]))
    );
}

#[test]
fn escapes_that_were_meant_for_a_machine_reach_nobody() {
    for (written, said) in [
        ("2 &amp;lt; 3", "2 < 3"),
        ("ok &#55357;&#56898;", "ok 🙂"),
        ("one<br>two", "one\ntwo"),
        ("<!CDATA[on my way]]>", "on my way"),
        ("text=\"on my way\"", "on my way"),
        ("it is in C:\\new\\table", "it is in C:\\new\\table"),
        ("write `&lt;br&gt;` for it", "write `<br>` for it"),
    ] {
        let input = format!("<turn><send_message>{written}</send_message></turn>");
        check(Xml, &input, json!([["send_message", {"text": said}]]));
    }
}

#[test]
fn brackets_that_were_meant_to_close_the_document_around_a_text_reach_nobody() {
    for (written, said) in [
        ("on my way}}", "on my way"),
        ("奶茶吧。'}}]}在补一套老的推理，“线断了", "奶茶吧。"),
        ("好啊”}}]}", "好啊"),
        ("ok } } ]", "ok"),
    ] {
        let message = json!([["send_message", {"text": said}]]);
        check(
            Json,
            &json!({"actions": [{"name": "send_message", "params": {"text": written}}]})
                .to_string(),
            message.clone(),
        );
    }
    for text in [
        "ha :}}",
        "[[wiki]]",
        "{{ user }} it is",
        "like {a: [{b: 1}]}",
        "nice :]]",
        "run `}}]}`",
        "x }",
    ] {
        check(
            Json,
            &json!({"actions": [{"name": "send_message", "params": {"text": text}}]}).to_string(),
            json!([["send_message", {"text": text}]]),
        );
    }
}
