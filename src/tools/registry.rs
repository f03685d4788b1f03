//! The tools there are, by name. Checks a call before it runs, ends it in time, and keeps its result short; whatever a
//! tool does, the model gets a result and the turn goes on.

use std::collections::HashMap;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures_util::FutureExt;

use super::{Tool, ToolContext, builtin};
use crate::core::call::{Call, CallResult, ToolSpec};
use crate::core::persona::Language;

/// The tools there are.
pub struct Registry {
    tools: HashMap<String, Arc<Tool>>,
    english: Arc<[ToolSpec]>,
    chinese: Arc<[ToolSpec]>,
}

/// In a list of tools, all that need not be named.
pub const DEFAULT_TOOLS: &str = "default";

impl Registry {
    /// The tools that ship with Kith.
    pub fn builtin() -> Self {
        Self::new(builtin::all())
    }

    /// A registry of these tools, in the order the prompt shows them. Of two with one name the first is kept.
    pub fn new(tools: impl IntoIterator<Item = Tool>) -> Self {
        let mut by_name = HashMap::new();
        let (mut english, mut chinese) = (Vec::new(), Vec::new());
        for tool in tools {
            let spec = tool.spec(Language::En);
            if by_name.contains_key(&spec.name) {
                tracing::warn!(tool = spec.name, "a second tool of this name is ignored");
                continue;
            }
            chinese.push(tool.spec(Language::Zh));
            by_name.insert(spec.name.clone(), Arc::new(tool));
            english.push(spec);
        }
        Self { tools: by_name, english: english.into(), chinese: chinese.into() }
    }

    /// What the prompt, the protocols and the core are told of them, the optional ones among them.
    pub fn specs(&self, language: Language) -> Arc<[ToolSpec]> {
        language.pick(&self.english, &self.chinese).clone()
    }

    /// What is told of those in `list`, in which [`DEFAULT_TOOLS`] stands for all that are not optional.
    pub fn chosen(&self, list: &[String], language: Language) -> Vec<ToolSpec> {
        let is_default = |name: &str| self.tools.get(name).is_some_and(|tool| !tool.optional);
        let has_default = list.iter().any(|name| name == DEFAULT_TOOLS);
        let specs = self.specs(language);
        let chosen = specs.iter().filter(|spec| list.contains(&spec.name) || has_default && is_default(&spec.name));
        chosen.cloned().collect()
    }

    /// Runs a call. An unknown tool, wrong parameters, a time-out and a panic are error results.
    pub fn run(&self, call: Call, context: ToolContext) -> impl Future<Output = CallResult> + Send + 'static {
        let tool = self.tools.get(&call.name).cloned();
        let spec = self.english.iter().find(|spec| spec.name == call.name);
        let checked = spec.map(|spec| spec.schema.check(&call.params));
        async move {
            let (Some(tool), Some(checked)) = (tool, checked) else {
                return CallResult::error(format!("there is no tool `{}`", call.name));
            };
            let Some(run) = &tool.run else {
                return CallResult::error(format!("`{}` is not run here", call.name));
            };
            let params = match checked {
                Ok(params) => params,
                Err(problem) => return CallResult::error(format!("{}: {problem}", call.name)),
            };
            // The future is made inside, so that a tool that panics before its first await is caught as well.
            let running = AssertUnwindSafe(async { run(params, context).await }).catch_unwind();
            match tokio::time::timeout(tool.time_out, running).await {
                Ok(Ok(result)) => cap(result, tool.result_characters),
                Ok(Err(_)) => CallResult::error(format!("{} failed inside; do without it", call.name)),
                Err(_) => {
                    let seconds = tool.time_out.as_secs_f32();
                    CallResult::error(format!("{} took longer than {seconds} s and was stopped", call.name))
                }
            }
        }
    }
}

/// Cuts what the model is shown, and says so.
fn cap(mut result: CallResult, limit: usize) -> CallResult {
    if let Some((end, _)) = result.content.char_indices().nth(limit) {
        let total = result.content.chars().count();
        result.content.truncate(end);
        result.content.push_str(&format!("\n[cut: the first {limit} of {total} characters]"));
    }
    result
}
