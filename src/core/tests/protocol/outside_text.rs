//! What is left of an answer besides its calls: what may be posted, what never may, and what was named.

use kith_core::policy::OutputProtocol::{self, Json, Xml};
use kith_core::protocol::AnswerParser;
use kith_language::{Language, LocalizedMessage};
use serde_json::{Value, json};

use crate::protocol::check::{check, tools};

/// Nothing was called; the plain text and whether it is residue.
#[track_caller]
fn check_plain(protocol: OutputProtocol, input: &str, text: &str, residue: bool) {
    let answer = check(protocol, input, json!([]));
    assert_eq!(
        (answer.plain_text.as_str(), answer.residue),
        (text, residue),
        "{input}\n{answer:#?}"
    );
}

#[track_caller]
fn check_residue(input: &str) {
    for protocol in [Xml, Json] {
        let answer = check(protocol, input, json!([]));
        assert!(answer.residue, "{input}\n{answer:#?}");
    }
}

#[track_caller]
fn check_repairs(protocol: OutputProtocol, input: &str, expected: Value, repairs: &[&str]) {
    let answer = check(protocol, input, expected);
    let named: Vec<String> = answer.repairs.iter().map(ToString::to_string).collect();
    assert_eq!(named, repairs, "{input}");
}

#[test]
fn chat_text_is_plain_and_exact() {
    for text in [
        "hey, what's up?",
        "i <3 you & a < b > c",
        "看这个 <@123456> <:smile:1> <t:1700000000:R> <a:wave:12> <#99> </3",
        "use {name} or [x] or {\"a\" or {'b'} :{ }:",
        "早上好呀☀️ 👨‍👩‍👧",
        "5 > 3 && 2 < 4; it's \"fine\"",
        "x <- y <= z << w",
        "list: [1, 2] and {a, b}",
        "he said <wow> and left",
        "that's <b>bold</b>, no?",
    ] {
        for protocol in [Xml, Json] {
            let answer = check(protocol, text, json!([]));
            assert_eq!(answer.plain_text, text);
            assert!(!answer.readable, "{text}");
        }
    }
    check_plain(Xml, "i <3 you", "i <3 you", false);
    check_plain(Xml, "<think>hm {</think>\nsure thing", "sure thing", false);
    check_plain(Xml, "let me think\n</think>\n\n好的!", "好的!", false);
    check_plain(Xml, "<turn>just words</turn>", "just words", false);
    check_plain(Json, "好的!<|im_end|>", "好的!<|im_end|>", true);
    check_plain(
        Xml,
        "```rust\nlet x = 1;\n```",
        "```rust\nlet x = 1;\n```",
        false,
    );
}

#[test]
fn what_looks_like_a_call_is_never_posted() {
    for input in [
        "<send_message>hi",
        "<turn><send_message>hi the",
        "<send_mess",
        "hello <send_message",
        "hi</send_message>",
        "send_message(hi)",
        "functions.send_message(text=hi)",
        "I will use <tool_call> now",
        "<|tool_call|>send_message<|/tool_call|>",
        "<｜tool▁calls▁begin｜>send_message",
        "hi<channel|>",
        "hi<tool_call|> there",
        "<|tool_call>call:send_message{text:<|\"|>hi",
        "hi<end_of_turn>",
        "[INST] hi [/INST]",
        "[TOOL_CALLS] send_message",
        "{\"actions\": [{\"name\": \"send_message\", \"params\": {\"text\": \"hi",
        "{\"action\": \"hug\"",
        "```json\n{\"foo\": 1}\n```",
        "<turn><thoughts>hm</thoughts><send_message>你好呀,今天",
        "<turn><react to=\"12\" emoji=\"👀\"",
        "use &lt;send_message&gt; for it",
    ] {
        check_residue(input);
    }
}

#[test]
fn nothing_is_called_that_was_only_spoken_of() {
    for input in [
        "I should use <send_message> for that.\n<turn></turn>",
        "<think><turn><send_message>no</send_message></turn></think><turn></turn>",
        "<think>{\"actions\":[{\"name\":\"send_message\",\"params\":{\"text\":\"no\"}}]}</think>",
        "<turn><thoughts><send_message>no</send_message></thoughts></turn>",
        "<turn><!-- <send_message>no</send_message> --></turn>",
        "<turn><thoughts>a<think>b</think><send_message>no</send_message></thoughts></turn>",
        "{\"thoughts\": \"<send_message>no</send_message>\", \"actions\": []}",
        "{\"thoughts\": \"{\\\"actions\\\":[{\\\"name\\\":\\\"send_message\\\",\\\"params\\\":{}}]}\", \"actions\": []}",
        "{\"name\": \"Bob\", \"age\": 3}",
        "{\"query\": \"x\"}",
        "we did <send_message>no</send_message> earlier\n</think>\n",
    ] {
        for protocol in [Xml, Json] {
            check(protocol, input, json!([]));
        }
    }
}

#[test]
fn calls_in_a_second_place_of_a_document_are_left_out_and_the_model_is_told() {
    let one = r#"{"name": "send_message", "params": {"text": "one"}}"#;
    let two = r#"{"name": "react", "params": {"to": 1, "emoji": "2"}}"#;
    let listed = format!(r#""actions": [{one}, {two}]"#);
    let both = json!([["send_message", {"text": "one"}], ["react", {"to": 1, "emoji": "2"}]]);
    for second in [
        format!(r#"{{"response": {{{listed}}}, {listed}}}"#),
        format!(r#"{{{listed}, "response": {{{listed}}}, "request_heartbeat": false}}"#),
        format!(r#"{{{listed}, "tool_calls": [{two}]}}"#),
        format!(r#"{{{listed}, {listed}}}"#),
        format!(r#"{{"response": {{{listed}}}, "answer": {{"actions": [{two}]}}}}"#),
        format!(r#"{{{listed}, "send_message": {{"text": "one"}}}}"#),
        format!(r#"{{"send_message": {{"text": "two"}}, {listed}}}"#),
        format!(r#"{{"name": "send_message", "params": {{"text": "one"}}, {listed}}}"#),
        format!(
            r#"{{"tool_calls": [], {listed}, "calls": {}}}"#,
            json!(format!("[{two}]"))
        ),
    ] {
        let answer = check(Json, &second, both.clone());
        // What stands in another field than those for calls is none, and needs no word.
        let silent = second.contains("\"request_heartbeat\"");
        assert_eq!(answer.problems.is_empty(), silent, "{second}\n{answer:#?}");
    }
    for only in [
        format!(r#"{{"response": "hi", {listed}}}"#),
        format!(r#"{{"response": [{two}], {listed}}}"#),
        format!(r#"{{"tool_calls": [], "function": null, {listed}}}"#),
        format!(r#"{{"thoughts": "", {listed}, "calls": []}}"#),
    ] {
        let answer = check(Json, &only, both.clone());
        assert_eq!(answer.problems, [] as [LocalizedMessage; 0], "{only}");
    }
}

/// What is said in a faulty answer, and what is told of its repair.
const REPAIRS: &[(OutputProtocol, &str, &[&str])] = &[
    (Xml, "<turn><send_message>hi</send_message></turn>", &[]),
    (Xml, "<send_message>hi</send_message>", &["missing_root"]),
    (Xml, "<turn><send_message>hi</turn>", &["xml_syntax"]),
    (
        Xml,
        "<turn><send_message>hi</send_message>",
        &["truncated_tail"],
    ),
    (
        Xml,
        "<turn><send_message>hi</send_mesage></turn>",
        &["xml_syntax"],
    ),
    (
        Xml,
        "<turn><SendMessage>hi</SendMessage></turn>",
        &["tool_name: SendMessage -> send_message"],
    ),
    (
        Xml,
        "<turn><send_mesage>hi</send_mesage></turn>",
        &["tool_name: send_mesage -> send_message"],
    ),
    (Xml, "<turn><send_message text=hi/></turn>", &["xml_syntax"]),
    (
        Xml,
        "<turn><send_message><send_message>hi</send_message></turn>",
        &["xml_syntax"],
    ),
    (
        Xml,
        "```xml\n<turn><send_message>hi</send_message></turn>\n```",
        &["fence"],
    ),
    (
        Xml,
        "Sure:\n<turn><send_message>hi</send_message></turn>",
        &["prose"],
    ),
    (
        Xml,
        "<turn><send_message>hi</send_message><send_message>tru",
        &["truncated_call", "truncated_tail"],
    ),
    (
        Xml,
        "{\"actions\":[{\"name\":\"send_message\",\"params\":{\"text\":\"hi\"}}]}",
        &["other_protocol"],
    ),
    (
        Json,
        "<turn><send_message>hi</send_message></turn>",
        &["other_protocol"],
    ),
    (
        Json,
        "{\"actions\":[{\"name\":\"send_message\",\"params\":{\"text\":\"hi\",}}]}",
        &["json_syntax"],
    ),
    (
        Json,
        "{\"actions\":[{'name':'send_message','params':{'text':'hi'}}]}",
        &["json_syntax"],
    ),
    (
        Json,
        "{\"actions\":[{name:\"send_message\",params:{text:\"hi\"}}]}",
        &["json_syntax"],
    ),
    (
        Json,
        "{\"actions\":[{\"name\":\"send_message\",\"text\":\"hi\"}]}",
        &["params_place"],
    ),
    (
        Json,
        "{\"actions\":[{\"name\":\"send_message\",\"params\":{\"text\":\"hi\"}}",
        &["truncated_tail"],
    ),
];

#[test]
fn repairs_are_named() {
    let hi = json!([["send_message", {"text": "hi"}]]);
    for (protocol, input, repairs) in REPAIRS {
        check_repairs(*protocol, input, hi.clone(), repairs);
    }
    check_repairs(
        Xml,
        "<turn><hug who=\"Lin\">来</hug></turn>",
        json!([["hug", {"who": "Lin", "text": "来"}]]),
        &["unknown_tool: hug"],
    );
}

#[test]
fn another_round_can_be_asked_for_in_every_spelling() {
    for (protocol, input) in [
        (Xml, "<turn request_heartbeat=\"true\"></turn>"),
        (
            Xml,
            "<turn><request_heartbeat>true</request_heartbeat></turn>",
        ),
        (Xml, "<turn><request_heartbeat/></turn>"),
        (Json, "{\"actions\": [], \"request_heartbeat\": true}"),
        (Json, "{\"actions\": [], \"request_heartbeat\": \"True\"}"),
    ] {
        assert!(
            check(protocol, input, json!([])).wants_another_round,
            "{input}"
        );
    }
    let call = json!([["recall", {"query": "x"}]]);
    let input =
        "{\"name\": \"recall\", \"arguments\": {\"query\": \"x\", \"request_heartbeat\": true}}";
    assert!(check(Json, input, call.clone()).wants_another_round);
    assert!(
        !check(
            Xml,
            "<turn><request_heartbeat>false</request_heartbeat><recall>x</recall></turn>",
            call
        )
        .wants_another_round
    );
}

#[test]
fn what_could_not_be_read_is_told_in_the_language_of_the_prompt() {
    let answers = [
        "<turn><send_message>hi ther",
        "<tool_call>{\"name\": </tool_call",
        "{\"actions\": [{\"params\": {}}]}",
        "<turn><send_message>hi</send_message><order_pizza/></turn>",
    ];
    let mut seen = 0;
    for (protocol, answer) in [
        OutputProtocol::Xml,
        OutputProtocol::Json,
        OutputProtocol::Native,
    ]
    .into_iter()
    .flat_map(|protocol| answers.map(|answer| (protocol, answer)))
    {
        let mut parser = AnswerParser::new(protocol, tools());
        parser.feed(answer.as_bytes());
        parser.mark_cut();
        for problem in parser.finish().1.problems {
            seen += 1;
            let [english, chinese] =
                [Language::EN, Language::ZH].map(|language| problem.in_language(language));
            assert!(english.is_ascii(), "{answer}: {english}");
            assert_ne!(chinese, english, "{answer}");
        }
    }
    assert!(seen >= 4, "the answers have faults");
}
