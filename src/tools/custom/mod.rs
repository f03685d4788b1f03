//! Tools of the host's own: each is told of in a definition file and is of one of a few kinds. Knows nothing of files or
//! their form; who reads them hands over what stands in them.

mod check;
mod command;
mod defined_tool;
mod definition;
mod definition_fault;
mod events;
mod hook_check;
mod hook_definition;
mod hooks;
pub mod http;
pub mod mcp;
mod result_filter;
mod session_event;
mod sql;
mod templates;
mod translated_fields;

use kith_language::custom_tools;
use std::path::Path;
use std::sync::Arc;

use serde_json::{Map, Value};

pub use command::CommandTool;
pub(crate) use command::run_program;
pub use defined_tool::{DefinedTool, ToolImplementation};
pub use definition::{OrderedTable, ParameterDefinition, ResultFilter, ToolDefinition};
pub use definition_fault::{DefinitionContext, DefinitionFault};
pub use events::SessionEventTools;
pub use hook_definition::{HookDefinition, HookFailurePolicy, HookPoint};
pub use hooks::{Hooks, ReviewedText};
pub use http::HttpTool;
pub use mcp::McpDefinition;
pub use session_event::SessionEvent;
pub use sql::SqlTool;

use super::tool::ToolDescription;
use super::tool_news::redact_result;
use super::{NameConflict, Tool, ToolContext, ToolRegistry};
use kith_core::call::{ToolAnnotations, ToolExposure, ToolResult};

impl ToolImplementation {
    /// What is wrong with it, its places below the tool's table.
    fn find_problems(
        &self,
        tool: &DefinedTool,
        known: &DefinitionContext<'_>,
    ) -> Vec<DefinitionFault> {
        match self {
            Self::Command(command) => command.find_problems("command", known),
            Self::Http(http) => http.find_problems(&tool.definition.schema(), known.secrets),
            Self::Sql(sql) => {
                let parameters = tool.definition.parameters.0.iter();
                let names: Vec<&str> = parameters.map(|(name, _)| name.as_str()).collect();
                sql.find_problems(&names)
            }
            Self::Mcp(mcp) => mcp.find_problems(tool, known),
        }
    }

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
        let kind = self.definition.kind().filter(|kind| {
            self.definition.hook.is_none() && !matches!(kind, ToolImplementation::Mcp(_))
        })?;
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
            ..ToolDescription::default()
        };
        let both = Arc::new((self.clone(), kind));
        let mut tool = Tool::from_description(description, move |params, context: ToolContext| {
            let both = both.clone();
            async move {
                let (defined, kind) = &*both;
                let (redactor, language) = (context.redactor.clone(), context.language());
                let result = kind.run(defined, params.clone(), context).await;
                // Before a filter can make something else of a secret.
                let result = redact_result(result, &redactor, language);
                result_filter::shape_result(
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
