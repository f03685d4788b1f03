//! A tool of a definition file, and which of the kinds of tools it is.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use super::command::CommandTool;
use super::definition::ToolDefinition;
use super::http::HttpTool;
use super::mcp::McpDefinition;
use super::sql::SqlTool;
use crate::ToolOrigin;
use crate::tool_limits::DEFAULT_TIME_OUT;

#[derive(Clone, Debug, PartialEq)]
pub struct DefinedTool {
    pub name: String,
    pub file: Arc<Path>,
    pub line: usize,
    /// The skill it belongs to, where it is on offer only while that is active.
    pub skill: Option<String>,
    pub definition: ToolDefinition,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ToolImplementation {
    Command(CommandTool),
    Http(HttpTool),
    Sql(SqlTool),
    Mcp(McpDefinition),
}

/// The names of the tables that say of which kind a tool is.
pub(super) const KINDS: &str = "command, http, sql, mcp";

impl ToolDefinition {
    /// Of which kind it is; none where no table says so, or more than one.
    pub fn kind(&self) -> Option<ToolImplementation> {
        let mut kinds = self.kinds();
        if kinds.len() == 1 { kinds.pop() } else { None }
    }

    pub(super) fn kinds(&self) -> Vec<ToolImplementation> {
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
    pub fn name(&self) -> &'static str {
        match self {
            Self::Command(_) => "command",
            Self::Http(_) => "http",
            Self::Sql(_) => "sql",
            Self::Mcp(_) => "mcp",
        }
    }
}

impl DefinedTool {
    /// The folder its file lies in: paths in it begin there.
    pub(super) fn folder(&self) -> &Path {
        self.file
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty())
            .unwrap_or(Path::new("."))
    }

    pub fn origin(&self) -> ToolOrigin {
        // Those that ship stand in no file of the host's.
        if self.file.as_os_str().is_empty() {
            ToolOrigin::BuiltIn
        } else {
            ToolOrigin::File(self.file.clone(), self.line)
        }
    }

    pub fn time_out(&self) -> Duration {
        let set = self
            .definition
            .time_out_seconds
            .and_then(|seconds| Duration::try_from_secs_f32(seconds).ok());
        set.unwrap_or(DEFAULT_TIME_OUT)
    }
}
