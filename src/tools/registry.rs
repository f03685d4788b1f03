//! The tools there are, by name. Checks a call before it runs, ends it in time, and keeps its result short; whatever a
//! tool does, the model gets a result and the turn goes on.

use kith_language::{LocalizedMessage, tools};
use std::collections::HashMap;
use std::fmt;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt;
use serde_json::{Map, Value};

use super::permission::find_denial;
use super::tool::ToolCode;
use super::tool_limits::{MOST_SHOWN, MOST_TOKENS, truncate_result};
use super::tool_names::{
    ACTIVATE_SKILL, DEFAULT_TOOLS, FIND_TOOLS, GIVEN, READ_SKILL_RESOURCE, RUN_SKILL_SCRIPT,
};
use super::tool_news::redact_result;
use super::{Tool, ToolContext, ToolNewsItem, ToolOrigin, builtin};
use kith_core::call::{CallPreview, ToolCall, ToolExposure, ToolResult, ToolSpec};
use kith_core::moderation::ModerationKind;
use kith_core::persona::Language;
use kith_core::schema::CheckStyle;
use kith_core::skill::SkillSpec;

pub struct ToolRegistry {
    tools: HashMap<String, Arc<Tool>>,
    /// What is told of them, by language.
    specs: [Arc<[ToolSpec]>; Language::ALL.len()],
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameConflict {
    pub name: String,
    pub existing_origin: ToolOrigin,
    pub rejected_origin: ToolOrigin,
}

impl fmt::Display for NameConflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} defines a tool `{}`, and that name is taken by {}",
            self.rejected_origin, self.name, self.existing_origin
        )
    }
}

impl ToolRegistry {
    pub fn load_builtin() -> Self {
        Self::new(builtin::build_all_tools())
    }

    /// A registry of these tools, in the order the prompt shows them. Of two with one name the first is kept.
    pub fn new(tools: impl IntoIterator<Item = Tool>) -> Self {
        let mut registry = Self {
            tools: HashMap::new(),
            specs: Default::default(),
        };
        for taken in registry.add_tools(tools) {
            tracing::warn!("{taken}; the second is left out");
        }
        registry
    }

    /// The tools that ship with Kith and these besides; what of them is left out, because its name is taken.
    pub fn with_tools(tools: impl IntoIterator<Item = Tool>) -> (Self, Vec<NameConflict>) {
        let mut registry = Self::load_builtin();
        let conflicts = registry.add_tools(tools);
        (registry, conflicts)
    }

    fn add_tools(&mut self, tools: impl IntoIterator<Item = Tool>) -> Vec<NameConflict> {
        let mut added = Vec::new();
        let mut refused = Vec::new();
        for tool in tools {
            let name = tool.name().to_owned();
            let reserved = ModerationKind::from_name(&name).map(|_| &ToolOrigin::BuiltIn);
            if let Some(by) = self
                .tools
                .get(&name)
                .map(|known| known.origin())
                .or(reserved)
            {
                refused.push(NameConflict {
                    name,
                    existing_origin: by.clone(),
                    rejected_origin: tool.origin().clone(),
                });
                continue;
            }
            let tool = Arc::new(tool);
            added.push(Arc::clone(&tool));
            self.tools.insert(name, tool);
        }
        for (specs, language) in self.specs.iter_mut().zip(Language::ALL) {
            let new = added.iter().map(|tool| tool.spec(language));
            *specs = specs.iter().cloned().chain(new).collect();
        }
        refused
    }

    /// Where a tool comes from; none where there is none of that name.
    pub fn origin(&self, name: &str) -> Option<&ToolOrigin> {
        self.tools.get(name).map(|tool| tool.origin())
    }

    /// A fingerprint of what a tool is made of; empty where it ships with Kith, or there is none of that name.
    pub fn definition(&self, name: &str) -> &str {
        self.tools.get(name).map_or("", |tool| &tool.definition)
    }

    /// Whether a tool is run here, and not by the turn itself.
    pub fn can_run(&self, name: &str) -> bool {
        self.tools.get(name).is_some_and(|tool| tool.run.is_some())
    }

    /// What the prompt, the protocols and the core are told of them, the optional ones among them.
    pub fn specs(&self, language: Language) -> Arc<[ToolSpec]> {
        Arc::clone(&self.specs[language.index()])
    }

    /// What is told of those in `list`, in which [`DEFAULT_TOOLS`] stands for all that are not optional.
    pub fn select(&self, list: &[String], language: Language) -> Vec<ToolSpec> {
        let is_default = |name: &str| self.tools.get(name).is_some_and(|tool| !tool.optional);
        let has_default = list.iter().any(|name| name == DEFAULT_TOOLS);
        let specs = self.specs(language);
        let is_chosen =
            |spec: &&ToolSpec| list.contains(&spec.name) || has_default && is_default(&spec.name);
        let mut chosen: Vec<ToolSpec> = specs
            .iter()
            .filter(|spec| !GIVEN.contains(&spec.name.as_str()))
            .filter(is_chosen)
            .cloned()
            .collect();
        // Those of skills come with their skill.
        chosen.retain(|spec| !matches!(spec.offer, ToolExposure::Skill(_)));
        let is_ours = |name: &str| matches!(self.origin(name), Some(ToolOrigin::BuiltIn));
        let mut tokens = 0;
        let listed = chosen
            .iter_mut()
            .enumerate()
            .filter(|(_, spec)| !is_ours(&spec.name));
        for (place, spec) in listed.filter(|(_, spec)| spec.offer == ToolExposure::Always) {
            tokens += self.tools.get(&spec.name).map_or(0, |tool| tool.tokens);
            if place >= MOST_SHOWN || tokens > MOST_TOKENS {
                spec.offer = ToolExposure::Found;
            }
        }
        if chosen.iter().any(|spec| spec.offer == ToolExposure::Found) {
            chosen.extend(specs.iter().find(|spec| spec.name == FIND_TOOLS).cloned());
        }
        chosen
    }

    /// These, and what comes with the skills of a channel: the way to what they say, to their files, and the tools they
    /// define.
    pub fn add_skill_tools(
        &self,
        tools: Arc<[ToolSpec]>,
        skills: &[SkillSpec],
        language: Language,
    ) -> Arc<[ToolSpec]> {
        if skills.is_empty() {
            return tools;
        }
        let has_files = skills.iter().any(|skill| skill.has_files);
        let has_scripts = skills.iter().any(|skill| skill.has_scripts);
        let is_included = |spec: &&ToolSpec| match &spec.offer {
            ToolExposure::Skill(name) => skills.iter().any(|skill| skill.name == *name),
            ToolExposure::Always | ToolExposure::Found => {
                spec.name == ACTIVATE_SKILL
                    || has_files && spec.name == READ_SKILL_RESOURCE
                    || has_scripts && spec.name == RUN_SKILL_SCRIPT
            }
        };
        let specs = self.specs(language);
        let mut more: Vec<ToolSpec> = specs.iter().filter(is_included).cloned().collect();
        for spec in more
            .iter_mut()
            .filter(|spec| [READ_SKILL_RESOURCE, RUN_SKILL_SCRIPT].contains(&spec.name.as_str()))
        {
            spec.offer = ToolExposure::Skill(String::new());
        }
        tools.iter().cloned().chain(more).collect()
    }

    /// Runs a call. An unknown tool, wrong parameters, a time-out and a panic are error results.
    pub fn run(
        &self,
        call: ToolCall,
        context: ToolContext,
    ) -> impl Future<Output = ToolResult> + Send + 'static {
        let tool = self.tools.get(&call.name).cloned();
        let specs = self.specs(Language::default());
        let language = context.language();
        let style = CheckStyle {
            language,
            drops_wrong: false,
        };
        async move {
            let spec = specs.iter().find(|spec| spec.name == call.name);
            let (Some(tool), Some(spec)) = (tool, spec) else {
                return context.build_error(tools::no_such_tool(call.name));
            };
            let check = |params: &Map<String, Value>| {
                let checked = spec.schema.check_with_style(params, style);
                checked.map(|checked| checked.params)
            };
            let Some(run) = &tool.run else {
                return context.build_error(tools::not_run_here(call.name));
            };
            let mut params = match check(&call.params) {
                Ok(params) => params,
                Err(problem) => {
                    return context.build_error(tools::tool_problem(problem, call.name));
                }
            };
            // Before a program of the host's runs for it.
            if let Some(permission) = context.permissions.get(&call.name).cloned()
                && let Some(why) = find_denial(&call.name, &permission, &context).await
            {
                tracing::info!(tool = call.name, channel = %context.channel, "a call was denied");
                context.news.send(ToolNewsItem::Denied(why.clone()));
                return ToolResult::denied(why);
            }
            let hooks = context.hooks.clone();
            if context.approved.is_none() {
                // Before anybody is asked, and never about what a person approved: that is what runs.
                let reviewed = hooks.review_call(&call.name, &mut params, &check, &context);
                if let Err(why) = reviewed.await {
                    return context.build_error(why);
                }
                let spoken = tool.spoken_parameters;
                if let Err(why) = hooks.review_parameters(spoken, &mut params, &context).await {
                    return context.build_error(why);
                }
            }
            let approval = context
                .permissions
                .get(&call.name)
                .is_some_and(|permission| permission.approval);
            if approval && context.approved.is_none() {
                if let Some(Err(why)) = tool.settle.map(|settle| settle(&mut params, &context)) {
                    return context.build_error(why);
                }
                return ToolResult::asks(CallPreview {
                    params: Some(params),
                    ..CallPreview::default()
                });
            }
            let reviewer = context.clone();
            let result = run_checked(&tool, run, params.clone(), context).await;
            let (name, hooks) = (&call.name, &reviewer.hooks);
            let mut result = hooks.review_result(name, &params, result, &reviewer).await;
            // Behind the hooks: what they hold back nobody sees.
            for picture in result.pictures.take().iter().flat_map(|all| all.iter()) {
                reviewer.news.send(ToolNewsItem::Picture(picture.clone()));
            }
            truncate_result(result, tool.result_characters, language)
        }
    }
}

/// Runs a tool with checked parameters, ends it in time, and takes out of its result what nobody may see.
async fn run_checked(
    tool: &Tool,
    run: &ToolCode,
    params: Map<String, Value>,
    context: ToolContext,
) -> ToolResult {
    let (redactor, language) = (context.redactor.clone(), context.language());
    let context = ToolContext {
        news: context.news.with_redactor(&redactor),
        ..context
    };
    let approved = context.approved.is_some();
    // The future is made inside, so that a tool that panics before its first await is caught as well.
    let running = AssertUnwindSafe(async { run(params, context).await }).catch_unwind();
    let failed = |why: LocalizedMessage| ToolResult::error(why.in_language(language));
    match tokio::time::timeout(tool.time_out, running).await {
        Ok(Ok(result)) if approved && result.is_pending => {
            failed(tools::approved_asks_again(tool.name()))
        }
        // Before it is cut, for half a secret would not be found.
        Ok(Ok(result)) => redact_result(result, &redactor, language),
        Ok(Err(_)) => failed(tools::failed_inside(tool.name())),
        Err(_) => {
            let seconds = tool.time_out.as_secs_f32().to_string();
            failed(tools::took_too_long(seconds, tool.name()))
        }
    }
}
