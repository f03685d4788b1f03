//! One value of a call, read by the type its tool declares: digits out of "line 12", a list out of lines,
//! and nothing at all out of the words for nothing. What cannot be read stays, for the schema to name it.

use serde_json::Value;

use super::json::parse_list;
use super::json_key::take_field;
use super::names;
use crate::schema::{Param, ParamType, parse_yes_or_no, says_nothing};

/// The longest text that may be a number with words around it, in bytes.
const LONGEST_NUMBER: usize = 48;

/// The value as its parameter wants it; none where it says that there is none.
pub(super) fn coerce_value(value: Value, param: &Param, is_primary: bool) -> Option<Value> {
    let optional = !param.required && !is_primary;
    if optional && is_nothing(&value) {
        return None;
    }
    let value = unwrap_value(value, param.kind);
    match param.kind {
        ParamType::Integer | ParamType::Number => coerce_number(value, param, optional),
        ParamType::Boolean => Some(coerce_boolean(value)),
        ParamType::Array => Some(coerce_list(value, param.items.as_deref())),
        ParamType::String | ParamType::Object => Some(value),
    }
}

/// What stands for nothing where something may be left out.
fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => says_nothing(&text.trim().to_lowercase()),
        _ => false,
    }
}

/// A value that stands below its type, `{"type": "string", "value": …}`, or in an object or list of its own.
fn unwrap_value(value: Value, kind: ParamType) -> Value {
    match value {
        Value::Object(mut fields) if kind != ParamType::Object => {
            let is_alone = fields.len() == 1;
            let held = take_field(&mut fields, |key, value| {
                is_alone
                    || names::fold_name(key).ends_with("value")
                    || key == "text"
                    || is_number(kind) && value.is_number()
            });
            match held {
                Some((_, inner)) if kind == ParamType::Array && !inner.is_array() => {
                    Value::Array(vec![inner])
                }
                Some((_, inner)) => inner,
                None => Value::Object(fields),
            }
        }
        Value::Array(mut items)
            if items.len() == 1 && !matches!(kind, ParamType::Array | ParamType::Object) =>
        {
            unwrap_value(items.pop().unwrap_or_default(), kind)
        }
        other => other,
    }
}

fn is_number(kind: ParamType) -> bool {
    matches!(kind, ParamType::Integer | ParamType::Number)
}

/// A number as it is, or the only one among other words. The numbers of lines begin with 1: below that, none is meant.
fn coerce_number(value: Value, param: &Param, optional: bool) -> Option<Value> {
    let names_none = |number: f64| {
        number < 1.0
            && optional
            && param.kind == ParamType::Integer
            && names::is_line_param_name(&param.name)
    };
    let read = match &value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    if let Some(number) = read {
        let is_odd = param.kind == ParamType::Integer
            && number.fract() == 0.0
            && value.as_str().is_some_and(|text| text.contains('.'));
        return (!names_none(number)).then(|| {
            if is_odd {
                (number as i64).into()
            } else {
                value
            }
        });
    }
    // Of anything but a line the schema decides: "2 hours" are not 2 minutes, and an order with an amount nobody can read
    // is none.
    let is_line = names::is_line_param_name(&param.name);
    match value
        .as_str()
        .filter(|_| is_line)
        .and_then(find_only_number)
    {
        Some(found) => (!names_none(found as f64)).then(|| found.into()),
        None => (!optional || !is_line).then_some(value),
    }
}

/// The only run of digits in a text, or the one before the `>` of a line that answers another.
fn find_only_number(text: &str) -> Option<u32> {
    let text = text
        .split('>')
        .next()
        .filter(|_| text.len() <= LONGEST_NUMBER)?;
    let runs = text.split(|c: char| c.to_digit(10).is_none());
    names::take_only(runs.filter(|run| !run.is_empty()))?
        .parse()
        .ok()
}

fn coerce_boolean(value: Value) -> Value {
    let word = match &value {
        Value::String(text) => text.trim().to_lowercase(),
        Value::Number(number) => number.to_string(),
        _ => return value,
    };
    parse_yes_or_no(&word).map_or(value, Value::Bool)
}

/// A list, of the words where one of texts is wanted: a text is taken apart at what separates most clearly.
fn coerce_list(value: Value, items: Option<&Param>) -> Value {
    let wants_text = items.is_none_or(|items| items.kind == ParamType::String);
    match value {
        Value::Array(list) if wants_text => list
            .into_iter()
            .map(|item| unwrap_value(item, ParamType::String))
            .collect(),
        Value::Object(fields)
            if !fields.is_empty() && fields.keys().all(|key| key.parse::<usize>().is_ok()) =>
        {
            fields.into_iter().map(|(_, item)| item).collect()
        }
        Value::String(text) if text.trim_start().starts_with('[') => {
            parse_list(text.trim()).unwrap_or(Value::String(text))
        }
        Value::String(text) if wants_text => {
            // A comma may stand inside of one thing, as in "Paris, France": the schema asks for a list then.
            let separators: [&[char]; 4] = [&['\n'], &['|'], &[';', '；'], &['、']];
            match separators
                .iter()
                .find(|signs| text.trim().contains(**signs))
            {
                Some(signs) => text
                    .trim()
                    .split(*signs)
                    .map(strip_list_mark)
                    .filter(|part| !part.is_empty())
                    .collect(),
                None => Value::String(text),
            }
        }
        other => other,
    }
}

/// An element without the mark or the number of a list before it.
fn strip_list_mark(part: &str) -> &str {
    let part = part.trim();
    let digits = part.trim_start_matches(|c: char| c.is_ascii_digit());
    let mark = ["- ", "* ", "• "]
        .iter()
        .find_map(|mark| part.strip_prefix(mark));
    let number = [". ", ") ", "、"]
        .iter()
        .find_map(|mark| digits.strip_prefix(mark))
        .filter(|_| digits.len() < part.len());
    mark.or(number).unwrap_or(part).trim()
}
