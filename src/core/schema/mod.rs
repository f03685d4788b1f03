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
    /// Text.
    #[default]
    String,
    Number,
    /// A whole number.
    Integer,
    /// true or false.
    Boolean,
    /// A list of `items`.
    Array,
    /// An object of `properties`.
    Object,
}

/// One parameter.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Param {
    pub name: String,
    #[serde(rename = "type")]
    pub kind: ParamType,
    /// A few words for the model.
    #[serde(default)]
    pub description: String,
    /// Whether it must be given.
    #[serde(default)]
    pub required: bool,
    /// What it is when it is not given.
    #[serde(default)]
    pub default: Option<Value>,
    /// The only values allowed, where not empty.
    #[serde(default, rename = "enum")]
    pub choices: Vec<Value>,
    /// The type of the elements of an array.
    #[serde(default)]
    pub items: Option<Box<Param>>,
    /// The parameters inside an object.
    #[serde(default)]
    pub properties: Vec<Param>,
}

/// The parameters of a tool, in order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Schema {
    /// The parameters.
    pub params: Vec<Param>,
}
