//! Tools of the kind `mcp`: a server of the Model Context Protocol, a program on this machine or an address, which says
//! by itself what tools it has. One table of a definition file is one server and gives many tools.
//!
//! Servers are kept in the background: a slow or dead one never holds up a start or a turn. What goes wrong with one is a
//! result of the call that needed it, and a line in the log.

mod child;
mod connection;
mod headers;
mod result;
mod server;
mod servers;
mod tool_list;

use std::collections::BTreeMap;

use reqwest::Url;
use serde::Deserialize;

use super::{CommandTool, DefinedTool, DefinitionContext, DefinitionFault, ToolDefinition};
use crate::ToolSecrets;
use kith_core::call::ToolKind;

pub use server::{McpServer, McpServerStatus, McpTimeouts};
pub use servers::McpServers;

/// `[NAME.mcp]`: either a program or an address.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct McpDefinition {
    /// The program and its arguments, as for a command.
    pub argv: Vec<String>,
    /// The variables of Kith's environment that the program sees.
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
    /// Takes the variables it may see from an environment.
    pub fn inherit(&mut self, environment: &BTreeMap<String, String>) {
        let mut program = self.program();
        program.inherit(environment);
        self.inherited = program.inherited;
    }

    /// The program it is.
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

    /// What is wrong with it.
    pub(super) fn find_problems(
        &self,
        tool: &DefinedTool,
        known: &DefinitionContext<'_>,
    ) -> Vec<DefinitionFault> {
        let mut wrong = Vec::new();
        match (&self.url, self.argv.first()) {
            (None, None) => {
                let cure = "write argv = [\"program\", \"argument\"], or url = \"https://…\"";
                wrong.push(DefinitionFault::new(
                    "mcp",
                    "nothing says where the server is",
                    cure,
                ));
            }
            (Some(_), Some(_)) => {
                wrong.push(DefinitionFault::new(
                    "mcp.url",
                    "a server is a program or an address, not both",
                    "remove one of them",
                ));
            }
            (Some(url), None) => self.check_address(url, known, &mut wrong),
            (None, Some(_)) => {
                wrong.extend(self.program().find_problems("mcp", known));
                if !self.headers.is_empty() {
                    wrong.push(DefinitionFault::new(
                        "mcp.headers",
                        "a program gets no headers",
                        "use `env` or `secrets`",
                    ));
                }
            }
        }
        let ToolDefinition {
            description,
            description_zh,
            title,
            read_only,
            idempotent,
            ..
        } = &tool.definition;
        let ToolDefinition {
            action,
            primary,
            parameters,
            render,
            filter,
            ..
        } = &tool.definition;
        let forbidden_fields = [
            (
                "description",
                !description.is_empty() || !description_zh.is_empty(),
            ),
            ("title", !title.is_empty()),
            ("read_only", *read_only),
            ("idempotent", *idempotent),
            ("action", *action != ToolKind::Tool),
            ("primary", primary.is_some()),
            ("parameters", !parameters.0.is_empty()),
            ("render", render.is_some()),
            ("filter", filter.is_some()),
        ];
        for (at, _) in forbidden_fields.into_iter().filter(|(_, is_told)| *is_told) {
            wrong.push(DefinitionFault::new(
                at,
                format!("`{at}` is what a server tells of each of its tools"),
                "remove it",
            ));
        }
        wrong
    }

    fn check_address(
        &self,
        url: &str,
        known: &DefinitionContext<'_>,
        wrong: &mut Vec<DefinitionFault>,
    ) {
        match Url::parse(url) {
            Ok(url) if matches!(url.scheme(), "http" | "https") && url.has_host() => {
                let is_here = url
                    .host_str()
                    .is_some_and(|host| matches!(host, "localhost" | "127.0.0.1" | "[::1]"));
                if url.scheme() == "http" && !is_here && headers::has_secret(&self.headers) {
                    let message = "a secret would travel readable for everybody on the way";
                    wrong.push(DefinitionFault::new("mcp.url", message, "write https://"));
                }
            }
            _ => wrong.push(DefinitionFault::new(
                "mcp.url",
                format!("`{url}` is no address"),
                "write https://…",
            )),
        }
        wrong.extend(headers::find_problems(&self.headers, known.secrets));
        for (at, has) in [
            ("mcp.env", !self.env.is_empty()),
            ("mcp.secrets", !self.secrets.is_empty()),
        ] {
            if has {
                wrong.push(DefinitionFault::new(
                    at,
                    "an address has no environment",
                    "remove it; secrets go into `headers`",
                ));
            }
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
