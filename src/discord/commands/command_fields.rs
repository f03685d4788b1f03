//! The fields of commands and their options that all have: names and descriptions in every language, and how they stand in
//! each other.

use kith_language::{Language, LocalizedMessage, slash_commands};
use serde_json::{Map, Value, json};

pub(super) mod option {
    pub const SUB_COMMAND: u8 = 1;
    pub const GROUP: u8 = 2;
    pub const STRING: u8 = 3;
    pub const INTEGER: u8 = 4;
    pub const CHANNEL: u8 = 7;
    pub const NUMBER: u8 = 10;
}

pub(super) fn build_sub_command(
    name: LocalizedMessage,
    description: LocalizedMessage,
    options: Vec<Value>,
) -> Value {
    let mut sub = build_labels(name, description);
    sub.insert("type".into(), option::SUB_COMMAND.into());
    sub.insert("options".into(), options.into());
    Value::Object(sub)
}

pub(super) fn build_group(
    name: LocalizedMessage,
    description: LocalizedMessage,
    subs: Vec<Value>,
) -> Value {
    let mut group = build_labels(name, description);
    group.extend(into_fields(
        json!({ "type": option::GROUP, "options": subs }),
    ));
    Value::Object(group)
}

pub(super) fn build_labels(
    name: LocalizedMessage,
    description: LocalizedMessage,
) -> Map<String, Value> {
    let mut labelled = build_name_fields(name);
    labelled.extend(localize_field("description", &description));
    labelled
}

pub(super) fn build_name_fields(name: LocalizedMessage) -> Map<String, Value> {
    localize_field("name", &name)
}

/// A field in English, and beside it the same in every locale of Discord that there is a text for.
fn localize_field(field: &str, message: &LocalizedMessage) -> Map<String, Value> {
    let english = Language::default();
    let mut localizations = Map::new();
    for language in Language::ALL.into_iter().filter(|other| *other != english) {
        let locale = slash_commands::discord_locale().in_language(language);
        localizations.insert(locale, message.in_language(language).into());
        for (locale, text) in message.list_variants(language) {
            localizations.insert(locale, text.into());
        }
    }
    into_fields(json!({
        field: message.in_language(english),
        (format!("{field}_localizations")): localizations,
    }))
}

pub(super) fn into_fields(object: Value) -> Map<String, Value> {
    match object {
        Value::Object(fields) => fields,
        _ => Map::new(),
    }
}
