//! The tests of `settings.rs`, of what nobody outside its crate can see.

use std::time::Duration;

use super::*;

#[test]
fn settings_written_in_toml_are_read_and_unknown_keys_refused() {
    let settings: ModelSettings = toml::from_str(
        r#"
        provider = "openai"
        name = "small-one"
        api_key = "sk-secret"
        profile = "small"
        headers = { "X-Title" = "Kith" }
        [extra_body]
        reasoning = { effort = "low" }
        "#,
    )
    .unwrap();
    assert_eq!(settings.provider, Provider::OpenAi);
    assert_eq!(settings.extra_body["reasoning"]["effort"], "low");
    assert_eq!(
        settings
            .resolve_time_limits(Provider::OpenAi, false)
            .first_token,
        Duration::from_secs(300)
    );
    assert!(!format!("{settings:?}").contains("sk-secret"));
    let first_token = |name: &str| {
        let named = ModelSettings {
            name: name.into(),
            ..ModelSettings::default()
        };
        named
            .resolve_time_limits(Provider::OpenAi, false)
            .first_token
            .as_secs()
    };
    for thinks in [
        "o3-mini",
        "gpt-5",
        "deepseek/deepseek-R1",
        "models/gemini-2.5-flash",
    ] {
        assert_eq!(first_token(thinks), 300, "{thinks}");
    }
    assert_eq!(first_token("gpt-4.1"), 60);
    assert!(toml::from_str::<ModelSettings>("temprature = 1").is_err());
}

#[test]
fn a_slow_machine_gets_more_time_unless_the_settings_say_otherwise() {
    let mut settings = ModelSettings::default();
    assert_eq!(
        settings
            .resolve_time_limits(Provider::OpenAi, false)
            .first_token,
        Duration::from_secs(60)
    );
    assert_eq!(
        settings
            .resolve_time_limits(Provider::OpenAi, true)
            .first_token,
        Duration::from_secs(300)
    );
    assert_eq!(
        settings
            .resolve_time_limits(Provider::Ollama, false)
            .first_token,
        Duration::from_secs(300)
    );
    assert_eq!(
        settings.resolve_time_limits(Provider::Ollama, false).total,
        Duration::from_secs(600)
    );
    let thinks: ModelSettings =
        toml::from_str("extra_body = { reasoning_effort = \"high\" }").unwrap();
    assert_eq!(
        thinks
            .resolve_time_limits(Provider::OpenAi, false)
            .first_token,
        Duration::from_secs(300)
    );
    settings.first_token_seconds = Some(5.0);
    settings.total_seconds = Some(f32::NAN);
    assert_eq!(
        settings
            .resolve_time_limits(Provider::Ollama, false)
            .first_token,
        Duration::from_secs(5)
    );
    assert_eq!(
        settings.resolve_time_limits(Provider::Ollama, false).total,
        Duration::from_secs(86_400)
    );
}
