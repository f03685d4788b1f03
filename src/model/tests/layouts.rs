//! A chat laid out as messages, as each provider is told of it.

use kith_core::call::ToolCall;
use kith_core::policy::OutputProtocol;
use kith_model::{AnswerForm, PastCall};
use kith_tools::ToolRegistry;

use super::*;

/// One line, what the companion said, and what it is asked.
fn chat() -> ModelRequest {
    let messages = vec![
        PromptMessage::from_user("1 Anna: hi"),
        PromptMessage::from_companion("<turn>ah</turn>"),
        PromptMessage::from_user("3 Anna: so?\nnow"),
    ];
    ModelRequest {
        messages,
        ..request()
    }
}

/// The same by the provider's own calls.
fn with_calls() -> ModelRequest {
    let mut request = chat();
    let params = json!({"text": "ah"}).as_object().unwrap().clone();
    let call = ToolCall {
        name: "send_message".into(),
        params,
    };
    request.messages[1].calls = vec![PastCall {
        id: "000000002".into(),
        call,
        line: 2,
    }];
    let tools = ToolRegistry::load_builtin().specs(kith_core::persona::Language::EN);
    request.form = AnswerForm::from_protocol(OutputProtocol::Native, &tools[..1]);
    request
}

async fn asked(server: &FakeModel, settings: &ModelSettings, request: ModelRequest) -> Value {
    let mut events = stream(&chosen(settings).await, request);
    while events.recv().await.is_some() {}
    server.chats().pop().unwrap()
}

#[tokio::test]
async fn openai_and_ollama_get_assistant_messages_and_calls_with_their_results() {
    let openai = FakeModel::openai([Reply::openai(&["ok"]), Reply::openai(&["ok"])]).await;
    let ollama = FakeModel::ollama("m1", [Reply::ollama(&["ok"]), Reply::ollama(&["ok"])]).await;
    let of_ollama = ModelSettings {
        provider: Provider::Ollama,
        base_url: ollama.ollama_url(),
        ..settings(&ollama)
    };
    let plain = json!([
        {"role": "system", "content": "be brief"},
        {"role": "user", "content": "1 Anna: hi"},
        {"role": "assistant", "content": "<turn>ah</turn>"},
        {"role": "user", "content": "3 Anna: so?\nnow"},
    ]);
    assert_eq!(
        asked(&openai, &settings(&openai), chat()).await["messages"],
        plain
    );
    assert_eq!(asked(&ollama, &of_ollama, chat()).await["messages"], plain);
    let body = asked(&openai, &settings(&openai), with_calls()).await;
    let function = json!({"name": "send_message", "arguments": "{\"text\":\"ah\"}"});
    let calls = json!([{"id": "000000002", "type": "function", "function": function}]);
    assert_eq!(
        body["messages"][2],
        json!({"role": "assistant", "content": "", "tool_calls": calls})
    );
    let result = json!({"role": "tool", "tool_call_id": "000000002", "content": "{\"line\":2}"});
    assert_eq!(
        (&body["messages"][3], &body["messages"][4]["role"]),
        (&result, &json!("user"))
    );
    let body = asked(&ollama, &of_ollama, with_calls()).await;
    let function = json!({"name": "send_message", "arguments": {"text": "ah"}});
    assert_eq!(
        body["messages"][2],
        json!({"role": "assistant", "content": "", "tool_calls": [{"function": function}]})
    );
    assert_eq!(
        body["messages"][3],
        json!({"role": "tool", "tool_name": "send_message", "content": "{\"line\":2}"})
    );
}

#[tokio::test]
async fn anthropic_and_gemini_get_their_own_roles_and_results_before_what_follows() {
    let server = FakeModel::start().await;
    let base = ModelSettings {
        base_url: server.ollama_url(),
        ..settings(&server)
    };
    let anthropic = ModelSettings {
        provider: Provider::Anthropic,
        ..base.clone()
    };
    let gemini = ModelSettings {
        provider: Provider::Gemini,
        ..base
    };
    server.on("POST /v1/messages", Reply::anthropic([]));
    server.on(
        "POST /v1beta/models/m1:streamGenerateContent?alt=sse",
        Reply::events(),
    );
    let text = |text: &str| json!({"type": "text", "text": text});
    let body = asked(&server, &anthropic, chat()).await;
    let wanted = json!([
        {"role": "user", "content": [text("1 Anna: hi")]},
        {"role": "assistant", "content": "<turn>ah</turn>"},
        {"role": "user", "content": [text("3 Anna: so?\nnow")]},
    ]);
    assert_eq!(body["messages"], wanted);
    let body = asked(&server, &anthropic, with_calls()).await;
    let used = json!({"type": "tool_use", "id": "000000002", "name": "send_message", "input": {"text": "ah"}});
    let result =
        json!({"type": "tool_result", "tool_use_id": "000000002", "content": "{\"line\":2}"});
    assert_eq!(
        body["messages"][1],
        json!({"role": "assistant", "content": [used]})
    );
    assert_eq!(
        body["messages"][2]["content"],
        json!([result, text("3 Anna: so?\nnow")])
    );

    let part = |text: &str| json!([{"text": text}]);
    let body = asked(&server, &gemini, chat()).await;
    let wanted = json!([
        {"role": "user", "parts": part("1 Anna: hi")},
        {"role": "model", "parts": part("<turn>ah</turn>")},
        {"role": "user", "parts": part("3 Anna: so?\nnow")},
    ]);
    assert_eq!(body["contents"], wanted);
    let body = asked(&server, &gemini, with_calls()).await;
    let call = json!([{"functionCall": {"name": "send_message", "args": {"text": "ah"}}}]);
    let result = json!([{"functionResponse": {"name": "send_message", "response": {"line": 2}}}]);
    assert_eq!(body["contents"][1], json!({"role": "model", "parts": call}));
    assert_eq!(
        body["contents"][2],
        json!({"role": "user", "parts": result})
    );
    assert_eq!(
        body["contents"][3],
        json!({"role": "user", "parts": part("3 Anna: so?\nnow")})
    );
}

#[tokio::test]
async fn anthropics_cache_mark_stands_at_the_last_block_that_is_settled() {
    let server = FakeModel::start().await;
    server.on("POST /v1/messages", Reply::anthropic([]));
    let settings = ModelSettings {
        provider: Provider::Anthropic,
        base_url: server.ollama_url(),
        ..settings(&server)
    };
    let marks = |body: &Value| {
        let all = body["messages"]
            .as_array()
            .unwrap()
            .iter()
            .flat_map(|one| one["content"].as_array().cloned());
        all.flatten()
            .map(|block| block.get("cache_control").is_some())
            .collect::<Vec<_>>()
    };
    // The first of the user's messages is settled whole, of the last one not a block.
    let settled = "1 Anna: hi<turn>ah</turn>3 Anna: so?".len();
    let body = asked(
        &server,
        &settings,
        ModelRequest {
            stable_bytes: settled,
            ..chat()
        },
    )
    .await;
    assert_eq!(marks(&body), [true, false]);
    // Much of the last one is.
    let mut long = chat();
    let history = "3 Anna: we meet at the harbour tomorrow, at nine\n".repeat(100);
    long.messages[2] = PromptMessage::from_user(format!("{history}now"));
    long.stable_bytes = "1 Anna: hi<turn>ah</turn>".len() + history.len();
    let body = asked(&server, &settings, long).await;
    assert_eq!(marks(&body), [false, false, true, false]);
    let body = asked(&server, &settings, chat()).await;
    assert_eq!(marks(&body), [false, false], "nothing is known to stay");
}
