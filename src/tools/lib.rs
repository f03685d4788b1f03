//! Everything the model may ask for: the registry of tools, what a running tool is given, and the built-in ones. Never
//! reads the clock, never talks to a platform or a database itself: what it needs is handed to it.

#![warn(clippy::unwrap_used, clippy::expect_used)]

mod builtin;
pub mod custom;
mod numbered_lines;
mod permission;
mod permission_rules;
mod registry;
mod sessions;
pub mod skills;
mod tool;
mod tool_context;
mod tool_host;
mod tool_limits;
mod tool_names;
mod tool_news;
pub mod tool_rendering;
mod web;

pub use builtin::{CALCULATOR_FLAG, build_moderation_specs, calculate_expression, run_calculator};
pub use numbered_lines::{NumberedLine, NumberedLines};
pub use permission_rules::{CallerRights, PermittedCallers, ToolPermission, ToolUses};
pub use registry::{NameConflict, ToolRegistry};
pub use sessions::{OpenedSession, SessionOpener, SessionOpening, run_context_program};
pub use tool::{Tool, ToolDescription, ToolOrigin};
pub use tool_context::{BackgroundTask, ToolContext};
pub use tool_host::{
    Authorization, HostCommand, HostResult, MemberProfile, ReminderRequest, ServerInfo,
    ThreadRequest, ToolHost,
};
pub use tool_names::{
    CREATE_SESSION, DEFAULT_TOOLS, FIND_TOOLS, GIVEN, READ_SKILL_RESOURCE, RUN_SKILL_SCRIPT, TASK,
};
pub use tool_news::{ToolNewsItem, ToolNewsSender, ToolSecrets};
pub use web::{
    HostPattern, NameLookup, SearchKind, SearchSettings, WEB_SEARCH, WebClient, WebSettings,
};
