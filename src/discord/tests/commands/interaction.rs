//! Interactions as Discord sends them.

use serde_json::{Value, json};

/// Everybody's rights in the tests; Manage Server and Administrator are not among them.
pub const MEMBER: &str = "104324673";
/// Who asks in the tests.
pub const ANNA: u64 = 9_007_199_254_740_993;

/// An interaction of a member of guild 5 in channel 6. `kind` 2 is a command, 3 a button.
pub fn interaction(id: u64, kind: u8, data: Value) -> Value {
    json!({
        "id": id.to_string(),
        "application_id": "77",
        "type": kind,
        "data": data,
        "guild_id": "5",
        "guild": { "id": "5", "features": [], "locale": "en-US" },
        "channel_id": "6",
        "channel": { "id": "6", "type": 0 },
        "member": {
            "user": user(),
            "nick": "Annie",
            "roles": [],
            "joined_at": "2024-01-01T00:00:00+00:00",
            "deaf": false,
            "mute": false,
            "flags": 0,
            "permissions": MEMBER,
        },
        "token": format!("token-of-{id}"),
        "version": 1,
        "locale": "en-GB",
        "guild_locale": "en-US",
        "app_permissions": "8",
        "entitlements": [],
        "authorizing_integration_owners": { "0": "5" },
        "context": 0,
        "attachment_size_limit": 10_485_760,
    })
}

/// The same in a direct message.
pub fn direct(id: u64, data: Value) -> Value {
    let mut raw = interaction(id, 2, data);
    let fields = raw.as_object_mut().unwrap();
    ["guild_id", "guild", "member", "guild_locale"]
        .into_iter()
        .for_each(|name| drop(fields.remove(name)));
    fields.insert("user".into(), user());
    fields.insert("context".into(), 1.into());
    raw
}

fn user() -> Value {
    json!({
        "id": ANNA.to_string(), "username": "anna", "global_name": "Anna", "discriminator": "0", "avatar": null,
    })
}

/// The data of `/kith` with a sub-command as its options have it.
pub fn kith(option: Value) -> Value {
    json!({ "id": "50", "name": "kith", "type": 1, "options": [option] })
}

/// A sub-command with options of strings, numbers and channels.
pub fn sub(name: &str, options: &[(&str, Value)]) -> Value {
    let kind = |value: &Value| if value.is_number() { 10 } else { 3 };
    let options: Vec<Value> = options
        .iter()
        .map(|(name, value)| {
            let kind = if *name == "channel" { 7 } else { kind(value) };
            json!({ "name": name, "type": kind, "value": value })
        })
        .collect();
    json!({ "name": name, "type": 1, "options": options })
}

/// A sub-command in a group.
pub fn group(name: &str, only: Value) -> Value {
    json!({ "name": name, "type": 2, "options": [only] })
}

/// The data of an entry in the menu of message 88.
pub fn menu(name: &str) -> Value {
    json!({ "id": "51", "name": name, "type": 3, "target_id": "88", "resolved": { "messages": {} } })
}

/// The data of a pressed button.
pub fn button(id: &str) -> Value {
    json!({ "custom_id": id, "component_type": 2 })
}
