//! Fills a request's templates. What comes from a model is encoded for where it stands, so that it stays one value
//! there: a piece of a path, a value of a query, a header's line, a JSON string.

use kith_language::{LocalizedMessage, custom_tools};
use std::collections::BTreeSet;

use minijinja::value::Value as Filled;
use minijinja::{Environment, ErrorKind, Output, UndefinedBehavior};
use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use serde_json::{Map, Value};

use crate::custom::templates::create_environment;

/// What is said of a value that an address needs.
const EMPTY: &str = "a parameter that belongs into the address is empty";
/// What templates call the secrets by.
pub(super) const SECRET: &str = "secret";
/// What templates of an answer call it by.
pub(super) const DATA: &str = "data";
/// The longest address, in bytes, and the longest body.
const LONGEST_URL: usize = 8 << 10;
const LONGEST_BODY: usize = 256 << 10;
/// How often a piece of an address is decoded when it is looked for `..`: some servers decode twice.
const DECODED: usize = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TemplatePosition {
    /// In an address: every value is percent-encoded, and none is empty.
    Url,
    /// Where the text as a whole is encoded afterwards, or sent as it is.
    Text,
    /// In what the model reads: what is not there is an error.
    Answer,
}

/// The names a template asks for, with what of them: `place`, `secret.key`.
///
/// # Errors
/// Why it is none.
pub(super) fn list_template_names(template: &str) -> Result<BTreeSet<String>, String> {
    let environment = build_environment(TemplatePosition::Text);
    let template = environment
        .template_from_str(template)
        .map_err(|error| describe_error(&error))?;
    Ok(template.undeclared_variables(true).into_iter().collect())
}

/// A template filled in.
///
/// # Errors
/// What of the values cannot stand there, for the model.
pub(super) fn fill_text(
    template: &str,
    values: &Filled,
    at: TemplatePosition,
) -> Result<String, LocalizedMessage> {
    build_environment(at)
        .render_str(template, values)
        .map_err(|error| to_fill_error(&error))
}

/// The address of a request, on the server that the template names.
///
/// # Errors
/// What of the values cannot stand there, for the model.
pub(super) fn fill_url(template: &str, values: &Filled) -> Result<Url, LocalizedMessage> {
    let filled = fill_text(template, values, TemplatePosition::Url)?;
    if filled.len() > LONGEST_URL {
        return Err(custom_tools::address_too_long());
    }
    let server = parse_server(template)?;
    let url =
        Url::parse(&filled).map_err(|error| custom_tools::address_unusable(error.to_string()))?;
    if url.origin() != server.origin() {
        return Err(custom_tools::another_server());
    }
    let path = filled
        .get(extract_server(template).len()..)
        .unwrap_or_default();
    let path = path.split(['?', '#']).next().unwrap_or_default();
    if path.split('/').any(has_parent_segment) {
        return Err(custom_tools::path_leaves());
    }
    Ok(url)
}

/// The server that a template of an address names: no value may change it.
///
/// # Errors
/// Why it names none.
pub(super) fn parse_server(template: &str) -> Result<Url, String> {
    let written = extract_server(template);
    if !(written.starts_with("http://") || written.starts_with("https://"))
        || written.contains(['{', '}', '@', '\\'])
    {
        return Err("names no host".to_owned());
    }
    Url::parse(written).map_err(|error| format!("is no address: {error}"))
}

/// Scheme, host and port of a template of an address, as they stand there.
fn extract_server(template: &str) -> &str {
    let host = template.find("://").map_or(0, |at| at + 3);
    let end = template
        .get(host..)
        .and_then(|rest| rest.find(['/', '?', '#']))
        .map_or(template.len(), |end| host + end);
    template.get(..end).unwrap_or_default()
}

/// Whether a piece of a path leads to the folder above for anybody who decodes it.
fn has_parent_segment(piece: &str) -> bool {
    let mut piece = piece.to_owned();
    for _ in 0..DECODED {
        if piece
            .split(['/', '\\'])
            .any(|part| matches!(part, "." | ".."))
        {
            return true;
        }
        piece = percent_decode(&piece);
    }
    false
}

fn percent_decode(text: &str) -> String {
    let mut bytes = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((byte, after)) = rest.split_first() {
        let code = after
            .get(..2)
            .and_then(|code| u8::from_str_radix(std::str::from_utf8(code).ok()?, 16).ok());
        let code = code.filter(|_| *byte == b'%');
        bytes.push(code.unwrap_or(*byte));
        rest = if code.is_some() {
            after.get(2..).unwrap_or_default()
        } else {
            after
        };
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// Adds the pairs of a query; one that comes to nothing is left out.
///
/// # Errors
/// What of the values cannot stand there, for the model.
pub(super) fn fill_query<'a>(
    url: &mut Url,
    pairs: impl IntoIterator<Item = (&'a String, &'a String)>,
    values: &Filled,
) -> Result<(), LocalizedMessage> {
    for (name, template) in pairs {
        let value = fill_text(template, values, TemplatePosition::Text)?;
        if !value.is_empty() {
            url.query_pairs_mut().append_pair(name, &value);
        }
    }
    if url.as_str().len() > LONGEST_URL {
        return Err(custom_tools::address_too_long());
    }
    Ok(())
}

/// The headers of a request; one that comes to nothing is left out.
///
/// # Errors
/// Which header cannot hold what came of its template. The value is not repeated: it may hold a secret.
pub(super) fn fill_headers<'a>(
    pairs: impl IntoIterator<Item = (&'a String, &'a String)>,
    values: &Filled,
) -> Result<HeaderMap, LocalizedMessage> {
    let mut headers = HeaderMap::new();
    for (name, template) in pairs {
        let filled = fill_text(template, values, TemplatePosition::Text)?;
        if filled.is_empty() {
            continue;
        }
        let header = HeaderName::from_bytes(name.as_bytes())
            .map_err(|_| custom_tools::no_header_name(name))?;
        let value = HeaderValue::from_str(&filled);
        let mut value = value.map_err(|_| custom_tools::header_not_allowed(name))?;
        value.set_sensitive(true);
        headers.insert(header, value);
    }
    Ok(headers)
}

/// A body of text.
///
/// # Errors
/// What of the values cannot stand there, for the model.
pub(super) fn fill_body(template: &str, values: &Filled) -> Result<String, LocalizedMessage> {
    check_body_length(fill_text(template, values, TemplatePosition::Text)?)
}

/// A body of JSON: every text in it is a template. One that is a single expression keeps the type of its value, and what
/// comes to nothing is left out.
///
/// # Errors
/// What of the values cannot stand there, for the model.
pub(super) fn fill_json(template: &Value, values: &Filled) -> Result<String, LocalizedMessage> {
    let filled = fill_json_value(template, values)?.unwrap_or_default();
    check_body_length(filled.to_string())
}

fn check_body_length(body: String) -> Result<String, LocalizedMessage> {
    if body.len() > LONGEST_BODY {
        Err(custom_tools::body_too_long())
    } else {
        Ok(body)
    }
}

fn fill_json_value(template: &Value, values: &Filled) -> Result<Option<Value>, LocalizedMessage> {
    Ok(Some(match template {
        Value::String(template) => match extract_expression(template) {
            Some(expression) => {
                let environment = build_environment(TemplatePosition::Text);
                let compiled = environment
                    .compile_expression(expression)
                    .map_err(|error| to_fill_error(&error))?;
                let value = compiled
                    .eval(values)
                    .map_err(|error| to_fill_error(&error))?;
                if value.is_undefined() || value.is_none() {
                    return Ok(None);
                }
                serde_json::to_value(&value)
                    .map_err(|error| custom_tools::no_json_value(error.to_string()))?
            }
            None => Value::String(fill_text(template, values, TemplatePosition::Text)?),
        },
        Value::Array(elements) => {
            let filled = elements
                .iter()
                .filter_map(|element| fill_json_value(element, values).transpose());
            Value::Array(filled.collect::<Result<_, _>>()?)
        }
        Value::Object(fields) => {
            let filled = fields.iter().filter_map(|(name, field)| {
                fill_json_value(field, values)
                    .map(|field| field.map(|field| (name.clone(), field)))
                    .transpose()
            });
            Value::Object(filled.collect::<Result<Map<_, _>, _>>()?)
        }
        other => other.clone(),
    }))
}

fn extract_expression(template: &str) -> Option<&str> {
    let inside = template.trim().strip_prefix("{{")?.strip_suffix("}}")?;
    (!inside.contains("{{") && !inside.contains("}}")).then_some(inside)
}

fn build_environment(at: TemplatePosition) -> Environment<'static> {
    let mut environment = create_environment();
    environment.set_undefined_behavior(match at {
        TemplatePosition::Answer => UndefinedBehavior::SemiStrict,
        TemplatePosition::Url | TemplatePosition::Text => UndefinedBehavior::Lenient,
    });
    environment.set_formatter(move |out, _, value| match at {
        TemplatePosition::Url => percent_encode(out, value),
        TemplatePosition::Answer if value.is_undefined() => Err(ErrorKind::UndefinedError.into()),
        TemplatePosition::Text | TemplatePosition::Answer => write_plain(out, value),
    });
    environment
}

/// A value as it is; what is not there as nothing.
fn write_plain(out: &mut Output<'_>, value: &Filled) -> Result<(), minijinja::Error> {
    if value.is_undefined() || value.is_none() {
        Ok(())
    } else {
        Ok(write!(out, "{value}")?)
    }
}

/// A value as one piece of an address (RFC 3986, 2.3: all but unreserved characters).
fn percent_encode(out: &mut Output<'_>, value: &Filled) -> Result<(), minijinja::Error> {
    let text = if value.is_undefined() || value.is_none() {
        String::new()
    } else {
        value.to_string()
    };
    if text.trim().is_empty() {
        return Err(minijinja::Error::new(ErrorKind::InvalidOperation, EMPTY));
    }
    for byte in text.bytes() {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' => {
                write!(out, "{}", char::from(byte))?
            }
            other => write!(out, "%{other:02X}")?,
        }
    }
    Ok(())
}

fn to_fill_error(error: &minijinja::Error) -> LocalizedMessage {
    let error_text = describe_error(error);
    if error.detail() == Some(EMPTY) {
        custom_tools::address_parameter_empty(error_text)
    } else {
        custom_tools::template_unfilled(error_text)
    }
}

/// What is wrong with a template or its values, in one line.
fn describe_error(error: &minijinja::Error) -> String {
    let what = match (error.kind(), error.detail()) {
        (ErrorKind::InvalidOperation, Some(detail)) => return detail.to_owned(),
        (kind, Some(detail)) => format!("{kind}: {detail}"),
        (kind, None) => kind.to_string(),
    };
    match error.line() {
        Some(line) if line > 1 => format!("{what} (in its line {line})"),
        _ => what,
    }
}
