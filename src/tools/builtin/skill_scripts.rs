//! `run_skill_script`: a channel has it while a skill with scripts is active. A script runs as a program of a tool does: no
//! shell, an almost empty environment, a folder of its own, its outputs bounded, and it ends with all it has started.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Duration;

use kith_language::{tool_descriptions, tools};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::Map;

use super::skills::find_skill;
use crate::custom::{CommandTool, DefinedTool, ToolDefinition};
use crate::skills::{ResourceError, SKILL_FILE, find_script};
use crate::{RUN_SKILL_SCRIPT, Tool, ToolContext};
use kith_core::call::{ToolKind, ToolResult};

/// How long a script may take: nothing declares it, and most do more than one request.
const TIME_OUT: Duration = Duration::from_secs(60);
const SKILL_FOLDER: &str = "SKILL_DIR";
/// The most arguments, and the longest, in characters.
const MOST_ARGUMENTS: usize = 50;
const ARGUMENT_CHARACTERS: usize = 4_000;

#[derive(Deserialize, JsonSchema)]
struct RunSkillScript {
    skill: String,
    script: String,
    #[serde(default)]
    arguments: Vec<String>,
}

pub(super) fn tool() -> Tool {
    let text = tool_descriptions::run_skill_script();
    Tool::new(RUN_SKILL_SCRIPT, ToolKind::Tool, text, run)
        .primary("script")
        .time_out(TIME_OUT)
}

async fn run(params: RunSkillScript, context: ToolContext) -> ToolResult {
    let skill = match find_skill(&params.skill, &context) {
        Ok(skill) => skill.clone(),
        Err(problem) => return ToolResult::error(problem),
    };
    let name = skill.name.clone();
    let Some(folder) = skill.folder.clone() else {
        return context.build_error(tools::skill_without_files(name));
    };
    let too_long = |argument: &String| {
        argument.chars().count() > ARGUMENT_CHARACTERS || argument.contains('\0')
    };
    if params.arguments.len() > MOST_ARGUMENTS || params.arguments.iter().any(too_long) {
        let limits = tools::script_arguments_limits(ARGUMENT_CHARACTERS, MOST_ARGUMENTS);
        return context.build_error(limits);
    }
    let (from, path) = (folder.clone(), params.script.clone());
    let found = tokio::task::spawn_blocking(move || find_script(&from, &path));
    let mut argv = match found.await.unwrap_or(Err(ResourceError::Missing)) {
        Ok(argv) => argv,
        Err(ResourceError::NoText) => {
            return context.build_error(tools::script_no_program(params.script));
        }
        Err(_) => {
            let scripts: Vec<&str> = skill.scripts().collect();
            let why = tools::no_such_file(scripts.join(", "), name, params.script);
            return context.build_error(why);
        }
    };
    argv.extend(params.arguments);
    let (tool, command) = define_script(&name, &folder, argv);
    command.run(&tool, Map::new(), context).await
}

/// The script as a tool that a file beside the skill would define. The name, with a hyphen as no tool has one, is that of
/// the folder all scripts of the skill work in.
fn define_script(name: &str, folder: &Path, argv: Vec<String>) -> (DefinedTool, CommandTool) {
    let variable = (
        SKILL_FOLDER.to_owned(),
        folder.to_string_lossy().into_owned(),
    );
    let command = CommandTool {
        argv,
        inherited: BTreeMap::from([variable]),
        ..CommandTool::default()
    };
    let tool = DefinedTool {
        name: format!("skill-{name}"),
        file: folder.join(SKILL_FILE).into(),
        line: 1,
        skill: Some(name.to_owned()),
        definition: ToolDefinition::default(),
    };
    (tool, command)
}
