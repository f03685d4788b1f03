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
    pub on: Vec<HookPoint>,
    /// Empty for all.
    pub tools: Vec<String>,
    pub on_failure: HookFailurePolicy,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HookPoint {
    Speech,
    Call,
    Result,
}

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
