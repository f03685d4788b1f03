//! The names of tools and lists of tools that the program itself knows.

/// In a list of tools, all that need not be named.
pub const DEFAULT_TOOLS: &str = "default";
pub const CREATE_SESSION: &str = "create_session";
/// The tool that finds tools: there wherever one has to be found.
pub const FIND_TOOLS: &str = "find_tools";
/// The tool that tells how a skill is done: there wherever there is a skill.
pub(super) const ACTIVATE_SKILL: &str = kith_core::skill::ACTIVATE_SKILL;
/// The tool that reads a skill's files: there once a skill that has any is active.
pub const READ_SKILL_RESOURCE: &str = "read_skill_resource";
/// The tool that runs a skill's scripts: there once a skill that has any is active.
pub const RUN_SKILL_SCRIPT: &str = "run_skill_script";
/// The tool that has something worked on apart from the turn.
pub const TASK: &str = "task";
/// The tools that are there where they are needed, and that no list names.
pub const GIVEN: &[&str] = &[
    FIND_TOOLS,
    ACTIVATE_SKILL,
    READ_SKILL_RESOURCE,
    RUN_SKILL_SCRIPT,
];
