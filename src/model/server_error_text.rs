//! What a server says of an error, in whatever shape, made fit to be quoted: on one line and short. Taking secrets out
//! is the business of [`super::endpoint::ModelEndpoint::quote`], before anything is cut.

use serde_json::Value;

/// The longest quotation from a server, in characters.
const QUOTE_CHARACTERS: usize = 200;

/// Code and text of an error in any of the shapes servers use: `{"error": {"message", "code", "type"}}` with a code
/// that is a number, a text or null; `{"error": "text"}`; `{"message": …}`; `{"detail": …}`.
pub(super) fn parse_error_object(value: &Value) -> Option<(String, String)> {
    let error = match value.get("error") {
        Some(Value::Null) | None => value,
        Some(Value::String(text)) => {
            return Some((scalar_to_string(value.get("code")), text.clone()));
        }
        Some(error) => error,
    };
    let text = [
        error.get("message"),
        error.get("detail"),
        error.get("error"),
    ]
    .into_iter()
    .find_map(|found| {
        let text = match found? {
            Value::Null => return None,
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        Some(text)
    });
    let code = match scalar_to_string(error.get("code")) {
        code if code.is_empty() => scalar_to_string(error.get("type")),
        code => code,
    };
    let is_error = value.get("error").is_some_and(|error| !error.is_null()) || text.is_some();
    is_error.then(|| (code, text.unwrap_or_default()))
}

/// Code and text of the error in a response body; a page's title or the bare text where it is no JSON.
pub(super) fn parse_error_text(body: &str) -> Option<(String, String)> {
    match serde_json::from_str::<Value>(body) {
        Ok(Value::Array(list)) => parse_error_object(list.first()?),
        Ok(value) => parse_error_object(&value),
        Err(_) => Some((String::new(), extract_page_text(body))),
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

/// `text` on one line, at most [`QUOTE_CHARACTERS`] long.
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
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_error_object_is_read_in_every_shape_servers_use() {
        let read = |value: Value| parse_error_object(&value);
        let some = |code: &str, text: &str| Some((code.to_owned(), text.to_owned()));
        assert_eq!(
            read(json!({"error": {"message": "m", "code": 429}})),
            some("429", "m")
        );
        assert_eq!(
            read(json!({"error": {"message": "m", "code": "c", "type": "t"}})),
            some("c", "m")
        );
        assert_eq!(
            read(json!({"error": {"message": "m", "code": null, "type": "t"}})),
            some("t", "m")
        );
        assert_eq!(read(json!({"error": "m"})), some("", "m"));
        assert_eq!(read(json!({"error": {"message": null}})), some("", ""));
        assert_eq!(read(json!({"message": "m", "code": 1})), some("1", "m"));
        assert_eq!(
            read(json!({"detail": [{"msg": "m"}]})),
            some("", r#"[{"msg":"m"}]"#)
        );
        assert_eq!(read(json!({"error": null, "choices": []})), None);
        assert_eq!(read(json!({"choices": []})), None);
    }

    #[test]
    fn a_quotation_is_short_and_on_one_line() {
        assert_eq!(shorten("a\n\t b\u{7}c"), "a bc");
        assert_eq!(
            shorten(&"雪".repeat(300)).chars().count(),
            QUOTE_CHARACTERS + 1
        );
        assert_eq!(
            extract_page_text("<html><TITLE> 502 Bad Gateway </TITLE>"),
            "502 Bad Gateway"
        );
        assert_eq!(extract_page_text("<html><p>mail of Anna"), "");
        assert_eq!(
            extract_page_text("-ERR unknown command\nrequirepass hush"),
            "-ERR unknown command"
        );
    }
}
