//! Turns the sections of the core into the messages a model is sent: fills the templates of `prompts/`, which
//! are embedded, can be replaced by files of the same name, and are checked whole before they are used. Text from
//! people enters only as values and is never rendered a second time.

mod check;
mod layout;

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use minijinja::syntax::SyntaxConfig;
use minijinja::value::Value;
use minijinja::{AutoEscape, Environment, UndefinedBehavior, context};

pub use check::TemplateProblem;

use kith_core::call::{ToolExposure, ToolSpec};
use kith_core::context::{PromptSections, TokenEstimator, escape};
use kith_core::persona::{Language, Persona};
use kith_core::policy::{ChannelPolicy, OutputProtocol, PromptLayout};
use kith_core::truncate::truncate_line;
use kith_core::turn::RoundKind;
use kith_model::{AnswerForm, PromptMessage, join_messages};
use kith_tools::tool_rendering;

/// How much of the persona's identity a judge is told, in characters.
const JUDGE_IDENTITY: usize = 160;
/// What the marks around a message take.
const MESSAGE_TOKENS: u32 = 4;

#[derive(Clone, Debug, PartialEq)]
pub struct RenderedPrompt {
    pub system: String,
    /// What stands below it: one message of the user's, or the chat as messages (Law 5).
    pub messages: Vec<PromptMessage>,
    /// How many of their bytes, from the start to the end of the history, the next prompt will most likely share.
    pub stable_bytes: usize,
    pub form: AnswerForm,
}

impl RenderedPrompt {
    /// What stands below the system message, as one text.
    pub fn user(&self) -> String {
        join_messages(&self.messages)
    }

    /// Its size in estimated tokens, the tools that are handed to the provider included.
    pub fn estimate_tokens(&self, estimator: &TokenEstimator) -> u32 {
        let messages: u32 = self
            .messages
            .iter()
            .map(|message| estimator.estimate_tokens(&message.text))
            .sum();
        let marks = MESSAGE_TOKENS * self.messages.len().saturating_sub(1) as u32;
        estimator.estimate_tokens(&self.system)
            + messages
            + marks
            + self.form.estimate_tokens(estimator)
    }
}

#[derive(Clone, Debug)]
pub struct PromptTemplates {
    templates: Environment<'static>,
    /// The file each template was read from, where it is not the shipped one.
    files: HashMap<String, PathBuf>,
    /// What those files hold, by name.
    own: Arc<[(String, String)]>,
}

impl PromptTemplates {
    /// The shipped templates, those replaced for which `dir` holds a file of the same name (`en/system.j2`).
    ///
    /// # Errors
    /// Every problem found, with file and line; then nothing is loaded.
    pub fn load(dir: Option<&Path>) -> Result<Self, Vec<TemplateProblem>> {
        let (files, mut problems) = dir.map(check::read_templates).unwrap_or_default();
        let mut templates = Environment::new();
        templates.set_undefined_behavior(UndefinedBehavior::Strict);
        templates.set_auto_escape_callback(|_| AutoEscape::None);
        // Lines that hold only a block leave nothing behind.
        let syntax = SyntaxConfig::builder()
            .trim_blocks(true)
            .lstrip_blocks(true)
            .build();
        templates.set_syntax(syntax.unwrap_or_default());
        let own: Arc<[_]> = files
            .iter()
            .map(|file| (file.name.clone(), file.text.clone()))
            .collect();
        let mut prompts = Self {
            templates,
            files: HashMap::new(),
            own: own.clone(),
        };
        prompts.files = files
            .iter()
            .map(|file| (file.name.clone(), file.path.clone()))
            .collect();
        for (name, text) in list_shipped_templates().chain(own.iter().cloned()) {
            if let Err(error) = prompts.templates.add_template_owned(name.clone(), text) {
                problems.push(TemplateProblem::from_template_error(
                    &name,
                    &prompts.files,
                    &error,
                ));
            }
        }
        if problems.is_empty() {
            problems = check::check_templates(&prompts);
        }
        if problems.is_empty() {
            Ok(prompts)
        } else {
            Err(problems)
        }
    }

    /// Reads the folder again. After a broken edit the old templates stay, and the problems come back.
    pub fn reload(&mut self, dir: Option<&Path>) -> Vec<TemplateProblem> {
        match Self::load(dir) {
            Ok(fresh) => {
                *self = fresh;
                Vec::new()
            }
            Err(problems) => problems,
        }
    }

    /// The templates that replace shipped ones, by file: for [`ChannelPolicy::own_templates`].
    pub fn own_templates(&self) -> Arc<[(String, String)]> {
        self.own.clone()
    }

    /// Estimated tokens of templates, persona and tools: for [`kith_core::context::PromptSources::fixed_tokens`].
    pub fn estimate_fixed_tokens(
        &self,
        policy: &ChannelPolicy,
        tools: &[ToolSpec],
        estimator: &TokenEstimator,
    ) -> Result<u32, TemplateProblem> {
        let visible_tools: Vec<ToolSpec> = tools
            .iter()
            .filter(|tool| tool.offer == ToolExposure::Always)
            .cloned()
            .collect();
        Ok(self
            .render_round(
                policy,
                &visible_tools,
                RoundKind::Normal,
                &PromptSections::default(),
            )?
            .estimate_tokens(estimator))
    }

    /// The messages of a round. An error names the folder's template that fails now although it passed at load.
    pub fn render_round(
        &self,
        policy: &ChannelPolicy,
        tools: &[ToolSpec],
        kind: RoundKind,
        sections: &PromptSections,
    ) -> Result<RenderedPrompt, TemplateProblem> {
        let persona = &policy.persona;
        let language = persona.language.code();
        let protocol = protocol_name(policy.protocol);
        let name = sections.name.as_str();
        let small = policy.context.is_small();
        let chat = policy.layout == PromptLayout::Chat;
        // In a chat the form is seen in its own lines; offered beside it, plain text only mixes with it.
        let plain_text = policy.plain_text_is_speech && !chat;

        let system = self.render(language, select_system_template(policy), || {
            context! {
                name, protocol, plain_text, chat,
                other_names => list_other_names(policy, name),
                persona => self::build_persona_value(persona),
                tools => tool_rendering::render_tools(tools, policy.protocol, persona.language),
                skills => render_skills(policy),
                session => sections.session.text.as_str(),
                core_memory => sections.core_memory.text.as_str(),
            }
        })?;
        let closing = match kind {
            RoundKind::Normal => "closing.j2",
            RoundKind::Repair => "repair.j2",
            RoundKind::WrapUp => "wrap-up.j2",
        };
        let asker = sections.asker.as_str();
        let closing = self.render(
            language,
            closing,
            || context! { name, asker, protocol, plain_text, small },
        )?;
        let user = self.render(language, "user.j2", || {
            context! {
                channel => sections.channel.text.as_str(),
                summary => sections.summary.text.as_str(),
                taken => sections.taken.text.as_str(),
                history => sections.history.text.as_str(),
                members => sections.members.text.as_str(),
                lore => sections.lore.text.as_str(),
                recalled => sections.recalled.text.as_str(),
                conversation => sections.conversation.text.as_str(),
                plan => sections.plan.text.as_str(),
                working => sections.working.text.as_str(),
                notes => sections.notes.text.as_str(),
                now => sections.now.text.as_str(),
                closing,
            }
        })?;
        let (messages, settled) =
            layout::lay_out_messages(user, &sections.history, &sections.pieces, policy.protocol);
        let form = AnswerForm::with_shape(policy.protocol, tools, &sections.shape);
        Ok(RenderedPrompt {
            system,
            messages,
            stable_bytes: settled,
            form,
        })
    }

    /// What a model is told that sums a talk up for a session that begins with it.
    pub fn render_session_summary(&self, language: Language) -> Result<String, TemplateProblem> {
        self.render(language.code(), "session-summary.j2", || context! {})
    }

    /// What a model is told that sums up what has left a channel's prompts.
    pub fn render_summary(&self, language: Language) -> Result<String, TemplateProblem> {
        self.render(language.code(), "summary.j2", || context! {})
    }

    /// The instruction that makes memories of a talk. It is the same for every talk, so that providers cache it.
    pub fn render_consolidation(&self, language: Language) -> Result<String, TemplateProblem> {
        self.render(language.code(), "consolidation.j2", || context! {})
    }

    /// What a model is told that says what a picture shows.
    pub fn picture(&self, language: Language) -> Result<String, TemplateProblem> {
        self.render(language.code(), "picture.j2", || context! {})
    }

    /// The instruction that asks whether to speak now. It is the same for a whole channel, so that providers cache it.
    pub fn render_judge(&self, policy: &ChannelPolicy) -> Result<String, TemplateProblem> {
        let persona = &policy.persona;
        let name = escape::name(policy.names.first().unwrap_or(&persona.name));
        let identity = truncate_line(&persona.identity, JUDGE_IDENTITY);
        self.render(
            persona.language.code(),
            "judge.j2",
            || context! { name, identity },
        )
    }

    /// The messages of a round of a task that is worked on apart from the chat.
    pub fn render_task(
        &self,
        policy: &ChannelPolicy,
        task_prompt: &TaskPrompt<'_>,
    ) -> Result<RenderedPrompt, TemplateProblem> {
        let persona = &policy.persona;
        let language = persona.language.code();
        let protocol = protocol_name(policy.protocol);
        let system = self.render(language, "task.j2", || {
            let name = escape::name(policy.names.first().unwrap_or(&persona.name));
            context! { name, protocol, tools => tool_rendering::render_tools(task_prompt.tools, policy.protocol, persona.language) }
        })?;
        let user = self.render(language, "task-so-far.j2", || {
            let mut task = String::new();
            escape::escape_block(&mut task, task_prompt.task, "| ");
            context! { task => task.trim_end(), so_far => task_prompt.so_far, is_last => task_prompt.is_last }
        })?;
        Ok(RenderedPrompt {
            system,
            messages: vec![PromptMessage::from_user(user)],
            stable_bytes: 0,
            form: AnswerForm::from_protocol(policy.protocol, task_prompt.tools),
        })
    }

    fn render(
        &self,
        language: &str,
        template: &str,
        values: impl FnOnce() -> Value,
    ) -> Result<String, TemplateProblem> {
        let name = format!("{language}/{template}");
        let rendered = self
            .templates
            .get_template(&name)
            .and_then(|found| found.render(values()));
        rendered
            .map(|text| text.trim().to_owned())
            .map_err(|error| TemplateProblem::from_template_error(&name, &self.files, &error))
    }
}

#[derive(Clone, Copy, Debug)]
pub struct TaskPrompt<'a> {
    pub task: &'a str,
    /// What was done so far, escaped.
    pub so_far: &'a str,
    /// Whether it has to come to its end.
    pub is_last: bool,
    pub tools: &'a [ToolSpec],
}

fn protocol_name(protocol: OutputProtocol) -> &'static str {
    match protocol {
        OutputProtocol::Xml => "xml",
        OutputProtocol::Json => "json",
        OutputProtocol::Native => "native",
    }
}

/// The system message's template: a short one where the whole prompt is short.
fn select_system_template(policy: &ChannelPolicy) -> &'static str {
    if policy.context.is_small() {
        "system-small.j2"
    } else {
        "system.j2"
    }
}

/// The templates that ship with Kith, by their path below `prompts/`.
fn list_shipped_templates() -> impl Iterator<Item = (String, String)> {
    let path = |language: Language, name: &str| format!("{}/{name}", language.code());
    let of = move |language: Language| {
        language
            .templates()
            .iter()
            .map(move |(name, text)| (path(language, name), (*text).to_owned()))
    };
    Language::ALL.into_iter().flat_map(of)
}

/// What else people call the companion here: nick and aliases are the same one.
fn list_other_names(policy: &ChannelPolicy, name: &str) -> Vec<String> {
    policy
        .names
        .iter()
        .map(|other| escape::name(other))
        .filter(|other| other != name)
        .collect()
}

/// What it knows how to do, a line each.
fn render_skills(policy: &ChannelPolicy) -> String {
    let lines = policy
        .known_skills
        .iter()
        .map(|skill| format!("- {}: {}", skill.name, skill.description));
    lines.collect::<Vec<_>>().join("\n")
}

/// A persona as the templates see it.
fn build_persona_value(persona: &Persona) -> Value {
    // A regular expression means nothing to a reader.
    let is_plain = |interest: &&String| !interest.starts_with('/');
    context! {
        identity => persona.identity.trim(),
        personality => persona.personality.trim(),
        background => persona.background.trim(),
        style => persona.voice.style.trim(),
        examples => persona.voice.examples.clone(),
        interests => persona.interests.iter().filter(is_plain).cloned().collect::<Vec<_>>(),
        dislikes => persona.dislikes.clone(),
    }
}
