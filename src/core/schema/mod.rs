//! The parameter vocabulary of tools: string, number, integer, boolean, array, object; description, required,
//! default, enum, items, properties. Checking coerces text where another type is declared, and never fails silently.

mod check;
mod json;

pub use check::{CheckStyle, CheckedParams, parse_yes_or_no, says_nothing};
pub use json::read_description;

use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ParamType {
    #[default]
    String,
    Number,
    Integer,
    Boolean,
    Array,
    Object,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Param {
    pub name: String,
    #[serde(rename = "type")]
    pub kind: ParamType,
    /// A few words for the model.
    #[serde(default)]
    pub description: String,
    #[serde(default)]
    pub required: bool,
    #[serde(default)]
    pub default: Option<Value>,
    /// The only values allowed, where not empty.
    #[serde(default, rename = "enum")]
    pub choices: Vec<Value>,
    #[serde(default)]
    pub items: Option<Box<Param>>,
    #[serde(default)]
    pub properties: Vec<Param>,
}

/// The parameters of a tool, in order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Schema {
    pub params: Vec<Param>,
}
