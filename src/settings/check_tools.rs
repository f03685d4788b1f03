//! Lists of tools: every name must be one.

use super::Settings;
use super::explain::nearest;
use super::layers::Origins;
use super::problem::Problem;
use crate::core::moderation::Deed;
use crate::core::persona::Language;
use crate::tools::{DEFAULT_TOOLS, GIVEN};

/// Actions the turn carries out by itself.
const OF_THE_TURN: &[&str] = &["send_message", "react", "stay_silent", "wait_for"];

/// Everything that is wrong with the list that holds everywhere.
pub fn check(settings: &Settings, origins: &Origins) -> Vec<Problem> {
    let mut problems = Vec::new();
    let names = names(settings);
    check_list("", Some(&settings.tools), &names, origins, &mut problems);
    for name in settings.tool.keys() {
        check_permission(name, &names, origins, &mut problems);
    }
    problems
}

fn check_permission(name: &String, names: &[String], origins: &Origins, problems: &mut Vec<Problem>) {
    let path = format!("tool.{name}");
    let (message, cure) = if Deed::named(name).is_some() {
        let cure = "set caused_by in [guild.ID.moderation]".to_owned();
        (format!("[{path}]: deeds about members have rules of their own"), cure)
    } else if OF_THE_TURN.contains(&name.as_str()) {
        (
            format!("[{path}]: `{name}` has no permission to set"),
            "leave it out of `tools` where it is not wanted".into(),
        )
    } else if !names.contains(name) || name == DEFAULT_TOOLS {
        let near = nearest(name, names).map(|near| format!("did you mean [tool.{near}]?"));
        (format!("[{path}]: there is no such tool"), near.unwrap_or_else(|| "remove this table".into()))
    } else {
        return;
    };
    problems.push(origins.problem(&path, message, cure));
}

/// What a list may name.
pub(super) fn names(settings: &Settings) -> Vec<String> {
    let specs = settings.registry().specs(Language::En);
    let named = specs.iter().map(|tool| tool.name.clone()).filter(|name| !GIVEN.contains(&name.as_str()));
    named.chain([DEFAULT_TOOLS.to_owned()]).collect()
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
