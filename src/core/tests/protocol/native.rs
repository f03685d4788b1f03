//! Calls that a provider hands over beside the text: in any pieces, several at once, cut off, unknown and wrong.

use kith_core::call::ToolCall;
use kith_core::policy::OutputProtocol::{Json, Native};
use kith_core::protocol::{AnswerParser, ParsedAnswer, ToolDelta};
use serde_json::{Map, Value, json};

use crate::protocol::check::{read_in, shape, tools};
use crate::protocol::outputs::{Output, outputs};

fn piece(index: u32, name: &str, arguments: &str) -> ToolDelta {
    let name = (!name.is_empty()).then(|| name.to_owned());
    ToolDelta {
        index,
        id: None,
        name,
        arguments: arguments.into(),
    }
}

fn read(text: &str, deltas: &[ToolDelta]) -> (Vec<ToolCall>, ParsedAnswer) {
    let mut parser = AnswerParser::new(Native, tools());
    assert_eq!(parser.feed(text.as_bytes()), []);
    let mut calls: Vec<ToolCall> = deltas
        .iter()
        .flat_map(|delta| parser.feed_tool(delta.clone()))
        .collect();
    let (last, answer) = parser.finish();
    calls.extend(last);
    assert_eq!(answer.calls_seen, calls.len());
    (calls, answer)
}

fn list_problems(answer: &ParsedAnswer) -> Vec<String> {
    answer.problems.iter().map(ToString::to_string).collect()
}

fn arguments(params: &[(&str, &str)]) -> String {
    let typed = |key: &str, text: &str| match key {
        "reply_to" | "to" | "options" => serde_json::from_str(text).unwrap_or(Value::Null),
        _ => Value::from(text),
    };
    let fields: Map<_, _> = params
        .iter()
        .map(|(key, text)| ((*key).to_owned(), typed(key, text)))
        .collect();
    Value::Object(fields).to_string()
}

/// The calls of an answer as a provider streams them, their arguments in pieces of `size` bytes where that is between
/// characters.
fn streamed(output: &Output, size: usize) -> Vec<ToolDelta> {
    let mut deltas = Vec::new();
    for (index, (name, params)) in (0..).zip(&output.calls) {
        deltas.push(piece(index, name, ""));
        let arguments = arguments(params);
        let mut rest = arguments.as_str();
        while !rest.is_empty() {
            let (head, tail) = rest.split_at(rest.ceil_char_boundary(size));
            deltas.push(piece(index, "", head));
            rest = tail;
        }
    }
    deltas
}

#[test]
fn calls_are_the_same_in_any_pieces_and_are_given_out_when_their_arguments_close() {
    for output in outputs() {
        let names: Vec<&str> = output.calls.iter().map(|(name, _)| *name).collect();
        let (whole, answer) = read(output.thoughts, &streamed(&output, usize::MAX));
        assert_eq!(
            whole
                .iter()
                .map(|call| call.name.as_str())
                .collect::<Vec<_>>(),
            names
        );
        let written: Vec<String> = whole
            .iter()
            .map(|call| Value::Object(call.params.clone()).to_string())
            .collect();
        let meant: Vec<String> = output
            .calls
            .iter()
            .map(|(_, params)| arguments(params))
            .collect();
        assert_eq!(written, meant);
        assert_eq!(
            (answer.thoughts.as_str(), answer.plain_text.as_str()),
            (output.thoughts, "")
        );
        assert_eq!(
            (answer.repairs, answer.problems, answer.readable),
            (vec![], vec![], true)
        );
        for size in [1, 3, 7] {
            let mut parser = AnswerParser::new(Native, tools());
            let deltas = streamed(&output, size);
            let given: Vec<ToolCall> = deltas
                .into_iter()
                .flat_map(|delta| parser.feed_tool(delta))
                .collect();
            assert_eq!(given, whole, "nothing is left for the end");
        }
    }
}

#[test]
fn wherever_a_stream_is_cut_its_closed_calls_are_given_and_nothing_is_said() {
    for output in outputs() {
        let (whole, _) = read("", &streamed(&output, usize::MAX));
        let deltas = streamed(&output, 2);
        for cut in 0..deltas.len() {
            let (found, answer) = read("", &deltas[..cut]);
            // A name whose arguments never came is a call without any: what it lacks is refused when it is checked.
            let bare = found.last().is_some_and(|call| call.params.is_empty());
            let closed = found.len() - usize::from(bare);
            assert_eq!(found[..closed], whole[..closed]);
            assert!(!answer.residue && answer.plain_text.is_empty());
        }
    }
}

#[test]
fn calls_come_in_the_order_they_were_begun_though_their_pieces_are_mixed() {
    let (calls, _) = read(
        "",
        &[
            piece(0, "send_message", "{\"text\": "),
            piece(1, "react", "{\"to\": 3, \"emoji\": \"👀\"}"),
            piece(0, "", "\"hi\"}"),
        ],
    );
    assert_eq!(
        shape(&calls),
        json!([["send_message", {"text": "hi"}], ["react", {"to": 3, "emoji": "👀"}]])
    );
}

#[test]
fn a_call_is_not_given_out_empty_because_the_next_one_was_announced() {
    let announced = [piece(0, "send_message", ""), piece(1, "react", "")];
    let arguments = [
        piece(0, "", "{\"text\": \"hi\"}"),
        piece(1, "", "{\"to\": 3, \"emoji\": \"👀\"}"),
    ];
    let (calls, answer) = read("", &[announced, arguments].concat());
    assert_eq!(
        shape(&calls),
        json!([["send_message", {"text": "hi"}], ["react", {"to": 3, "emoji": "👀"}]])
    );
    assert_eq!(answer.repairs, []);
    let (calls, _) = read(
        "",
        &[
            piece(0, "stay_silent", ""),
            piece(1, "react", "{\"to\": 3}"),
        ],
    );
    assert_eq!(
        shape(&calls),
        json!([["stay_silent", {}], ["react", {"to": 3}]])
    );
}

#[test]
fn calls_that_all_count_as_the_first_are_told_apart() {
    let with_id = |id: &str, text: &str| ToolDelta {
        id: Some(id.into()),
        ..piece(0, "send_message", &format!("{{\"text\": \"{text}\"}}"))
    };
    let expected = json!([["send_message", {"text": "one"}], ["send_message", {"text": "two"}]]);
    assert_eq!(
        shape(&read("", &[with_id("a", "one"), with_id("b", "two")]).0),
        expected
    );
    let without = |text: &str| piece(0, "send_message", &format!("{{\"text\": \"{text}\"}}"));
    assert_eq!(
        shape(&read("", &[without("one"), without("two")]).0),
        expected
    );
}

#[test]
fn what_models_do_to_arguments_is_mended_and_named() {
    for (arguments, repair) in [
        ("{\"text\": \"hi\",}", "json_syntax"),
        ("{'text': 'hi'}", "json_syntax"),
        ("{text: \"hi\"}", "json_syntax"),
        ("\"{\\\"text\\\": \\\"hi\\\"}\"", "double_encoding"),
        ("\"hi\"", "params_place"),
        ("[{\"text\": \"hi\"}]", "params_place"),
    ] {
        let (calls, answer) = read("", &[piece(0, "send_message", arguments)]);
        assert_eq!(
            shape(&calls),
            json!([["send_message", {"text": "hi"}]]),
            "{arguments}"
        );
        assert_eq!(
            answer.repairs.first().map(|one| one.name()).as_deref(),
            Some(repair),
            "{arguments}"
        );
    }
    let (calls, _) = read(
        "",
        &[
            piece(0, "send_message", "{}"),
            piece(0, "", "{\"text\": \"hi\"}"),
        ],
    );
    assert_eq!(
        shape(&calls),
        json!([["send_message", {"text": "hi"}]]),
        "an empty object first is a placeholder"
    );
    let (calls, answer) = read(
        "",
        &[piece(
            0,
            "functions.SendMessage",
            "{\"text\": \"hi\", \"replyTo\": 3}",
        )],
    );
    assert_eq!(
        shape(&calls),
        json!([["send_message", {"text": "hi", "reply_to": 3}]])
    );
    assert_eq!(answer.repairs.len(), 2, "{:?}", answer.repairs);
}

#[test]
fn what_cannot_be_read_is_no_call_and_the_model_is_told() {
    for (delta, problem) in [
        (
            piece(0, "send_message", "text is hi"),
            "the arguments of send_message are no JSON object, so it was not done",
        ),
        (
            piece(0, "send_message", "{\"text\": \"hi the"),
            "the answer broke off inside the arguments of send_message, which was not done",
        ),
        (
            piece(0, "", "{\"text\": 1}x"),
            "a tool call without a name was not done",
        ),
    ] {
        let (calls, answer) = read("let me greet them", &[delta]);
        assert_eq!(
            (shape(&calls), list_problems(&answer)),
            (json!([]), vec![problem.to_owned()])
        );
        assert_eq!(
            (answer.thoughts.as_str(), answer.plain_text.as_str()),
            ("let me greet them", "")
        );
    }
    let (calls, answer) = read("", &[piece(0, "hug", "{\"who\": \"Lin\"}")]);
    assert_eq!(
        shape(&calls),
        json!([["hug", {"who": "Lin"}]]),
        "the turn tells the model which tools there are"
    );
    assert_eq!(
        answer.repairs.first().map(ToString::to_string).as_deref(),
        Some("unknown_tool: hug")
    );
}

#[test]
fn arguments_that_are_no_object_are_named_alike_in_any_split() {
    for arguments in [
        "/*{?{\u{1d5d5}_|",
        "{?{a}{b",
        "{}x{",
        "{\"a\"}{\"b\": 1}",
        "{[}{",
    ] {
        let deltas = |size: usize| {
            let characters: Vec<char> = arguments.chars().collect();
            let pieces = characters
                .chunks(size)
                .map(|piece| piece.iter().collect::<String>());
            std::iter::once(piece(0, "send_message", ""))
                .chain(pieces.map(|text| piece(0, "", &text)))
                .collect::<Vec<_>>()
        };
        let whole = read("", &deltas(99));
        for size in 1..4 {
            assert_eq!(read("", &deltas(size)), whole, "{arguments} {size}");
        }
    }
}

#[test]
fn text_beside_calls_is_thought_whatever_is_written_in_it() {
    let spelt = "I'd say <turn><send_message>draft</send_message></turn> or so";
    let (calls, answer) = read(spelt, &[piece(0, "send_message", "{\"text\": \"hi\"}")]);
    assert_eq!(shape(&calls), json!([["send_message", {"text": "hi"}]]));
    assert_eq!((answer.plain_text.as_str(), answer.residue), ("", false));
    assert!(answer.thoughts.contains("or so"));
}

#[test]
fn calls_spelt_out_where_none_was_handed_over_are_read_and_named() {
    let text = "<tool_call>\n{\"name\": \"send_message\", \"arguments\": {\"text\": \"hi\"}}\n</tool_call>";
    let (calls, answer) = read_in(Native, text.as_bytes(), 3);
    assert_eq!(shape(&calls), json!([["send_message", {"text": "hi"}]]));
    assert!(
        answer
            .repairs
            .iter()
            .any(|repair| repair.name() == "other_protocol"),
        "{:?}",
        answer.repairs
    );
    let (calls, answer) = read_in(
        Native,
        b"<tool_call>\n{\"name\": \"send_message\", \"arguments\": {\"text\": \"h",
        3,
    );
    assert_eq!(
        (shape(&calls), answer.residue),
        (json!([]), true),
        "a call that a server cut is never posted"
    );
    assert_eq!(answer.problems.len(), 1);
    let (_, answer) = read_in(Native, "好的!".as_bytes(), 1);
    assert_eq!(
        (answer.plain_text.as_str(), answer.residue, answer.readable),
        ("好的!", false, false)
    );
}

#[test]
fn a_form_and_words_for_nothing_are_no_message() {
    for text in [
        "text",
        "<text>",
        "your message here",
        "[your message]",
        "你的消息",
        "null",
        "undefined",
        "N/A",
    ] {
        let (calls, answer) = read(
            "",
            &[piece(0, "send_message", &json!({"text": text}).to_string())],
        );
        assert_eq!(
            (shape(&calls), answer.problems.len()),
            (json!([]), 1),
            "{text}"
        );
    }
    let (calls, _) = read("", &[piece(0, "stay_silent", "{\"reason\": \"reason\"}")]);
    assert_eq!(
        shape(&calls),
        json!([["stay_silent", {"reason": "reason"}]])
    );
}

#[test]
fn parameters_written_into_their_own_text_are_read_once_more() {
    let inner = json!({"text": "hi", "reply_to": 3}).to_string();
    let arguments = json!({"text": inner}).to_string();
    let said = json!([["send_message", {"text": "hi", "reply_to": 3}]]);
    assert_eq!(
        shape(&read("", &[piece(0, "send_message", &arguments)]).0),
        said
    );
    let document =
        json!({"actions": [{"name": "send_message", "params": {"text": inner}}]}).to_string();
    assert_eq!(shape(&read_in(Json, document.as_bytes(), 7).0), said);
    let other = json!({"text": "{\"text\": \"hi\", \"more\": 1}"});
    let (calls, _) = read("", &[piece(0, "send_message", &other.to_string())]);
    assert_eq!(
        shape(&calls),
        json!([["send_message", other]]),
        "it is no call but what is said"
    );
}

#[test]
fn arguments_behind_thoughts_or_in_a_fence_and_a_name_with_a_token_are_read() {
    let said = json!([["send_message", {"text": "hi"}]]);
    let whole = r#"{"text": "hi"}"#;
    let changed = |place: usize, arguments: &str, name: &str| ToolDelta {
        id: Some(format!("a{place}")),
        ..piece(0, name, arguments)
    };
    for deltas in [
        vec![piece(
            0,
            "send_message",
            &format!("<think>hm {{\"a\": 1}}</think>{whole}"),
        )],
        vec![piece(0, "send_message", &format!("```json\n{whole}\n```"))],
        vec![piece(0, "send_message<|channel|>commentary", whole)],
        vec![piece(0, "<|constrain|>send_message", whole)],
        vec![changed(1, "", "send_message"), changed(2, whole, "")],
        vec![
            changed(1, "{\"text\": ", "send_message"),
            changed(2, "\"hi\"}", ""),
        ],
    ] {
        let (calls, answer) = read("", &deltas);
        assert_eq!(shape(&calls), said, "{deltas:?}: {answer:?}");
    }
    let two = [
        changed(1, whole, "send_message"),
        changed(2, r#"{"text": "ho"}"#, "send_message"),
    ];
    assert_eq!(read("", &two).0.len(), 2);
}
