//! Checking parameters against a schema. Coerces only where one reading is possible; whatever a model wrote, the answer
//! is parameters of the declared types or a sentence the model can act on. Never panics.

use std::borrow::Cow;

use serde_json::{Map, Number, Value};

use super::{Param, ParamType, Schema};

/// The most characters of a wrong value that an error repeats.
const SHOWN_CHARACTERS: usize = 60;
/// The comma of Chinese text.
const FULL_WIDTH_COMMA: char = '\u{ff0c}';
/// Whole numbers up to here are exact in a 64-bit float.
const EXACT_INTEGER: f64 = 9_007_199_254_740_992.0;

impl Schema {
    /// Checks `params` and coerces them to the declared types: text to numbers, booleans, lists and objects, numbers to
    /// text, a choice in another case. Defaults are filled in; null, and empty text where no text is wanted, count as
    /// not given; a parameter spelt in another case (`replyTo`) is known; unknown ones are dropped.
    ///
    /// # Errors
    /// One sentence for the model that names each wrong or missing parameter, what was given and what is wanted.
    pub fn check(&self, params: &Map<String, Value>) -> Result<Map<String, Value>, String> {
        let mut problems = Vec::new();
        let checked = object(&self.params, params, "", &mut problems);
        if problems.is_empty() { Ok(checked) } else { Err(problems.join("; ")) }
    }
}

fn object(
    declared: &[Param],
    given: &Map<String, Value>,
    prefix: &str,
    problems: &mut Vec<String>,
) -> Map<String, Value> {
    let mut checked = Map::new();
    for param in declared {
        let path = if prefix.is_empty() { param.name.clone() } else { format!("{prefix}.{}", param.name) };
        let value = find(declared, given, &param.name).filter(|value| !is_absent(param.kind, value));
        match value {
            Some(value) => match coerce(param, value, &path, problems) {
                Ok(value) => _ = checked.insert(param.name.clone(), value),
                Err(problem) => problems.push(problem),
            },
            None => match &param.default {
                Some(default) => _ = checked.insert(param.name.clone(), default.clone()),
                None if param.required => problems.push(missing(param, declared, given, &path)),
                None => {}
            },
        }
    }
    checked
}

/// The value of a parameter, its name spelt exactly or at least with the same letters.
fn find<'a>(declared: &[Param], given: &'a Map<String, Value>, name: &str) -> Option<&'a Value> {
    given.get(name).or_else(|| {
        let letters = plain(name);
        let is_declared = |key: &str| declared.iter().any(|other| other.name == key);
        given.iter().find(|(key, _)| !is_declared(key) && plain(key) == letters).map(|(_, value)| value)
    })
}

/// The letters and digits of a name, in lower case: what is left when spelling habits are taken away.
fn plain(name: &str) -> String {
    name.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn is_absent(kind: ParamType, value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) if kind != ParamType::String => {
            let text = text.trim();
            text.is_empty() || text.eq_ignore_ascii_case("null") || text.eq_ignore_ascii_case("none")
        }
        _ => false,
    }
}

fn missing(param: &Param, declared: &[Param], given: &Map<String, Value>, path: &str) -> String {
    let strangers: Vec<String> = given
        .keys()
        .filter(|key| !declared.iter().any(|other| plain(&other.name) == plain(key)))
        .take(3)
        .map(|key| format!("`{}`", shorten(key)))
        .collect();
    let wanted = wanted(param);
    if strangers.is_empty() {
        format!("parameter `{path}` is missing: give {wanted}")
    } else {
        format!("parameter `{path}` is missing: give {wanted} (there is no parameter {})", strangers.join(", "))
    }
}

fn coerce(param: &Param, value: &Value, path: &str, problems: &mut Vec<String>) -> Result<Value, String> {
    let wrong = || format!("parameter `{path}` must be {}, not {}", wanted(param), shown(value));
    let typed = match param.kind {
        ParamType::String => as_text(value).map(Value::String),
        ParamType::Number => as_number(value).map(Value::Number),
        ParamType::Integer => as_integer(value).map(|whole| Value::Number(whole.into())),
        ParamType::Boolean => as_boolean(value).map(Value::Bool),
        ParamType::Array => as_list(param.items.as_deref(), value).map(|list| Value::Array(list.into_owned())),
        ParamType::Object => as_object(value).map(|object| Value::Object(object.into_owned())),
    };
    let typed = typed.ok_or_else(wrong)?;
    match (typed, param.kind) {
        (Value::Array(elements), _) => {
            let Some(items) = param.items.as_deref() else { return Ok(Value::Array(elements)) };
            let elements = elements.iter().enumerate();
            elements
                .map(|(index, element)| coerce(items, element, &format!("{path}[{index}]"), problems))
                .collect::<Result<_, _>>()
                .map(Value::Array)
        }
        // An object without declared properties is free-form.
        (Value::Object(inner), _) if param.properties.is_empty() => Ok(Value::Object(inner)),
        (Value::Object(inner), _) => Ok(Value::Object(object(&param.properties, &inner, path, problems))),
        (typed, _) if param.choices.is_empty() || param.choices.contains(&typed) => Ok(typed),
        (typed, _) => near_choice(&param.choices, &typed).cloned().ok_or_else(wrong),
    }
}

/// The only choice with the same letters, if there is exactly one.
fn near_choice<'a>(choices: &'a [Value], given: &Value) -> Option<&'a Value> {
    let letters = plain(&as_text(given)?);
    let mut near = choices.iter().filter(|choice| as_text(choice).is_some_and(|text| plain(&text) == letters));
    near.next().filter(|_| near.next().is_none() && !letters.is_empty())
}

fn as_text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(flag) => Some(flag.to_string()),
        _ => None,
    }
}

fn as_number(value: &Value) -> Option<Number> {
    match value {
        Value::Number(number) => Some(number.clone()),
        Value::String(text) => {
            let text = text.trim();
            match text.parse::<i64>() {
                Ok(whole) => Some(whole.into()),
                Err(_) => text.parse().ok().and_then(Number::from_f64),
            }
        }
        _ => None,
    }
}

/// A whole number; `#12` and `12.0` are 12.
fn as_integer(value: &Value) -> Option<i64> {
    let number = match value {
        Value::String(text) => as_number(&Value::String(text.trim().trim_start_matches('#').to_owned()))?,
        other => as_number(other)?,
    };
    number.as_i64().or_else(|| {
        let float = number.as_f64().filter(|float| float.fract() == 0.0 && float.abs() <= EXACT_INTEGER)?;
        Some(float as i64)
    })
}

fn as_boolean(value: &Value) -> Option<bool> {
    let text = match value {
        Value::Bool(flag) => return Some(*flag),
        other => as_text(other)?,
    };
    match text.trim().to_lowercase().as_str() {
        "true" | "yes" | "on" | "1" | "是" => Some(true),
        "false" | "no" | "off" | "0" | "否" => Some(false),
        _ => None,
    }
}

/// A list: one given as such, as JSON text, or wrapped in an element of its own (`<names><name>…`); a single thing is a
/// list of one. Text with commas could be one thing or many, so it is split only where its parts cannot be text.
fn as_list<'a>(items: Option<&Param>, value: &'a Value) -> Option<Cow<'a, [Value]>> {
    let kind = items.map_or(ParamType::String, |items| items.kind);
    let list = match value {
        Value::Array(list) => return Some(Cow::Borrowed(list)),
        Value::String(text) if text.trim_start().starts_with('[') => serde_json::from_str(text).ok()?,
        Value::String(text) => match kind {
            ParamType::String if text.contains([',', '\n', FULL_WIDTH_COMMA, '、']) => return None,
            ParamType::Number | ParamType::Integer | ParamType::Boolean => text
                .split([',', FULL_WIDTH_COMMA, '、', '\n'])
                .map(|part| Value::String(part.trim().to_owned()))
                .collect(),
            ParamType::Array => return None,
            ParamType::String | ParamType::Object => vec![value.clone()],
        },
        Value::Object(wrapper) if kind != ParamType::Object => match wrapper.values().next() {
            Some(Value::Array(list)) if wrapper.len() == 1 => list.clone(),
            Some(only @ (Value::String(_) | Value::Number(_) | Value::Bool(_))) if wrapper.len() == 1 => {
                vec![only.clone()]
            }
            _ => return None,
        },
        Value::Null => return None,
        single => vec![single.clone()],
    };
    Some(Cow::Owned(list))
}

fn as_object(value: &Value) -> Option<Cow<'_, Map<String, Value>>> {
    match value {
        Value::Object(object) => Some(Cow::Borrowed(object)),
        Value::String(text) if text.trim_start().starts_with('{') => serde_json::from_str(text).ok().map(Cow::Owned),
        _ => None,
    }
}

/// What a parameter wants, as a noun phrase.
fn wanted(param: &Param) -> String {
    if !param.choices.is_empty() {
        let choices: Vec<String> = param.choices.iter().map(|choice| as_text(choice).unwrap_or_default()).collect();
        return format!("one of {}", choices.join(", "));
    }
    match param.kind {
        ParamType::String => "text".into(),
        ParamType::Number => "a number".into(),
        ParamType::Integer => "a whole number".into(),
        ParamType::Boolean => "true or false".into(),
        ParamType::Array => match &param.items {
            Some(items) => format!("a JSON list, each element {}", wanted(items)),
            None => "a JSON list".into(),
        },
        ParamType::Object if param.properties.is_empty() => "a JSON object".into(),
        ParamType::Object => {
            let names: Vec<&str> = param.properties.iter().map(|property| property.name.as_str()).collect();
            format!("an object of {}", names.join(", "))
        }
    }
}

/// A wrong value as an error shows it.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => "null".into(),
        Value::String(text) => format!("the text \"{}\"", shorten(text)),
        Value::Array(_) => format!("the list {}", shorten(&value.to_string())),
        Value::Object(_) => format!("the object {}", shorten(&value.to_string())),
        other => other.to_string(),
    }
}

fn shorten(text: &str) -> String {
    match text.char_indices().nth(SHOWN_CHARACTERS) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
