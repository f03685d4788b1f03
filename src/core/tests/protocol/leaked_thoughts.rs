//! Thoughts that leak into an answer: drafts in them are no calls, and nothing of them is ever said.

use kith_core::policy::OutputProtocol::{self, Json, Native, Xml};
use kith_core::protocol::{AnswerParser, ParsedAnswer, ToolDelta};
use serde_json::{Value, json};

use crate::protocol::check::{check, shape, tools};

const SILENT_XML: &str = "<turn><stay_silent reason=\"x\"/></turn>";
const SILENT_JSON: &str = r#"{"actions":[{"name":"stay_silent","params":{"reason":"x"}}]}"#;
const DRAFT_XML: &str = "I could reply <send_message>draft</send_message> hm";
const DRAFT_TURN: &str = "maybe\n<turn><send_message>draft</send_message></turn>";
const DRAFT_JSON: &str = r#"so {"actions":[{"name":"send_message","params":{"text":"draft"}}]}"#;

/// What stands around thoughts, and the end of what stands before the answer.
const AROUND: &[(&str, &str)] = &[
    (
        "<|channel|>analysis<|message|>",
        "<|end|><|start|>assistant<|channel|>final<|message|>",
    ),
    (
        "<|channel|>analysis<|message|>",
        "<|channel|>final<|message|>",
    ),
    (
        "<|start|>assistant<|channel|>commentary<|message|>",
        "<|end|><|start|>assistant<|channel|>final<|message|>",
    ),
    ("<|channel>thought\n", "<channel|>"),
    ("◁think▷", "◁/think▷"),
    ("[THINK]", "[/THINK]"),
    ("<|begin_of_thought|>", "<|end_of_thought|>\n"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<analysis>", "</analysis>"),
    ("<plan>", "</plan>\n"),
    ("<|think|>", "<|/think|>"),
    ("<|inner_prefix|>", "<|inner_suffix|>"),
    ("<unused94>thought\n", "<unused95>"),
    ("<th\u{200b}ink>", "</think>"),
    ("<t\u{ad}hink>", "</t\u{ad}hink>"),
    ("", "[/THINK]"),
    ("", "◁/think▷"),
    ("", "<|end_of_thought|>"),
];

#[test]
fn drafts_in_leaked_thoughts_are_no_calls() {
    let silent = json!([["stay_silent", {"reason": "x"}]]);
    for (start, end) in AROUND {
        for draft in [DRAFT_XML, DRAFT_TURN, DRAFT_JSON] {
            for (protocol, answer) in [(Xml, SILENT_XML), (Json, SILENT_JSON), (Json, SILENT_XML)] {
                let input = format!("{start}{draft}{end}{answer}");
                let read = check(protocol, &input, silent.clone());
                assert!(
                    start.is_empty() || read.thoughts.contains("draft"),
                    "{input}\n{read:#?}"
                );
                assert!(!read.plain_text.contains("draft"), "{input}\n{read:#?}");
            }
        }
    }
}

#[test]
fn thoughts_and_special_tokens_in_a_message_are_not_said() {
    for text in [
        "secret</think>lol hi",
        "<think>a<think>b</think>c</think>lol hi",
        "<th\u{200b}ink>secret</think>lol hi",
        "<t\u{2060}hink>secret</t\u{2060}hink>lol hi",
        "<|think|>secret<|/think|>lol hi",
        "<|inner_prefix|>secret<|inner_suffix|>lol hi",
        "secret<|end_of_thinking|>lol hi",
        "<unused94>thought\nsecret<unused95>lol hi",
        "```thinking\nsecret\n```\nlol hi",
        "lol hi<eos>",
        "lol hi <unk><pad>",
        "<bos>lol hi",
        "lol hi<end_of_utterance>",
        "lol hi<turn_end>",
        "lol hi<unused7012>",
        "<speaker>lol hi",
        "[gMASK]<sop>lol hi",
        "lol hi</s>",
    ] {
        let said = json!([["send_message", {"text": "lol hi"}]]);
        check(
            Xml,
            &format!("<turn><send_message>{text}</send_message></turn>"),
            said.clone(),
        );
        let document = json!({"actions": [{"name": "send_message", "params": {"text": text}}]});
        check(Json, &document.to_string(), said);
    }
}

#[test]
fn what_people_type_between_angles_stays() {
    for text in [
        "use <b>bold</b> and <string> type",
        "a vec<int> x <your_name> <3",
        "git clone <repo_url>",
        "i like `<eos>` and vec<float32>",
        "<sarcasm>sure</sarcasm>",
        "[EDIT] no <h1> there",
    ] {
        let document = json!({"actions": [{"name": "send_message", "params": {"text": text}}]});
        check(
            Json,
            &document.to_string(),
            json!([["send_message", {"text": text}]]),
        );
    }
}

#[test]
fn thoughts_between_marks_that_never_end_go_to_the_end() {
    for start in AROUND.iter().map(|(start, _)| *start).filter(|start| {
        start.starts_with(['<', '[']) && !start.ends_with('>') || start.contains('|')
    }) {
        for draft in [DRAFT_XML, DRAFT_TURN, DRAFT_JSON] {
            let read = check(Xml, &format!("{start}{draft}"), json!([]));
            assert_eq!(
                (read.plain_text.as_str(), read.calls_seen),
                ("", 0),
                "{start}"
            );
        }
    }
}

#[test]
fn what_follows_leaked_thoughts_is_the_answer_and_half_a_mark_is_never_posted() {
    for (start, end) in AROUND.iter().filter(|(start, _)| !start.is_empty()) {
        let read = check(
            Xml,
            &format!("{start}she is annoyed with Bob{end}hey there"),
            json!([]),
        );
        assert_eq!(
            (read.plain_text.as_str(), read.residue),
            ("hey there", false),
            "{start}"
        );
        assert!(read.thoughts.contains("annoyed"), "{start}");
    }
    for half in [
        "hm [THINK",
        "annoyed [/THINK] hey [THINK]",
        "◁think she",
        "thought <channel|> hey",
        "<|channel|>analysis",
    ] {
        let read = check(Xml, half, json!([]));
        assert!(
            read.residue || !read.plain_text.contains("annoyed"),
            "{half}\n{read:#?}"
        );
    }
}

fn named(answer: &ParsedAnswer) -> Vec<String> {
    answer.repairs.iter().map(|repair| repair.name()).collect()
}

/// Texts with what leaked into them, what is said of them, and what has to be named.
const LEAKS: &[(&str, &str, &str)] = &[
    ("<think>secret</think>hi", "hi", "leaked_thought"),
    (
        "hi <thinking>secret</thinking>there",
        "hi there",
        "leaked_thought",
    ),
    ("secret</think>\nhi", "hi", "leaked_thought"),
    ("hi <think>secret", "hi", "leaked_thought"),
    ("[THINK]secret[/THINK]hi", "hi", "leaked_thought"),
    ("◁think▷secret◁/think▷hi", "hi", "leaked_thought"),
    (
        "<|channel|>analysis<|message|>secret<|end|><|channel|>final<|message|>hi",
        "hi",
        "leaked_thought",
    ),
    (
        "<|begin_of_thought|>secret<|end_of_thought|>hi",
        "hi",
        "leaked_thought",
    ),
    ("hi<|im_end|>", "hi", "leaked_token"),
    ("hi <｜end▁of▁sentence｜>", "hi", "leaked_token"),
    ("hi<tool_call|>", "hi", "leaked_token"),
    ("<|turn>hi<turn|>", "hi", "leaked_token"),
    ("<|\"|>hi<|\"|>", "hi", "leaked_token"),
    ("secret<channel|>hi", "hi", "leaked_thought"),
    ("hi<end_of_turn>", "hi", "leaked_token"),
    ("hi [/INST]", "hi", "leaked_token"),
];

/// Texts that look a little like it.
const SAID: &[&str] = &[
    "put it in `<think>` and `</think>`",
    "```\n<think>a</think><|im_end|>\n```",
    "f <| x |> g and [think] twice, i <3 you",
    "a `lone tick and <b>",
    "`<tool_call|>` ends it, and a <b|> c <|d> e [inst]",
];

#[track_caller]
fn said(protocol: OutputProtocol, input: &str, text: &str) -> ParsedAnswer {
    check(protocol, input, json!([["send_message", {"text": text}]]))
}

fn document(text: &str) -> String {
    json!({"actions": [{"name": "send_message", "params": {"text": text}}]}).to_string()
}

fn handed_over(text: &str) -> (Value, ParsedAnswer) {
    let mut parser = AnswerParser::new(Native, tools());
    let arguments = json!({"text": text}).to_string();
    let calls = parser.feed_tool(ToolDelta {
        index: 0,
        id: None,
        name: Some("send_message".into()),
        arguments,
    });
    (shape(&calls), parser.finish().1)
}

#[test]
fn neither_thoughts_nor_special_tokens_stay_in_a_parameter() {
    for (text, left, repair) in LEAKS {
        let escaped = text.replace('<', "&lt;").replace('>', "&gt;");
        let (calls, native) = handed_over(text);
        assert_eq!(calls, json!([["send_message", {"text": left}]]), "{text}");
        for read in [
            said(Json, &document(text), left),
            said(
                Xml,
                &format!("<turn><send_message>{escaped}</send_message></turn>"),
                left,
            ),
            native,
        ] {
            assert!(
                named(&read).iter().any(|name| name == repair),
                "{text}\n{read:#?}"
            );
            assert_eq!(
                read.thoughts.contains("secret"),
                *repair == "leaked_thought",
                "{text}"
            );
        }
    }
    for text in ["hi<|im_end|>", "hi <|eot_id|>"] {
        said(
            Xml,
            &format!("<turn><send_message>{text}</send_message></turn>"),
            "hi",
        );
    }
    let nested = r#"{"actions":[{"name":"poll","params":{"question":"q","options":["<think>x</think>a","b"]}}]}"#;
    check(
        Json,
        nested,
        json!([["poll", {"question": "q", "options": ["a", "b"]}]]),
    );
}

#[test]
fn what_is_said_about_thinking_is_said() {
    for text in SAID {
        assert_eq!(
            named(&said(Json, &document(text), text)),
            [] as [&str; 0],
            "{text}"
        );
        assert_eq!(
            handed_over(text).0,
            json!([["send_message", {"text": text}]])
        );
    }
    said(
        Xml,
        "<turn><send_message>i write `<think>` a lot</send_message></turn>",
        "i write `<think>` a lot",
    );
}
