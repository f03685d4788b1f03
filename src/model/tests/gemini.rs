//! Google's Gemini API: what is asked, and every shape of an answer.

use super::*;

const PATH: &str = "POST /v1beta/models/m1:streamGenerateContent?alt=sse";

fn settings_for(server: &FakeModel) -> ModelSettings {
    ModelSettings {
        provider: Provider::Gemini,
        base_url: server.ollama_url(),
        ..settings(server)
    }
}

fn parts(parts: Value, finish: Option<&str>) -> Value {
    let mut candidate = json!({"content": {"role": "model", "parts": parts}, "index": 0});
    if let Some(reason) = finish {
        candidate["finishReason"] = json!(reason);
    }
    let usage = json!({
        "promptTokenCount": 120, "cachedContentTokenCount": 64, "candidatesTokenCount": 5, "thoughtsTokenCount": 4,
        "totalTokenCount": 129,
    });
    json!({"candidates": [candidate], "usageMetadata": usage, "modelVersion": "m1"})
}

async fn heard(reply: Reply) -> AskOutcome {
    let server = FakeModel::start().await;
    server.on(PATH, reply);
    let mut heard = ask(&chosen(&settings_for(&server)).await).await;
    heard.end = heard
        .end
        .map_err(|text| text.replace(server.host(), "HOST"));
    heard
}

#[tokio::test]
async fn an_answer_streams_with_its_thinking_apart_and_is_counted() {
    let thought = parts(json!([{"text": "hm", "thought": true}]), None);
    let first = parts(json!([{"text": "<turn>"}]), None);
    let last = parts(
        json!([{"text": "</turn>"}, {"text": "", "thoughtSignature": "c2ln"}]),
        Some("STOP"),
    );
    let heard = heard(Reply::events().event(thought).event(first).event(last)).await;
    assert_eq!(
        (heard.text.as_str(), heard.reasoning.as_str()),
        ("<turn></turn>", "hm")
    );
    assert_eq!(
        heard.end,
        Ok(TokenUsage {
            prompt: 120,
            cached: 64,
            completion: 9,
            ..TokenUsage::default()
        })
    );
}

#[tokio::test]
async fn the_question_has_its_key_and_all_that_the_settings_say() {
    let server = FakeModel::start().await;
    server.on(
        PATH,
        Reply::events().event(parts(json!([{"text": "x"}]), Some("STOP"))),
    );
    let mut settings = ModelSettings {
        name: "models/m1".into(),
        ..settings_for(&server)
    };
    (settings.temperature, settings.top_p, settings.stop) =
        (Some(0.5), Some(0.9), vec!["END".into()]);
    settings.extra_body = json!({"generationConfig": {"thinkingConfig": {"thinkingBudget": 0}}})
        .as_object()
        .unwrap()
        .clone();
    ask(&chosen(&settings).await).await;
    let asked = server.asked().pop().unwrap();
    assert_eq!(asked.headers["x-goog-api-key"], KEY);
    assert!(!asked.headers.contains_key("authorization") && !asked.line.contains(KEY));
    let wanted = json!({
        "systemInstruction": {"parts": [{"text": "be brief"}]},
        "contents": [{"role": "user", "parts": [{"text": "1 Anna: hi"}]}],
        "generationConfig": {
            "maxOutputTokens": 1_500, "temperature": 0.5, "topP": 0.9, "stopSequences": ["END"],
            "thinkingConfig": {"thinkingBudget": 0},
        },
    });
    assert_eq!(asked.body, wanted);
}

#[tokio::test]
async fn every_end_is_told() {
    let cut =
        heard(Reply::events().event(parts(json!([{"text": "so"}]), Some("MAX_TOKENS")))).await;
    assert!(cut.end.unwrap().truncated);
    let filtered = |word: &str| {
        format!(
            "The filter of HOST ended the answer (finish_reason: {word}): choose another model, or change the filter with \
             the provider."
        )
    };
    let unsafe_end = heard(
        Reply::events().event(json!({"candidates": [{"finishReason": "SAFETY", "index": 0}]})),
    )
    .await;
    assert_eq!(unsafe_end.end.unwrap_err(), filtered("SAFETY"));
    let blocked = json!({"promptFeedback": {"blockReason": "OTHER"}, "usageMetadata": {"promptTokenCount": 120}});
    assert_eq!(
        heard(Reply::events().event(blocked)).await.end.unwrap_err(),
        filtered("OTHER")
    );
    let lost = heard(Reply::events().event(parts(json!([{"text": "so"}]), None))).await;
    let wanted = "The connection to HOST ended before the answer did (no finish_reason, no end mark): look at the server \
                  or a proxy in between.";
    assert_eq!(lost.end.unwrap_err(), wanted);
}

#[tokio::test]
async fn no_call_is_run_that_came_beside_a_malformed_one() {
    let call = json!([{"functionCall": {"name": "send_message", "args": {"text": "hal"}}}]);
    let heard = heard(Reply::events().event(parts(call, Some("MALFORMED_FUNCTION_CALL")))).await;
    assert_eq!(
        heard.end.unwrap_err(),
        "m1 at HOST answered with nothing (finish_reason: MALFORMED_FUNCTION_CALL): try again, or choose another model."
    );
}

#[tokio::test]
async fn errors_before_and_inside_the_stream_are_told() {
    let error = json!({"error": {"code": 503, "message": "The model is overloaded.", "status": "UNAVAILABLE"}});
    let inside = heard(Reply::events().event(error.clone())).await;
    let wanted = "m1 at HOST ended with the error 503 \"The model is overloaded.\": look at the server, or hold [model] in \
                  the settings against what it allows.";
    assert_eq!(inside.end.unwrap_err(), wanted);
    let before = heard(Reply::json(503, json!([error]))).await;
    let wanted = "HOST failed (503: \"The model is overloaded.\"): look at the server, or wait until the provider is well again.";
    assert_eq!(before.end.unwrap_err(), wanted);
}

#[tokio::test]
async fn its_own_address_is_known_and_models_that_can_answer_are_listed() {
    let at = |base_url: &str| {
        ModelSettings {
            base_url: base_url.into(),
            ..ModelSettings::default()
        }
        .resolve_provider()
    };
    assert_eq!(
        at("https://generativelanguage.googleapis.com"),
        Provider::Gemini
    );
    assert_eq!(
        at("https://generativelanguage.googleapis.com/v1beta/openai/"),
        Provider::OpenAi
    );
    let server = FakeModel::start().await;
    let list = json!({"models": [
        {"name": "models/embed", "supportedGenerationMethods": ["embedContent"]},
        {"name": "models/g1", "inputTokenLimit": 4_000, "supportedGenerationMethods": ["generateContent"]},
    ]});
    server.on("GET /v1beta/models?pageSize=1000", Reply::json(200, list));
    let settings = ModelSettings {
        name: String::new(),
        ..settings_for(&server)
    };
    let line = resolve_model(&settings)
        .await
        .line
        .to_string()
        .replace(server.host(), "HOST");
    assert_eq!(line, "Model: g1 at HOST (Gemini, context 4000 tokens)");
}
