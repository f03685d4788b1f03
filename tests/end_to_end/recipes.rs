//! Follows the recipes of CONTRIBUTING.md: what they name exists, what they show compiles and works, and what they
//! promise (three files, no more) stays true of the code.

use std::path::Path;
use std::sync::Arc;

use kith_agent::prompt::PromptTemplates;
use kith_core::call::{ToolCall, ToolResult};
use kith_core::chat::ChannelId;
use kith_core::persona::{Language, Persona};
use kith_core::willingness::{Signal, Weights};
use kith_store::Store;
use kith_testkit::assert_has;
use kith_tools::{ToolContext, ToolHost, ToolRegistry};

const CONTRIBUTING: &str = include_str!("../../CONTRIBUTING.md");

fn recipe(heading: &str) -> &'static str {
    let (_, rest) = CONTRIBUTING
        .split_once(&format!("\n### {heading}\n"))
        .expect("the recipe is there");
    rest.split("\n### ").next().unwrap_or(rest)
}

/// The files a recipe touches: the first path of each numbered step, and whether it is a new one.
fn files(recipe: &str) -> Vec<(&str, bool)> {
    let steps = recipe.lines().filter(|line| {
        line.split_once(". `")
            .is_some_and(|(n, _)| n.parse::<u8>().is_ok())
    });
    steps
        .filter_map(|step| Some((step.split('`').nth(1)?, step.contains("(new)"))))
        .collect()
}

#[test]
fn each_recipe_takes_at_most_three_files_and_they_are_where_it_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    for heading in [
        "A new signal",
        "A new setting",
        "A new tool",
        "A new language",
    ] {
        let files = files(recipe(heading));
        assert!((1..=3).contains(&files.len()), "{heading}: {files:?}");
        for (file, is_new) in files {
            let path = root.join(file);
            // The folder of a new language is new, too.
            let place = if is_new {
                path.ancestors().nth(2)
            } else {
                Some(path.as_path())
            };
            assert!(place.is_some_and(Path::exists), "{heading}: {file}");
        }
    }
}

mod a_new_signal {
    use super::*;

    const WEIGHTS: &str = include_str!("../../data/weights.json");
    const VALUES: &str = concat!(
        include_str!("../../src/core/willingness/features/values.rs"),
        include_str!("../../src/core/willingness/features/talk.rs"),
        include_str!("../../src/core/willingness/features/score_decay.rs")
    );

    #[test]
    fn has_a_name_words_for_people_and_a_value() {
        for signal in Signal::ALL {
            let name = signal.name();
            assert!(
                name.chars()
                    .all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_'),
                "{name}"
            );
            assert!(
                Language::ALL
                    .iter()
                    .all(|language| !signal.phrase(*language).is_empty()),
                "{name}"
            );
            assert!(
                VALUES.contains(&format!("Signal::{signal:?}")),
                "values.rs never sets {name}"
            );
        }
    }

    #[test]
    fn is_refused_until_it_has_a_weight_and_a_weight_without_a_signal_is_refused() {
        assert!(Weights::parse(WEIGHTS).is_ok());
        let unknown = Weights::parse(&WEIGHTS.replace("\"mention\"", "\"no_such_signal\""))
            .err()
            .unwrap_or_default();
        assert!(
            unknown.starts_with("weights: willingness.friends.no_such_signal is not known"),
            "{unknown}"
        );
        let mut lines: Vec<&str> = WEIGHTS.lines().collect();
        lines.retain(|line| !line.contains("\"mention\""));
        let missing = Weights::parse(&lines.join("\n")).err();
        assert_eq!(
            missing.as_deref(),
            Some("weights: willingness.friends.mention is missing")
        );
    }
}

mod a_new_setting {
    use kith_core::setting::{SettingField, SettingRule, SettingType};

    use super::*;

    kith_core::setting_table! {
        /// The table that the setting of the recipe stands in.
        pub struct GuestSettings {
            /// After how many hours a guest is asked to go.
            #[setting(Range(1.0, 48.0), Unit("hours"), Restart)]
            pub guest_hours: u32 = 4,
        }
    }

    #[test]
    fn takes_one_file_and_stands_in_the_recipe_as_it_is_tested_here() {
        let words = |source: &str| source.split_whitespace().collect::<String>();
        let recipe = recipe("A new setting");
        assert_eq!(files(recipe).len(), 1);
        let shown = recipe
            .split("```")
            .nth(1)
            .and_then(|block| block.strip_prefix("rust"));
        assert_has(
            words(include_str!("recipes.rs")),
            [&words(shown.unwrap_or("no code"))],
        );
    }

    #[test]
    fn has_its_default_its_range_its_meaning_and_its_rules_from_the_field() {
        let settings: GuestSettings = toml::from_str("").unwrap();
        assert_eq!(settings.guest_hours, 4);
        let field = GuestSettings::SHAPE.find("guest_hours").unwrap();
        assert_eq!(field.wanted().as_deref(), Some("1 to 48 hours"));
        assert_eq!(
            field.meaning.concat().trim(),
            "After how many hours a guest is asked to go."
        );
        assert!(field.has(SettingRule::Restart));
        let mut paths = Vec::new();
        settings.walk("visits", &SettingField::ROOT, &mut |value| {
            paths.push(value.path)
        });
        assert_eq!(paths, ["visits.guest_hours"]);
    }
}

/// The messages of the recipe, each made a function as the build makes them.
mod recipe_messages {
    pub(super) use kith_language::tools;

    pub(super) mod tool_descriptions {
        use kith_language::LocalizedMessage;

        fn find_message(key: &str) -> LocalizedMessage {
            let start = format!("{key} = ");
            let mut lines = super::super::recipe("A new tool").lines();
            let text = lines.find_map(|line| line.strip_prefix(&start));
            text.expect("the recipe has the message").to_owned().into()
        }

        pub(in super::super) fn days_until() -> LocalizedMessage {
            find_message("days-until")
        }

        pub(in super::super) fn days_until_date() -> LocalizedMessage {
            find_message("days-until-date")
        }
    }
}

/// The tool of the recipe, as it stands there.
mod days_until {
    use chrono::{DateTime, NaiveDate};
    use schemars::JsonSchema;
    use serde::Deserialize;

    use kith_core::call::{ToolKind, ToolResult};

    use super::recipe_messages::{tool_descriptions, tools};

    use kith_tools::{Tool, ToolContext};

    #[derive(Deserialize, JsonSchema)]
    struct DaysUntil {
        date: String,
    }

    /// `days_until`.
    pub(super) fn tool() -> Tool {
        let text = tool_descriptions::days_until();
        Tool::new("days_until", ToolKind::Tool, text, run)
            .describe_parameter("date", tool_descriptions::days_until_date())
            .primary("date")
    }

    async fn run(params: DaysUntil, context: ToolContext) -> ToolResult {
        let today = DateTime::from_timestamp_millis(context.now)
            .map(|now| now.with_timezone(&context.timezone()).date_naive());
        match (params.date.parse::<NaiveDate>(), today) {
            (Ok(date), Some(today)) => ToolResult::ok((date - today).num_days().to_string()),
            _ => context.build_error(tools::no_date("date")),
        }
    }
}

mod a_new_tool {
    use super::*;

    struct NoHost;

    impl ToolHost for NoHost {}

    /// Source text without indentation and line ends, so that only the words are compared.
    fn words(source: &str) -> String {
        source.split_whitespace().collect()
    }

    #[test]
    fn stands_in_the_recipe_as_it_is_tested_here() {
        let shown = recipe("A new tool")
            .split("```")
            .nth(1)
            .and_then(|block| block.strip_prefix("rust"));
        let here = include_str!("recipes.rs")
            .replace("use kith_tools::", "use crate::")
            .replace("use super::recipe_messages::", "use kith_language::");
        assert_has(words(&here), [&words(shown.unwrap_or("no code"))]);
    }

    async fn count(date: &str) -> ToolResult {
        let store = Store::open_in_memory().unwrap();
        let (persona, now) = (Arc::new(Persona::default()), 1_772_323_200_000);
        let context = ToolContext::new(ChannelId(1), persona, store, Arc::new(NoHost), now);
        let params = [("date".to_owned(), date.into())].into_iter().collect();
        let call = ToolCall {
            name: "days_until".into(),
            params,
        };
        ToolRegistry::new([days_until::tool()])
            .run(call, context)
            .await
    }

    #[tokio::test]
    async fn is_told_to_the_model_checked_and_run() {
        let specs = ToolRegistry::new([days_until::tool()]).specs(Language::ZH);
        assert_eq!(specs[0].description, "Count the days until a date.");
        assert_eq!(specs[0].schema.params[0].description, "YYYY-MM-DD");
        assert_eq!(count("2026-03-08").await, ToolResult::ok("7"));
        assert_eq!(
            count("soon").await,
            ToolResult::error("parameter `date` must be a date such as 2026-03-01")
        );
    }
}

mod a_new_language {
    use super::*;

    #[test]
    fn brings_every_template_and_its_prompts_pass_the_trial() {
        for language in Language::ALL {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR"))
                .join("prompts")
                .join(language.code());
            assert!(folder.join("system.j2").exists(), "{}", folder.display());
            assert!(
                language
                    .templates()
                    .iter()
                    .all(|(_, text)| !text.trim().is_empty())
            );
            assert!(
                ToolRegistry::load_builtin()
                    .specs(language)
                    .iter()
                    .all(|spec| !spec.description.is_empty())
            );
        }
        assert!(
            PromptTemplates::load(None).is_ok(),
            "{:?}",
            PromptTemplates::load(None).err()
        );
    }

    #[test]
    fn no_code_asks_which_language_it_is() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let mut folders = vec![root.join("src")];
        while let Some(folder) = folders.pop() {
            for entry in std::fs::read_dir(&folder).unwrap().flatten() {
                let path = entry.path();
                if path.is_dir() {
                    folders.extend(Some(path).filter(|path| !path.ends_with("tests")));
                    continue;
                }
                let text = std::fs::read_to_string(&path).unwrap_or_default();
                let code = text.split("#[cfg(test)]").next().unwrap_or_default();
                for language in Language::ALL {
                    let name = format!("Language::{}", language.code().to_uppercase());
                    for question in [
                        format!("{name} =>"),
                        format!("== {name}"),
                        format!("{name} |"),
                    ] {
                        assert!(
                            !code.contains(&question),
                            "{}: write a message instead of `{question}`",
                            path.display()
                        );
                    }
                }
            }
        }
    }
}
