//! One tool: what the model is told of it, what runs when it is called, and its limits.

use std::future::Future;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use schemars::{JsonSchema, schema_for};
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use super::ToolContext;
use crate::core::call::{CallResult, ToolKind, ToolSpec};
use crate::core::persona::Language;
use crate::core::schema::{self, Schema};

/// How long a tool may take.
pub const DEFAULT_TIME_OUT: Duration = Duration::from_secs(10);
/// The most characters of a result that the model is shown.
pub const DEFAULT_RESULT_CHARACTERS: usize = 4_000;

/// The code behind a tool: checked parameters in, a result out.
pub(super) type Run = Box<dyn Fn(Map<String, Value>, ToolContext) -> BoxFuture<'static, CallResult> + Send + Sync>;

/// A tool, a quiet action or a visible action.
pub struct Tool {
    name: &'static str,
    kind: ToolKind,
    primary: Option<&'static str>,
    /// Whether a channel has it only where its settings name it.
    pub(super) optional: bool,
    /// The JSON Schema of the parameters; its description is the tool's own.
    parameters: Value,
    /// How long one run may take.
    pub(super) time_out: Duration,
    /// The most characters of its result that the model is shown.
    pub(super) result_characters: usize,
    /// None where the core's turn machine carries the action out itself.
    pub(super) run: Option<Run>,
}

impl Tool {
    /// A tool that runs here. The parameters are a struct: its doc comment describes the tool to the model, those of
    /// its fields the parameters; `#[schemars(extend("description_zh" = "…"))]` says the same in Chinese.
    pub fn new<P, F>(name: &'static str, kind: ToolKind, run: fn(P, ToolContext) -> F) -> Self
    where
        P: JsonSchema + DeserializeOwned + 'static,
        F: Future<Output = CallResult> + Send + 'static,
    {
        let run = move |params: Map<String, Value>, context: ToolContext| match serde_json::from_value(params.into()) {
            Ok(params) => run(params, context).boxed(),
            Err(error) => std::future::ready(CallResult::error(error.to_string())).boxed(),
        };
        Self { run: Some(Box::new(run)), ..Self::of_core::<P>(name, kind) }
    }

    /// An action the turn machine carries out itself: only its face is kept here.
    pub fn of_core<P: JsonSchema>(name: &'static str, kind: ToolKind) -> Self {
        Self {
            name,
            kind,
            primary: None,
            optional: false,
            parameters: schema_for!(P).to_value(),
            time_out: DEFAULT_TIME_OUT,
            result_characters: DEFAULT_RESULT_CHARACTERS,
            run: None,
        }
    }

    /// Names the parameter that the text of an XML element fills.
    pub fn primary(mut self, parameter: &'static str) -> Self {
        self.primary = Some(parameter);
        self
    }

    /// A channel has it only where its settings name it, so that it costs nobody else a token.
    pub fn optional(mut self) -> Self {
        self.optional = true;
        self
    }

    /// Sets how long one run may take.
    pub fn time_out(mut self, time_out: Duration) -> Self {
        self.time_out = time_out;
        self
    }

    /// What the core, the protocols and the prompt need to know of it.
    pub fn spec(&self, language: Language) -> ToolSpec {
        ToolSpec {
            name: self.name.to_owned(),
            kind: self.kind,
            description: schema::description(&self.parameters, language),
            schema: Schema::from_json_schema(&self.parameters, language),
            primary: self.primary.map(str::to_owned),
        }
    }
}
