//! Tools of the host's own: each is told of in a definition file and is of one of a few kinds. Knows nothing of files or
//! their form; who reads them hands over what stands in them.

mod check;
mod command;
mod definition;
mod events;
pub mod http;
pub mod mcp;
mod shape;
mod sql;

use kith_language::custom_tools;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value};

pub use check::{DefinitionContext, DefinitionFault};
pub use command::CommandTool;
pub use definition::{OrderedTable, ParameterDefinition, ResultFilter, ToolDefinition};
pub use events::{SessionEvent, SessionEventTools};
pub use http::HttpTool;
pub use mcp::McpDefinition;
pub use sql::SqlTool;

use super::news::redact_result;
use super::tool::{DEFAULT_TIME_OUT, ToolDescription};
use super::{NameConflict, Tool, ToolContext, ToolOrigin, ToolRegistry};
use kith_core::call::{ToolAnnotations, ToolExposure, ToolResult};

/// A definition and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct DefinedTool {
    /// The tool's name.
    pub name: String,
    pub file: Arc<Path>,
    /// The line on which it begins.
    pub line: usize,
    /// The skill it belongs to, where it is on offer only while that is active.
    pub skill: Option<String>,
    /// What stands there.
    pub definition: ToolDefinition,
}

/// What runs when a tool is called.
#[derive(Clone, Debug, PartialEq)]
pub enum ToolImplementation {
    /// A program on this machine.
    Command(CommandTool),
    /// One request to a server.
    Http(HttpTool),
    /// A question to the store.
    Sql(SqlTool),
    /// A server that has tools of its own.
    Mcp(McpDefinition),
}

/// The names of the tables that say of which kind a tool is.
const KINDS: &str = "command, http, sql, mcp";

impl ToolDefinition {
    /// Of which kind it is; none where no table says so, or more than one.
    pub fn kind(&self) -> Option<ToolImplementation> {
        let mut kinds = self.kinds();
        if kinds.len() == 1 { kinds.pop() } else { None }
    }

    fn kinds(&self) -> Vec<ToolImplementation> {
        let Self {
            command,
            http,
            sql,
            mcp,
            ..
        } = self.clone();
        let kinds = [
            command.map(ToolImplementation::Command),
            http.map(ToolImplementation::Http),
            sql.map(ToolImplementation::Sql),
            mcp.map(ToolImplementation::Mcp),
        ];
        kinds.into_iter().flatten().collect()
    }
}

impl ToolImplementation {
    /// What people call it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Command(_) => "command",
            Self::Http(_) => "http",
            Self::Sql(_) => "sql",
            Self::Mcp(_) => "mcp",
        }
    }

    /// What is wrong with it, its places below the tool's table.
    fn find_problems(
        &self,
        tool: &DefinedTool,
        known: &DefinitionContext<'_>,
    ) -> Vec<DefinitionFault> {
        match self {
            Self::Command(command) => command.find_problems("command", known),
            Self::Http(http) => http.find_problems(&tool.definition.schema(), known.secrets),
            Self::Sql(sql) => sql.find_problems(tool),
            Self::Mcp(mcp) => mcp.find_problems(tool, known),
        }
    }

    /// Runs it with checked parameters.
    async fn run(
        &self,
        tool: &DefinedTool,
        params: Map<String, Value>,
        context: ToolContext,
    ) -> ToolResult {
        match self {
            Self::Command(command) => command.run(tool, params, context).await,
            Self::Http(http) => http.run(params, context).await,
            Self::Sql(sql) => sql.run(params, context).await,
            Self::Mcp(_) => context.build_error(custom_tools::server_no_tool(&tool.name)),
        }
    }
}

impl DefinedTool {
    /// The folder its file lies in: paths in it begin there.
    fn folder(&self) -> &Path {
        self.file
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
            .unwrap_or(Path::new("."))
    }

    /// Where it comes from.
    pub fn origin(&self) -> ToolOrigin {
        // Those that ship stand in no file of the host's.
        if self.file.as_os_str().is_empty() {
            ToolOrigin::BuiltIn
        } else {
            ToolOrigin::File(self.file.clone(), self.line)
        }
    }

    /// How long one run may take.
    pub fn time_out(&self) -> Duration {
        let set = self
            .definition
            .time_out_seconds
            .and_then(|seconds| Duration::try_from_secs_f32(seconds).ok());
        set.unwrap_or(DEFAULT_TIME_OUT)
    }

    /// The tool it defines; none where nothing says what runs, or where a server says what its tools are.
    pub fn build_tool(&self) -> Option<Tool> {
        let ToolDefinition {
            action,
            title,
            read_only,
            idempotent,
            optional,
            deferred,
            ..
        } = &self.definition;
        let kind = self
            .definition
            .kind()
            .filter(|kind| !matches!(kind, ToolImplementation::Mcp(_)))?;
        let description = ToolDescription {
            name: self.name.clone(),
            kind: *action,
            annotations: ToolAnnotations {
                title: title.clone(),
                read_only: *read_only,
                idempotent: *idempotent || *read_only,
            },
            offer: match &self.skill {
                Some(skill) => ToolExposure::Skill(skill.clone()),
                None if *deferred => ToolExposure::Found,
                None => ToolExposure::Always,
            },
            primary: self.definition.primary.clone(),
            parameters: self.definition.json_schema(),
            origin: self.origin(),
        };
        let both = Arc::new((self.clone(), kind));
        let mut tool = Tool::defined(description, move |params, context: ToolContext| {
            let both = both.clone();
            async move {
                let (defined, kind) = &*both;
                let (redactor, language) = (context.redactor.clone(), context.language());
                let result = kind.run(defined, params.clone(), context).await;
                // Before a filter can make something else of a secret.
                let result = redact_result(result, &redactor, language);
                shape::shape_result(
                    &defined.definition,
                    &defined.name,
                    &params,
                    result,
                    language,
                )
            }
        });
        if *optional {
            tool = tool.optional();
        }
        tool = tool
            .with_definition(&self.definition)
            .time_out(self.time_out());
        if let Some(characters) = self.definition.result_characters {
            tool = tool.result_characters(characters);
        }
        Some(tool)
    }
}

/// The tools that ship with Kith, those of these definitions and those that servers have; which of them are left out,
/// because their name is taken.
pub fn registry(defined: &[DefinedTool], served: Vec<Tool>) -> (ToolRegistry, Vec<NameConflict>) {
    let is_theirs = |one: &DefinedTool| defined.iter().any(|other| other.name == one.name);
    let shipped: Vec<Tool> = load_shipped_tools()
        .filter(|one| !is_theirs(one))
        .filter_map(|one| one.build_tool())
        .collect();
    ToolRegistry::with_tools(
        defined
            .iter()
            .filter_map(DefinedTool::build_tool)
            .chain(served)
            .chain(shipped),
    )
}

/// The definitions that ship. A channel has those that its settings name; who defines one of the name has their own.
fn load_shipped_tools() -> impl Iterator<Item = DefinedTool> {
    const WEATHER: &str = include_str!(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../prompts/tools/weather.toml"
    ));
    let all = [WEATHER].into_iter().flat_map(|text| {
        toml::from_str::<OrderedTable<ToolDefinition>>(text)
            .unwrap_or_default()
            .0
    });
    all.map(|(name, definition)| DefinedTool {
        name,
        file: Path::new("").into(),
        line: 0,
        skill: None,
        definition: ToolDefinition {
            optional: true,
            ..definition
        },
    })
}
