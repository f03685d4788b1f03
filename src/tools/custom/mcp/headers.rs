//! The headers of a server that is reached by HTTP: texts in which secrets are named, never written.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use minijinja::{Environment, UndefinedBehavior, Value, context};
use reqwest::header::{HeaderName, HeaderValue};

use crate::ToolSecrets;
use crate::custom::definition_fault::{DefinitionFault, missing_secret_fault};

/// What the protocol and the client set themselves.
const OWN: &[&str] = &[
    "host",
    "content-length",
    "content-type",
    "accept",
    "connection",
    "transfer-encoding",
];

fn create_environment() -> Environment<'static> {
    let mut templates = Environment::empty();
    templates.set_undefined_behavior(UndefinedBehavior::Strict);
    templates
}

fn list_template_names(text: &str) -> Result<BTreeSet<String>, String> {
    let templates = create_environment();
    let template = templates
        .template_from_str(text)
        .map_err(|error| error.kind().to_string())?;
    Ok(template.undeclared_variables(true).into_iter().collect())
}

pub(super) fn list_secrets(headers: &BTreeMap<String, String>) -> BTreeSet<String> {
    let named = headers
        .values()
        .filter_map(|text| list_template_names(text).ok())
        .flatten();
    named
        .filter_map(|name| name.strip_prefix("secret.").map(str::to_owned))
        .collect()
}

pub(super) fn has_secret(headers: &BTreeMap<String, String>) -> bool {
    !list_secrets(headers).is_empty()
}

pub(super) fn find_problems(
    headers: &BTreeMap<String, String>,
    known: &[String],
) -> Vec<DefinitionFault> {
    let mut wrong = Vec::new();
    for (header, text) in headers {
        let at = format!("mcp.headers.{header}");
        match HeaderName::from_bytes(header.as_bytes()) {
            Err(_) => wrong.push(DefinitionFault::new(
                &at,
                format!("`{header}` is no name of a header"),
                "mend it",
            )),
            Ok(name) if OWN.contains(&name.as_str()) || name.as_str().starts_with("mcp-") => {
                wrong.push(DefinitionFault::new(
                    &at,
                    format!("`{header}` is set by kith"),
                    "remove it",
                ));
            }
            Ok(_) => {}
        }
        let names = match list_template_names(text) {
            Ok(names) => names,
            Err(error) => {
                wrong.push(DefinitionFault::new(
                    &at,
                    format!("it is no template: {error}"),
                    "write {{ secret.NAME }} for a secret",
                ));
                continue;
            }
        };
        for name in names {
            match name.strip_prefix("secret.") {
                None => wrong.push(DefinitionFault::new(
                    &at,
                    format!("there is no `{name}` here"),
                    "only secret.NAME can stand here",
                )),
                Some(secret) if !known.iter().any(|known| known == secret) => {
                    wrong.push(missing_secret_fault(&at, secret));
                }
                Some(_) => {}
            }
        }
    }
    wrong
}

pub(super) fn fill_headers(
    headers: &BTreeMap<String, String>,
    secrets: &ToolSecrets,
) -> Result<HashMap<HeaderName, HeaderValue>, String> {
    let templates = create_environment();
    let open: BTreeMap<String, String> = secrets
        .iter()
        .map(|(name, secret)| (name.clone(), secret.expose().to_owned()))
        .collect();
    let open = Value::from(open);
    let mut filled = HashMap::new();
    for (header, text) in headers {
        let name = HeaderName::from_bytes(header.as_bytes())
            .map_err(|_| format!("`{header}` is no name of a header"))?;
        let value = templates.render_str(text, context! { secret => open.clone() });
        // Its error may show what was filled in.
        let value =
            value.map_err(|_| format!("the header `{header}` names a secret that is not there"))?;
        let mut value = HeaderValue::from_str(value.trim())
            .map_err(|_| format!("the header `{header}` would hold what no header may"))?;
        value.set_sensitive(true);
        filled.insert(name, value);
    }
    Ok(filled)
}
