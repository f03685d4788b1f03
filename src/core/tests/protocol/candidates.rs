//! Several answers in one, and answers that are only shown: which of them is meant.

use kith_core::policy::OutputProtocol::{self, Json, Xml};
use serde_json::{Value, json};

use crate::protocol::check::check;

const FIRST: [(OutputProtocol, &str, &str); 2] = [
    (
        Xml,
        "<turn><send_message>see you at the lake</send_message></turn>",
        "<turn><send_message>bring a towel</send_message></turn>",
    ),
    (
        Json,
        r#"{"actions": [{"name": "send_message", "params": {"text": "see you at the lake"}}]}"#,
        r#"{"actions": [{"name": "send_message", "params": {"text": "bring a towel"}}]}"#,
    ),
];

fn lake() -> Value {
    json!([["send_message", {"text": "see you at the lake"}]])
}

#[test]
fn of_several_candidates_the_first_is_said() {
    for (first, second) in [
        ("Response 1:\n", "\n\nResponse 2:\n"),
        ("**Answer 1**\n", "\n\n**Answer 2**\n"),
        ("回答一：\n", "\n\n回答二：\n"),
        ("输出1：\n", "\n输出2：\n"),
        ("A)\n", "\nB)\n"),
        ("(a) ", "\n(b) "),
        ("", "\nor\n"),
        ("", "\n或者：\n"),
        ("", "\n\nActually, scratch that.\n"),
        ("", "\n\nWait, let me try that again.\n"),
        ("", "\n\n等等，我重新说一遍。\n"),
    ] {
        for (protocol, answer, other) in FIRST {
            check(protocol, &format!("{first}{answer}{second}{other}"), lake());
        }
    }
}

#[test]
fn prose_that_tells_of_drafts_and_examples_drops_no_answer() {
    for before in [
        "Anna wants an example of a pun.\n",
        "Anna wants an example of a pun. ",
        "Tom asked for a template and Mia for an example, so I will name the lake.\n",
        "He is talking about his first draft again, and I want to help.\n",
        "Ben is weighing one option against another.\n",
        "Mia asked which version I like.\n",
        "安娜想要一个双关语的例子，我给她一个。\n",
        "他在说他的初稿。我来回。\n",
        "I don't know much about it, but they asked me:\n",
    ] {
        for (protocol, answer, _) in FIRST {
            check(protocol, &format!("{before}{answer}"), lake());
        }
    }
}

#[test]
fn what_is_shown_as_wrong_or_as_somebody_elses_is_not_done() {
    for before in [
        "Don't do this:\n",
        "Not this: ",
        "**Wrong:**\n",
        "不要这样写：\n",
        "15 Ben: ",
        "15>12 Ben： ",
        "7 小雨：",
    ] {
        for (protocol, answer, other) in FIRST {
            check(protocol, &format!("{before}{other}"), json!([]));
            check(protocol, &format!("{before}{other}\n\n{answer}"), lake());
        }
    }
    for (protocol, answer, other) in FIRST {
        check(protocol, &format!("> {other}\n\n{answer}"), lake());
    }
    for own in ["15 Juno: ", "15 阿柚："] {
        for (protocol, answer, _) in FIRST {
            check(protocol, &format!("{own}{answer}"), lake());
        }
    }
}

#[test]
fn what_stands_in_an_element_of_no_meaning_is_a_draft_where_an_answer_follows() {
    for tag in ["plan_b", "reply", "内心独白", "blockquote"] {
        for (protocol, answer, other) in FIRST {
            check(
                protocol,
                &format!("<{tag}>\n{other}\n</{tag}>\n{answer}"),
                lake(),
            );
        }
    }
    for (protocol, answer, _) in FIRST {
        check(
            protocol,
            &format!("<my_reply>\n{answer}\n</my_reply>"),
            lake(),
        );
    }
}
