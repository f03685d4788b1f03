//! A proxy to the model: everything goes through it, except what is on this machine.

use super::*;

/// A model nobody can reach directly: the name belongs to nothing (RFC 2606), and the proxy alone would look it up.
fn far_away(proxy: &str) -> ModelSettings {
    ModelSettings {
        provider: Provider::OpenAi,
        base_url: "http://model.invalid/v1".into(),
        name: "m1".into(),
        proxy: Secret::new(proxy),
        retries: 0,
        ..ModelSettings::default()
    }
}

#[tokio::test]
async fn a_model_behind_a_proxy_is_asked_through_it_by_its_name() {
    let proxy = FakeModel::start().await;
    proxy.on(
        "POST http://model.invalid/v1/chat/completions",
        Reply::openai(&["hello"]),
    );
    let heard = ask(&resolve_model(&far_away(&format!(
        "http://me:open-sesame@{}",
        proxy.host()
    )))
    .await
    .model)
    .await;
    assert_eq!(heard.text, "hello");
    let asked = proxy.asked().pop().unwrap();
    assert_eq!(
        asked.headers["proxy-authorization"],
        "Basic bWU6b3Blbi1zZXNhbWU="
    );
}

#[tokio::test]
async fn a_proxy_that_is_not_there_is_named_and_its_password_is_not() {
    let heard = ask(
        &resolve_model(&far_away("http://me:open-sesame@127.0.0.1:1"))
            .await
            .model,
    )
    .await;
    let sentence = heard.end.unwrap_err();
    assert!(
        sentence.contains("look at the proxy in model.proxy"),
        "{sentence}"
    );
    assert!(!sentence.contains("open-sesame"), "{sentence}");
}

#[tokio::test]
async fn a_model_on_this_machine_is_asked_directly() {
    let server = FakeModel::openai([Reply::openai(&["hi"])]).await;
    let settings = ModelSettings {
        proxy: Secret::new("http://127.0.0.1:1"),
        ..settings(&server)
    };
    assert_eq!(ask(&resolve_model(&settings).await.model).await.text, "hi");
}
