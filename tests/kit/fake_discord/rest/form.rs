//! Bodies, checked more strictly than Discord's description does: unknown keys, lengths in characters, embeds, buttons,
//! allowed mentions.

use serde_json::Value;

use super::errors::{form, snowflake, too_long};
use super::routes::Result;

/// Keys of a new message.
pub const MESSAGE: &[&str] = &[
    "content",
    "nonce",
    "enforce_nonce",
    "tts",
    "embeds",
    "allowed_mentions",
    "message_reference",
    "components",
    "sticker_ids",
    "attachments",
    "flags",
    "poll",
];
/// Keys of the first message of a forum's post.
pub const POST: &[&str] = &[
    "content",
    "embeds",
    "allowed_mentions",
    "components",
    "sticker_ids",
    "attachments",
    "flags",
    "poll",
];
/// Keys of an edit.
pub const EDIT: &[&str] = &[
    "content",
    "embeds",
    "flags",
    "allowed_mentions",
    "components",
    "attachments",
];
/// Keys of an answer to an interaction.
pub const ANSWER: &[&str] = &[
    "content",
    "tts",
    "embeds",
    "allowed_mentions",
    "flags",
    "components",
    "attachments",
    "poll",
];

/// Characters of a message.
const MOST_TEXT: usize = 2000;
/// Characters of all embeds of a message.
const MOST_IN_EMBEDS: usize = 6000;

/// An object with no keys but these.
pub fn keys(path: &str, value: &Value, known: &[&str]) -> Result<()> {
    let Some(object) = value.as_object() else {
        return Err(form(
            path,
            "DICT_TYPE_CONVERT",
            "Only dictionaries may be used in a DictType",
        ));
    };
    match object.keys().find(|key| !known.contains(&key.as_str())) {
        Some(key) => Err(form(&join(path, key), "FIELD_UNKNOWN", "Unknown field.")),
        None => Ok(()),
    }
}

/// The checks all messages share: of people's eyes only what [`keys`] let through.
pub fn message(body: &Value, known: &[&str]) -> Result<()> {
    keys("", body, known)?;
    text("content", &body["content"], MOST_TEXT)?;
    embeds(&body["embeds"])?;
    components(&body["components"])?;
    mentions(&body["allowed_mentions"])?;
    list("sticker_ids", &body["sticker_ids"], 3)?;
    for (number, attachment) in list("attachments", &body["attachments"], 10)?
        .iter()
        .enumerate()
    {
        keys(
            &format!("attachments.{number}"),
            attachment,
            &["id", "filename", "description", "title"],
        )?;
    }
    if !body["flags"].is_null() && body["flags"].as_u64().is_none() {
        return Err(form("flags", "NUMBER_TYPE_COERCE", "Value is not int."));
    }
    poll(&body["poll"])?;
    nonce(body)
}

/// A poll: a question, answers, how long it is open.
fn poll(value: &Value) -> Result<()> {
    if value.is_null() {
        return Ok(());
    }
    keys(
        "poll",
        value,
        &[
            "question",
            "answers",
            "duration",
            "allow_multiselect",
            "layout_type",
        ],
    )?;
    keys("poll.question", &value["question"], &["text"])?;
    needed("poll.question.text", &value["question"]["text"], 300)?;
    let answers = list("poll.answers", &value["answers"], 10)?;
    if answers.is_empty() {
        return Err(form(
            "poll.answers",
            "BASE_TYPE_BAD_LENGTH",
            "Must be between 1 and 10 in length.",
        ));
    }
    for (number, answer) in answers.iter().enumerate() {
        let at = format!("poll.answers.{number}");
        keys(&at, answer, &["poll_media"])?;
        keys(
            &format!("{at}.poll_media"),
            &answer["poll_media"],
            &["text", "emoji"],
        )?;
        needed(
            &format!("{at}.poll_media.text"),
            &answer["poll_media"]["text"],
            55,
        )?;
    }
    match value["duration"].as_u64() {
        None if value["duration"].is_null() => Ok(()),
        Some(1..=768) => Ok(()),
        _ => Err(form(
            "poll.duration",
            "NUMBER_TYPE_MAX",
            "int value should be between 1 and 768.",
        )),
    }
}

fn nonce(body: &Value) -> Result<()> {
    match &body["nonce"] {
        Value::Null if body["enforce_nonce"] == true => Err(form(
            "nonce",
            "BASE_TYPE_REQUIRED",
            "enforce_nonce needs a nonce",
        )),
        Value::Null | Value::Number(_) => Ok(()),
        Value::String(text) if text.chars().count() <= 25 => Ok(()),
        _ => Err(form(
            "nonce",
            "NONCE_TYPE_TOO_LONG",
            "Nonce must be 25 or fewer in length.",
        )),
    }
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() {
        key.to_owned()
    } else {
        format!("{path}.{key}")
    }
}

/// A text of at most so many characters, or null.
fn text(path: &str, value: &Value, most: usize) -> Result<usize> {
    match value {
        Value::Null => Ok(0),
        Value::String(text) if text.chars().count() <= most => Ok(text.chars().count()),
        Value::String(_) => Err(too_long(path, most)),
        _ => Err(form(
            path,
            "STRING_TYPE_CONVERT",
            "Could not interpret as a string.",
        )),
    }
}

/// A text that must be there and not be empty.
fn needed(path: &str, value: &Value, most: usize) -> Result<usize> {
    match text(path, value, most)? {
        0 => Err(form(path, "BASE_TYPE_REQUIRED", "This field is required")),
        length => Ok(length),
    }
}

/// A list of at most so many, or null.
fn list<'a>(path: &str, value: &'a Value, most: usize) -> Result<&'a [Value]> {
    match value {
        Value::Null => Ok(&[]),
        Value::Array(list) if list.len() <= most => Ok(list),
        Value::Array(_) => Err(form(
            path,
            "BASE_TYPE_MAX_LENGTH",
            &format!("Must be {most} or fewer in length."),
        )),
        _ => Err(form(
            path,
            "LIST_TYPE_CONVERT",
            "Only iterables may be used in a ListType",
        )),
    }
}

fn embeds(value: &Value) -> Result<()> {
    let known = [
        "title",
        "type",
        "description",
        "url",
        "timestamp",
        "color",
        "footer",
        "image",
        "thumbnail",
        "author",
        "fields",
    ];
    let mut all = 0;
    for (number, embed) in list("embeds", value, 10)?.iter().enumerate() {
        let at = |key: &str| format!("embeds.{number}.{key}");
        keys(&format!("embeds.{number}"), embed, &known)?;
        all += text(&at("title"), &embed["title"], 256)?;
        all += text(&at("description"), &embed["description"], 4096)?;
        all += text(&at("footer.text"), &embed["footer"]["text"], 2048)?;
        all += text(&at("author.name"), &embed["author"]["name"], 256)?;
        for (place, field) in list(&at("fields"), &embed["fields"], 25)?
            .iter()
            .enumerate()
        {
            let at = format!("embeds.{number}.fields.{place}");
            keys(&at, field, &["name", "value", "inline"])?;
            all += needed(&join(&at, "name"), &field["name"], 256)?;
            all += needed(&join(&at, "value"), &field["value"], 1024)?;
        }
        if embed["color"]
            .as_u64()
            .is_some_and(|color| color > 0xFF_FFFF)
        {
            return Err(form(
                &at("color"),
                "NUMBER_TYPE_MAX",
                "int value should be less than or equal to 16777215.",
            ));
        }
    }
    if all > MOST_IN_EMBEDS {
        return Err(form(
            "embeds",
            "MAX_EMBED_SIZE_EXCEEDED",
            "Embed size exceeds maximum size of 6000",
        ));
    }
    Ok(())
}

fn components(value: &Value) -> Result<()> {
    let mut ids: Vec<&str> = Vec::new();
    for (number, row) in list("components", value, 5)?.iter().enumerate() {
        let at = format!("components.{number}");
        keys(&at, row, &["type", "id", "components"])?;
        let inner = list(&join(&at, "components"), &row["components"], 5)?;
        if row["type"] != 1 || inner.is_empty() {
            return Err(form(
                &at,
                "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
                "A row of 1 to 5 components is wanted",
            ));
        }
        for (place, component) in inner.iter().enumerate() {
            let at = format!("{at}.components.{place}");
            button(&at, component, inner.len())?;
            let id = component["custom_id"].as_str().unwrap_or_default();
            if !id.is_empty() && ids.contains(&id) {
                let at = join(&at, "custom_id");
                return Err(form(
                    &at,
                    "COMPONENT_CUSTOM_ID_DUPLICATED",
                    "Component custom id cannot be duplicated",
                ));
            }
            ids.push(id);
        }
    }
    Ok(())
}

/// A button, or a menu, which stands alone in its row.
fn button(at: &str, value: &Value, in_row: usize) -> Result<()> {
    let known = [
        "type",
        "id",
        "style",
        "label",
        "emoji",
        "custom_id",
        "url",
        "disabled",
        "sku_id",
    ];
    let menu = [
        "type",
        "id",
        "custom_id",
        "options",
        "placeholder",
        "min_values",
        "max_values",
        "disabled",
    ];
    let is_menu = value["type"]
        .as_u64()
        .is_some_and(|kind| matches!(kind, 3 | 5..=8));
    keys(at, value, if is_menu { &menu } else { &known })?;
    if is_menu && in_row > 1 {
        return Err(form(
            at,
            "COMPONENT_LAYOUT_WIDTH_EXCEEDED",
            "A menu stands alone in its row",
        ));
    }
    text(&join(at, "label"), &value["label"], 80)?;
    let is_link = value["style"] == 5;
    if !is_menu && is_link {
        return needed(&join(at, "url"), &value["url"], 512).map(|_| ());
    }
    if !is_menu
        && !value["style"]
            .as_u64()
            .is_some_and(|style| (1..=4).contains(&style))
    {
        return Err(form(
            &join(at, "style"),
            "BASE_TYPE_CHOICES",
            "Value must be one of {1, 2, 3, 4, 5, 6}.",
        ));
    }
    if !is_menu && value["label"].is_null() && value["emoji"].is_null() {
        return Err(form(
            at,
            "BUTTON_COMPONENT_INVALID",
            "A label or an emoji is needed",
        ));
    }
    needed(&join(at, "custom_id"), &value["custom_id"], 100).map(|_| ())
}

fn mentions(value: &Value) -> Result<()> {
    if value.is_null() {
        return Ok(());
    }
    let at = "allowed_mentions";
    keys(at, value, &["parse", "users", "roles", "replied_user"])?;
    let parse = list("allowed_mentions.parse", &value["parse"], 3)?;
    for kind in parse {
        if !["everyone", "users", "roles"]
            .iter()
            .any(|known| kind == known)
        {
            let at = "allowed_mentions.parse";
            return Err(form(
                at,
                "BASE_TYPE_CHOICES",
                "Value must be one of ('users', 'roles', 'everyone').",
            ));
        }
    }
    for kind in ["users", "roles"] {
        let at = format!("allowed_mentions.{kind}");
        let listed = list(&at, &value[kind], 100)?;
        for id in listed {
            snowflake(&at, id)?;
        }
        if !listed.is_empty() && parse.iter().any(|parsed| parsed == kind) {
            let why = format!("parse:[\"{kind}\"] and {kind}: [ids...] are mutually exclusive.");
            return Err(form(
                at.as_str(),
                "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
                &why,
            ));
        }
    }
    Ok(())
}
