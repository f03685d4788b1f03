//! What holds for any input: no panic, no dependence on the split, nothing invented by a cut, nothing lost of what is
//! well-formed.

use kith_core::policy::OutputProtocol::{self, Json, Native, Xml};
use kith_core::protocol::AnswerParser;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

use crate::protocol::check::{read_in, shape, tools};
use crate::protocol::outputs::outputs;

/// What answers and their faults are made of.
const PIECES: &[&str] = &[
    "<turn>",
    "</turn>",
    "<thoughts>",
    "</thoughts>",
    "<think>",
    "</think>",
    "<send_message",
    "<send_message>",
    "</send_message>",
    "</send_message",
    "<react to=\"1\" emoji='👀'/>",
    " reply_to=\"12\"",
    " text=“",
    ">",
    "/>",
    "<",
    "</",
    "</>",
    "＜",
    "＞",
    "<text>",
    "</text>",
    "<action name=\"react\">",
    "</action>",
    "<tool_call>",
    "<![CDATA[",
    "]]>",
    "<!--",
    "-->",
    "<?xml",
    "<|im_end|>",
    "<|channel|>",
    "analysis",
    "<|message|>",
    "<|end|>",
    "<|start|>",
    "<|channel>",
    "<channel|>",
    "[THINK]",
    "[/THINK]",
    "◁think▷",
    "◁/think▷",
    "<@12>",
    "<:a:1>",
    "<3",
    "a < b",
    "&amp;",
    "&",
    "&#x1F600;",
    "{",
    "}",
    "[",
    "]",
    "\"",
    "'",
    "“",
    "”",
    ",",
    ":",
    "：",
    "\\",
    "\\\"",
    "\\u00",
    "\\ud83d",
    "\n",
    " ",
    "\"actions\": [",
    "\"name\": ",
    "\"send_message\"",
    "\"params\": {",
    "\"text\": ",
    "\"hi\"",
    "{\"thoughts\": \"x\", \"actions\": [",
    "}]}",
    "None",
    "// c",
    "/* c */",
    "```json\n",
    "```",
    "你好",
    "👨‍👩‍👧",
    "x",
    "send_message(",
    "functions.recall({",
    "12",
    "=",
    "|",
    "{\\\"a\\\"",
];

fn soup() -> impl Strategy<Value = String> {
    let piece =
        prop_oneof![8 => prop::sample::select(PIECES).prop_map(str::to_owned), 1 => ".{0,4}"];
    prop::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
}

fn protocol() -> impl Strategy<Value = OutputProtocol> {
    prop_oneof![Just(Xml), Just(Json), Just(Native)]
}

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        // A text with closing braces may hold the end of the document, which a model wrote into it.
        "[^}\n]{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::btree_map("[a-z ]{1,8}", inner, 0..4)
                .prop_map(|fields| Value::Object(fields.into_iter().collect())),
        ]
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_split_reads_like_the_whole(protocol in protocol(), input in soup(), size in 1usize..9) {
        let whole = read_in(protocol, input.as_bytes(), usize::MAX);
        prop_assert_eq!(read_in(protocol, input.as_bytes(), size), whole);
    }

    #[test]
    fn any_bytes_are_read(protocol in protocol(), input in prop::collection::vec(any::<u8>(), 0..300), size in 1usize..9) {
        let whole = read_in(protocol, &input, usize::MAX);
        prop_assert_eq!(read_in(protocol, &input, size), whole);
    }

    #[test]
    fn bytes_that_are_no_text_are_named_alike_in_any_split(protocol in protocol(), input in soup(), size in 1usize..9) {
        let input = [input.as_bytes(), &[0xdd, 0x4c], input.as_bytes(), &[0xe4, 0xbd]].concat();
        let whole = read_in(protocol, &input, usize::MAX);
        prop_assert_eq!(read_in(protocol, &input, size), whole);
    }

    #[test]
    fn escaped_text_comes_out_as_it_was(text in "\\PC{1,60}") {
        // Escapes of JSON and of markup that stand in a text are what a model wrote where none belongs.
        let folded = text.to_lowercase();
        prop_assume!(!["\\'", "\\\"", "\\/", "\\n", "\\u", ";", "<br", "<p"].iter().any(|escape| folded.contains(escape)));
        let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let (calls, answer) = read_in(Xml, format!("<turn><stay_silent>{escaped}</stay_silent></turn>").as_bytes(), 7);
        let trimmed = text.trim();
        prop_assume!(!trimmed.is_empty() && !trimmed.starts_with('{'));
        prop_assert_eq!(shape(&calls), json!([["stay_silent", {"reason": trimmed}]]));
        prop_assert_eq!(answer.repairs, vec![]);
    }

    #[test]
    fn bare_text_comes_out_as_it_was(text in "[a-c0-9 <>&\"'{}\\[\\]@:，。！“”你好👀\n]{1,60}") {
        // Only what looks like a tag of the protocol could change anything.
        prop_assume!(!text.contains("<a") && !text.contains("<b") && !text.contains("<c"));
        let trimmed = text.trim();
        prop_assume!(!trimmed.is_empty() && !trimmed.starts_with('{') && !trimmed.ends_with('<'));
        let (calls, _) = read_in(Xml, format!("<turn><stay_silent>{text}</stay_silent></turn>").as_bytes(), 7);
        prop_assert_eq!(shape(&calls), json!([["stay_silent", {"reason": trimmed}]]));
    }

    #[test]
    fn any_json_value_comes_out_as_it_was(value in value(), long in "[a-z\"\\\\: ]{0,40}", pretty in any::<bool>()) {
        let document = json!({"thoughts": "t", "actions": [{"name": "odd", "params": {"value": value, &long: 1}}]});
        let input = if pretty { serde_json::to_string_pretty(&document) } else { serde_json::to_string(&document) };
        let (calls, answer) = read_in(Json, input.expect("a value has a text").as_bytes(), 5);
        prop_assert_eq!(shape(&calls), json!([["odd", {"value": value, &long: 1}]]));
        prop_assert_eq!(answer.repairs.len(), 1, "only the unknown tool is named: {:?}", answer.repairs);
    }
}

fn xml(output: &crate::protocol::outputs::Output) -> String {
    let mut text = format!(
        "<turn>\n<thoughts>{}</thoughts>\n",
        output.thoughts.replace('<', "&lt;")
    );
    for (name, params) in &output.calls {
        text += &format!("<{name}>");
        for (key, value) in params {
            text += &format!(
                "<{key}>{}</{key}>",
                value.replace('&', "&amp;").replace('<', "&lt;")
            );
        }
        text += &format!("</{name}>\n");
    }
    text + "</turn>"
}

fn json_text(output: &crate::protocol::outputs::Output) -> String {
    let calls: Vec<Value> = output
        .calls
        .iter()
        .map(|(name, params)| {
            let params: Map<_, _> = params
                .iter()
                .map(|(key, value)| ((*key).to_owned(), json!(value)))
                .collect();
            json!({"name": name, "params": params})
        })
        .collect();
    json!({"thoughts": output.thoughts, "actions": calls}).to_string()
}

#[test]
fn wherever_an_answer_is_cut_its_closed_calls_are_given_and_no_other() {
    for output in outputs() {
        for (protocol, text) in [(Xml, xml(&output)), (Json, json_text(&output))] {
            let expected = output.expected();
            let all = expected.as_array().expect("a list");
            for cut in 0..=text.len() {
                let mut parser = AnswerParser::new(protocol, tools());
                let given = parser.feed(&text.as_bytes()[..cut]);
                let closed = match protocol {
                    Xml => output
                        .calls
                        .iter()
                        .map(|(name, _)| format!("</{name}>"))
                        .collect(),
                    Json | Native => vec!["}}".to_owned(); output.calls.len()],
                };
                let mut rest = &text.as_bytes()[..cut];
                let mut ends = 0;
                for end in closed {
                    let Some(at) = rest
                        .windows(end.len())
                        .position(|window| window == end.as_bytes())
                    else {
                        break;
                    };
                    rest = &rest[at + end.len()..];
                    ends += 1;
                }
                assert_eq!(
                    shape(&given),
                    Value::from(all[..ends].to_vec()),
                    "{}",
                    &text[..text.floor_char_boundary(cut)]
                );
                let (last, answer) = parser.finish();
                // JSON whose parameters are closed lacks nothing but its bracket.
                let found = [given, last].concat();
                assert!(
                    found.len() <= ends + usize::from(protocol == Json),
                    "{answer:?}"
                );
                assert_eq!(shape(&found), Value::from(all[..found.len()].to_vec()));
            }
        }
    }
}

#[test]
fn hostile_nesting_is_read() {
    // A megabyte of each is in benches/protocol.rs; a debug build needs no more to fail where it would.
    const BYTES: usize = 1 << 16;
    for piece in [
        "<a>",
        "<send_message>",
        "<turn>",
        "<think>",
        "</a>",
        "<send_message to=\"",
        "{",
        "[",
        "{\"a\":",
        "[{\"a\":",
        "{\"actions\":[",
        "{\"",
        "\"",
        "{'a",
        "<![CDATA[",
        "<!--",
        "<",
        "＜",
        "&",
        "{\"a\":\"b\",\"",
        "<a b=\"> <",
        "<turn><zzzzzz>",
        "```",
        "\\",
        "{\\\"",
        "functions.recall({\"query\":",
        "<action>",
        "&lt;turn&gt;",
        "</think>",
        "<text>",
        "<turn><send_message><text>",
        " ",
        "\n<react",
        "send_message",
        "`a ",
        "<turn>{\"a\":\"b\",\"",
    ] {
        let input = piece.repeat(BYTES / piece.len());
        for protocol in [Xml, Json] {
            let (calls, answer) = read_in(protocol, input.as_bytes(), 1 << 16);
            assert_eq!(answer.calls_seen, calls.len());
        }
    }
}
