//! One tool: what the model is told of it, what runs when it is called, and its limits (`tool_limits.rs` where it names
//! none).

use kith_language::{LocalizedMessage, tools};
use std::fmt;
use std::future::Future;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use schemars::transform::RecursiveTransform;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

use super::tool_limits::{DEFAULT_RESULT_CHARACTERS, DEFAULT_TIME_OUT};
use super::{ToolContext, tool_rendering};
use kith_core::call::{ToolAnnotations, ToolExposure, ToolKind, ToolResult, ToolSpec};
use kith_core::context::TokenEstimator;
use kith_core::persona::Language;
use kith_core::policy::OutputProtocol;
use kith_core::schema::{self, Schema};

const FINGERPRINT_BYTES: usize = 16;

/// The code behind a tool: checked parameters in, a result out.
pub(super) type ToolCode =
    Box<dyn Fn(Map<String, Value>, ToolContext) -> BoxFuture<'static, ToolResult> + Send + Sync>;

/// What a call leaves to the moment is written into its parameters, before a person is asked about it. An error is a
/// sentence for the model.
pub(super) type ParameterSettler =
    fn(&mut Map<String, Value>, &ToolContext) -> Result<(), LocalizedMessage>;

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum ToolOrigin {
    #[default]
    BuiltIn,
    /// A definition file, and the line it begins on.
    File(Arc<Path>, usize),
    Server(String),
}

impl fmt::Display for ToolOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::BuiltIn => f.write_str("the tools that ship with kith"),
            Self::File(path, line) => write!(f, "{}:{line}", path.display()),
            Self::Server(name) => write!(f, "the MCP server {name}"),
        }
    }
}

/// A tool as data tells of it, for those that are not built in.
#[derive(Clone, Debug, Default)]
pub struct ToolDescription {
    /// snake_case, unique.
    pub name: String,
    pub kind: ToolKind,
    pub annotations: ToolAnnotations,
    pub offer: ToolExposure,
    /// The parameter that the text of an XML element fills.
    pub primary: Option<String>,
    /// The JSON Schema of the parameters. Where the tool has no text of a catalog, its `description` and translations such as
    /// `description_zh` say what the model is told.
    pub parameters: Value,
    pub origin: ToolOrigin,
    /// What its server says of all of its tools, as one safe line.
    pub server_note: String,
}

pub struct Tool {
    description: ToolDescription,
    /// What the model is told of it, where that stands in a catalog.
    text: Option<LocalizedMessage>,
    /// The same of its parameters, by name.
    parameter_texts: Vec<(&'static str, LocalizedMessage)>,
    pub(super) tokens: u32,
    /// Whether a channel has it only where its settings name it.
    pub(super) optional: bool,
    pub(super) time_out: Duration,
    pub(super) result_characters: usize,
    /// None where the core's turn machine carries the action out itself.
    pub(super) run: Option<ToolCode>,
    /// A fingerprint of what it is made of; empty where it ships with Kith.
    pub(super) definition: String,
    pub(super) spoken_parameters: &'static [&'static str],
    /// None where its parameters leave nothing to the moment.
    pub(super) settle: Option<ParameterSettler>,
}

impl Tool {
    /// A tool that runs here. The parameters are a struct, the text is what the model is told of it.
    pub fn new<P, F>(
        name: &'static str,
        kind: ToolKind,
        text: LocalizedMessage,
        run: fn(P, ToolContext) -> F,
    ) -> Self
    where
        P: JsonSchema + DeserializeOwned + 'static,
        F: Future<Output = ToolResult> + Send + 'static,
    {
        let run =
            move |params: Map<String, Value>, context: ToolContext| match serde_json::from_value(
                params.into(),
            ) {
                Ok(params) => run(params, context).boxed(),
                Err(error) => {
                    let why = tools::parameters_unfit(error.to_string());
                    std::future::ready(context.build_error(why)).boxed()
                }
            };
        Self {
            run: Some(Box::new(run)),
            ..Self::new_core_action::<P>(name, kind, text)
        }
    }

    /// An action the turn machine carries out itself: only its face is kept here.
    pub fn new_core_action<P: JsonSchema>(
        name: &'static str,
        kind: ToolKind,
        text: LocalizedMessage,
    ) -> Self {
        let description = ToolDescription {
            name: name.to_owned(),
            kind,
            parameters: derive_schema::<P>(),
            ..ToolDescription::default()
        };
        Self::new_without_code(description, Some(text))
    }

    /// A tool that comes as data, with what runs when it is called.
    pub fn from_description<F>(
        description: ToolDescription,
        run: impl Fn(Map<String, Value>, ToolContext) -> F + Send + Sync + 'static,
    ) -> Self
    where
        F: Future<Output = ToolResult> + Send + 'static,
    {
        let run =
            move |params: Map<String, Value>, context: ToolContext| run(params, context).boxed();
        Self {
            run: Some(Box::new(run)),
            ..Self::new_without_code(description, None)
        }
    }

    fn new_without_code(description: ToolDescription, text: Option<LocalizedMessage>) -> Self {
        let mut tool = Self {
            description,
            text,
            parameter_texts: Vec::new(),
            tokens: 0,
            optional: false,
            time_out: DEFAULT_TIME_OUT,
            result_characters: DEFAULT_RESULT_CHARACTERS,
            run: None,
            definition: String::new(),
            spoken_parameters: &[],
            settle: None,
        };
        tool.tokens = tool.estimate_tokens();
        tool
    }

    fn estimate_tokens(&self) -> u32 {
        TokenEstimator::default().estimate_tokens(&tool_rendering::render_tool(
            &self.spec(Language::default()),
            OutputProtocol::Json,
            Language::default(),
        ))
    }

    /// Says what the model is told of a parameter whose name does not say enough.
    pub fn describe_parameter(mut self, parameter: &'static str, text: LocalizedMessage) -> Self {
        self.parameter_texts.push((parameter, text));
        self.tokens = self.estimate_tokens();
        self
    }

    pub fn primary(mut self, parameter: &str) -> Self {
        self.description.primary = Some(parameter.to_owned());
        self
    }

    /// A channel has it only where its settings name it, so that it costs nobody else a token.
    pub fn optional(mut self) -> Self {
        self.optional = true;
        self
    }

    /// It changes nothing, so it may run beside others, and doing it twice is doing it once.
    pub fn read_only(mut self) -> Self {
        self.description.annotations.read_only = true;
        self.idempotent()
    }

    /// Doing it twice is doing it once.
    pub fn idempotent(mut self) -> Self {
        self.description.annotations.idempotent = true;
        self
    }

    /// Names the parameters that are said as they are: hooks look at them as at messages.
    pub fn spoken_parameters(mut self, parameters: &'static [&'static str]) -> Self {
        self.spoken_parameters = parameters;
        self
    }

    pub fn time_out(mut self, time_out: Duration) -> Self {
        self.time_out = time_out;
        self
    }

    pub fn result_characters(mut self, characters: usize) -> Self {
        self.result_characters = characters;
        self
    }

    /// Says what it is made of: a call that a person approved runs by no other definition.
    pub fn with_definition(mut self, definition: &impl fmt::Debug) -> Self {
        let digest = Sha256::digest(format!("{definition:?} {}", self.description.parameters));
        self.definition = digest
            .iter()
            .take(FINGERPRINT_BYTES)
            .map(|byte| format!("{byte:02x}"))
            .collect();
        self
    }

    /// Says how what a call leaves to the moment is settled before a person is asked about it: they approve what runs.
    pub fn with_settler(mut self, settle: ParameterSettler) -> Self {
        self.settle = Some(settle);
        self
    }

    pub fn name(&self) -> &str {
        &self.description.name
    }

    pub fn origin(&self) -> &ToolOrigin {
        &self.description.origin
    }

    /// What the core, the protocols and the prompt need to know of it.
    pub fn spec(&self, language: Language) -> ToolSpec {
        let ToolDescription {
            name,
            kind,
            annotations,
            offer,
            primary,
            parameters,
            server_note,
            ..
        } = &self.description;
        let description = match &self.text {
            Some(text) => text.in_language(language),
            None => schema::read_description(parameters, language),
        };
        let mut schema = Schema::from_json_schema(parameters, language);
        for param in &mut schema.params {
            let mut texts = self.parameter_texts.iter();
            if let Some((_, text)) = texts.find(|(name, _)| *name == param.name) {
                param.description = text.in_language(language);
            }
        }
        ToolSpec {
            name: name.clone(),
            kind: *kind,
            annotations: annotations.clone(),
            offer: offer.clone(),
            description,
            schema,
            primary: primary.clone(),
            server_note: server_note.clone(),
        }
    }
}

/// The JSON Schema of a parameter struct, without its doc comments: those are for who reads the code.
fn derive_schema<P: JsonSchema>() -> Value {
    let without_comment = RecursiveTransform(|schema: &mut schemars::Schema| {
        schema.remove("description");
    });
    let settings = SchemaSettings::default().with_transform(without_comment);
    let schema = settings.into_generator().into_root_schema_for::<P>();
    schema.to_value()
}
