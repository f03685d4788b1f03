//! `[NAME.hook]`: the definition is no tool of the model's but a hook, and what is wrong with one.

use serde::Deserialize;

use super::definition::{OrderedTable, ParameterDefinition, ToolDefinition};
use super::definition_fault::DefinitionFault;
use kith_core::call::ToolKind;
use kith_core::schema::ParamType;

/// The longest a hook may take, in seconds: people wait for what it looks at.
const MOST_SECONDS: f32 = 30.0;
/// What a hook is given: the names and types of what templates of its request see.
const GIVEN: &[(&str, ParamType)] = &[
    ("on", ParamType::String),
    ("text", ParamType::String),
    ("tool", ParamType::String),
    ("arguments", ParamType::Object),
    ("is_error", ParamType::Boolean),
];

/// What a hook looks at, and what comes of it where it fails.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HookDefinition {
    /// What it looks at.
    pub on: Vec<HookPoint>,
    /// The tools whose results it looks at; empty for all.
    pub tools: Vec<String>,
    /// What comes of it where the hook fails.
    pub on_failure: HookFailurePolicy,
}

/// Something a hook can look at before anybody else does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HookPoint {
    /// What is about to be said.
    Speech,
    /// What a tool answered.
    Result,
}

/// What becomes of what a hook was to look at where it fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HookFailurePolicy {
    /// It is not said, or not read. The default: what the hook was to take away must not come through.
    #[default]
    Refuse,
    /// It goes on as it is.
    Pass,
}

impl HookDefinition {
    /// Whether it looks at this: at what is said, or at a result of this tool.
    pub(super) fn is_for(&self, point: HookPoint, tool: &str) -> bool {
        let is_tools = point == HookPoint::Speech || self.tools.is_empty();
        self.on.contains(&point) && (is_tools || self.tools.iter().any(|name| name == tool))
    }
}

/// The parameters of a hook: no model gives them, so no definition names them.
pub(super) fn build_hook_parameters() -> OrderedTable<ParameterDefinition> {
    let parameter = |(name, kind): &(&str, ParamType)| {
        let parameter = ParameterDefinition {
            kind: *kind,
            ..ParameterDefinition::default()
        };
        ((*name).to_owned(), parameter)
    };
    OrderedTable(GIVEN.iter().map(parameter).collect())
}

/// What is wrong with a hook's definition.
pub(super) fn find_hook_problems(definition: &ToolDefinition) -> Vec<DefinitionFault> {
    let Some(hook) = &definition.hook else {
        return Vec::new();
    };
    let mut wrong = Vec::new();
    if hook.on.is_empty() {
        let message = "nothing says what it looks at";
        let cure = "write on = [\"speech\"], [\"result\"] or both";
        wrong.push(DefinitionFault::new("hook.on", message, cure));
    }
    if !hook.tools.is_empty() && !hook.on.contains(&HookPoint::Result) {
        let message = "`tools` names tools, and it does not look at results";
        let cure = "remove `tools`, or add \"result\" to `on`";
        wrong.push(DefinitionFault::new("hook.tools", message, cure));
    }
    if definition.command.is_none() && definition.http.is_none() {
        let cure = "let a program or a request look at it: `command` or `http`";
        wrong.push(DefinitionFault::new(
            "hook",
            "no hook is of this kind",
            cure,
        ));
    }
    if definition.time_out_seconds.unwrap_or_default() > MOST_SECONDS {
        let message = "people wait for what a hook looks at";
        let cure = "write 30 seconds or less";
        wrong.push(DefinitionFault::new("time_out_seconds", message, cure));
    }
    let command = definition.command.as_ref();
    let listens =
        command.is_some_and(|one| !(one.on_session.is_empty() && one.on_publish.is_empty()));
    for (key, is_there) in [
        ("action", definition.action != ToolKind::Tool),
        ("primary", definition.primary.is_some()),
        ("optional", definition.optional),
        ("deferred", definition.deferred),
        ("parameters", !definition.parameters.0.is_empty()),
        ("render", definition.render.is_some()),
        ("filter", definition.filter.is_some()),
        ("command", listens),
    ] {
        if is_there {
            let message = match key {
                "command" => "a hook is told neither of sessions nor of published data".to_owned(),
                _ => format!("`{key}` is for tools, and no model calls a hook"),
            };
            wrong.push(DefinitionFault::new(
                key,
                message,
                "remove it, or make two definitions of it",
            ));
        }
    }
    wrong
}
