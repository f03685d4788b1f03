//! Which model is used, what the "connect a model" panel is told, and the stand-in.

use super::*;
use kith_core::policy::OutputProtocol;
use kith_model::{ModelProfile, ServerOffer, list_models, test_model};

/// Settings of somebody who has set nothing, with `server` as the machine's Ollama.
fn nothing_set(server: &FakeModel) -> ModelSettings {
    ModelSettings {
        ollama_host: server.host().into(),
        ..ModelSettings::default()
    }
}

#[tokio::test]
async fn an_ollama_on_this_machine_is_found_and_its_newest_chat_model_taken() {
    let server = FakeModel::start().await;
    let tags = json!({"models": [
        {"name": "old:7b", "modified_at": "2024-05-01T00:00:00Z"},
        {"name": "embed", "modified_at": "2026-05-01T00:00:00Z"},
        {"name": "new:3b", "modified_at": "2026-01-01T00:00:00Z"},
    ]});
    server.on("GET /api/tags", Reply::json(200, tags));
    server.on(
        "POST /api/show",
        Reply::json(200, json!({"capabilities": ["embedding"]})),
    );
    let show = json!({"capabilities": ["completion"], "model_info": {"qwen.context_length": 4096}});
    server.on("POST /api/show", Reply::json(200, show));
    let chosen = resolve_model(&nothing_set(&server)).await;
    let wanted = format!(
        "Model: new:3b at {} (Ollama, loaded with a context of 4096 tokens)",
        server.host()
    );
    assert_eq!((chosen.line.to_string(), chosen.problem), (wanted, None));
    assert!(!chosen.model.is_demo());
}

#[tokio::test]
async fn with_nothing_at_all_the_stand_in_answers_and_says_how_to_connect_a_model() {
    let server = FakeModel::start().await;
    for settings in [
        nothing_set(&server),
        ModelSettings {
            provider: Provider::None,
            ..ModelSettings::default()
        },
    ] {
        let chosen = resolve_model(&settings).await;
        assert!(chosen.model.is_demo());
        assert_eq!(chosen.problem, None);
        assert_eq!(
            chosen.line.to_string(),
            "Model: none, the stand-in answers (a labelled demo, not a language model). Connect one in the page's \
             \"connect a model\" panel, start Ollama, or set OPENAI_API_KEY and KITH_MODEL."
        );
    }
}

#[tokio::test]
async fn the_stand_in_streams_the_protocol_that_is_asked_for_and_costs_nothing() {
    for (protocol, start) in [
        (OutputProtocol::Xml, "<turn>"),
        (OutputProtocol::Json, "{\"thoughts\":"),
    ] {
        let settings = ModelSettings {
            provider: Provider::None,
            protocol,
            ..ModelSettings::default()
        };
        let heard = ask(&resolve_model(&settings).await.model).await;
        assert!(heard.text.starts_with(start), "{}", heard.text);
        assert_eq!(heard.end, Ok(TokenUsage::default()));
    }
}

#[tokio::test]
async fn a_key_without_a_model_spends_nothing_and_says_what_to_set() {
    let server = FakeModel::start().await;
    let list = |names: &[&str]| json!({"data": names.iter().map(|name| json!({"id": name})).collect::<Vec<_>>()});
    server.on("GET /v1/models", Reply::json(200, list(&["a", "b"])));
    let settings = ModelSettings {
        base_url: server.openai_url(),
        api_key: Secret::new(KEY),
        ..ModelSettings::default()
    };
    let chosen = resolve_model(&settings).await;
    assert!(chosen.model.is_demo());
    let wanted = format!(
        "{} offers 2 models: set model.name or KITH_MODEL to one (a, b).",
        server.host()
    );
    assert_eq!(chosen.problem.unwrap().to_string(), wanted);

    let server = FakeModel::start().await;
    server.on(
        "GET /v1/models",
        Reply::json(
            200,
            json!({"data": [{"id": "only", "max_model_len": 2048}]}),
        ),
    );
    let chosen = resolve_model(&ModelSettings {
        base_url: server.openai_url(),
        ..settings
    })
    .await;
    let wanted = format!(
        "Model: only at {} (OpenAI-compatible, context 2048 tokens)",
        server.host()
    );
    assert_eq!((chosen.line.to_string(), chosen.problem), (wanted, None));
}

#[tokio::test]
async fn a_local_server_tells_how_much_it_holds() {
    let server = FakeModel::start().await;
    server.on(
        "GET /v1/models",
        Reply::json(200, json!({"data": [{"id": "m1"}]})),
    );
    server.on(
        "GET /props",
        Reply::json(200, json!({"default_generation_settings": {"n_ctx": 6144}})),
    );
    let settings = ModelSettings {
        context_tokens: None,
        ..settings(&server)
    };
    assert_eq!(chosen(&settings).await.context_tokens(), Some(6_144));
    let small = ModelSettings {
        profile: ModelProfile::Small,
        ..settings
    };
    assert_eq!(chosen(&small).await.context_tokens(), Some(4_096));
}

#[tokio::test]
async fn an_ollama_that_is_down_or_empty_is_told_with_its_cure() {
    let server = FakeModel::start().await;
    server.on("GET /api/tags", Reply::json(200, json!({"models": []})));
    let settings = ModelSettings {
        provider: Provider::Ollama,
        ..nothing_set(&server)
    };
    let problem = resolve_model(&settings)
        .await
        .problem
        .unwrap()
        .to_string()
        .replace(server.host(), "HOST");
    assert_eq!(
        problem,
        "Ollama at HOST has no local chat model: get one, for instance with: ollama pull qwen3:8b"
    );

    let host = server.host().to_owned();
    drop(server);
    tokio::time::sleep(Duration::from_millis(20)).await;
    let named = resolve_model(&ModelSettings {
        name: "m1".into(),
        ..settings
    })
    .await;
    assert!(!named.model.is_demo(), "it may be started later");
    assert_eq!(
        named.problem.unwrap().to_string().replace(&host, "HOST"),
        "The model server HOST cannot be reached (Connection refused): start it, or correct \
         model.base_url."
    );
}

#[tokio::test]
async fn a_base_url_that_is_none_is_told() {
    for base_url in ["api.example.org/v1", "ftp://x/y", "https:"] {
        let settings = ModelSettings {
            base_url: base_url.into(),
            ..ModelSettings::default()
        };
        let wanted = format!(
            "model.base_url is \"{base_url}\", which is no web address: write it like https://api.openai.com/v1."
        );
        let problem = resolve_model(&settings).await.problem;
        assert_eq!(problem.unwrap().to_string(), wanted);
    }
}

#[tokio::test]
async fn a_base_url_that_would_turn_the_path_into_something_else_is_refused() {
    let server = FakeModel::start().await;
    for end in ["?q=", "#", "/admin?delete=all&x="] {
        let settings = at(&format!("{}{end}", server.openai_url()), "");
        let told = list_models(&settings).await.unwrap_err().message;
        assert!(
            told.ends_with(
                ": leave out everything from the ? or # on, for the path is added to it."
            ),
            "{told}"
        );
    }
    assert_eq!(server.asked().len(), 0);
}

fn at(address: &str, key: &str) -> ModelSettings {
    ModelSettings {
        base_url: address.into(),
        api_key: Secret::new(key),
        ..ModelSettings::default()
    }
}

#[tokio::test]
async fn a_servers_models_are_listed_even_if_the_address_is_not_quite_right() {
    let server = FakeModel::start().await;
    server.on(
        "GET /v1/models",
        Reply::json(200, json!({"data": [{"id": "a"}, {"id": "b"}]})),
    );
    let wanted = ServerOffer {
        provider: Provider::OpenAi,
        base_url: server.openai_url(),
        models: vec!["a".into(), "b".into()],
    };
    for address in [
        server.openai_url(),
        server.ollama_url(),
        format!("{}/", server.openai_url()),
    ] {
        assert_eq!(list_models(&at(&address, KEY)).await.as_ref(), Ok(&wanted));
    }
    assert_eq!(
        server.asked()[0].headers["authorization"],
        format!("Bearer {KEY}")
    );

    let server = FakeModel::ollama("m1", []).await;
    let wanted = ServerOffer {
        provider: Provider::Ollama,
        base_url: server.ollama_url(),
        models: vec!["m1".into()],
    };
    assert_eq!(list_models(&at(&server.openai_url(), "")).await, Ok(wanted));

    let server = FakeModel::start().await;
    let failure = list_models(&at(&server.openai_url(), ""))
        .await
        .unwrap_err();
    assert!(failure.message.contains("404"), "{}", failure.message);
}

#[tokio::test]
async fn a_test_says_what_the_model_answered_or_why_not() {
    let server = FakeModel::openai([
        Reply::openai(&["rea", "dy"]),
        Reply::json(401, json!({"error": "bad key"})),
    ])
    .await;
    let settings = settings(&server);
    let tested = test_model(&settings, &ample_ledger()).await.unwrap();
    assert_eq!(
        (tested.text.as_str(), tested.usage.completion),
        ("ready", 7)
    );
    assert!(tested.first <= tested.total);
    let failure = test_model(&settings, &ample_ledger()).await.unwrap_err();
    assert_eq!(
        failure.message.replace(server.host(), "HOST"),
        "HOST refused the key (401: \"bad key\"): check model.api_key, model.api_key_file or the variable \
         OPENAI_API_KEY."
    );
    assert_eq!(failure.spent, None);
    let thoughts = Reply::events().event(json!({"choices": [{"delta": {"reasoning": "hm"}}]}));
    server.now(
        "POST /v1/chat/completions",
        [thoughts.finish("length").usage(30, 1_500).done()],
    );
    let counted = TokenUsage {
        prompt: 30,
        completion: 1_500,
        truncated: true,
        ..TokenUsage::default()
    };
    assert_eq!(
        test_model(&settings, &ample_ledger())
            .await
            .unwrap_err()
            .spent,
        Some(counted),
        "a test that fails has its price"
    );
    let none = ModelSettings {
        provider: Provider::None,
        ..settings
    };
    let nothing = test_model(&none, &ample_ledger()).await.unwrap_err();
    assert_eq!(
        nothing.message,
        "No model is configured and no Ollama runs on this machine: set model.base_url, model.name and the key."
    );
}
