//! Lists of tools: every name must be one.

use super::Settings;
use super::explain::nearest;
use super::layers::Origins;
use super::problem::Problem;
use crate::core::moderation::Deed;
use crate::core::persona::Language;
use crate::tools::{DEFAULT_TOOLS, Registry};

/// Everything that is wrong with the list that holds everywhere.
pub fn check(settings: &Settings, origins: &Origins) -> Vec<Problem> {
    let mut problems = Vec::new();
    check_list("", Some(&settings.tools), &names(), origins, &mut problems);
    problems
}

/// What a list may name.
pub(super) fn names() -> Vec<String> {
    let specs = Registry::builtin().specs(Language::En);
    specs.iter().map(|tool| tool.name.clone()).chain([DEFAULT_TOOLS.to_owned()]).collect()
}

/// The list below `place`, a table, or below none.
pub(super) fn check_list(
    place: &str,
    listed: Option<&[String]>,
    tools: &[String],
    origins: &Origins,
    problems: &mut Vec<Problem>,
) {
    let path = if place.is_empty() { "tools".to_owned() } else { format!("{place}.tools") };
    for (index, name) in listed.into_iter().flatten().enumerate().filter(|(_, name)| !tools.contains(name)) {
        let message = format!("`{path}` names \"{name}\", and there is no such tool");
        let cure = match nearest(name, tools) {
            _ if Deed::named(name).is_some() => {
                let table = if place.is_empty() { "guild.ID" } else { place };
                format!("write it as actions = [\"{name}\"] in [{table}.moderation]")
            }
            Some(near) => format!("did you mean \"{near}\"?"),
            None => format!("there are: {}", tools.join(", ")),
        };
        problems.push(origins.problem(&format!("{path}.{index}"), message, cure));
    }
}
