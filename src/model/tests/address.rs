//! Addresses that a person types in the page: what was configured for one server stays with it.

use super::*;

/// Settings with something to lose in every place.
fn configured(base_url: &str) -> ModelSettings {
    ModelSettings {
        base_url: base_url.into(),
        name: "m1".into(),
        api_key: Secret::new(KEY),
        api_key_file: Some("key.txt".into()),
        api_key_env: "HOUSE_KEY".into(),
        headers: [("X-Tenant".to_owned(), Secret::new("tenant-of-the-house"))].into(),
        extra_body: json!({"user": "the-house"}).as_object().unwrap().clone(),
        temperature: Some(0.7),
        retries: 0,
        ..ModelSettings::default()
    }
}

fn takes_nothing_along(settings: &ModelSettings) -> bool {
    settings.headers.is_empty()
        && settings.extra_body.is_empty()
        && settings.api_key_file.is_none()
        && settings.api_key_env.is_empty()
}

#[tokio::test]
async fn another_server_sees_nothing_of_what_the_first_one_was_trusted_with() {
    let (house, stranger) = (
        FakeModel::start().await,
        FakeModel::openai([Reply::openai(&["hi"])]).await,
    );
    let ours = configured(&house.openai_url());
    let typed = ours.with_address(&stranger.openai_url(), "m2", &Secret::default());
    assert_eq!(ask(&chosen(&typed).await).await.text, "hi");
    let asked = stranger.asked();
    assert!(!asked.is_empty());
    for asked in asked {
        let all = format!("{:?} {}", asked.headers, asked.body);
        for secret in [
            KEY,
            "authorization",
            "x-tenant",
            "tenant-of-the-house",
            "the-house",
        ] {
            assert!(!all.contains(secret), "{secret} in {all}");
        }
    }
    assert_eq!(
        stranger.chats()[0]["temperature"],
        0.7,
        "what is no secret stays as it is set"
    );

    let with_key = ours.with_address(
        &stranger.openai_url(),
        "m2",
        &Secret::new("sk-typed-in-the-page"),
    );
    ask(&chosen(&with_key).await).await;
    assert_eq!(
        stranger.asked().pop().unwrap().headers["authorization"],
        "Bearer sk-typed-in-the-page"
    );
}

#[tokio::test]
async fn the_configured_server_gets_all_it_was_given_under_any_path() {
    let house = FakeModel::openai([Reply::openai(&["hi"])]).await;
    let ours = ModelSettings {
        base_url: house.ollama_url(),
        ..configured("")
    };
    let typed = ours.with_address(
        &format!(" {}/", house.openai_url()),
        "m2",
        &Secret::default(),
    );
    assert_eq!(
        (&typed.api_key_file, typed.api_key_env.as_str()),
        (&Some("key.txt".into()), "HOUSE_KEY")
    );
    ask(&chosen(&typed).await).await;
    let asked = house.asked().pop().unwrap();
    assert_eq!(asked.headers["authorization"], format!("Bearer {KEY}"));
    assert_eq!(asked.headers["x-tenant"], "tenant-of-the-house");
    assert_eq!(
        (&asked.body["user"], &asked.body["model"]),
        (&json!("the-house"), &json!("m2"))
    );

    let other_key = ours.with_address(
        &house.openai_url(),
        "m2",
        &Secret::new("sk-typed-in-the-page"),
    );
    assert_eq!(
        (other_key.api_key.expose(), other_key.api_key_file),
        ("sk-typed-in-the-page", None)
    );
    assert_eq!(other_key.headers, ours.headers);
}

#[test]
fn scheme_host_and_port_make_the_server() {
    let ours = configured("https://models.example.org/v1");
    let keeps = |ours: &ModelSettings, url: &str| {
        let typed = ours.with_address(url, "m1", &Secret::default());
        assert_eq!(
            typed.api_key.is_empty(),
            takes_nothing_along(&typed),
            "all or nothing: {url}"
        );
        !typed.api_key.is_empty()
    };
    for url in [
        "https://models.example.org/v1",
        "https://models.example.org:443",
        "https://MODELS.example.org/other",
    ] {
        assert!(keeps(&ours, url), "{url}");
    }
    for url in [
        "http://models.example.org/v1",
        "https://models.example.org:8443/v1",
        "https://example.org/v1",
        "https://models.example.org.evil.example/v1",
        "https://models.example.org@evil.example/v1",
        "https://api.openai.com/v1",
        "models.example.org/v1",
        "data:,models.example.org",
        "no address",
        "",
    ] {
        assert!(!keeps(&ours, url), "{url}");
    }
    assert!(
        keeps(&configured(""), "https://api.openai.com/v1"),
        "a key without an address is OpenAI's"
    );
    assert!(!keeps(&configured(""), "http://127.0.0.1:11434"));
    let ollama = ModelSettings {
        provider: Provider::Ollama,
        ollama_host: "gpu-box".into(),
        ..configured("")
    };
    assert!(keeps(&ollama, "http://gpu-box:11434/v1"));
    assert!(!keeps(&ollama, "http://gpu-box:8080/v1"));
    for base_url in ["", "no address"] {
        let nowhere = ModelSettings {
            provider: Provider::None,
            ..configured(base_url)
        };
        assert!(!keeps(&nowhere, "no address") && !keeps(&nowhere, "https://api.openai.com/v1"));
    }
}

#[tokio::test]
async fn a_typed_address_without_the_right_key_says_where_it_belongs() {
    let stranger = FakeModel::openai([Reply::json(401, json!({"error": "no"}))]).await;
    let ours = configured("https://models.example.org/v1");
    for (key, wanted) in [("", "wants a key"), ("sk-mistyped", "refused the key")] {
        let typed = ours.with_address(&stranger.openai_url(), "m1", &Secret::new(key));
        let said = ask(&chosen(&typed).await).await.end.unwrap_err();
        let wanted = format!(
            "{} {wanted} (401: \"no\"): give the right one together with the address.",
            stranger.host()
        );
        assert_eq!(said, wanted);
    }
}
