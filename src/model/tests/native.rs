//! Calls by the providers' own tool calls: what each is handed, and every shape in which calls come back.

use std::sync::Arc;

use kith_core::call::{ToolCall, ToolSpec};
use kith_core::persona::Language;
use kith_core::policy::OutputProtocol;
use kith_core::protocol::{AnswerParser, ParsedAnswer};
use kith_model::AnswerForm;
use kith_tools::ToolRegistry;

use super::*;

mod offered_tools;
mod shapes;

#[derive(Clone, Copy, Debug, PartialEq)]
enum WireRole {
    OpenAi,
    Anthropic,
    Gemini,
    Ollama,
}

const ALL: [WireRole; 4] = [
    WireRole::OpenAi,
    WireRole::Anthropic,
    WireRole::Gemini,
    WireRole::Ollama,
];
/// How long the pieces of arguments are, in bytes, where a provider streams them.
const PIECE: usize = 5;

impl WireRole {
    fn path(self) -> &'static str {
        match self {
            Self::OpenAi => "POST /v1/chat/completions",
            Self::Anthropic => "POST /v1/messages",
            Self::Gemini => "POST /v1beta/models/m1:streamGenerateContent?alt=sse",
            Self::Ollama => "POST /api/chat",
        }
    }

    async fn server(self) -> FakeModel {
        match self {
            Self::Ollama => FakeModel::ollama("m1", []).await,
            _ => FakeModel::start().await,
        }
    }

    fn settings(self, server: &FakeModel) -> ModelSettings {
        let (provider, base_url) = match self {
            Self::OpenAi => (Provider::OpenAi, server.openai_url()),
            Self::Anthropic => (Provider::Anthropic, server.ollama_url()),
            Self::Gemini => (Provider::Gemini, server.ollama_url()),
            Self::Ollama => (Provider::Ollama, server.ollama_url()),
        };
        ModelSettings {
            provider,
            base_url,
            ..settings(server)
        }
    }

    /// An answer as this provider streams it: text, calls one after the other, and why it ended.
    fn stream(self, text: &str, calls: &[(&str, String)], end: &str) -> String {
        let begin = match self {
            Self::OpenAi => openai(json!({"role": "assistant", "content": text})),
            Self::Anthropic => [
                json!({"type": "message_start", "message": {"usage": {"input_tokens": 120, "output_tokens": 1}}}),
                json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
                json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": text}}),
                json!({"type": "content_block_stop", "index": 0}),
            ]
            .map(|event| sse(&event))
            .concat(),
            Self::Gemini => sse(&json!({"candidates": [{"content": {"parts": [{"text": text}]}}]})),
            Self::Ollama => line(&json!({"message": {"content": text}, "done": false})),
        };
        let called: String = (0..)
            .zip(calls)
            .map(|(at, (name, arguments))| self.call(at, name, arguments))
            .collect();
        begin + &called + &self.end(end)
    }

    /// A call as it streams in; arguments that are no JSON break off in the middle, where this provider can do that.
    fn call(self, at: u32, name: &str, arguments: &str) -> String {
        let whole: Option<Value> = serde_json::from_str(arguments).ok();
        match self {
            Self::OpenAi => {
                let id = format!("call_{at}");
                let head = json!({"index": at, "id": id, "type": "function", "function": {"name": name, "arguments": ""}});
                let more = |piece: &str| json!({"index": at, "function": {"arguments": piece}});
                std::iter::once(head)
                    .chain(pieces(arguments).map(more))
                    .map(|call| openai(json!({"tool_calls": [call]})))
                    .collect()
            }
            Self::Anthropic => {
                let index = at + 1;
                let block = json!({"type": "tool_use", "id": format!("toolu_{at}"), "name": name, "input": {}});
                let head =
                    json!({"type": "content_block_start", "index": index, "content_block": block});
                let more = |piece: &str| {
                    let delta = json!({"type": "input_json_delta", "partial_json": piece});
                    json!({"type": "content_block_delta", "index": index, "delta": delta})
                };
                let stop = whole.map(|_| json!({"type": "content_block_stop", "index": index}));
                std::iter::once(head)
                    .chain(pieces(arguments).map(more))
                    .chain(stop)
                    .map(|event| sse(&event))
                    .collect()
            }
            Self::Gemini => {
                let part = json!({"functionCall": {"name": name, "args": whole}, "thoughtSignature": "c2ln"});
                sse(&json!({"candidates": [{"content": {"parts": [part]}}]}))
            }
            Self::Ollama => {
                let call = json!({"function": {"name": name, "arguments": whole}});
                line(&json!({"message": {"content": "", "tool_calls": [call]}, "done": false}))
            }
        }
    }

    /// The end, by the word of OpenAI for its reason; none for a stream that just ends.
    fn end(self, reason: &str) -> String {
        let length = reason == "length";
        match self {
            _ if reason.is_empty() => String::new(),
            Self::OpenAi => {
                let finish =
                    json!({"choices": [{"index": 0, "delta": {}, "finish_reason": reason}]});
                sse(&finish) + "data: [DONE]\n\n"
            }
            Self::Anthropic => {
                let delta = json!({"stop_reason": if length { "max_tokens" } else { "tool_use" }});
                let usage = json!({"output_tokens": 9});
                sse(&json!({"type": "message_delta", "delta": delta, "usage": usage}))
                    + &sse(&json!({"type": "message_stop"}))
            }
            Self::Gemini => sse(
                &json!({"candidates": [{"finishReason": if length { "MAX_TOKENS" } else { "STOP" }}]}),
            ),
            Self::Ollama => line(
                &json!({"message": {"content": ""}, "done": true, "done_reason": if length { "length" } else { "stop" }}),
            ),
        }
    }

    fn reply(self, stream: &str, size: usize) -> Reply {
        let kind = if self == Self::Ollama {
            "application/x-ndjson"
        } else {
            "text/event-stream"
        };
        stream
            .as_bytes()
            .chunks(size)
            .fold(Reply::new(200, kind), |reply, piece| reply.bytes(piece))
    }
}

fn sse(event: &Value) -> String {
    format!("data: {event}\n\n")
}

fn line(value: &Value) -> String {
    format!("{value}\n")
}

fn openai(delta: Value) -> String {
    sse(&json!({"choices": [{"index": 0, "delta": delta, "finish_reason": null}]}))
}

fn pieces(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let (piece, tail) = rest.split_at(rest.ceil_char_boundary(PIECE.min(rest.len())));
        rest = tail;
        (!piece.is_empty()).then_some(piece)
    })
}

fn tools() -> Arc<[ToolSpec]> {
    ToolRegistry::load_builtin().specs(Language::EN)
}

/// What the turn would do with an answer.
#[derive(Debug, PartialEq)]
struct Read {
    calls: Vec<(String, Value)>,
    answer: ParsedAnswer,
    end: Result<TokenUsage, String>,
}

/// Asks for calls and reads what comes as a turn does.
async fn read(model: &Model, protocol: OutputProtocol) -> Read {
    let mut parser = AnswerParser::new(protocol, tools());
    let mut calls: Vec<ToolCall> = Vec::new();
    let form = AnswerForm::from_protocol(protocol, &tools());
    let mut events = stream(model, ModelRequest { form, ..request() });
    let mut end = Err("no end".to_owned());
    while let Some(event) = events.recv().await {
        match event {
            ModelEvent::Delta(text) => calls.extend(parser.feed(text.as_bytes())),
            ModelEvent::ToolDelta(delta) => calls.extend(parser.feed_tool(delta)),
            ModelEvent::End(ended) => end = ended.map_err(|failure| failure.message),
            ModelEvent::Reasoning(_)
            | ModelEvent::Note(_)
            | ModelEvent::Retry
            | ModelEvent::ContextShrank(_) => {}
        }
    }
    if end.as_ref().is_ok_and(|usage| usage.truncated) {
        parser.mark_cut();
    }
    let (last, answer) = parser.finish();
    // Of an answer that failed a turn reads nothing to its end.
    calls.extend(last.into_iter().filter(|_| end.is_ok()));
    let calls = calls
        .into_iter()
        .map(|call| (call.name, Value::Object(call.params)))
        .collect();
    Read { calls, answer, end }
}

async fn read_reply(who: WireRole, reply: Reply) -> Read {
    let server = who.server().await;
    server.on(who.path(), reply);
    let model = chosen(&who.settings(&server)).await;
    let mut read = read(&model, OutputProtocol::Native).await;
    read.end = read.end.map_err(|text| text.replace(server.host(), "HOST"));
    read
}

fn two_calls() -> Vec<(&'static str, Value)> {
    let text = "好 👋 \"really\"?\n<b> & \\ </turn> ok";
    vec![
        ("react", json!({"to": 12, "emoji": "👀"})),
        ("send_message", json!({"text": text, "reply_to": 12})),
    ]
}

fn written(calls: &[(&'static str, Value)]) -> Vec<(&'static str, String)> {
    calls
        .iter()
        .map(|(name, arguments)| (*name, arguments.to_string()))
        .collect()
}

fn owned(calls: &[(&'static str, Value)]) -> Vec<(String, Value)> {
    calls
        .iter()
        .map(|(name, arguments)| ((*name).to_owned(), arguments.clone()))
        .collect()
}

#[tokio::test]
async fn parallel_calls_of_every_provider_come_out_alike_however_their_bytes_are_split() {
    for who in ALL {
        let stream = who.stream("greet them both", &written(&two_calls()), "tool_calls");
        for size in [stream.len(), 7, 1] {
            let read = read_reply(who, who.reply(&stream, size)).await;
            assert_eq!(read.calls, owned(&two_calls()), "{who:?} {size}");
            assert_eq!(
                (
                    read.answer.thoughts.as_str(),
                    read.answer.plain_text.as_str()
                ),
                ("greet them both", "")
            );
            assert_eq!(
                (read.answer.repairs, read.answer.problems),
                (vec![], vec![]),
                "{who:?}"
            );
            assert!(!read.end.unwrap().truncated);
        }
    }
}

#[tokio::test]
async fn a_conversation_gives_the_same_calls_in_xml_in_json_and_natively() {
    let calls = two_calls();
    let xml = "<turn><thoughts>greet them both</thoughts><react to=\"12\" emoji=\"👀\"/><send_message reply_to=\"12\">\
               好 👋 \"really\"?\n&lt;b&gt; &amp; \\ &lt;/turn&gt; ok</send_message></turn>";
    let actions: Vec<Value> = calls
        .iter()
        .map(|(name, params)| json!({"name": name, "params": params}))
        .collect();
    let json_text = json!({"thoughts": "greet them both", "actions": actions}).to_string();
    let native = WireRole::OpenAi.stream("greet them both", &written(&calls), "tool_calls");
    let bench = Bench::new().await;
    let mut outcomes = Vec::new();
    for (protocol, reply) in [
        (OutputProtocol::Xml, Reply::openai(&[xml])),
        (OutputProtocol::Json, Reply::openai(&[&json_text])),
        (OutputProtocol::Native, WireRole::OpenAi.reply(&native, 40)),
    ] {
        bench.server.now("POST /v1/chat/completions", [reply]);
        let read = read(&bench.model, protocol).await;
        assert_eq!(
            (
                read.answer.repairs,
                read.answer.problems,
                read.answer.residue
            ),
            (vec![], vec![], false)
        );
        let checked: Vec<_> = read
            .calls
            .iter()
            .map(|(name, params)| {
                let tool = tools()
                    .iter()
                    .find(|tool| tool.name == *name)
                    .cloned()
                    .unwrap();
                (
                    name.clone(),
                    tool.schema.check(params.as_object().unwrap()).unwrap(),
                )
            })
            .collect();
        outcomes.push((checked, read.answer.thoughts));
    }
    assert!(
        outcomes.iter().all(|outcome| *outcome == outcomes[0]),
        "{outcomes:#?}"
    );
}

#[tokio::test]
async fn a_stream_cut_inside_the_arguments_is_an_error_and_the_half_call_none() {
    let [first, second] = &written(&two_calls())[..] else {
        unreachable!()
    };
    let half: String = second.1.chars().take(20).collect();
    for who in [WireRole::OpenAi, WireRole::Anthropic] {
        let stream = who.stream("hm", &[first.clone(), (second.0, half.clone())], "");
        let cut = read_reply(who, who.reply(&stream, 64)).await;
        assert!(
            cut.end
                .unwrap_err()
                .starts_with("The connection to HOST ended before the answer did"),
            "{who:?}"
        );
        assert_eq!(cut.calls, owned(&two_calls()[..1]));
        assert_eq!(
            (cut.answer.plain_text.as_str(), cut.answer.residue),
            ("", false)
        );
        // Inside the JSON of an event.
        let torn = &stream[..stream.len() - 30];
        assert!(read_reply(who, who.reply(torn, 64)).await.end.is_err());
    }
    for who in [WireRole::Gemini, WireRole::Ollama] {
        let stream = who.stream("hm", std::slice::from_ref(first), "");
        let torn = stream.clone() + &who.call(1, second.0, &second.1)[..40];
        for stream in [stream, torn] {
            let cut = read_reply(who, who.reply(&stream, 64)).await;
            assert!(cut.end.is_err(), "{who:?}");
            assert_eq!(
                (cut.calls, cut.answer.plain_text),
                (owned(&two_calls()[..1]), String::new())
            );
        }
    }
}

#[tokio::test]
async fn at_the_length_limit_a_half_call_is_not_done_and_the_model_is_told() {
    for who in [WireRole::OpenAi, WireRole::Anthropic] {
        for (arguments, told) in [
            ("{\"text\": \"hey th", "send_message"),
            ("", "send_message"),
        ] {
            let calls = [
                ("react", two_calls()[0].1.to_string()),
                ("send_message", arguments.to_owned()),
            ];
            let read = read_reply(who, who.reply(&who.stream("", &calls, "length"), 50)).await;
            assert!(read.end.unwrap().truncated);
            assert_eq!(
                read.calls,
                owned(&two_calls()[..1]),
                "{who:?} {arguments:?}"
            );
            let problems = read.answer.problems.iter().map(ToString::to_string);
            let problems: Vec<String> = problems.collect();
            let wanted =
                format!("the answer broke off inside the arguments of {told}, which was not done");
            assert_eq!(
                (problems, read.answer.plain_text),
                (vec![wanted], String::new())
            );
        }
    }
}

#[tokio::test]
async fn calls_without_arguments_are_calls() {
    for who in ALL {
        let none = if matches!(who, WireRole::OpenAi | WireRole::Anthropic) {
            ""
        } else {
            "{}"
        };
        let stream = who.stream(
            "",
            &[("get_time", none.into()), ("get_time", none.into())],
            "tool_calls",
        );
        let read = read_reply(who, who.reply(&stream, 50)).await;
        let wanted = vec![("get_time".to_owned(), json!({})); 2];
        assert_eq!(
            (read.calls, read.answer.problems),
            (wanted, vec![]),
            "{who:?}"
        );
    }
}

#[tokio::test]
async fn a_truncated_call_that_comes_back_as_text_is_never_posted() {
    for text in [
        "<tool_call>\n{\"name\": \"send_message\", \"arguments\": {\"text\": \"hey th",
        "{\"name\": \"send_message\", \"arguments\": {\"text\": \"hey th",
        "<|tool_calls_section_begin|><|tool_call_begin|>functions.send_message:0<|tool_call_argument_begin|>{\"text\": \"he",
        "[TOOL_CALLS][{\"name\": \"send_message\", \"arguments\": {\"text\": \"hey th",
    ] {
        let read = read_reply(
            WireRole::OpenAi,
            Reply::events().delta(text).finish("length").done(),
        )
        .await;
        assert_eq!((read.calls, read.answer.residue), (vec![], true), "{text}");
        assert!(!read.answer.problems.is_empty(), "{text}");
    }
}
