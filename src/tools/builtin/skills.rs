//! `activate_skill` and `read_skill_resource`: a channel has them where it has skills. What a skill says is a result like
//! any other; the tools it defines and the way to its files are on offer from then on to the end of the turn.

use schemars::JsonSchema;
use serde::Deserialize;

use crate::skills::{ResourceError, Skill, read_resource};
use crate::{READ_SKILL_RESOURCE, Tool, ToolContext, tool_rendering};
use kith_core::call::{ToolExposure, ToolKind, ToolResult, ToolSpec};
use kith_core::skill::BODY_CHARACTERS;

/// How one of your skills is done.
#[derive(Deserialize, JsonSchema)]
#[schemars(extend("description_zh" = "看某项技能怎么做。"))]
struct ActivateSkill {
    name: String,
}

/// `activate_skill`.
pub(super) fn activate_skill_tool() -> Tool {
    let characters = BODY_CHARACTERS + 2_000;
    Tool::new("activate_skill", ToolKind::Tool, run_activate)
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
            *name == skill.name || (name.is_empty() && !skill.files.is_empty())
        }
        ToolExposure::Always | ToolExposure::Found => false,
    };
    let tools: Vec<&ToolSpec> = context.tools.iter().filter(belongs_to_skill).collect();
    let mut text = skill.body(language).to_owned();
    if !skill.files.is_empty() {
        text.push_str(language.pick("\n\nFiles of this skill: ", "\n\n这项技能的文件："));
        text.push_str(&skill.files.join(", "));
    }
    if !tools.is_empty() {
        text.push_str(language.pick("\n\nFrom now on you can also use:", "\n\n接下来还可以用："));
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
    ToolResult {
        offers,
        ..ToolResult::ok(text)
    }
}

/// A file of one of your skills.
#[derive(Deserialize, JsonSchema)]
#[schemars(extend("description_zh" = "读某项技能的文件。"))]
struct ReadSkillResource {
    skill: String,
    path: String,
}

/// `read_skill_resource`.
pub(super) fn read_skill_resource_tool() -> Tool {
    let tool = Tool::new(READ_SKILL_RESOURCE, ToolKind::Tool, run_resource)
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
        return ToolResult::error(
            language.pick(format!("`{name}` has no files"), format!("{name} 没有文件")),
        );
    };
    let reading = tokio::task::spawn_blocking(move || read_resource(&folder, &path));
    let path = params.path;
    let problem = match reading.await.unwrap_or(Err(ResourceError::Missing)) {
        Ok(text) => return ToolResult::ok(text),
        Err(ResourceError::Outside) => language.pick(
            format!("`{path}` is not a path inside the skill; its files: {files}"),
            format!("{path} 不是技能里的路径，文件有：{files}"),
        ),
        Err(ResourceError::Missing) => language.pick(
            format!("`{name}` has no file `{path}`; its files: {files}"),
            format!("{name} 没有文件 {path}，文件有：{files}"),
        ),
        Err(ResourceError::TooLarge(bytes)) => language.pick(
            format!("`{path}` has {bytes} bytes; that is too much to read"),
            format!("{path} 有 {bytes} 字节，太大读不了"),
        ),
        Err(ResourceError::NoText) => {
            language.pick(format!("`{path}` is no text"), format!("{path} 不是文本"))
        }
    };
    ToolResult::error(problem)
}

/// A skill of the channel, or a sentence that names those there are.
fn find_skill<'a>(name: &str, context: &'a ToolContext) -> Result<&'a Skill, String> {
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
        context.language().pick(
            format!("there is no skill `{name}`; there are: {names}"),
            format!("没有技能 {name}，有这些：{names}"),
        )
    })
}
