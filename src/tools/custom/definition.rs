//! What stands in a definition file, word for word: the vocabulary in which a tool of the host's own is told.

use std::fmt;
use std::marker::PhantomData;

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::{Map, Value, json};

use super::command::CommandTool;
use super::hook_definition::{GIVEN_PARAMETERS, HookDefinition};
use super::http::HttpTool;
use super::mcp::McpDefinition;
use super::sql::SqlTool;
use super::translated_fields::TranslationReader;
use kith_core::call::ToolKind;
use kith_core::persona::Language;
use kith_core::schema::{ParamType, Schema};
use kith_language::TranslatedText;

/// The field for the model; `description_zh` and the like translate it.
pub(super) const DESCRIPTION: &str = "description";

/// A table whose entries keep their order: models read parameters in the order they are shown.
#[derive(Clone, Debug, PartialEq)]
pub struct OrderedTable<T>(pub Vec<(String, T)>);

impl<T> Default for OrderedTable<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

/// `[NAME]`: one tool. Exactly one of the tables named after a kind says what runs.
#[derive(Clone, Debug, Default, PartialEq, serde::Deserialize)]
#[serde(default, deny_unknown_fields, remote = "Self")]
pub struct ToolDefinition {
    /// What it does, in a line for the model.
    pub description: TranslatedText,
    /// What people are shown instead of its name.
    pub title: String,
    pub action: ToolKind,
    /// The parameter that the text of an XML element fills.
    pub primary: Option<String>,
    /// It changes nothing.
    pub read_only: bool,
    /// Doing it twice is doing it once.
    pub idempotent: bool,
    /// A channel has it only where its settings name it.
    pub optional: bool,
    /// It has to be found with `find_tools` first.
    pub deferred: bool,
    /// None for what all tools may.
    pub time_out_seconds: Option<f32>,
    /// None for what all tools may.
    pub result_characters: Option<usize>,
    pub parameters: OrderedTable<ParameterDefinition>,
    /// A template of what people are shown of a call and its result.
    pub render: Option<String>,
    /// What becomes of each result before anybody sees it.
    pub filter: Option<ResultFilter>,
    /// It is no tool but looks at what is said and at what tools answer.
    pub hook: Option<HookDefinition>,
    pub command: Option<CommandTool>,
    pub http: Option<HttpTool>,
    pub sql: Option<SqlTool>,
    pub mcp: Option<McpDefinition>,
}

#[derive(Clone, Debug, Default, PartialEq, serde::Deserialize)]
#[serde(default, deny_unknown_fields, remote = "Self")]
pub struct ParameterDefinition {
    #[serde(rename = "type")]
    pub kind: ParamType,
    pub description: TranslatedText,
    pub required: bool,
    pub default: Option<Value>,
    #[serde(rename = "enum")]
    pub choices: Vec<Value>,
    pub items: Option<Box<ParameterDefinition>>,
    pub properties: OrderedTable<ParameterDefinition>,
}

/// `[NAME.filter]`: what becomes of a result. Each sees `arguments`, `content`, `details` and `is_error`.
#[derive(Clone, Debug, Default, PartialEq, serde::Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ResultFilter {
    /// A template of what the model reads.
    pub content: Option<String>,
    /// An expression for what people may look up.
    pub details: Option<String>,
    /// An expression for whether it failed.
    pub is_error: Option<String>,
    pub end_turn: Option<String>,
}

impl ToolDefinition {
    pub(super) fn schema(&self) -> Schema {
        Schema::from_json_schema(&self.json_schema(), Language::default())
    }

    /// The JSON Schema of the parameters, with the tool's own descriptions.
    pub fn json_schema(&self) -> Value {
        let mut schema = match &self.hook {
            Some(_) => build_object_schema(&build_hook_parameters()),
            None => build_object_schema(&self.parameters),
        };
        add_descriptions(&mut schema, &self.description);
        schema.into()
    }
}

/// The parameters of a hook: no model gives them, so no definition names them.
fn build_hook_parameters() -> OrderedTable<ParameterDefinition> {
    let parameter = |(name, kind): &(&str, ParamType)| {
        let parameter = ParameterDefinition {
            kind: *kind,
            ..ParameterDefinition::default()
        };
        ((*name).to_owned(), parameter)
    };
    OrderedTable(GIVEN_PARAMETERS.iter().map(parameter).collect())
}

fn build_object_schema(parameters: &OrderedTable<ParameterDefinition>) -> Map<String, Value> {
    let properties: Map<String, Value> = parameters
        .0
        .iter()
        .map(|(name, parameter)| (name.clone(), parameter.json_schema()))
        .collect();
    let required: Vec<&String> = parameters
        .0
        .iter()
        .filter(|(_, parameter)| parameter.required)
        .map(|(name, _)| name)
        .collect();
    Map::from_iter([
        ("type".to_owned(), json!("object")),
        ("properties".to_owned(), properties.into()),
        ("required".to_owned(), json!(required)),
    ])
}

impl ParameterDefinition {
    fn json_schema(&self) -> Value {
        let mut schema = match self.kind {
            ParamType::Object => build_object_schema(&self.properties),
            kind => Map::from_iter([("type".to_owned(), json!(kind))]),
        };
        add_descriptions(&mut schema, &self.description);
        if let Some(default) = &self.default {
            schema.insert("default".to_owned(), default.clone());
        }
        if !self.choices.is_empty() {
            schema.insert("enum".to_owned(), self.choices.clone().into());
        }
        if let Some(items) = &self.items {
            schema.insert("items".to_owned(), items.json_schema());
        }
        schema.into()
    }
}

fn add_descriptions(schema: &mut Map<String, Value>, description: &TranslatedText) {
    for (key, text) in description.fields(DESCRIPTION) {
        if !text.trim().is_empty() {
            schema.insert(key, text.into());
        }
    }
}

impl<'de> Deserialize<'de> for ToolDefinition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut translations = TranslatedText::default();
        let reader = TranslationReader::new(deserializer, DESCRIPTION, &mut translations);
        let mut definition = Self::deserialize(reader)?;
        definition.description.add_all(translations);
        Ok(definition)
    }
}

impl<'de> Deserialize<'de> for ParameterDefinition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut translations = TranslatedText::default();
        let reader = TranslationReader::new(deserializer, DESCRIPTION, &mut translations);
        let mut definition = Self::deserialize(reader)?;
        definition.description.add_all(translations);
        Ok(definition)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for OrderedTable<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Entries<T> {
            type Value = OrderedTable<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a map")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(OrderedTable(entries))
            }
        }

        deserializer.deserialize_map(Entries(PhantomData))
    }
}
