//! Values written without quotes: numbers and literals, of JSON and of other languages, and text that lost its quotes.

use serde_json::Value;

use super::repair::{Repair, Repairs};

/// The value a bare word stands for: JSON's own, another language's, else text.
pub(super) fn parse_literal(word: &str, repairs: &mut Repairs) -> Value {
    if let Ok(value) = serde_json::from_str::<Value>(word) {
        return value;
    }
    let uncommented = word
        .split(" //")
        .next()
        .and_then(|word| word.split(" #").next())
        .unwrap_or(word)
        .trim();
    let foreign = match uncommented {
        "True" | "TRUE" => Some(Value::Bool(true)),
        "False" | "FALSE" => Some(Value::Bool(false)),
        "None" | "NULL" | "Null" | "nil" | "undefined" | "NaN" => Some(Value::Null),
        _ => None,
    };
    if let Some(value) = foreign {
        repairs.add(Repair::ForeignLiteral);
        return value;
    }
    match serde_json::from_str::<Value>(uncommented) {
        Ok(value) => {
            repairs.add(Repair::Comment);
            value
        }
        Err(_) => {
            repairs.add(Repair::JsonQuotes);
            Value::String(word.to_owned())
        }
    }
}
