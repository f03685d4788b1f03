//! Checks a server's definition before it is started.

use reqwest::Url;

use super::{McpDefinition, headers};
use crate::custom::defined_tool::DefinedTool;
use crate::custom::definition::ToolDefinition;
use crate::custom::definition_fault::{DefinitionContext, DefinitionFault};
use kith_core::call::ToolKind;

impl McpDefinition {
    pub(in crate::custom) fn find_problems(
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
            ("description", !description.is_empty()),
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
}
