//! Many tools: a prompt shows few of them, and the others are found by words.

use kith_core::call::{ToolExposure, ToolKind, ToolResult, ToolSpec};
use kith_core::context::TokenEstimator;
use kith_core::persona::Language;
use kith_core::policy::OutputProtocol;
use kith_tools::{
    DEFAULT_TOOLS, Tool, ToolContext, ToolDescription, ToolOrigin, ToolRegistry, tool_rendering,
};
use serde_json::json;

use crate::registry::{call, context};

fn defined(name: &str, about: &str, line: usize) -> Tool {
    let origin = ToolOrigin::File(std::path::Path::new("tools/own.toml").into(), line);
    let parameters = json!({ "type": "object", "description": about, "properties": { "place": { "type": "string" } } });
    let face = ToolDescription {
        name: name.into(),
        kind: ToolKind::Tool,
        parameters,
        origin,
        ..ToolDescription::default()
    };
    Tool::from_description(face, |params, _| async move {
        ToolResult::ok(format!("{params:?}"))
    })
}

fn many() -> ToolRegistry {
    let fill = (0..200).map(|n| defined(&format!("own_{n}"), "does something else", n));
    let trains = defined("train_times", "when the next train leaves a station", 300);
    let (registry, taken) = ToolRegistry::with_tools(fill.chain([trains]));
    assert_eq!(taken, []);
    registry
}

fn chosen(registry: &ToolRegistry) -> Vec<ToolSpec> {
    registry.select(&[DEFAULT_TOOLS.to_owned()], Language::EN)
}

#[test]
fn a_prompt_shows_twenty_of_two_hundred_tools_and_how_to_find_the_others() {
    let (registry, few) = (many(), ToolRegistry::load_builtin());
    let specs = chosen(&registry);
    assert_eq!(
        specs
            .iter()
            .filter(|spec| spec.offer == ToolExposure::Always)
            .count(),
        21
    );
    let list = tool_rendering::render_tools(&specs, OutputProtocol::Xml, Language::EN);
    assert!(
        list.contains("<find_tools>QUERY</find_tools>") && !list.contains("train_times"),
        "{list}"
    );
    assert!(
        chosen(&few).iter().all(|spec| spec.name != "find_tools"),
        "nothing to be found"
    );
}

#[test]
fn the_weather_ships_and_is_there_where_it_is_named() {
    let (registry, _) = kith_tools::custom::registry(&[], Vec::new());
    let has = |list: &[&str]| {
        let list: Vec<String> = list.iter().map(|name| (*name).to_owned()).collect();
        registry
            .select(&list, Language::ZH)
            .iter()
            .any(|spec| spec.name == "get_weather")
    };
    assert!(!has(&[DEFAULT_TOOLS]) && has(&[DEFAULT_TOOLS, "get_weather"]));
}

#[test]
fn tools_with_long_descriptions_take_no_more_of_a_prompt_than_two_thousand_tokens() {
    let about =
        "Looks up, in the archive of the town, whatever was ever written about it. ".repeat(12);
    let (registry, _) =
        ToolRegistry::with_tools((0..200).map(|n| defined(&format!("own_{n}"), &about, n)));
    let tokens = |registry: &ToolRegistry| {
        let list =
            tool_rendering::render_tools(&chosen(registry), OutputProtocol::Xml, Language::EN);
        TokenEstimator::default().estimate_tokens(&list)
    };
    let more = tokens(&registry) - tokens(&ToolRegistry::load_builtin());
    assert!((1_000..=2_100).contains(&more), "{more}");
}

#[tokio::test]
async fn what_is_kept_beside_a_result_stays_of_a_size_that_can_be_looked_at() {
    let large = Tool::from_description(
        ToolDescription {
            name: "large".into(),
            ..ToolDescription::default()
        },
        |_, _| async {
            ToolResult {
                details: Some(json!({ "all": "x".repeat(1 << 20) })),
                ..ToolResult::ok("short")
            }
        },
    );
    let (registry, _) = ToolRegistry::with_tools([large]);
    let result = registry
        .run(call("large", json!({})), context(Language::EN))
        .await;
    let details = result
        .details
        .map(|details| details.to_string())
        .unwrap_or_default();
    assert!(
        result.content == "short" && details.contains("bytes are too many"),
        "{details:.100}"
    );
}

#[tokio::test]
async fn a_tool_is_found_by_what_it_does_and_is_told_the_way_it_is_written() {
    let registry = many();
    let context = ToolContext {
        tools: chosen(&registry).into(),
        ..context(Language::EN)
    };
    let ask = |query: &str| {
        registry.run(
            call("find_tools", json!({ "query": query })),
            context.clone(),
        )
    };
    for query in ["train", "trains to the next station", "Train-Times"] {
        let found = ask(query).await;
        assert_eq!(
            found.offers.first().map(String::as_str),
            Some("train_times"),
            "{query}: {found:?}"
        );
        assert!(
            found
                .guide
                .as_str()
                .starts_with("<train_times/> when the next train"),
            "{found:?}"
        );
        assert_eq!(found.content, "");
    }
    let nothing = ask("zebra").await;
    assert!(
        nothing.offers.is_empty() && nothing.content.starts_with("nothing for that"),
        "{}",
        nothing.content
    );
}

#[test]
fn a_taken_name_is_refused_and_both_places_are_named() {
    let again = || defined("train_times", "", 12);
    let (registry, taken) = ToolRegistry::with_tools([
        defined("train_times", "first", 3),
        again(),
        defined("recall", "", 4),
    ]);
    let told: Vec<String> = taken.iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "tools/own.toml:12 defines a tool `train_times`, and that name is taken by tools/own.toml:3",
            "tools/own.toml:4 defines a tool `recall`, and that name is taken by the tools that ship with kith",
        ]
    );
    assert_eq!(registry.origin("recall"), Some(&ToolOrigin::BuiltIn));
    let (_, taken) = ToolRegistry::with_tools([defined("ban_member", "", 1)]);
    assert_eq!(
        taken.len(),
        1,
        "the names of deeds about members are taken, too"
    );
}
