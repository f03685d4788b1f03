//! kith.example.toml is complete, valid, and says the defaults.

use kith::settings::{Settings, SettingsOverride, load};
use kith_core::persona::Language;
use kith_core::policy::ChannelMode;

use crate::settings::{options, policy};

/// The example file with what stands behind a `#` switched on.
pub fn example_in_full() -> String {
    let option = |line: &str| {
        line.starts_with('[')
            || line
                .split_once(" = ")
                .is_some_and(|(name, _)| !name.contains(' '))
    };
    let lines = include_str!("../../../kith.example.toml").lines();
    lines
        .map(|line| {
            line.strip_prefix("# ")
                .filter(|rest| option(rest))
                .unwrap_or(line)
        })
        .collect::<Vec<_>>()
        .join("\n")
}

#[test]
fn the_example_file_is_valid_and_says_the_defaults() {
    let folder = tempfile::tempdir().unwrap();
    let empty = load(&options(folder.path(), "", &[])).unwrap();
    let mut example = load(&options(
        folder.path(),
        include_str!("../../../kith.example.toml"),
        &[],
    ))
    .unwrap();
    assert!(!example.origins.0.is_empty());
    example.origins = empty.origins.clone();
    assert_eq!(example, empty);
    assert_eq!(example.warnings, []);
}

#[test]
fn the_example_file_shows_every_setting() {
    let example: serde_json::Value = toml::from_str(&example_in_full()).unwrap();
    let mut all = serde_json::to_value(Settings::default()).unwrap();
    let differs = serde_json::to_value(SettingsOverride::default()).unwrap();
    all["guild"] = serde_json::json!({ "1234567890": differs });
    all["channel"] = all["guild"].clone();
    // A log channel is a whole guild's.
    all["channel"]["1234567890"]
        .as_object_mut()
        .unwrap()
        .remove("log_channel");
    let mut missing = Vec::new();
    find_missing(&all, &example, "", &mut missing);
    assert_eq!(missing, [""; 0]);
}

fn find_missing(
    all: &serde_json::Value,
    example: &serde_json::Value,
    path: &str,
    missing: &mut Vec<String>,
) {
    for (name, value) in all.as_object().into_iter().flatten() {
        let path = format!("{path}/{name}");
        match example.get(name) {
            Some(shown) => find_missing(value, shown, &path, missing),
            None => missing.push(path),
        }
    }
}

#[test]
fn the_examples_behind_a_hash_are_valid_too() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("persona")).unwrap();
    std::fs::create_dir_all(folder.path().join("prompts")).unwrap();
    std::fs::write(
        folder.path().join("persona/juno.toml"),
        Language::EN.persona().1,
    )
    .unwrap();
    for key in ["openai.key", "anthropic.key"] {
        std::fs::write(folder.path().join(key), "sk-from-file\n").unwrap();
    }
    std::fs::write(folder.path().join("discord.token"), "bot-token\n").unwrap();
    std::fs::write(
        folder.path().join("persona/juno.png"),
        b"\x89PNG\r\n\x1a\n...",
    )
    .unwrap();
    std::fs::write(folder.path().join("news.key"), "of-the-news\n").unwrap();
    let address = "postgres://kith@db.example/kith\n";
    std::fs::write(folder.path().join("store.url"), address).unwrap();
    let settings = load(&options(
        folder.path(),
        &example_in_full(),
        &[("SEARCH_KEY", "of-the-search")],
    ))
    .unwrap();
    assert_eq!(settings.known_secrets["news_key"].expose(), "of-the-news");
    assert_eq!(
        settings
            .web
            .search
            .as_ref()
            .map(|search| search.key.as_str()),
        Some("search_key")
    );
    assert_eq!(
        settings.known_secrets["search_key"].expose(),
        "of-the-search"
    );
    assert_eq!(settings.model.api_key.expose(), "sk-from-file");
    assert_eq!(settings.discord.token.expose(), "bot-token");
    assert_eq!(policy(&settings, 1, 1234567890).mode, ChannelMode::Observe);
}
