//! Reads a folder of templates and tries them on sample rounds before they are used, so that a typing error shows
//! when a file is saved and not in the middle of a conversation.

use std::collections::HashMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{PromptTemplates, RenderedPrompt, TaskPrompt};
use kith_core::call::{ToolKind, ToolSpec};
use kith_core::context::{PromptSection, PromptSections};
use kith_core::persona::{Language, Persona, PersonaVoice};
use kith_core::policy::{ChannelPolicy, ContextBudget, OutputProtocol};
use kith_core::protocol::AnswerShape;
use kith_core::schema::{Param, Schema};
use kith_core::skill::SkillSpec;
use kith_core::turn::RoundKind;
use kith_language::{LocalizedMessage, prompt_templates};

/// What is wrong with a template. Shown as `FILE:LINE: message; cure`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateProblem {
    /// The file, or the name of a shipped template.
    pub file: PathBuf,
    /// The line in it, counted from 1.
    pub line: Option<usize>,
    fault: TemplateFault,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum TemplateFault {
    NoFolder,
    /// A name near to that of the file.
    UnusedFile(String),
    /// What the system says.
    Unreadable(String),
    /// What the template engine says, in English.
    Undefined(String),
    Broken(String),
    ValueNotShown(String),
}

impl fmt::Display for TemplateProblem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.to_message().fmt(f)
    }
}

impl TemplateProblem {
    fn new(file: impl Into<PathBuf>, fault: TemplateFault) -> Self {
        Self {
            file: file.into(),
            line: None,
            fault,
        }
    }

    /// Where it is, what, and how to mend it.
    pub fn to_message(&self) -> LocalizedMessage {
        let file = self.file.display();
        let place = match self.line {
            Some(line) => format!("{file}:{line}:"),
            None => format!("{file}:"),
        };
        prompt_templates::problem(self.cure(), place, self.message())
    }

    pub fn message(&self) -> LocalizedMessage {
        match &self.fault {
            TemplateFault::NoFolder => prompt_templates::no_folder(),
            TemplateFault::UnusedFile(_) => prompt_templates::unused_file(),
            TemplateFault::Unreadable(error) => prompt_templates::unreadable(error),
            TemplateFault::Undefined(what) | TemplateFault::Broken(what) => what.clone().into(),
            TemplateFault::ValueNotShown(value) => prompt_templates::value_not_shown(value),
        }
    }

    pub fn cure(&self) -> LocalizedMessage {
        match &self.fault {
            TemplateFault::NoFolder => prompt_templates::create_folder(),
            TemplateFault::UnusedFile(nearest) => prompt_templates::nearest_file(nearest),
            TemplateFault::Unreadable(_) => prompt_templates::write_text(),
            TemplateFault::Undefined(_) => prompt_templates::look_up_values(),
            TemplateFault::Broken(_) => prompt_templates::mend_or_delete(),
            TemplateFault::ValueNotShown(value) => {
                prompt_templates::show_value(format!("{{{{ {value} }}}}"))
            }
        }
    }

    pub(super) fn from_template_error(
        name: &str,
        files: &HashMap<String, PathBuf>,
        error: &minijinja::Error,
    ) -> Self {
        let name = error.name().unwrap_or(name);
        let file = files
            .get(name)
            .cloned()
            .unwrap_or_else(|| PathBuf::from("prompts").join(name));
        let what = match error.detail() {
            Some(detail) => format!("{}: {detail}", error.kind()),
            None => error.kind().to_string(),
        };
        let fault = match error.kind() {
            minijinja::ErrorKind::UndefinedError => TemplateFault::Undefined(what),
            _ => TemplateFault::Broken(what),
        };
        Self {
            line: error.line(),
            ..Self::new(file, fault)
        }
    }
}

pub(super) struct TemplateFile {
    /// `en/system.j2`
    pub name: String,
    pub path: PathBuf,
    pub text: String,
}

/// The templates of a folder, and problems with files. Folders that are no language's are ignored.
pub(super) fn read_templates(dir: &Path) -> (Vec<TemplateFile>, Vec<TemplateProblem>) {
    let (mut files, mut problems) = (Vec::new(), Vec::new());
    if !dir.is_dir() {
        problems.push(TemplateProblem::new(dir, TemplateFault::NoFolder));
    }
    for language in Language::ALL {
        let Ok(entries) = std::fs::read_dir(dir.join(language.code())) else {
            continue;
        };
        let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "j2"));
        paths.sort();
        for path in paths {
            let file = path.file_name().unwrap_or_default().to_string_lossy();
            let name = format!("{}/{file}", language.code());
            if !language.templates().iter().any(|(known, _)| *known == file) {
                problems.push(TemplateProblem::new(
                    &path,
                    TemplateFault::UnusedFile(find_nearest(language, &file)),
                ));
                continue;
            }
            match std::fs::read_to_string(&path) {
                Ok(text) => files.push(TemplateFile { name, path, text }),
                Err(error) => {
                    problems.push(TemplateProblem::new(
                        path,
                        TemplateFault::Unreadable(error.to_string()),
                    ));
                }
            }
        }
    }
    (files, problems)
}

fn find_nearest(language: Language, file: &str) -> String {
    let known = language.templates().iter().map(|(known, _)| *known);
    let best = known
        .max_by(|a, b| strsim::jaro_winkler(a, file).total_cmp(&strsim::jaro_winkler(b, file)));
    format!("{}/{}", language.code(), best.unwrap_or_default())
}

/// Renders every kind of round in every language, full and empty, and looks whether what must be shown is shown.
pub(super) fn check_templates(prompts: &PromptTemplates) -> Vec<TemplateProblem> {
    let mut problems = Vec::new();
    for language in Language::ALL {
        problems.extend(prompts.picture(language).err());
        let persona = Arc::new(sample_persona(language));
        let policy = ChannelPolicy {
            persona,
            ..ChannelPolicy::default()
        };
        problems.extend(prompts.render_judge(&policy).err());
        problems.extend(prompts.render_session_summary(language).err());
        problems.extend(prompts.render_summary(language).err());
        for protocol in [
            OutputProtocol::Xml,
            OutputProtocol::Json,
            OutputProtocol::Native,
        ] {
            let policy = ChannelPolicy {
                protocol,
                ..policy.clone()
            };
            problems.extend(try_task(prompts, &policy));
            for prompt_tokens in [1_500, 8_000] {
                for plain_text_is_speech in [false, true] {
                    for kind in [RoundKind::Normal, RoundKind::Repair, RoundKind::WrapUp] {
                        let context = ContextBudget {
                            prompt_tokens,
                            ..ContextBudget::default()
                        };
                        let persona = Arc::new(sample_persona(language));
                        let names = vec!["the-name".into(), "the-nick".into()];
                        let skills = [SkillSpec {
                            name: "the-skill".into(),
                            ..SkillSpec::default()
                        }]
                        .into();
                        let policy = ChannelPolicy {
                            persona,
                            names,
                            protocol,
                            context,
                            plain_text_is_speech,
                            known_skills: skills,
                            ..ChannelPolicy::default()
                        };
                        problems.extend(try_round(prompts, &policy, kind));
                    }
                }
            }
        }
    }
    // Most mistakes show in many of the rounds.
    let mut reported = Vec::new();
    problems.retain(|problem| {
        let is_new = !reported.contains(problem);
        if is_new {
            reported.push(problem.clone());
        }
        is_new
    });
    problems
}

fn try_task(prompts: &PromptTemplates, policy: &ChannelPolicy) -> Vec<TemplateProblem> {
    let mut problems = Vec::new();
    for (so_far, is_last) in [("", false), ("the-results", false), ("the-results", true)] {
        let task_prompt = TaskPrompt {
            task: "the-task",
            so_far,
            is_last,
            tools: &[sample_tool()],
        };
        match prompts.render_task(policy, &task_prompt) {
            Ok(prompt) => {
                let user = prompt.user();
                let wanted = [
                    ("task.j2", &prompt.system, "tools", "the-tool"),
                    ("task-so-far.j2", &user, "task", "the-task"),
                    ("task-so-far.j2", &user, "so_far", so_far),
                ];
                problems.extend(find_missing_values(prompts, policy, &wanted));
            }
            Err(problem) => problems.push(problem),
        }
    }
    problems
}

fn try_round(
    prompts: &PromptTemplates,
    policy: &ChannelPolicy,
    kind: RoundKind,
) -> Vec<TemplateProblem> {
    let tools = [sample_tool()];
    let bare = ChannelPolicy {
        known_skills: Arc::from(Vec::new()),
        persona: Arc::new(Persona {
            language: policy.persona.language,
            ..Persona::default()
        }),
        names: Vec::new(),
        ..policy.clone()
    };
    let empty = prompts.render_round(&bare, &[], kind, &PromptSections::default());
    match (
        prompts.render_round(policy, &tools, kind, &sample_sections()),
        empty,
    ) {
        (Ok(full), Ok(_)) => find_missing_essentials(prompts, policy, &full),
        (full, empty) => [full.err(), empty.err()].into_iter().flatten().collect(),
    }
}

/// A template that leaves out what a companion cannot do without is broken, though it renders.
fn find_missing_essentials(
    prompts: &PromptTemplates,
    policy: &ChannelPolicy,
    prompt: &RenderedPrompt,
) -> Vec<TemplateProblem> {
    let (system, user) = (super::select_system_template(policy), prompt.user());
    let wanted = [
        (system, &prompt.system, "name", "the-name"),
        (system, &prompt.system, "tools", "the-tool"),
        (system, &prompt.system, "session", "the-session"),
        (system, &prompt.system, "core_memory", "the-core-memory"),
        ("user.j2", &user, "taken", "the-taken"),
        ("user.j2", &user, "history", "the-history"),
        ("user.j2", &user, "recalled", "the-recalled"),
        ("user.j2", &user, "working", "the-working"),
        ("user.j2", &user, "now", "the-now"),
    ];
    find_missing_values(prompts, policy, &wanted)
}

/// The values that are not where they have to be: template, text, value, sample.
fn find_missing_values(
    prompts: &PromptTemplates,
    policy: &ChannelPolicy,
    wanted: &[(&str, &String, &str, &str)],
) -> Vec<TemplateProblem> {
    let language = policy.persona.language.code();
    let lost = wanted
        .iter()
        .filter(|(_, text, _, sample)| !text.contains(sample));
    lost.map(|(template, _, value, _)| {
        let name = format!("{language}/{template}");
        let file = prompts
            .files
            .get(&name)
            .cloned()
            .unwrap_or_else(|| PathBuf::from("prompts").join(&name));
        TemplateProblem::new(file, TemplateFault::ValueNotShown((*value).to_owned()))
    })
    .collect()
}

fn sample_persona(language: Language) -> Persona {
    let one = |text: &str| vec![text.to_owned()];
    Persona {
        name: "the-name".into(),
        language,
        identity: "identity".into(),
        personality: "personality".into(),
        background: "background".into(),
        voice: PersonaVoice {
            style: "style".into(),
            examples: one("example"),
        },
        interests: one("interest"),
        dislikes: one("dislike"),
        ..Persona::default()
    }
}

fn sample_tool() -> ToolSpec {
    let param = Param {
        name: "text".into(),
        required: true,
        ..Param::default()
    };
    ToolSpec {
        name: "the-tool".into(),
        kind: ToolKind::Visible,
        description: "description".into(),
        schema: Schema {
            params: vec![param],
        },
        primary: Some("text".into()),
        ..ToolSpec::default()
    }
}

fn sample_sections() -> PromptSections {
    let sample = |text: &str| PromptSection {
        text: text.into(),
        tokens: 1,
    };
    PromptSections {
        name: "the-name".into(),
        asker: "Anna".into(),
        session: sample("the-session"),
        core_memory: sample("the-core-memory"),
        channel: sample("the-channel"),
        summary: sample("the-summary"),
        taken: sample("the-taken"),
        history: sample("the-history"),
        pieces: Vec::new(),
        others: Vec::new(),
        descriptions: Vec::new(),
        members: sample("the-members"),
        lore: sample("the-lore"),
        recalled: sample("the-recalled"),
        conversation: sample("the-conversation"),
        plan: sample("the-plan"),
        working: sample("the-working"),
        notes: sample("the-notes"),
        now: sample("the-now"),
        cut: Vec::new(),
        shape: AnswerShape::default(),
    }
}
