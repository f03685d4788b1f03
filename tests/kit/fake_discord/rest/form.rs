//! Bodies, checked more strictly than Discord's description does: by the schemas of `forms.json`, and by what no schema can say.

use std::collections::{BTreeSet, HashMap};
use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::{Value, json};

use super::errors::form;
use super::routes::Result;

const MOST_IN_EMBEDS: usize = 6000;

static FORMS: LazyLock<HashMap<&str, Validator>> = LazyLock::new(|| {
    let forms: Value = serde_json::from_str(include_str!("forms.json")).expect("JSON");
    let form = |name| {
        let schema = json!({"$ref": format!("#/$defs/{name}"), "$defs": forms});
        let form = jsonschema::validator_for(&schema);
        (name, form.unwrap_or_else(|wrong| panic!("{name}: {wrong}")))
    };
    HashMap::from(["message", "post", "edit", "answer", "commands"].map(form))
});

/// Whether a body is what this form of `forms.json` allows.
pub fn is(name: &str, body: &Value) -> Result<()> {
    match FORMS[name].iter_errors(body).next() {
        None => Ok(()),
        Some(wrong) => {
            let place = wrong.instance_path().to_string().replace('/', ".");
            Err(form(
                place.trim_start_matches('.'),
                "FORM",
                &wrong.to_string(),
            ))
        }
    }
}

/// An object with no keys but these.
pub fn keys(value: &Value, known: &[&str]) -> Result<()> {
    let Some(object) = value.as_object() else {
        return Err(form(
            "",
            "DICT_TYPE_CONVERT",
            "Only dictionaries may be used",
        ));
    };
    match object.keys().find(|key| !known.contains(&key.as_str())) {
        Some(key) => Err(form(key, "FIELD_UNKNOWN", "Unknown field.")),
        None => Ok(()),
    }
}

/// A message of this form; its embeds together are not too long, and no two of its buttons do the same.
pub fn message(body: &Value, name: &str) -> Result<()> {
    is(name, body)?;
    let length = |text: &Value| text.as_str().map_or(0, |text| text.chars().count());
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let field = |field: &Value| length(&field["name"]) + length(&field["value"]);
    let embed = |embed: &Value| {
        let around = length(&embed["footer"]["text"]) + length(&embed["author"]["name"]);
        let fields: usize = list(&embed["fields"]).iter().map(field).sum();
        length(&embed["title"]) + length(&embed["description"]) + around + fields
    };
    if list(&body["embeds"]).iter().map(embed).sum::<usize>() > MOST_IN_EMBEDS {
        return Err(form(
            "embeds",
            "MAX_EMBED_SIZE_EXCEEDED",
            "More than 6000 in all",
        ));
    }
    let mut ids = BTreeSet::new();
    let rows = list(&body["components"]);
    let mut buttons = rows.iter().flat_map(|row| list(&row["components"]));
    match buttons.find(|button| {
        button["custom_id"].is_string() && !ids.insert(button["custom_id"].to_string())
    }) {
        Some(_) => Err(form(
            "components",
            "COMPONENT_CUSTOM_ID_DUPLICATED",
            "Ids are unique",
        )),
        None => Ok(()),
    }
}
