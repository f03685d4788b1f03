//! Works on one task apart from the turn that asked for it: a context of its own, the turn's tools without those people
//! see the effects of, and only what came of it goes back. Every call is promised to the budget before it is made.

use kith_language::{refusals, tasks};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::{Value, json};

use super::prompt::{PromptTemplates, TaskPrompt};
use kith_core::call::{ToolCall, ToolExposure, ToolKind, ToolResult, ToolSpec};
use kith_core::context::{WorkingItem, render_working_items};
use kith_core::plan::TODO;
use kith_core::policy::ChannelPolicy;
use kith_core::protocol::{AnswerParser, ParsedAnswer};
use kith_core::report::ModelFailure;
use kith_core::schema::{Param, Schema};
use kith_core::turn::ShownWords;
use kith_model::{ModelCall, ModelCaller, ModelChain, ModelEvent, ModelRequest};
use kith_tools::{BackgroundTask, TASK, ToolContext, ToolNewsItem, ToolRegistry};

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
    /// The models that answer, each where those before it failed.
    pub models: ModelChain,
    pub registry: Arc<ToolRegistry>,
    pub prompts: Arc<PromptTemplates>,
    pub caller: ModelCaller,
    /// The settings of the turn's channel.
    pub policy: Arc<ChannelPolicy>,
    pub extra_tools: Vec<ToolSpec>,
    /// The most rounds of a task.
    pub rounds: u32,
    /// The most tokens of a task, after which it has to come to its end.
    pub tokens: u64,
}

impl BackgroundTask for SubAgent {
    fn work_on_task(&self, task: String, context: ToolContext) -> BoxFuture<'static, ToolResult> {
        Work::new(self.clone(), task, context).run().boxed()
    }
}

struct Work {
    agent: SubAgent,
    task: String,
    context: ToolContext,
    tools: Arc<[ToolSpec]>,
    found_tools: BTreeSet<String>,
    working: Vec<WorkingItem>,
    /// How many of them the last prompt showed.
    shown: usize,
    /// In tokens; what counts for each call is known when it ends.
    spent: AtomicU64,
    /// Whether a tool asked for the end of the turn, and so of this.
    ends_turn: bool,
    /// What people can see of it afterwards.
    rounds: Vec<Value>,
}

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
            spent: AtomicU64::new(0),
            ends_turn: false,
            rounds: Vec::new(),
        }
    }

    async fn run(mut self) -> ToolResult {
        let most = self.agent.rounds.clamp(1, MOST_ROUNDS);
        let mut text = String::new();
        for round in 1..=most {
            let is_last = round == most || self.spent() >= self.agent.tokens;
            let round_answer = match self.ask_models(is_last).await {
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
        let details = Some(json!({ "tokens": self.spent(), "rounds": self.rounds }));
        ToolResult {
            details,
            ends_turn: self.ends_turn && !result.is_error,
            ..result
        }
    }

    fn spent(&self) -> u64 {
        self.spent.load(Ordering::Relaxed)
    }

    /// Puts the question of a round, to the next model where one fails.
    async fn ask_models(&mut self, is_last: bool) -> Result<RoundAnswer, ModelFailure> {
        let tools = self.select_tools(is_last);
        let request = self
            .build_request(&tools, is_last)?
            .redact_secrets(&self.context.redactor);
        // It stays with the model that answered before.
        let mut models = self.agent.models.clone();
        let read = |_, call| self.read_answer(call, tools.clone());
        let answered = self
            .agent
            .caller
            .ask_in_order(&mut models, &request, read)
            .await;
        self.agent.models = models;
        answered
    }

    fn build_request(
        &self,
        tools: &[ToolSpec],
        is_last: bool,
    ) -> Result<ModelRequest, ModelFailure> {
        if self.agent.models.model().is_demo() {
            return Err(ModelFailure::new("no language model answers here"));
        }
        let (policy, estimator) = (&self.agent.policy, &self.agent.caller.estimator);
        let room = policy.context.prompt_tokens / 4 * 3;
        let language = policy.persona.language;
        let so_far = render_working_items(&self.working, self.shown, language, room, estimator);
        let task_prompt = TaskPrompt {
            task: &self.task,
            so_far: &so_far,
            is_last,
            tools,
        };
        let prompt = self
            .agent
            .prompts
            .render_task(policy, &task_prompt)
            .map_err(|problem| ModelFailure::new(problem.to_string()))?;
        Ok(ModelRequest {
            prompt_tokens: prompt.estimate_tokens(estimator),
            system: prompt.system,
            messages: prompt.messages,
            form: prompt.form,
            ..ModelRequest::default()
        })
    }

    async fn read_answer(
        &self,
        mut call: ModelCall,
        tools: Arc<[ToolSpec]>,
    ) -> Result<RoundAnswer, ModelFailure> {
        let mut parser = self.new_parser(tools);
        let (mut calls, mut raw) = (Vec::new(), String::new());
        loop {
            match call.next_event().await {
                ModelEvent::Delta(piece) => {
                    calls.append(&mut parser.feed(piece.as_bytes()));
                    raw.push_str(&piece);
                }
                ModelEvent::ToolDelta(delta) => {
                    raw.push_str(&delta.to_text());
                    calls.append(&mut parser.feed_tool(delta));
                }
                ModelEvent::Reasoning(_)
                | ModelEvent::Note(_)
                | ModelEvent::Retry
                | ModelEvent::ContextShrank(_) => {}
                ModelEvent::End(end) => {
                    self.spent
                        .fetch_add(call.amount().tokens, Ordering::Relaxed);
                    match end?.truncated {
                        true => parser.mark_cut(),
                        false => parser.mark_stopped(),
                    }
                    break;
                }
            }
            // What a model writes after its answer is not waited and paid for.
            if parser.is_over() {
                call.hang_up().notify_one();
            }
        }
        let (mut last, answer) = parser.finish();
        calls.append(&mut last);
        Ok(RoundAnswer { calls, answer, raw })
    }

    fn new_parser(&self, tools: Arc<[ToolSpec]>) -> AnswerParser {
        AnswerParser::new(self.agent.policy.protocol, tools)
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
        // Others may have written the task, and what tools found.
        let words = ShownWords::from_lines(vec![self.task.clone()], &self.working[..self.shown]);
        let (mut answered, mut ran, mut shown) = (None, false, Vec::new());
        if !answer.thoughts.is_empty() {
            self.working
                .push(WorkingItem::Thoughts(answer.thoughts.clone()));
        }
        for call in calls {
            if call.name == ANSWER && (!ran || is_last) {
                let text = call.params.get("text").and_then(Value::as_str);
                answered = Some(text.unwrap_or_default().to_owned());
                break;
            }
            let new_parser = || self.new_parser(offered.clone());
            let result = match words.hold_call(&call, &raw, new_parser) {
                true => self.context.build_error(refusals::dictated()),
                false => self.run_call(round, &call, &offered).await,
            };
            ran = true;
            self.found_tools.extend(result.offers.iter().cloned());
            let ToolCall { name, params } = &call;
            let said: String = result.text().chars().take(SHOWN_CHARACTERS).collect();
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
            let language = self.context.language();
            let problems: Vec<String> = answer
                .problems
                .iter()
                .map(|problem| problem.in_language(language))
                .collect();
            if problems.is_empty() {
                answered = Some(answer.plain_text.clone());
            } else {
                self.working.push(WorkingItem::Unread {
                    text: raw,
                    problems: problems.join("; "),
                });
                ran = true;
            }
        }
        let seen = json!({ "round": round, "thoughts": answer.thoughts, "calls": shown, "answer": answered });
        self.context.news.send(ToolNewsItem::Published {
            channel: TASK.to_owned(),
            data: seen.clone(),
        });
        self.rounds.push(seen);
        (answered.clone(), ran && answered.is_none())
    }

    /// What comes of one call. An answer that comes here was written before the results it should tell of.
    async fn run_call(&self, round: u32, call: &ToolCall, offered: &[ToolSpec]) -> ToolResult {
        if call.name == ANSWER {
            return self.context.build_error(tasks::result_not_known());
        }
        if !offered.iter().any(|spec| spec.name == call.name) {
            let names: Vec<&str> = offered.iter().map(|spec| spec.name.as_str()).collect();
            let why = tasks::no_such_tool(&call.name, names.join(", "));
            return self.context.build_error(why);
        }
        self.report_progress(round, call);
        let running = self.agent.registry.run(call.clone(), self.context.clone());
        refuse_pending(running.await, &self.context)
    }

    fn report_progress(&self, round: u32, call: &ToolCall) {
        let name = &call.name;
        let line = tasks::round_of_tool(name, round).in_language(self.context.language());
        self.context.news.send(ToolNewsItem::Progress(line));
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
