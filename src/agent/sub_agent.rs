//! Works on one task apart from the turn that asked for it: a context of its own, the turn's tools without those people
//! see the effects of, and only what came of it goes back. Every call is promised to the budget before it is made.

use kith_language::tasks;
use std::collections::BTreeSet;
use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::{Value, json};

use super::prompt::{PromptTemplates, RenderedPrompt, TaskPrompt};
use super::side_budget::SideBudget;
use kith_core::call::{ToolCall, ToolExposure, ToolKind, ToolResult, ToolSpec};
use kith_core::context::{TokenEstimator, WorkingItem, render_working_items};
use kith_core::plan::TODO;
use kith_core::policy::ChannelPolicy;
use kith_core::protocol::{AnswerParser, ParsedAnswer};
use kith_core::report::{ModelFailure, TokenUsage};
use kith_core::schema::{Param, Schema};
use kith_model::{CallUsage, FallbackChoice, Model, ModelEvent, ModelRequest, pick_model};
use kith_tools::{SideWork, TASK, ToolContext, ToolNewsItem, ToolRegistry};

/// The most rounds there can be.
pub const MOST_ROUNDS: u32 = 30;
/// The most characters of a result that people are shown.
const SHOWN_CHARACTERS: usize = 1_000;
/// What is answered where nothing came of it.
const NOTHING: &str = "(no summary)";
/// How it says what came of it.
const ANSWER: &str = "answer";

/// Who works on tasks: everything it needs to ask a model and run tools.
#[derive(Clone)]
pub struct SubAgent {
    /// The models that answer, each where those before it failed; at least one.
    pub models: Vec<Model>,
    /// What its tools are run by.
    pub registry: Arc<ToolRegistry>,
    /// How it is told what to do.
    pub prompts: Arc<PromptTemplates>,
    /// How sizes are guessed.
    pub estimator: TokenEstimator,
    /// Where its calls are paid.
    pub side_budget: SideBudget,
    /// The settings of the turn's channel.
    pub policy: Arc<ChannelPolicy>,
    /// Tools it has besides the channel's.
    pub extra_tools: Vec<ToolSpec>,
    /// The most rounds of a task.
    pub rounds: u32,
    /// The most tokens of a task, after which it has to come to its end.
    pub tokens: u64,
}

impl SideWork for SubAgent {
    fn work_on_task(&self, task: String, context: ToolContext) -> BoxFuture<'static, ToolResult> {
        Work::new(self.clone(), task, context).run().boxed()
    }
}

/// A task that is worked on.
struct Work {
    agent: SubAgent,
    task: String,
    context: ToolContext,
    tools: Arc<[ToolSpec]>,
    found_tools: BTreeSet<String>,
    working: Vec<WorkingItem>,
    /// How many of them the last prompt showed.
    shown: usize,
    /// The place of the model that is asked.
    model_index: usize,
    spent: u64,
    /// Whether a tool asked for the end of the turn, and so of this.
    ends_turn: bool,
    /// What people can see of it afterwards.
    rounds: Vec<Value>,
}

/// What a model answered.
struct RoundAnswer {
    calls: Vec<ToolCall>,
    answer: ParsedAnswer,
    raw: String,
}

impl Work {
    fn new(agent: SubAgent, task: String, context: ToolContext) -> Self {
        let known = |spec: &&ToolSpec| !context.tools.iter().any(|tool| tool.name == spec.name);
        let more: Vec<ToolSpec> = agent.extra_tools.iter().filter(known).cloned().collect();
        let all = context.tools.iter().chain(&more);
        let waits = |name: &str| {
            context
                .permissions
                .get(name)
                .is_some_and(|known| known.approval)
        };
        // A task of its own would have no end, and a list of its own would stand in the place of the turn's. Nobody is
        // asked from here.
        let is_its = |spec: &&ToolSpec| {
            spec.kind != ToolKind::Visible
                && !waits(&spec.name)
                && ![TASK, TODO].contains(&spec.name.as_str())
                && agent.registry.can_run(&spec.name)
        };
        let tools: Arc<[ToolSpec]> = all
            .filter(is_its)
            .cloned()
            .chain([build_answer_tool(&context)])
            .collect();
        let context = ToolContext {
            tools: tools.clone(),
            ..context
        };
        Self {
            agent,
            task,
            context,
            tools,
            found_tools: BTreeSet::new(),
            working: Vec::new(),
            shown: 0,
            model_index: 0,
            spent: 0,
            ends_turn: false,
            rounds: Vec::new(),
        }
    }

    async fn run(mut self) -> ToolResult {
        let most = self.agent.rounds.clamp(1, MOST_ROUNDS);
        let mut text = String::new();
        for round in 1..=most {
            let is_last = round == most || self.spent >= self.agent.tokens;
            let round_answer = match self.ask_with_fallback(is_last).await {
                Ok(said) => said,
                Err(failure) => {
                    let why = tasks::model_failed(failure.message);
                    return self.build_outcome(self.context.build_error(why));
                }
            };
            self.shown = self.working.len();
            let (answered, ran) = self.run_calls(round, round_answer, is_last).await;
            if let Some(answered) = answered {
                text = answered;
            }
            if !ran || is_last || self.ends_turn {
                break;
            }
        }
        let text = text.trim();
        self.build_outcome(ToolResult::ok(if text.is_empty() { NOTHING } else { text }))
    }

    /// What came of it, with all it did for people to see.
    fn build_outcome(&self, result: ToolResult) -> ToolResult {
        let details = Some(json!({ "tokens": self.spent, "rounds": self.rounds }));
        ToolResult {
            details,
            ends_turn: self.ends_turn && !result.is_error,
            ..result
        }
    }

    /// Puts the question, to the next model where one fails.
    async fn ask_with_fallback(&mut self, is_last: bool) -> Result<RoundAnswer, ModelFailure> {
        loop {
            let failure = match self.ask_model(is_last).await? {
                Ok(said) => return Ok(said),
                Err(failure) => failure,
            };
            if self.model_index + 1 >= self.agent.models.len() {
                return Err(failure);
            }
            self.model_index += 1;
        }
    }

    /// The inner error is one model's; the outer ends it all.
    async fn ask_model(
        &mut self,
        is_last: bool,
    ) -> Result<Result<RoundAnswer, ModelFailure>, ModelFailure> {
        let failed = |message: String| ModelFailure {
            message,
            ..ModelFailure::default()
        };
        let agent = self.agent.clone();
        let policy = &agent.policy;
        let tools = self.select_tools(is_last);
        let language = policy.persona.language;
        let room = policy.context.prompt_tokens / 4 * 3;
        let so_far =
            render_working_items(&self.working, self.shown, language, room, &agent.estimator);
        let task_prompt = TaskPrompt {
            task: &self.task,
            so_far: &so_far,
            is_last,
            tools: &tools,
        };
        let prompt = agent
            .prompts
            .render_task(policy, &task_prompt)
            .map_err(|problem| failed(problem.to_string()))?;
        let prompt_tokens = prompt.estimate_tokens(&agent.estimator);
        let FallbackChoice {
            at,
            has_fallback: another,
        } = pick_model(&agent.models, self.model_index, prompt_tokens)?;
        self.model_index = at;
        let model = agent
            .models
            .get(at)
            .cloned()
            .ok_or_else(|| failed("no model is left to be asked".into()))?;
        if model.is_demo() {
            return Err(failed("no language model answers here".into()));
        }
        let RenderedPrompt {
            system,
            messages,
            form,
            ..
        } = prompt;
        let request = ModelRequest {
            system,
            messages,
            prompt_tokens,
            has_fallback: another,
            form,
            ..ModelRequest::default()
        };
        let request = request.redact_secrets(&self.context.redactor);
        let call_number = agent.side_budget.open(&model, prompt_tokens).await?;
        let mut parser = AnswerParser::new(policy.protocol, tools);
        let (mut calls, mut raw, mut has_output) = (Vec::new(), String::new(), false);
        let mut answers = model.ask(request);
        let mut end = None;
        while let Some(event) = answers.recv().await {
            if parser.is_over() {
                // Nobody tells what it took.
                let completion = agent.estimator.estimate_tokens(&raw);
                end = Some(Ok(TokenUsage {
                    prompt: prompt_tokens,
                    completion,
                    estimated: true,
                    ..TokenUsage::default()
                }));
                break;
            }
            match event {
                ModelEvent::Delta(piece) => {
                    calls.append(&mut parser.feed(piece.as_bytes()));
                    raw.push_str(&piece);
                    has_output = true;
                }
                ModelEvent::ToolDelta(delta) => {
                    raw.push_str(&delta.to_text());
                    calls.append(&mut parser.feed_tool(delta));
                    has_output = true;
                }
                ModelEvent::Reasoning(_) => has_output = true,
                ModelEvent::Note(_) | ModelEvent::Retry | ModelEvent::ContextShrank(_) => {}
                ModelEvent::End(ended) => end = Some(ended),
            }
        }
        let end = end.unwrap_or_else(|| {
            Err(failed(
                "the model client stopped without a word; see the log".into(),
            ))
        });
        let call_usage = match &end {
            Ok(usage) => CallUsage::Usage(*usage),
            Err(failure) => failure.spent.map_or(
                if has_output {
                    CallUsage::Unknown
                } else {
                    CallUsage::Nothing
                },
                CallUsage::Usage,
            ),
        };
        agent.side_budget.settle(call_number, call_usage).await;
        let tokens = |usage: &TokenUsage| u64::from(usage.prompt) + u64::from(usage.completion);
        self.spent += match &call_usage {
            CallUsage::Usage(usage) => tokens(usage),
            CallUsage::Unknown => u64::from(prompt_tokens),
            CallUsage::Nothing => 0,
        };
        Ok(end.map(|usage| {
            match usage.truncated {
                true => parser.mark_cut(),
                false => parser.mark_stopped(),
            }
            let (mut last, answer) = parser.finish();
            calls.append(&mut last);
            RoundAnswer { calls, answer, raw }
        }))
    }

    /// The tools of a round: in the last only the way to its end.
    fn select_tools(&self, is_last: bool) -> Arc<[ToolSpec]> {
        let is_there = |spec: &&ToolSpec| match spec.name.as_str() {
            ANSWER => true,
            name => {
                !is_last && (spec.offer == ToolExposure::Always || self.found_tools.contains(name))
            }
        };
        self.tools.iter().filter(is_there).cloned().collect()
    }

    /// Does what was asked for, in order. Answers with what came of the task, where it said so, and whether anything ran
    /// or failed that it does not know of yet.
    async fn run_calls(
        &mut self,
        round: u32,
        round_answer: RoundAnswer,
        is_last: bool,
    ) -> (Option<String>, bool) {
        let RoundAnswer { calls, answer, raw } = round_answer;
        let nothing_called = calls.is_empty();
        let offered = self.select_tools(is_last);
        let (mut answered, mut ran, mut shown) = (None, false, Vec::new());
        if !answer.thoughts.is_empty() {
            self.working
                .push(WorkingItem::Thoughts(answer.thoughts.clone()));
        }
        for call in calls {
            if call.name == ANSWER && (!ran || is_last) {
                answered = Some(
                    call.params
                        .get("text")
                        .and_then(Value::as_str)
                        .unwrap_or_default()
                        .to_owned(),
                );
                break;
            }
            let result = if call.name == ANSWER {
                self.context.build_error(tasks::result_not_known())
            } else if offered.iter().any(|spec| spec.name == call.name) {
                self.report_progress(round, &call);
                refuse_pending(
                    self.agent
                        .registry
                        .run(call.clone(), self.context.clone())
                        .await,
                    &self.context,
                )
            } else {
                let names: Vec<&str> = offered.iter().map(|spec| spec.name.as_str()).collect();
                let (name, names) = (&call.name, names.join(", "));
                let why = tasks::no_such_tool(name, names);
                self.context.build_error(why)
            };
            ran = true;
            self.found_tools.extend(result.offers.iter().cloned());
            let ToolCall { name, params } = &call;
            let said: String = result.content.chars().take(SHOWN_CHARACTERS).collect();
            let failed = result.is_error;
            let ends = result.ends_turn && !failed;
            shown.push(
                json!({ "name": name, "params": params, "result": said, "is_error": failed }),
            );
            if ends {
                (self.ends_turn, answered) = (true, Some(result.content.clone()));
            }
            self.working.push(WorkingItem::Called { call, result });
            if ends {
                break;
            }
        }
        if nothing_called {
            if answer.problems.is_empty() {
                answered = Some(answer.plain_text.clone());
            } else {
                self.working.push(WorkingItem::Unread {
                    text: raw,
                    problems: answer.problems.join("; "),
                });
                ran = true;
            }
        }
        let seen = json!({ "round": round, "thoughts": answer.thoughts, "calls": shown, "answer": answered });
        self.context.news.tell(ToolNewsItem::Published {
            channel: TASK.to_owned(),
            data: seen.clone(),
        });
        self.rounds.push(seen);
        (answered.clone(), ran && answered.is_none())
    }

    fn report_progress(&self, round: u32, call: &ToolCall) {
        let name = &call.name;
        let line = tasks::round_of_tool(name, round).in_language(self.context.language());
        self.context.news.tell(ToolNewsItem::Progress(line));
    }
}

/// What waits for a person's decision waits in a turn: from here nobody is asked.
fn refuse_pending(result: ToolResult, context: &ToolContext) -> ToolResult {
    match result.is_pending {
        true => context.build_error(tasks::approval_not_possible()),
        false => result,
    }
}

/// How the model says what came of it.
fn build_answer_tool(context: &ToolContext) -> ToolSpec {
    let language = context.language();
    let description = tasks::answer_now().in_language(language);
    let text = Param {
        name: "text".into(),
        required: true,
        ..Param::default()
    };
    ToolSpec {
        name: ANSWER.into(),
        kind: ToolKind::Quiet,
        description,
        schema: Schema { params: vec![text] },
        primary: Some("text".into()),
        ..ToolSpec::default()
    }
}
