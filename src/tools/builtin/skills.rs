//! `activate_skill` and `read_skill_resource`: a channel has them where it has skills. What a skill says is a result like
//! any other; the tools it defines and the way to its files are on offer from then on to the end of the turn.

use kith_language::{tool_descriptions, tools};
use schemars::JsonSchema;
use serde::Deserialize;

use crate::skills::{ResourceError, Skill, read_resource};
use crate::{READ_SKILL_RESOURCE, RUN_SKILL_SCRIPT, Tool, ToolContext, tool_rendering};
use kith_core::call::{ToolExposure, ToolKind, ToolResult, ToolSpec, TrustedText};
use kith_core::skill::BODY_CHARACTERS;

#[derive(Deserialize, JsonSchema)]
struct ActivateSkill {
    name: String,
}

pub(super) fn activate_skill_tool() -> Tool {
    let characters = BODY_CHARACTERS + 2_000;
    Tool::new(
        "activate_skill",
        ToolKind::Tool,
        tool_descriptions::activate_skill(),
        run_activate,
    )
    .primary("name")
    .read_only()
    .result_characters(characters)
}

async fn run_activate(params: ActivateSkill, context: ToolContext) -> ToolResult {
    let language = context.language();
    let skill = match find_skill(&params.name, &context) {
        Ok(skill) => skill,
        Err(problem) => return ToolResult::error(problem),
    };
    let belongs_to_skill = |spec: &&ToolSpec| match &spec.offer {
        ToolExposure::Skill(name) => {
            *name == skill.name
                || spec.name == READ_SKILL_RESOURCE && !skill.files.is_empty()
                || spec.name == RUN_SKILL_SCRIPT && skill.has_scripts()
        }
        ToolExposure::Always | ToolExposure::Found => false,
    };
    let tools: Vec<&ToolSpec> = context.tools.iter().filter(belongs_to_skill).collect();
    let mut text = skill.body(language).to_owned();
    if !skill.files.is_empty() {
        text.push_str(&tools::skill_files().in_language(language));
        text.push_str(&skill.files.join(", "));
    }
    if !tools.is_empty() {
        text.push_str(&tools::skill_tools().in_language(language));
        for spec in &tools {
            text.push('\n');
            text.push_str(&tool_rendering::render_tool(
                spec,
                context.protocol,
                language,
            ));
        }
    }
    let offers = tools.iter().map(|spec| spec.name.clone()).collect();
    #[expect(clippy::disallowed_methods, reason = "a skill is a file of the host")]
    let guide = TrustedText::vouch(text);
    ToolResult {
        guide,
        offers,
        ..ToolResult::default()
    }
}

#[derive(Deserialize, JsonSchema)]
struct ReadSkillResource {
    skill: String,
    path: String,
}

pub(super) fn read_skill_resource_tool() -> Tool {
    let tool = Tool::new(
        READ_SKILL_RESOURCE,
        ToolKind::Tool,
        tool_descriptions::read_skill_resource(),
        run_resource,
    )
    .primary("path")
    .read_only();
    tool.result_characters(BODY_CHARACTERS)
}

async fn run_resource(params: ReadSkillResource, context: ToolContext) -> ToolResult {
    let language = context.language();
    let skill = match find_skill(&params.skill, &context) {
        Ok(skill) => skill,
        Err(problem) => return ToolResult::error(problem),
    };
    let (name, files, path) = (
        skill.name.clone(),
        skill.files.join(", "),
        params.path.clone(),
    );
    let Some(folder) = skill.folder.clone() else {
        return ToolResult::error(tools::skill_without_files(name).in_language(language));
    };
    let reading = tokio::task::spawn_blocking(move || read_resource(&folder, &path));
    let path = params.path;
    match reading.await.unwrap_or(Err(ResourceError::Missing)) {
        Ok(text) => ToolResult::ok(text),
        Err(ResourceError::Outside) => context.build_error(tools::no_path_in_skill(files, path)),
        Err(ResourceError::Missing) => context.build_error(tools::no_such_file(files, name, path)),
        Err(ResourceError::TooLarge(bytes)) => {
            context.build_error(tools::file_too_large(bytes, path))
        }
        Err(ResourceError::NoText) => context.build_error(tools::file_no_text(path)),
    }
}

/// A skill of the channel, or a sentence that names those there are.
pub(super) fn find_skill<'a>(name: &str, context: &'a ToolContext) -> Result<&'a Skill, String> {
    let found = context
        .skills
        .iter()
        .find(|skill| skill.name.eq_ignore_ascii_case(name.trim()));
    found.map(|skill| &**skill).ok_or_else(|| {
        let names: Vec<&str> = context
            .skills
            .iter()
            .map(|skill| skill.name.as_str())
            .collect();
        let names = names.join(", ");
        tools::no_such_skill(name, names).in_language(context.language())
    })
}
