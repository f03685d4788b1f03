//! What a server says of an error, in whatever shape, made fit to be quoted: on one line and short. Taking secrets out
//! is the business of [`super::endpoint::ModelEndpoint::quote`], before anything is cut.

use serde_json::Value;

/// The longest quotation from a server, in characters.
const QUOTE_CHARACTERS: usize = 200;

const WORDS_FIELDS: [&str; 6] = ["message", "msg", "detail", "error", "errors", "error_msg"];

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ServerError {
    /// Its code, else its type.
    pub code: String,
    /// Its words, without what they repeat of the request.
    pub text: String,
    /// The places in the request that it names as the reason.
    pub fields: Vec<String>,
}

/// Reads an error in any of the shapes servers use: `{"error": {"message", "code", "type"}}` with a code that is a
/// number, a text or null; `{"error": "text"}`; `{"message": …}`; `{"detail": …}`. What a gateway quotes of the server
/// behind it (`metadata.raw`) is read with it.
pub(super) fn parse_error_object(value: &Value) -> Option<ServerError> {
    let named = value.get("error").filter(|error| !error.is_null());
    let error = named.filter(|error| !error.is_string()).unwrap_or(value);
    let mut text = WORDS_FIELDS
        .iter()
        .find_map(|field| error.get(field).filter(|found| !found.is_null()))
        .map(describe_error);
    let code = match scalar_to_string(error.get("code")) {
        code if code.is_empty() => scalar_to_string(error.get("type")),
        code => code,
    };
    let mut fields = Vec::new();
    collect_fields(error, &mut fields);
    let quoted = error.pointer("/metadata/raw").and_then(Value::as_str);
    if let Some(behind) = quoted.and_then(parse_error_text) {
        text = Some(format!("{}: {}", text.unwrap_or_default(), behind.text));
        fields.extend(behind.fields);
    }
    (named.is_some() || text.is_some()).then(|| ServerError {
        code,
        text: text.unwrap_or_default(),
        fields,
    })
}

/// The error in a response body; a page's title or the bare text where it is no JSON.
pub(super) fn parse_error_text(body: &str) -> Option<ServerError> {
    match serde_json::from_str::<Value>(body) {
        Ok(Value::Array(list)) => parse_error_object(list.first()?),
        Ok(value) => parse_error_object(&value),
        Err(_) => Some(ServerError {
            text: extract_page_text(body),
            ..ServerError::default()
        }),
    }
}

/// The words of an error that is no plain text. Validators repeat what they were sent, which is somebody's chat.
fn describe_error(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Array(list) => list
            .iter()
            .map(describe_error)
            .collect::<Vec<_>>()
            .join("; "),
        Value::Object(_) => {
            let words = WORDS_FIELDS
                .iter()
                .find_map(|field| value.get(field).map(describe_error))
                .unwrap_or_default();
            let mut place = Vec::new();
            collect_fields(&value["loc"], &mut place);
            match place.is_empty() {
                true => words,
                false => format!("{}: {words}", place.join(".")),
            }
        }
        other => other.to_string(),
    }
}

/// The texts below the names that errors have for places in a request.
fn collect_fields(value: &Value, fields: &mut Vec<String>) {
    match value {
        Value::String(text) => fields.push(text.clone()),
        Value::Array(list) => list.iter().for_each(|one| collect_fields(one, fields)),
        Value::Object(all) => {
            for (name, inner) in all {
                let is_place = matches!(&**name, "param" | "loc" | "field" | "parameter");
                if is_place || inner.is_object() || inner.is_array() && !inner[0].is_string() {
                    collect_fields(inner, fields);
                }
            }
        }
        _ => {}
    }
}

/// An answer without thoughts around it. Thoughts without an end are no answer.
pub fn strip_thoughts(text: &str) -> &str {
    let answer = text.rsplit("</think>").next().unwrap_or_default();
    answer.split("<think>").next().unwrap_or_default().trim()
}

/// Enough to recognise another kind of server by, and not to read what it keeps: the title of a web page, the first line
/// of any other text.
pub(super) fn extract_page_text(body: &str) -> String {
    let between = |open: &str, close: &str| {
        let lower = body.to_ascii_lowercase();
        let start = lower.find(open)? + open.len();
        let length = lower[start..].find(close)?;
        Some(body[start..start + length].trim().to_owned())
    };
    between("<title>", "</title>")
        .or_else(|| between("<h1>", "</h1>"))
        .unwrap_or_else(|| {
            let first = body
                .trim_start()
                .lines()
                .next()
                .filter(|line| !line.starts_with('<'));
            first.unwrap_or_default().to_owned()
        })
}

pub(super) fn shorten(text: &str) -> String {
    let mut line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    line.retain(|character| !character.is_control());
    match line.char_indices().nth(QUOTE_CHARACTERS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}

fn scalar_to_string(value: Option<&Value>) -> String {
    match value {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Number(number)) => number.to_string(),
        _ => String::new(),
    }
}

#[cfg(test)]
#[path = "tests/unit/server_error_text.rs"]
mod tests;
