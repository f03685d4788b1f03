//! Ollama by its native API.

use super::*;
use kith_model::ThinkMode;

fn ollama_settings(server: &FakeModel) -> ModelSettings {
    ModelSettings {
        provider: Provider::Ollama,
        base_url: server.ollama_url(),
        api_key: Secret::default(),
        context_tokens: None,
        ..settings(server)
    }
}

#[tokio::test]
async fn the_model_is_asked_with_its_context_and_how_long_to_stay() {
    let server = FakeModel::ollama("m1", [Reply::ollama(&["hi ", "there"])]).await;
    let mut settings = ollama_settings(&server);
    settings.think = ThinkMode::Off;
    settings.temperature = Some(0.7);
    settings.keep_alive = "-1".into();
    settings.max_tokens = 200;
    settings.extra_body = json!({"options": {"seed": 3}}).as_object().unwrap().clone();
    let heard = ask(&chosen(&settings).await).await;
    assert_eq!(
        (heard.text.as_str(), heard.end),
        ("hi there", usage(120, 7))
    );
    let wanted = json!({
        "model": "m1",
        "messages": [{"role": "system", "content": "be brief"}, {"role": "user", "content": "1 Anna: hi"}],
        "stream": true,
        "truncate": false,
        "options": {"num_ctx": 8192, "num_predict": 200, "temperature": 0.7, "seed": 3},
        "think": false,
        "keep_alive": -1,
    });
    assert_eq!(server.chats(), [wanted]);
}

#[tokio::test]
async fn thinking_is_kept_apart_and_the_length_limit_is_seen() {
    let reply = Reply::new(200, "application/x-ndjson")
        .line(json!({"message": {"thinking": "hm", "content": ""}, "done": false}))
        .line(json!({"message": {"content": "we"}, "done": false}))
        .line(
            json!({"done": true, "done_reason": "length", "prompt_eval_count": 9, "eval_count": 2}),
        );
    let server = FakeModel::ollama("m1", [reply]).await;
    let heard = ask(&chosen(&ollama_settings(&server)).await).await;
    assert_eq!(
        (heard.text.as_str(), heard.reasoning.as_str()),
        ("we", "hm")
    );
    assert_eq!(
        heard.end,
        Ok(TokenUsage {
            prompt: 9,
            completion: 2,
            truncated: true,
            ..TokenUsage::default()
        })
    );
}

#[tokio::test]
async fn the_prompt_is_kept_below_the_context_the_model_was_loaded_with() {
    let server = FakeModel::ollama("m1:latest", [Reply::ollama(&["hi"])]).await;
    let loaded = json!({"models": [{"name": "m1:latest", "context_length": 2048}]});
    server.on("GET /api/ps", Reply::json(200, loaded));
    let model = chosen(&ollama_settings(&server)).await;
    assert_eq!(model.context_tokens(), Some(8_192));
    let heard = ask(&model).await;
    assert_eq!(
        heard.shrank,
        [2_048],
        "whoever keeps prompts below the context is told"
    );
    assert_eq!(
        heard.notes,
        [format!(
            "Ollama at {} loaded m1 with a context of 2048 tokens instead of 8192: the prompt is kept below that.",
            server.host()
        )]
    );
    assert_eq!(model.context_tokens(), Some(2_048));
    let again = ask(&model).await;
    assert!(
        again.notes.is_empty() && again.shrank.is_empty(),
        "said once"
    );
}

#[tokio::test]
async fn its_faults_have_their_own_sentences() {
    let stream = || {
        Reply::new(200, "application/x-ndjson")
            .line(json!({"message": {"content": "so"}, "done": false}))
    };
    for (reply, wanted) in [
        (
            Reply::json(404, json!({"error": "model 'm1' not found"})),
            "Ollama at HOST does not have the model m1 (404: \"model 'm1' not found\"): get it with: ollama pull m1",
        ),
        (
            Reply::json(
                400,
                json!({"error": "the input length exceeds the context length"}),
            ),
            "The prompt is larger than m1 at HOST can hold (400: \"the input length exceeds the context length\"): \
             lower model.context_tokens.",
        ),
        (
            stream().line(json!({"error": "llama runner process has terminated"})),
            "m1 at HOST ended with the error \"llama runner process has terminated\": look at the server, or hold \
             [model] in the settings against what it allows.",
        ),
        (
            stream(),
            "The connection to HOST ended before the answer did (no finish_reason, no end mark): look at the server \
             or a proxy in between.",
        ),
        (
            Reply::new(200, "text/html").bytes("<title>Open WebUI</title>"),
            "HOST answered with a web page (\"Open WebUI\"): model.base_url must be the address of the API, mostly \
             ending in /v1.",
        ),
    ] {
        let server = FakeModel::ollama("m1", [reply]).await;
        let said = ask(&chosen(&ollama_settings(&server)).await)
            .await
            .end
            .unwrap_err();
        assert_eq!(said.replace(server.host(), "HOST"), wanted);
    }
}
