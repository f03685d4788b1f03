//! Models against a scripted server on loopback: what is asked, what comes back, and every fault with the sentence a
//! person reads. Where a limit must be reached it is some tenths of a second, because real sockets do not know
//! simulated time; everywhere else limits are long, so that a busy machine fails no test.

use std::time::Duration;

use kith_core::chat::ChannelId;
use kith_core::context::TokenEstimator;
use kith_core::report::TokenUsage;
use kith_model::{
    BudgetSettings, CallLedger, CostAttribution, Model, ModelCall, ModelCaller, ModelEvent,
    ModelFunction, ModelRequest, ModelSelection, ModelSettings, PromptMessage, Provider, Secret,
    resolve_model,
};
use serde_json::{Value, json};

mod address;
mod anthropic;
mod budget;
mod calls;
mod embeddings;
mod selection;
use kith_testkit::fake_model;
mod answer_schema;
mod failed_call_costs;
mod fallback;
mod faults;
mod foreign_server;
mod gemini;
mod images;
mod layouts;
mod native;
mod ollama;
mod proxy;
mod refused_input;
mod summary;

use fake_model::{FakeModel, Reply};

const KEY: &str = "sk-never-to-be-seen-1234";

/// Settings for a scripted server, without a second try.
fn settings(server: &FakeModel) -> ModelSettings {
    ModelSettings {
        provider: Provider::OpenAi,
        base_url: server.openai_url(),
        name: "m1".into(),
        api_key: Secret::new(KEY),
        context_tokens: Some(8_000),
        connect_seconds: 20.0,
        first_token_seconds: Some(20.0),
        idle_seconds: 20.0,
        total_seconds: Some(60.0),
        retries: 0,
        ..ModelSettings::default()
    }
}

fn request() -> ModelRequest {
    ModelRequest {
        system: "be brief".into(),
        messages: vec![PromptMessage::from_user("1 Anna: hi")],
        prompt_tokens: 120,
        ..ModelRequest::default()
    }
}

/// All that came of a call.
#[derive(Debug, PartialEq)]
struct AskOutcome {
    text: String,
    reasoning: String,
    notes: Vec<String>,
    shrank: Vec<u32>,
    end: Result<TokenUsage, String>,
    /// Of a failure.
    spent: Option<TokenUsage>,
}

/// The events of a call, with an end.
struct EventStream {
    call: ModelCall,
    is_over: bool,
}

impl EventStream {
    async fn recv(&mut self) -> Option<ModelEvent> {
        if self.is_over {
            return None;
        }
        let event = self.call.next_event().await;
        self.is_over = matches!(event, ModelEvent::End(_));
        Some(event)
    }
}

/// Calls of `ledger` for nobody in particular.
fn caller(ledger: &CallLedger, function: ModelFunction) -> ModelCaller {
    let attribution = CostAttribution {
        channel: ChannelId(10),
        person: None,
        function,
    };
    ModelCaller {
        ledger: ledger.clone(),
        attribution,
        turn: None,
        estimator: TokenEstimator::default(),
    }
}

/// Asks a model with more to spend than it can take.
fn stream(model: &Model, request: ModelRequest) -> EventStream {
    let caller = caller(&ample_ledger(), ModelFunction::Turn);
    let call = caller.ask(model, request).unwrap();
    EventStream {
        call,
        is_over: false,
    }
}

fn ample_ledger() -> CallLedger {
    CallLedger::in_memory(BudgetSettings::default())
}

/// The tokens that count for today.
fn spent(ledger: &CallLedger) -> u64 {
    ledger.with_budget(|budget| budget.spending_today(kith_system::clock::now()).tokens)
}

async fn ask(model: &Model) -> AskOutcome {
    let mut heard = AskOutcome {
        text: String::new(),
        reasoning: String::new(),
        notes: Vec::new(),
        shrank: Vec::new(),
        end: Err("no end".into()),
        spent: None,
    };
    let mut events = stream(model, request());
    while let Some(event) = events.recv().await {
        match event {
            ModelEvent::Delta(text) => heard.text.push_str(&text),
            ModelEvent::ToolDelta(delta) => panic!("nobody offered tools: {delta:?}"),
            ModelEvent::Reasoning(text) => heard.reasoning.push_str(&text),
            ModelEvent::Note(note) => heard.notes.push(note),
            ModelEvent::Retry => {}
            ModelEvent::ContextShrank(context) => heard.shrank.push(context),
            ModelEvent::End(end) => {
                heard.spent = end.as_ref().err().and_then(|failure| failure.spent);
                heard.end = end.map_err(|failure| failure.message);
            }
        }
    }
    heard
}

async fn chosen(settings: &ModelSettings) -> Model {
    let ModelSelection { model, problem, .. } = resolve_model(settings).await;
    assert_eq!(problem, None);
    model
}

/// A scripted server and a model on it. Made once a test: making a client loads all CA certificates.
struct Bench {
    server: FakeModel,
    model: Model,
}

impl Bench {
    async fn new() -> Self {
        Self::with(|_| ()).await
    }

    async fn with(change: impl FnOnce(&mut ModelSettings)) -> Self {
        let server = FakeModel::start().await;
        let mut settings = settings(&server);
        change(&mut settings);
        let model = chosen(&settings).await;
        Self { server, model }
    }

    /// Asks while the server gives these replies; its address is replaced by HOST in what people read.
    async fn heard(&self, replies: impl IntoIterator<Item = Reply>) -> AskOutcome {
        self.server.now("POST /v1/chat/completions", replies);
        let mut heard = ask(&self.model).await;
        let hide = |text: String| text.replace(self.server.host(), "HOST");
        heard.notes = heard.notes.into_iter().map(hide).collect();
        heard.end = heard.end.map_err(hide);
        heard
    }

    async fn failure(&self, reply: Reply) -> String {
        self.heard([reply]).await.end.unwrap_err()
    }
}

fn usage(prompt: u32, completion: u32) -> Result<TokenUsage, String> {
    Ok(TokenUsage {
        prompt,
        completion,
        ..TokenUsage::default()
    })
}

#[tokio::test]
async fn an_answer_streams_in_pieces_and_ends_with_the_servers_count() {
    let bench = Bench::new().await;
    let heard = bench
        .heard([Reply::openai(&["so?? ", "how did ", "it go"])])
        .await;
    assert_eq!(
        (heard.text.as_str(), heard.reasoning.as_str(), heard.end),
        ("so?? how did it go", "", usage(120, 7))
    );
    assert!(heard.notes.is_empty() && heard.shrank.is_empty());
}

#[tokio::test]
async fn two_messages_are_sent_with_all_that_the_settings_say() {
    let server = FakeModel::openai([Reply::openai(&["ok"])]).await;
    let mut settings = settings(&server);
    settings.temperature = Some(0.7);
    settings.top_p = Some(0.9);
    settings.max_tokens = 300;
    settings.stop = vec!["</turn>".into()];
    settings
        .headers
        .insert("X-Title".into(), Secret::new("Kith"));
    settings.extra_body = json!({"reasoning": {"effort": "low"}, "top_p": 0.5})
        .as_object()
        .unwrap()
        .clone();
    ask(&chosen(&settings).await).await;
    let asked = server.asked().pop().unwrap();
    assert_eq!(asked.headers["authorization"], format!("Bearer {KEY}"));
    assert_eq!(asked.headers["x-title"], "Kith");
    let wanted = json!({
        "model": "m1",
        "messages": [{"role": "system", "content": "be brief"}, {"role": "user", "content": "1 Anna: hi"}],
        "stream": true,
        "stream_options": {"include_usage": true},
        "max_tokens": 300,
        "temperature": 0.7,
        "top_p": 0.5,
        "stop": ["</turn>"],
        "reasoning": {"effort": "low"},
    });
    assert_eq!(asked.body, wanted);
}

#[tokio::test]
async fn a_request_may_ask_for_a_shorter_answer_and_a_renamed_limit_is_sent_alone() {
    let server = FakeModel::openai([Reply::openai(&["ok"])]).await;
    let mut settings = settings(&server);
    let model = chosen(&settings).await;
    let short = ModelRequest {
        max_tokens: Some(40),
        ..request()
    };
    stream(&model, short).recv().await;
    settings.extra_body = json!({"max_completion_tokens": 900})
        .as_object()
        .unwrap()
        .clone();
    stream(&chosen(&settings).await, request()).recv().await;
    let chats = server.chats();
    assert_eq!(chats[0]["max_tokens"], 40);
    assert_eq!(
        (&chats[1]["max_completion_tokens"], &chats[1]["max_tokens"]),
        (&json!(900), &Value::Null)
    );
}

#[tokio::test]
async fn thinking_is_kept_apart_and_counts_as_life() {
    let bench = Bench::with(|settings| {
        settings.first_token_seconds = Some(0.6);
        settings.idle_seconds = 0.6;
    });
    let bench = bench.await;
    let thought = |field: &str| json!({"choices": [{"delta": {field: "hm ", "content": null}}]});
    let pause = Duration::from_millis(250);
    let reply = Reply::events()
        .wait(pause)
        .event(thought("reasoning_content"))
        .wait(pause)
        .event(thought("reasoning"))
        .wait(pause)
        .delta("yes")
        .finish("stop")
        .done();
    let heard = bench.heard([reply]).await;
    assert_eq!(
        (heard.text.as_str(), heard.reasoning.as_str()),
        ("yes", "hm hm ")
    );
    let usage = heard.end.unwrap();
    assert!(
        usage.estimated && usage.prompt == 120 && (2..6).contains(&usage.completion),
        "{usage:?}"
    );
}

#[tokio::test]
async fn a_server_that_does_not_stream_is_read_whole() {
    let bench = Bench::new().await;
    let body = json!({
        "choices": [{"message": {"role": "assistant", "content": "all at once"}, "finish_reason": "length"}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 3, "prompt_tokens_details": {"cached_tokens": 64}},
    });
    for reply in [
        Reply::json(200, body.clone()),
        Reply::new(200, "text/event-stream").bytes(format!("{body:#}")),
    ] {
        let heard = bench.heard([reply]).await;
        assert_eq!(heard.text, "all at once");
        let wanted = TokenUsage {
            prompt: 100,
            cached: 64,
            cache_written: 0,
            completion: 3,
            estimated: false,
            truncated: true,
        };
        assert_eq!(heard.end, Ok(wanted));
    }
}

#[tokio::test]
async fn what_servers_leave_out_or_add_is_no_fault() {
    let bench = Bench::with(|settings| settings.idle_seconds = 0.5).await;
    let odd = Reply::new(200, "text/plain")
        .bytes(": keep-alive\n\n")
        .event(json!({"choices": []}))
        .event(json!({"choices": [{"delta": null}]}))
        .event(json!({"choices": [{"delta": {"content": null}, "finish_reason": null}], "error": null, "usage": null}))
        .bytes("event: message\nid: 3\ndata:{\"choices\":[{\"delta\":\ndata: {\"content\":[{\"type\":\"text\",\"text\":\"a\"}]}}]}\r\n\r\n")
        .delta("b")
        .event(json!({"choices": [{"delta": {}}], "usage": {"prompt_tokens": 99.0, "completion_tokens": 2}}));
    // No finish_reason but an end mark; and a finish_reason but no end mark, the connection left open.
    for reply in [
        odd.clone().done(),
        odd.clone().finish("stop").hang(),
        odd.finish("stop").hang_up(),
    ] {
        let heard = bench.heard([reply]).await;
        assert_eq!((heard.text.as_str(), heard.end), ("ab", usage(99, 2)));
    }
}

#[tokio::test]
async fn characters_split_between_chunks_are_whole_and_broken_bytes_are_noted() {
    let bench = Bench::new().await;
    let event = json!({"choices": [{"delta": {"content": "雪が"}}]})
        .to_string()
        .into_bytes();
    let (left, right) = event.split_at(event.iter().position(|byte| *byte > 127).unwrap() + 1);
    let reply = Reply::events()
        .bytes("data: ")
        .bytes(left)
        .wait(Duration::from_millis(30))
        .bytes(right)
        .bytes("\n\n");
    let heard_whole = bench.heard([reply.finish("stop").done()]).await;
    assert_eq!(
        (heard_whole.text.as_str(), heard_whole.notes.len()),
        ("雪が", 0)
    );

    let broken = Reply::events()
        .bytes(b"data: {\"choices\":[{\"delta\":{\"content\":\"a\xff\xfeb\"}}]}\n\n");
    let heard_broken = bench.heard([broken.finish("stop").done()]).await;
    assert_eq!(heard_broken.text, "a\u{fffd}\u{fffd}b");
    assert_eq!(
        heard_broken.notes,
        ["HOST sent bytes that are no UTF-8; they were replaced."]
    );
}

#[tokio::test]
async fn half_a_character_never_costs_the_answer() {
    let bench = Bench::new().await;
    let chunk = |field: &str, text: &str| {
        format!("data: {{\"choices\":[{{\"delta\":{{\"{field}\":\"{text}\"}}}}]}}\n\n")
    };
    let split = [
        chunk("reasoning", r"hm \ud83e"),
        chunk("reasoning", r"\udd14"),
        chunk("content", r"ha \ud83d"),
    ];
    let split = split
        .into_iter()
        .chain([chunk("content", r"\ude02!")])
        .fold(Reply::events(), |reply, chunk| reply.bytes(chunk));
    let heard = bench.heard([split.finish("stop").done()]).await;
    assert_eq!(
        (
            heard.text.as_str(),
            heard.reasoning.as_str(),
            heard.end.is_ok()
        ),
        ("ha 😂!", "hm 🤔", true)
    );

    for lost in [
        Reply::events().bytes(chunk("content", r"ha \ud83d")),
        Reply::events().bytes(chunk("content", r"ha \ude02")),
    ] {
        let heard = bench.heard([lost.finish("stop").done()]).await;
        assert_eq!(
            (heard.text.as_str(), heard.end.is_ok()),
            ("ha \u{fffd}", true)
        );
    }
    let whole = r#"{"choices": [{"message": {"content": "ha \ud83d"}, "finish_reason": "stop"}]}"#;
    assert_eq!(
        bench
            .heard([Reply::new(200, "application/json").bytes(whole)])
            .await
            .text,
        "ha \u{fffd}"
    );
}

#[tokio::test]
async fn nobody_listening_any_more_hangs_up() {
    let server = FakeModel::openai([Reply::events().delta("one").hang()]).await;
    let settings = settings(&server);
    let mut events = stream(&chosen(&settings).await, request());
    assert_eq!(events.recv().await, Some(ModelEvent::Delta("one".into())));
    drop(events);
    tokio::time::timeout(Duration::from_secs(2), server.client_hung_up())
        .await
        .expect("the connection is closed");
}

#[tokio::test]
async fn a_prompt_that_was_cut_without_a_word_is_noticed() {
    let server = FakeModel::openai([Reply::events()
        .delta("x")
        .finish("stop")
        .usage(900, 1)
        .done()])
    .await;
    let mut events = stream(
        &chosen(&settings(&server)).await,
        ModelRequest {
            prompt_tokens: 4_000,
            ..request()
        },
    );
    let mut notes = Vec::new();
    while let Some(event) = events.recv().await {
        if let ModelEvent::Note(note) = event {
            notes.push(note.replace(server.host(), "HOST"));
        }
    }
    let wanted = "m1 at HOST counted 900 prompt tokens where about 4000 were sent: the server cut the prompt. Load the \
                  model with more context, or lower model.context_tokens to what it holds.";
    assert_eq!(notes, [wanted]);
}
