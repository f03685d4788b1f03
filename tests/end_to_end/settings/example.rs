//! kith.example.toml is short, valid, and says the defaults; and what the declarations show as an example is valid, too.

use std::sync::LazyLock;

use kith::settings::{Settings, SettingsOverride, load};
use kith_core::persona::Language;
use kith_core::policy::ChannelMode;
use kith_core::setting::{SettingField, SettingRule, SettingShape, SettingTable, SettingType};

use crate::settings::{options, policy, put};

const EXAMPLE: &str = include_str!("../../../kith.example.toml");

/// What stands for the names of the host's own.
const NAMES: [(&str, &str); 6] = [
    ("models", "spare"),
    ("profiles", "guide"),
    ("tool", "channel_history"),
    ("guild", "1234567890"),
    ("channel", "1234567890"),
    ("secrets", "news_key"),
];

/// A file with every setting that is declared: its example, else its default.
pub fn example_in_full() -> String {
    let SettingShape::Table(table) = Settings::SHAPE else {
        unreachable!("settings are a table")
    };
    let mut text = String::new();
    write_table(table, "", &mut text);
    text
}

/// The settings as they are where nobody sets any, and what stands in further tables.
static DEFAULTS: LazyLock<toml::Value> = LazyLock::new(|| {
    let guild = SettingsOverride {
        moderation: Some(Default::default()),
        ..SettingsOverride::default()
    };
    let settings = Settings {
        models: [("spare".into(), Default::default())].into(),
        profiles: [("guide".into(), Default::default())].into(),
        tool: [("channel_history".into(), Default::default())].into(),
        guild: [("1234567890".into(), guild)].into(),
        ..Settings::default()
    };
    toml::from_str(&toml::to_string(&settings).unwrap()).unwrap()
});

pub fn find_default(path: &str) -> Option<toml::Value> {
    path.split('.')
        .try_fold(&*DEFAULTS, |value, name| value.get(name))
        .cloned()
}

pub fn below(path: &str, field: &SettingField) -> Option<(String, &'static SettingTable)> {
    match field.shape {
        SettingShape::Table(table) => Some((path.to_owned(), table)),
        SettingShape::Named(SettingShape::Table(table)) => {
            let (_, name) = NAMES.iter().find(|(of, _)| *of == path)?;
            Some((format!("{path}.{name}"), table))
        }
        _ => None,
    }
}

fn write_table(table: &SettingTable, above: &str, text: &mut String) {
    let mut tables = Vec::new();
    for field in table.fields {
        let path = kith_core::setting::join_path(above, field.name);
        // A secret is at one place, further models share the prompt, and a log channel is a whole guild's.
        if path == "secrets.news_key.env"
            || above.starts_with("models.") && field.has(SettingRule::OfPrompt)
            || path == "channel.1234567890.log_channel"
            || field.has(SettingRule::Outside)
        {
            continue;
        }
        tables.extend(below(&path, field));
        if below(&path, field).is_none() {
            let default = find_default(&path).map(|value| value.to_string());
            let shown = field.example().map(str::to_owned).or(default);
            if let Some(value) = shown {
                text.push_str(&format!("{} = {value}\n", field.name));
            }
        }
    }
    for (path, table) in tables {
        text.push_str(&format!("\n[{path}]\n"));
        write_table(table, &path, text);
        if path == "secrets.news_key" {
            text.push_str("[secrets.search_key]\nenv = \"SEARCH_KEY\"\n");
        }
    }
}

#[test]
fn the_example_file_is_short_valid_and_changes_nothing_that_it_does_not_say() {
    assert!(EXAMPLE.lines().count() <= 50);
    let folder = tempfile::tempdir().unwrap();
    let example = load(&options(folder.path(), EXAMPLE, &[])).unwrap();
    assert_eq!(example.warnings, []);
    for (path, _) in example.origins.0 {
        if let Some(field) = Settings::SHAPE.find(&path) {
            let is_table = matches!(field.shape, SettingShape::Table(_));
            assert!(is_table || EXAMPLE.contains(field.name), "{path}");
        }
    }
}

#[test]
fn every_declared_example_is_valid() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir_all(folder.path().join("persona")).unwrap();
    std::fs::create_dir_all(folder.path().join("prompts")).unwrap();
    put(&folder, "persona/juno.toml", Language::EN.persona().1);
    for (file, secret) in [
        ("openai.key", "sk-from-file\n"),
        ("discord.token", "bot-token\n"),
        ("news.key", "of-the-news\n"),
        ("store.url", "postgres://kith@db.example/kith\n"),
    ] {
        put(&folder, file, secret);
    }
    std::fs::write(
        folder.path().join("persona/juno.png"),
        b"\x89PNG\r\n\x1a\n...",
    )
    .unwrap();
    let environment = [("SEARCH_KEY", "of-the-search")];
    let text = example_in_full();
    let settings = load(&options(folder.path(), &text, &environment))
        .unwrap_or_else(|problems| panic!("{text}\n{problems:#?}"));
    let (news, search) = ("of-the-news", "of-the-search");
    assert_eq!(settings.known_secrets["news_key"].expose(), news);
    assert_eq!(settings.known_secrets["search_key"].expose(), search);
    let named = settings.web.search.as_ref();
    assert_eq!(named.map(|search| search.key.as_str()), Some("search_key"));
    assert_eq!(settings.model.api_key.expose(), "sk-from-file");
    assert_eq!(settings.discord.token.expose(), "bot-token");
    assert_eq!(policy(&settings, 1, 1234567890).mode, ChannelMode::Observe);
}
