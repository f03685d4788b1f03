//! Tells Discord the commands, and only if it does not have them yet: registering counts against a daily limit and
//! makes every client load them again.

use serde_json::{Map, Value};

use super::super::rest::{RestClient, RestError, RestRequest, RestRoute};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RegistrationOutcome {
    Unchanged,
    /// They were overwritten, all at once.
    Changed,
}

/// Makes `definitions` the commands of the application, in every guild.
pub async fn register_if_changed(
    rest: &RestClient,
    application: u64,
    definitions: &[Value],
) -> Result<RegistrationOutcome, RestError> {
    // Without being asked, Discord leaves the translations out.
    let list = RestRequest::get(RestRoute::commands(application)).query("with_localizations", true);
    let registered = rest.call(list).await?;
    if normalize_commands(registered.as_array().map_or(&[][..], Vec::as_slice))
        == normalize_commands(definitions)
    {
        return Ok(RegistrationOutcome::Unchanged);
    }
    rest.call(RestRequest::put(RestRoute::commands(application)).json(definitions.into()))
        .await?;
    Ok(RegistrationOutcome::Changed)
}

/// What is compared: Discord adds ids, versions and defaults, and sorts as it likes.
const COMPARED: [&str; 17] = [
    "autocomplete",
    "channel_types",
    "choices",
    "contexts",
    "default_member_permissions",
    "description",
    "description_localizations",
    "integration_types",
    "max_length",
    "max_value",
    "min_length",
    "min_value",
    "name",
    "name_localizations",
    "options",
    "required",
    "value",
];

/// Lists whose order says nothing.
const SETS: [&str; 3] = ["channel_types", "contexts", "integration_types"];

fn normalize_commands(commands: &[Value]) -> Vec<Value> {
    let mut all: Vec<Value> = commands.iter().map(normalize_value).collect();
    all.sort_by_key(Value::to_string);
    all
}

fn normalize_value(thing: &Value) -> Value {
    let Value::Object(fields) = thing else {
        return normalize_number(thing);
    };
    let mut plain: Map<String, Value> = Map::new();
    plain.insert(
        "type".into(),
        fields
            .get("type")
            .map_or_else(|| normalize_number(&1.into()), normalize_number),
    );
    for name in COMPARED {
        let value = match fields.get(name) {
            None | Some(Value::Null | Value::Bool(false)) => continue,
            Some(Value::String(text)) if text.is_empty() => continue,
            Some(Value::Object(texts)) => sort_texts(texts),
            Some(Value::Array(list)) if SETS.contains(&name) => {
                let mut list: Vec<Value> = list.iter().map(normalize_number).collect();
                list.sort_by_key(Value::to_string);
                list.into()
            }
            Some(Value::Array(list)) => list.iter().map(self::normalize_value).collect(),
            Some(other) => normalize_number(other),
        };
        if !is_empty(&value) {
            plain.insert(name.into(), value);
        }
    }
    plain.into()
}

fn is_empty(value: &Value) -> bool {
    value.as_array().is_some_and(Vec::is_empty) || value.as_object().is_some_and(Map::is_empty)
}

fn sort_texts(texts: &Map<String, Value>) -> Value {
    let mut texts: Vec<_> = texts.iter().filter(|(_, text)| !text.is_null()).collect();
    texts.sort_by_key(|(locale, _)| locale.as_str());
    texts
        .into_iter()
        .map(|(locale, text)| (locale.clone(), text.clone()))
        .collect()
}

/// 1 and 1.0 are the same.
fn normalize_number(value: &Value) -> Value {
    value.as_f64().map_or_else(|| value.clone(), Value::from)
}
