//! Anthropic's Messages API: what is asked, and every shape of an answer.

use super::*;

fn settings_for(server: &FakeModel) -> ModelSettings {
    ModelSettings {
        provider: Provider::Anthropic,
        base_url: server.ollama_url(),
        ..settings(server)
    }
}

fn start() -> Value {
    json!({"type": "message_start", "message": {
        "id": "msg_1", "type": "message", "role": "assistant", "content": [], "stop_reason": null,
        "usage": {"input_tokens": 20, "cache_creation_input_tokens": 30, "cache_read_input_tokens": 70, "output_tokens": 1},
    }})
}

fn delta(delta: Value) -> Value {
    json!({"type": "content_block_delta", "index": 0, "delta": delta})
}

fn text(text: &str) -> Value {
    delta(json!({"type": "text_delta", "text": text}))
}

fn stop(reason: &str) -> [Value; 2] {
    let usage = json!({"output_tokens": 9});
    let delta = json!({"stop_reason": reason, "stop_sequence": null});
    [
        json!({"type": "message_delta", "delta": delta, "usage": usage}),
        json!({"type": "message_stop"}),
    ]
}

async fn heard(events: impl IntoIterator<Item = Value>) -> AskOutcome {
    heard_reply(Reply::anthropic(events)).await
}

async fn heard_reply(reply: Reply) -> AskOutcome {
    let server = FakeModel::start().await;
    server.on("POST /v1/messages", reply);
    let mut heard = ask(&chosen(&settings_for(&server)).await).await;
    heard.end = heard
        .end
        .map_err(|text| text.replace(server.host(), "HOST"));
    heard
}

#[tokio::test]
async fn an_answer_streams_with_its_thinking_apart_and_all_of_the_prompt_counted() {
    let thinking = json!({"type": "content_block_start", "index": 0, "content_block": {"type": "thinking", "thinking": ""}});
    let said = json!({"type": "content_block_start", "index": 1, "content_block": {"type": "text", "text": ""}});
    let end = json!({"type": "content_block_stop", "index": 0});
    let events = [
        start(),
        json!({"type": "ping"}),
        thinking,
        delta(json!({"type": "thinking_delta", "thinking": "hm"})),
        delta(json!({"type": "signature_delta", "signature": "c2ln"})),
        end.clone(),
        said,
        text("<turn>"),
        text("</turn>"),
        end,
        json!({"type": "something_new", "text": "later"}),
    ];
    let heard = heard(events.into_iter().chain(stop("end_turn"))).await;
    assert_eq!(
        (heard.text.as_str(), heard.reasoning.as_str()),
        ("<turn></turn>", "hm")
    );
    assert_eq!(
        heard.end,
        Ok(TokenUsage {
            prompt: 120,
            cached: 70,
            cache_written: 30,
            completion: 9,
            ..TokenUsage::default()
        })
    );
}

#[tokio::test]
async fn the_question_has_its_key_its_version_and_cache_marks() {
    let server = FakeModel::start().await;
    server.on(
        "POST /v1/messages",
        Reply::anthropic([start(), text("x")].into_iter().chain(stop("end_turn"))),
    );
    let mut settings = settings_for(&server);
    (settings.temperature, settings.stop) = (Some(0.5), vec!["END".into()]);
    let history = "12 Anna: we meet at the harbour tomorrow, at nine\n".repeat(100);
    let user = format!("{history}# Now\n14:05");
    let request = ModelRequest {
        messages: vec![PromptMessage::from_user(&user)],
        stable_bytes: history.len(),
        ..request()
    };
    let mut events = stream(&chosen(&settings).await, request);
    while events.recv().await.is_some() {}
    let asked = server.asked().pop().unwrap();
    assert_eq!(
        (
            asked.headers["x-api-key"].as_str(),
            asked.headers["anthropic-version"].as_str()
        ),
        (KEY, "2023-06-01")
    );
    assert!(!asked.headers.contains_key("authorization"));
    let body = &asked.body;
    let system =
        json!([{"type": "text", "text": "be brief", "cache_control": {"type": "ephemeral"}}]);
    assert_eq!(
        (&body["system"], &body["max_tokens"], &body["stream"]),
        (&system, &json!(1_500), &json!(true))
    );
    assert_eq!(
        (&body["temperature"], &body["stop_sequences"]),
        (&json!(0.5), &json!(["END"]))
    );
    let blocks = body["messages"][0]["content"].as_array().unwrap();
    let whole: String = blocks
        .iter()
        .map(|block| block["text"].as_str().unwrap())
        .collect();
    assert_eq!(
        (whole, &body["messages"][0]["role"]),
        (user, &json!("user"))
    );
    let marks: Vec<bool> = blocks
        .iter()
        .map(|block| block.get("cache_control").is_some())
        .collect();
    assert_eq!(
        marks,
        [false, true, false],
        "at the end of what will not change"
    );
}

#[tokio::test]
async fn every_end_is_told() {
    let cut = heard([start(), text("so ")].into_iter().chain(stop("max_tokens"))).await;
    assert!(cut.end.unwrap().truncated);
    let refused = heard([start(), text("well")].into_iter().chain(stop("refusal"))).await;
    let wanted = "The filter of HOST ended the answer (finish_reason: refusal): choose another model, or change the filter \
                  with the provider.";
    assert_eq!(refused.end.unwrap_err(), wanted);
    let lost = heard([start(), text("so ")]).await;
    let wanted = "The connection to HOST ended before the answer did (no finish_reason, no end mark): look at the server \
                  or a proxy in between.";
    assert_eq!(lost.end.unwrap_err(), wanted);
}

#[tokio::test]
async fn errors_before_and_inside_the_stream_are_told() {
    let overloaded =
        json!({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}});
    let inside = heard([start(), text("so "), overloaded.clone()]).await;
    let wanted = "m1 at HOST ended with the error overloaded_error \"Overloaded\": look at the server, or hold [model] in \
                  the settings against what it allows.";
    assert_eq!(inside.end.unwrap_err(), wanted);
    let before = heard_reply(Reply::json(529, overloaded)).await;
    let wanted = "HOST failed (529: \"Overloaded\"): look at the server, or wait until the provider is well again.";
    assert_eq!(before.end.unwrap_err(), wanted);
    let key = json!({"type": "error", "error": {"type": "authentication_error", "message": "invalid x-api-key"}});
    let refused = heard_reply(Reply::json(401, key)).await.end.unwrap_err();
    let wanted = "HOST refused the key (401: \"invalid x-api-key\"): check model.api_key, model.api_key_file or the \
                  variable ANTHROPIC_API_KEY.";
    assert_eq!(refused, wanted);
}

#[tokio::test]
async fn an_answer_that_is_not_streamed_is_read_whole() {
    let message = json!({
        "type": "message", "content": [{"type": "thinking", "thinking": "hm"}, {"type": "text", "text": "hello"}],
        "stop_reason": "end_turn", "usage": {"input_tokens": 12, "output_tokens": 3},
    });
    let heard = heard_reply(Reply::json(200, message)).await;
    assert_eq!(
        (heard.text.as_str(), heard.reasoning.as_str(), heard.end),
        ("hello", "hm", usage(12, 3))
    );
}

#[tokio::test]
async fn its_own_address_is_known_and_its_models_are_listed() {
    let at = |base_url: &str| {
        ModelSettings {
            base_url: base_url.into(),
            ..ModelSettings::default()
        }
        .resolve_provider()
    };
    assert_eq!(at("https://api.anthropic.com"), Provider::Anthropic);
    let server = FakeModel::start().await;
    server.on(
        "GET /v1/models?limit=1000",
        Reply::json(200, json!({"data": [{"type": "model", "id": "claude-a"}]})),
    );
    let settings = ModelSettings {
        name: String::new(),
        ..settings_for(&server)
    };
    let line = resolve_model(&settings)
        .await
        .line
        .to_string()
        .replace(server.host(), "HOST");
    assert_eq!(
        line,
        "Model: claude-a at HOST (Anthropic, context 8000 tokens)"
    );
    let offer = kith_model::list_models(&settings).await.unwrap();
    assert_eq!(
        (offer.provider, offer.models),
        (Provider::Anthropic, vec!["claude-a".to_owned()])
    );
}

#[tokio::test]
async fn an_answer_that_is_cut_counts_what_came_and_not_the_figure_of_its_beginning() {
    let cut = Reply::anthropic([start(), text(&"word ".repeat(1_000))]).hang_up();
    let spent = heard_reply(cut).await.spent.unwrap();
    assert!(
        spent.completion > 500 && (spent.prompt, spent.cache_written) == (120, 30),
        "{spent:?}"
    );
}
