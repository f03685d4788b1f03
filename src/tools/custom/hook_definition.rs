//! `[NAME.hook]`: the definition is no tool of the model's but a hook.

use serde::Deserialize;

use kith_core::schema::ParamType;

/// What a hook is given: the names and types of what templates of its request see.
pub(super) const GIVEN_PARAMETERS: &[(&str, ParamType)] = &[
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
    /// The tools whose calls and results it looks at; empty for all.
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
    /// A tool is about to be called.
    Call,
    /// What a tool answered.
    Result,
}

/// What becomes of what a hook was to look at where it fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HookFailurePolicy {
    /// It is not said, not called, or not read. The default: what the hook was to take away must not come through.
    #[default]
    Refuse,
    /// It goes on as it is.
    Pass,
}

impl HookDefinition {
    /// Whether it looks at this: at what is said, or at a call or result of this tool.
    pub(super) fn is_for(&self, point: HookPoint, tool: &str) -> bool {
        let is_tools = point == HookPoint::Speech || self.tools.is_empty();
        self.on.contains(&point) && (is_tools || self.tools.iter().any(|name| name == tool))
    }
}
