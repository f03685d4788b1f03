//! Tools of the kind `mcp`: a server of the Model Context Protocol, a program on this machine or an address, which says
//! by itself what tools it has. One table of a definition file is one server and gives many tools.
//!
//! Servers are kept in the background: a slow or dead one never holds up a start or a turn. What goes wrong with one is a
//! result of the call that needed it, and a line in the log.

mod check;
mod child;
mod connection;
mod headers;
mod result;
mod server;
mod servers;
mod tool_list;

use std::collections::BTreeMap;

use serde::Deserialize;

use super::command::CommandTool;
use crate::ToolSecrets;

pub use server::{McpServer, McpServerStatus, McpTimeouts};
pub use servers::McpServers;

/// `[NAME.mcp]`: either a program or an address.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct McpDefinition {
    /// The program and its arguments, as for a command.
    pub argv: Vec<String>,
    pub env: Vec<String>,
    /// Further variables, each with the name of a secret in the settings.
    pub secrets: BTreeMap<String, String>,
    /// Where it is, for one that is reached by HTTP.
    pub url: Option<String>,
    /// What is sent along there; `{{ secret.NAME }}` stands for a secret of the settings.
    pub headers: BTreeMap<String, String>,
    /// The only tools that are taken, by the names the server gives them; all where this is empty.
    pub tools: Vec<String>,
    /// The variables that `env` names, as they are; filled in by who reads the environment.
    #[serde(skip)]
    pub inherited: BTreeMap<String, String>,
}

impl McpDefinition {
    pub fn inherit(&mut self, environment: &BTreeMap<String, String>) {
        let mut program = self.program();
        program.inherit(environment);
        self.inherited = program.inherited;
    }

    fn program(&self) -> CommandTool {
        let Self {
            argv,
            env,
            secrets,
            inherited,
            ..
        } = self.clone();
        CommandTool {
            argv,
            env,
            secrets,
            inherited,
            ..CommandTool::default()
        }
    }

    /// The secrets it is given, to be taken out of what it says.
    fn select_secrets(&self, secrets: &ToolSecrets) -> ToolSecrets {
        let named = headers::list_secrets(&self.headers);
        let is_given = |name: &String| {
            named.contains(name) || self.secrets.values().any(|secret| secret == name)
        };
        secrets
            .iter()
            .filter(|(name, _)| is_given(name))
            .map(|(name, secret)| (name.clone(), secret.clone()))
            .collect()
    }
}
