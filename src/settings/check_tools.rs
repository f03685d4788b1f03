//! Lists of tools: every name must be one.

use std::collections::BTreeSet;

use super::Settings;
use super::channel_settings::SMALL_TOOLS;
use super::layers::ProblemList;
use super::setting_errors::find_nearest;
use kith_core::call::ToolKind;
use kith_core::moderation::ModerationKind;
use kith_core::persona::Language;
use kith_core::plan::TODO;
use kith_core::setting::{SettingData, SettingRule, SettingValue};
use kith_model::ModelProfile;
use kith_tools::{DEFAULT_TOOLS, GIVEN, TASK, ToolPermission};

/// Actions the turn carries out by itself.
const OF_THE_TURN: &[&str] = &["send_message", "react", "stay_silent", WAIT_FOR];
const WAIT_FOR: &str = "wait_for";

/// Everything that is wrong with the list that holds everywhere.
pub fn check(settings: &Settings, problems: &mut ProblemList<'_>) {
    let names = collect_allowed_names(settings);
    for value in settings.values() {
        if let SettingData::Text(name) = value.data
            && value.field.has(SettingRule::ToolNames)
        {
            check_name(&value, name, &names, problems);
        }
    }
    check_task_tools(settings, problems);
    check_small_profile(settings, problems);
    check_hooks(settings, problems);
    for (name, permission) in &settings.tool {
        check_permission(name, &names, problems);
        check_approval(name, permission, settings, problems);
    }
}

/// What a small model is not given is told, where it is asked for.
fn check_small_profile(settings: &Settings, problems: &mut ProblemList<'_>) {
    if settings.model.profile != ModelProfile::Small {
        return;
    }
    let mut named = settings.named_tools();
    named.retain(|name| name != DEFAULT_TOOLS && !SMALL_TOOLS.contains(&name.as_str()));
    if !named.is_empty() {
        let named = named.into_iter().collect::<Vec<_>>().join(", ");
        let message =
            format!("`model.profile` is \"small\", and such a model is not given {named}");
        let cure = "take them out of `tools`, or write profile = \"normal\"";
        problems.warn("model.profile", message, cure);
    }
}

/// A task leaves out what people see, and what belongs to the turn it is done for.
fn check_task_tools(settings: &Settings, problems: &mut ProblemList<'_>) {
    let specs = settings.build_registry(Vec::new()).specs(Language::EN);
    for (index, name) in settings.task.tools.iter().enumerate() {
        let is_visible = specs
            .iter()
            .any(|spec| spec.name == *name && spec.kind == ToolKind::Visible);
        let why = match name.as_str() {
            _ if is_visible => "people see what it does",
            TASK | TODO | WAIT_FOR => "it belongs to the turn",
            _ => continue,
        };
        let message = format!("`task.tools` names \"{name}\", and no task has it: {why}");
        let cure = "remove it; where `tools` names it, turns have it".to_owned();
        problems.warn(&format!("task.tools.{index}"), message, cure);
    }
}

/// What is named as a hook is one. Definitions of hooks that are not named look at nothing, which may be meant.
fn check_hooks(settings: &Settings, problems: &mut ProblemList<'_>) {
    let defined = settings.defined.iter();
    let hooks: Vec<&str> = defined
        .filter(|one| one.definition.hook.is_some())
        .map(|one| one.name.as_str())
        .collect();
    let mut seen = BTreeSet::new();
    for value in settings.values() {
        let SettingData::Text(name) = value.data else {
            continue;
        };
        if !value.field.has(SettingRule::HookNames) {
            continue;
        }
        let path = value.list_path();
        if !hooks.contains(&name) {
            let message = format!("`{path}` names \"{name}\", and there is no such hook");
            let cure = match find_nearest(name, &hooks) {
                Some(near) => format!("did you mean \"{near}\"?"),
                None => "a hook is a definition with a table [NAME.hook] under `tool_paths`".into(),
            };
            problems.error(&value.path, message, cure);
        } else if !seen.insert((path.to_owned(), name)) {
            let message = format!("`{path}` names \"{name}\" twice");
            problems.error(&value.path, message, "remove one of them");
        }
    }
}

/// What waits for a click can be clicked.
fn check_approval(
    name: &str,
    permission: &ToolPermission,
    settings: &Settings,
    problems: &mut ProblemList<'_>,
) {
    if permission.approval && name == TASK {
        let message = format!(
            "`tool.{name}.approval` is true, and a task is worked on only while its turn runs"
        );
        let cure = "remove it; tools that wait for a click are not there in a task".to_owned();
        problems.error(&format!("tool.{name}.approval"), message, cure);
    }
    let without = settings
        .guild
        .iter()
        .find(|(_, guild)| guild.log_channel.is_none());
    if let Some((id, _)) =
        without.filter(|_| permission.approval && settings.discord.log.channel.is_none())
    {
        let message = format!(
            "calls of `{name}` wait for a click, and `guild.{id}` has no log channel to ask in"
        );
        let cure = "set log_channel in that table, or channel in [discord.log]".to_owned();
        problems.error(&format!("tool.{name}.approval"), message, cure);
    }
}

fn check_permission(name: &String, names: &[String], problems: &mut ProblemList<'_>) {
    let path = format!("tool.{name}");
    let (message, cure) = if ModerationKind::from_name(name).is_some() {
        let cure = "set caused_by in [guild.ID.moderation]".to_owned();
        (
            format!("[{path}]: deeds about members have rules of their own"),
            cure,
        )
    } else if OF_THE_TURN.contains(&name.as_str()) {
        (
            format!("[{path}]: `{name}` has no permission to set"),
            "leave it out of `tools` where it is not wanted".into(),
        )
    } else if !names.contains(name) || name == DEFAULT_TOOLS {
        let near = find_nearest(name, names).map(|near| format!("did you mean [tool.{near}]?"));
        (
            format!("[{path}]: there is no such tool"),
            near.unwrap_or_else(|| "remove this table".into()),
        )
    } else {
        return;
    };
    problems.error(&path, message, cure);
}

/// What a list may name.
fn collect_allowed_names(settings: &Settings) -> Vec<String> {
    let specs = settings.build_registry(Vec::new()).specs(Language::EN);
    let named = specs
        .iter()
        .map(|tool| tool.name.clone())
        .filter(|name| !GIVEN.contains(&name.as_str()));
    named
        .chain(collect_server_tools(settings))
        .chain([DEFAULT_TOOLS.to_owned()])
        .collect()
}

/// What settings name that a server may have: that is seen only when it is asked.
fn collect_server_tools(settings: &Settings) -> Vec<String> {
    let servers = settings.servers();
    let is_of = |name: &str, server: &str| {
        name.strip_prefix(server)
            .is_some_and(|rest| rest.starts_with('_'))
    };
    let values = settings.values();
    let listed = values.iter().filter_map(|value| match value.data {
        SettingData::Text(name) if value.field.has(SettingRule::ToolNames) => Some(name),
        _ => None,
    });
    listed
        .chain(settings.tool.keys().map(String::as_str))
        .filter(|name| servers.iter().any(|server| is_of(name, &server.name)))
        .map(str::to_owned)
        .collect()
}

fn check_name(
    value: &SettingValue<'_>,
    name: &str,
    tools: &[String],
    problems: &mut ProblemList<'_>,
) {
    if tools.iter().any(|tool| tool == name) {
        return;
    }
    let path = value.list_path();
    let message = format!("`{path}` names \"{name}\", and there is no such tool");
    let cure = match find_nearest(name, tools) {
        _ if ModerationKind::from_name(name).is_some() => {
            let table = path
                .strip_suffix(".tools")
                .filter(|place| place.contains('.'))
                .unwrap_or("guild.ID");
            format!("write it as actions = [\"{name}\"] in [{table}.moderation]")
        }
        Some(near) => format!("did you mean \"{near}\"?"),
        None => format!("there are: {}", tools.join(", ")),
    };
    problems.error(&value.path, message, cure);
}
