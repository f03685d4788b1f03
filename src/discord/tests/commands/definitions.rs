//! What Discord is told of the commands.

use kith_discord::commands::{CommandSettings, definitions};
use serde_json::{Value, json};

fn offered() -> CommandSettings {
    CommandSettings {
        personas: vec!["Mira".into(), "小满".into()],
        max_talkativeness: 0.7,
    }
}

/// Every object with a name: commands, options, choices.
fn all_named(value: &Value, found: &mut Vec<Value>) {
    match value {
        Value::Object(fields) => {
            if fields.contains_key("name") {
                found.push(value.clone());
            }
            fields.values().for_each(|value| all_named(value, found));
        }
        Value::Array(list) => list.iter().for_each(|value| all_named(value, found)),
        _ => {}
    }
}

fn sub<'a>(commands: &'a [Value], name: &str) -> &'a Value {
    let subs = commands[0]["options"].as_array().unwrap();
    subs.iter()
        .find(|sub| sub["name"] == name)
        .unwrap_or(&Value::Null)
}

#[test]
fn names_of_slash_commands_follow_discords_rules_in_every_language() {
    let rule = regex::Regex::new(r"^[-_'\p{L}\p{N}]{1,32}$").unwrap();
    let mut all = Vec::new();
    all_named(&definitions(&offered())[0], &mut all);
    for named in all
        .iter()
        .filter(|named| named.get("description").is_some())
    {
        let translated = named["name_localizations"].as_object().unwrap();
        assert_eq!(translated.keys().collect::<Vec<_>>(), ["zh-CN", "zh-TW"]);
        for name in translated
            .values()
            .chain([&named["name"]])
            .map(|name| name.as_str().unwrap())
        {
            assert!(rule.is_match(name) && name.to_lowercase() == name, "{name}");
        }
    }
}

#[test]
fn no_two_siblings_have_the_same_name_in_any_language() {
    let mut lists = vec![definitions(&offered())];
    while let Some(list) = lists.pop() {
        for name in [
            |it: &Value| it["name"].clone(),
            |it: &Value| it["name_localizations"]["zh-CN"].clone(),
        ] {
            let names: Vec<Value> = list
                .iter()
                .map(name)
                .filter(|name| !name.is_null())
                .collect();
            let mut once = names.clone();
            once.sort_by_key(Value::to_string);
            once.dedup();
            assert_eq!(once.len(), names.len(), "{names:?}");
        }
        lists.extend(
            list.iter()
                .filter_map(|it| it["options"].as_array().cloned()),
        );
    }
}

#[test]
fn required_options_come_first() {
    let mut all = Vec::new();
    all_named(&json!(definitions(&offered())), &mut all);
    for options in all.iter().filter_map(|named| named["options"].as_array()) {
        let required: Vec<bool> = options
            .iter()
            .map(|option| option["required"] == true)
            .collect();
        assert!(
            required.is_sorted_by(|earlier, later| earlier >= later),
            "{options:?}"
        );
    }
}

#[test]
fn what_the_host_offers_is_what_can_be_chosen() {
    let commands = definitions(&offered());
    let names: Vec<&Value> = sub(&commands, "persona")["options"][0]["choices"]
        .as_array()
        .unwrap()
        .iter()
        .map(|it| &it["value"])
        .collect();
    assert_eq!(names, ["Mira", "小满"]);
    assert_eq!(
        sub(&commands, "talkativeness")["options"][0]["max_value"],
        0.7
    );
}

#[test]
fn where_there_is_one_persona_there_is_nothing_to_choose() {
    let one = CommandSettings {
        personas: vec!["Mira".into()],
        ..offered()
    };
    assert_eq!(sub(&definitions(&one), "persona"), &Value::Null);
}

#[test]
fn more_personas_than_discord_lists_are_named_by_typing() {
    let many = CommandSettings {
        personas: (0..26).map(|n| format!("p{n}")).collect(),
        ..offered()
    };
    let commands = definitions(&many);
    let option = &sub(&commands, "persona")["options"][0];
    assert_eq!(
        (&option["name"], option.get("choices")),
        (&json!("name"), None)
    );
}
