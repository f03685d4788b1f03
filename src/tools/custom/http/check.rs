//! Checks the request a host wrote for an HTTP tool before it is offered to a model.

use reqwest::header::HeaderName;

use super::json_path::JsonPath;
use super::request_template::{self, DATA, SECRET, TemplatePosition};
use super::{HttpMethod, HttpTool, OWN_HEADERS};
use crate::custom::definition_fault::DefinitionFault;
use kith_core::schema::Schema;

impl HttpTool {
    /// Everything that is wrong with it for a tool with these parameters, and secrets of these names.
    pub fn find_problems(&self, parameters: &Schema, secrets: &[String]) -> Vec<DefinitionFault> {
        let mut problems = Vec::new();
        if let Err(problem) = request_template::parse_server(&self.url) {
            let cure = "begin it with https:// and a host that is written out";
            problems.push(DefinitionFault::new(
                "http.url",
                format!("`url` {problem}"),
                cure,
            ));
        }
        for (at, template, position) in self.templates() {
            check_template(&at, template, position, parameters, secrets, &mut problems);
        }
        for param in &parameters.params {
            if [SECRET, DATA].contains(&param.name.as_str()) {
                problems.push(DefinitionFault::new(
                    format!("parameters.{}", param.name),
                    format!("templates call something else `{}`", param.name),
                    "choose another name",
                ));
            }
        }
        problems.extend(self.headers.keys().filter_map(|name| check_header(name)));
        problems.extend(self.check_content());
        if let Some(Err(problem)) = self.pick.as_deref().map(JsonPath::parse) {
            let cure = "write it like \"items[0].name\" or \"days[*].high\"";
            problems.push(DefinitionFault::new("http.pick", problem, cure));
        }
        problems
    }

    fn check_content(&self) -> Option<DefinitionFault> {
        match (&self.body, &self.json) {
            (Some(_), Some(_)) => Some(DefinitionFault::new(
                "http.json",
                "there are `body` and `json`",
                "keep one of them",
            )),
            (None, None) => None,
            (body, _) => (self.method == HttpMethod::Get).then(|| {
                let field = if body.is_some() { "body" } else { "json" };
                let cure = "write method = \"POST\", or use `query`";
                DefinitionFault::new(format!("http.{field}"), "GET sends nothing", cure)
            }),
        }
    }
}

fn check_header(name: &str) -> Option<DefinitionFault> {
    let (message, cure) = match HeaderName::from_bytes(name.as_bytes()) {
        Err(_) => (format!("`{name}` is no name of a header"), "correct it"),
        Ok(known) if OWN_HEADERS.contains(&known.as_str()) => {
            (format!("`{name}` is set by itself"), "remove it")
        }
        Ok(_) => return None,
    };
    let at = format!("http.headers.{name}");
    Some(DefinitionFault::new(at, message, cure))
}

/// Checks the template of the setting `at`.
fn check_template(
    at: &str,
    template: &str,
    position: TemplatePosition,
    parameters: &Schema,
    secrets: &[String],
    problems: &mut Vec<DefinitionFault>,
) {
    let names = match request_template::list_template_names(template) {
        Ok(names) => names,
        Err(problem) => {
            let message = format!("the template cannot be used: {problem}");
            problems.push(DefinitionFault::new(at, message, "mend it"));
            return;
        }
    };
    for name in names {
        let first = name.split('.').next().unwrap_or_default();
        let secret = name
            .strip_prefix(SECRET)
            .and_then(|rest| rest.strip_prefix('.'));
        let (message, cure) = match (position, secret) {
            (TemplatePosition::Text, Some(secret))
                if secrets.iter().any(|known| known == secret) =>
            {
                continue;
            }
            (TemplatePosition::Text, Some(secret)) => (
                format!("there is no secret `{secret}`"),
                "name it under [secrets]",
            ),
            (TemplatePosition::Text, None) if first == SECRET => (
                "this is no name of a secret".to_owned(),
                "write {{ secret.NAME }}",
            ),
            (_, _) if first == SECRET => (
                "a secret has no place here".to_owned(),
                "put it into query, headers or body",
            ),
            (TemplatePosition::Answer, _) if first == DATA => continue,
            _ if parameters.params.iter().any(|param| param.name == first) => continue,
            _ => (
                format!("there is no parameter `{first}`"),
                "define it, or correct the name",
            ),
        };
        problems.push(DefinitionFault::new(at, message, cure));
    }
}
