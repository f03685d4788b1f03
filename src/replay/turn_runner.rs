//! The turns of a replay with a model: what it would have said is written down and counted. Nothing it says becomes
//! part of the chat, where its author's own lines stand; the time of the chat stands still while it thinks.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::sync::Arc;

use anyhow::Context;
use chrono::DateTime;
use tokio::runtime::Runtime;

use super::lint::StyleLint;
use kith_agent::prompt::PromptTemplates;
use kith_core::approval::describe_action;
use kith_core::call::{ToolCall, ToolResult};
use kith_core::chat::{Author, ChannelId, Message, MessageId, Millis, TurnId};
use kith_core::effect::Effect;
use kith_core::event::{Event, TurnEvent};
use kith_core::message_guard::{GuardReason, MessageGuard};
use kith_core::persona::Language;
use kith_core::report::{ModelFailure, TokenUsage, TurnOutcome, TurnReport};
use kith_core::{Core, RenderInputs};
use kith_memory::{
    Memory, MemoryScope, ProfileQuestion, RecallContext, RecallSources, find_speakers,
};
use kith_model::{
    BudgetSettings, CallLedger, CostAttribution, Model, ModelCaller, ModelEvent, ModelFunction,
    ModelRequest,
};
use kith_store::Store;
use kith_tools::{ToolContext, ToolHost, ToolRegistry};

/// Ids of what it says start here: no log has so many messages.
const FIRST_ID: u64 = 1 << 60;

/// With which model turns are run, and how many tokens it may cost.
#[derive(Clone)]
pub struct TurnOptions {
    pub model: Model,
    /// The budget, as for a day of the daemon.
    pub budget: BudgetSettings,
}

pub struct TurnRunner {
    runtime: Runtime,
    model: Model,
    ledger: CallLedger,
    registry: ToolRegistry,
    memory: Option<Memory>,
    store: Option<Store>,
    host: Arc<dyn ToolHost>,
    pub lint: StyleLint,
    /// What the open turns have said and done.
    lines: HashMap<TurnId, String>,
    next_id: u64,
}

#[derive(Default)]
pub struct EffectOutcome {
    pub effects: Vec<Effect>,
    /// The prompt's size in estimated tokens.
    pub tokens: Option<u32>,
    /// A turn is over: what woke it and what came of it.
    pub transcript: Option<String>,
}

/// A replay knows no other channel that everybody in this one can view.
struct SingleChannelHost;

impl ToolHost for SingleChannelHost {}

impl TurnRunner {
    /// A stage nothing was played on.
    ///
    /// # Errors
    /// The system refuses what a runtime needs.
    pub fn new(turns: &TurnOptions) -> anyhow::Result<TurnRunner> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build();
        Ok(TurnRunner {
            runtime: runtime.context("the replay's turns")?,
            model: turns.model.clone(),
            ledger: CallLedger::in_memory(turns.budget.clone()),
            registry: ToolRegistry::load_builtin(),
            memory: None,
            store: None,
            host: Arc::new(SingleChannelHost),
            lint: StyleLint::default(),
            lines: HashMap::new(),
            next_id: FIRST_ID,
        })
    }

    /// Goes on with the next replay, which keeps what it hears in `store`.
    pub fn begin_replay(&mut self, store: Store) {
        self.memory = Some(Memory::new(store.clone()));
        self.store = Some(store);
    }

    pub fn record_message(&mut self, message: &Message) {
        self.lint.count_room_line(&message.text);
    }

    pub fn execute_effect(
        &mut self,
        core: &mut Core,
        templates: &PromptTemplates,
        now: Millis,
        effect: Effect,
    ) -> EffectOutcome {
        let mut outcome = EffectOutcome::default();
        let (turn, event) = match effect {
            Effect::AskModel { turn, channel, ask } => {
                self.ask_model(core, templates, now, (turn, channel, ask), &mut outcome);
                return outcome;
            }
            Effect::Run { turn, channel, call, what: tool_call, causes } => {
                let params = serde_json::Value::Object(tool_call.params.clone());
                let _ = writeln!(self.lines.entry(turn).or_default(), "    {} {params}", tool_call.name);
                let Some(context) = self.build_context(core, now, channel, causes) else { return outcome };
                (turn, TurnEvent::CallDone { call, result: self.run_tool(tool_call, context) })
            }
            Effect::Moderate { turn, call, action, .. } => {
                let _ = writeln!(self.lines.entry(turn).or_default(), "    would {}", describe_action(&action, Language::EN));
                (turn, TurnEvent::CallDone { call, result: ToolResult::error("not in a replay") })
            }
            Effect::Send { turn, channel, part, text, .. } => {
                let name = core.channel_state(channel).map(|channel_state| channel_state.policy().persona.name.clone()).unwrap_or_default();
                let _ = writeln!(self.lines.entry(turn).or_default(), "    {name}: {text}");
                self.next_id += 1;
                (turn, TurnEvent::Delivered { part, result: Ok(MessageId(self.next_id)) })
            }
            Effect::React { turn: Some(turn), part, message, emoji, .. } => {
                let _ = writeln!(self.lines.entry(turn).or_default(), "    reacts with {emoji}");
                (turn, TurnEvent::Delivered { part, result: Ok(message) })
            }
            Effect::Finish(report) => {
                let channel_state = core.channel_state(report.channel);
                let guard = channel_state.map(|state| MessageGuard::new(state.policy(), state.timeline(), &state.window.names));
                let is_copied = |line: &str| {
                    guard.as_ref().is_some_and(|guard| guard.inspect(line) == Err(GuardReason::PromptText))
                };
                self.lint.add_turn(&report, is_copied);
                outcome.transcript = Some(self.build_transcript(core, &report));
                return outcome;
            }
            Effect::ReportMessageDecision(_)
            | Effect::ReportDecision(_)
            | Effect::React { turn: None, .. }
            | Effect::ShowTyping { .. }
            | Effect::SaveIntent { .. }
            | Effect::SaveFiredIntent { .. }
            | Effect::EndIntent { .. }
            | Effect::NextModel { .. }
            | Effect::ReportHeldBack { .. }
            // The whole answer was read before any of it was heard.
            | Effect::StopAnswer { .. }
            | Effect::CancelTurn { .. } => return outcome,
        };
        outcome.effects = core.handle_event(now, Event::Turn { turn, event });
        outcome
    }

    fn ask_model(
        &mut self,
        core: &mut Core,
        templates: &PromptTemplates,
        now: Millis,
        (turn, channel, ask): (TurnId, ChannelId, u32),
        outcome: &mut EffectOutcome,
    ) {
        let inputs = self.build_inputs(core, templates, now, (turn, channel));
        let Some(round) = core.build_round_prompt(now, turn, inputs) else {
            return;
        };
        let filled =
            templates.render_round(&round.policy, &round.tools, round.kind, &round.sections);
        let mut written = Vec::new();
        let end = match filled {
            Err(problem) => Err(ModelFailure::new(problem.to_string())),
            Ok(prompt) => {
                let prompt_tokens = prompt.estimate_tokens(&core.estimator);
                outcome.tokens = Some(prompt_tokens);
                core.handle_event(
                    now,
                    Event::Turn {
                        turn,
                        event: TurnEvent::PromptRendered {
                            prompt_tokens,
                            has_fallback: false,
                        },
                    },
                );
                let request = ModelRequest {
                    system: prompt.system,
                    messages: prompt.messages,
                    stable_bytes: prompt.stable_bytes,
                    prompt_tokens,
                    form: prompt.form,
                    ..ModelRequest::default()
                };
                let caller = ModelCaller {
                    ledger: self.ledger.clone(),
                    attribution: CostAttribution {
                        channel,
                        person: None,
                        function: ModelFunction::Turn,
                    },
                    turn: Some(turn),
                    estimator: core.estimator,
                };
                let end = self.fetch_answer(&caller, request, ask, &mut written);
                if let Ok(usage) = end.as_ref().map(|usage| *usage)
                    && !usage.estimated
                {
                    core.estimator.learn(prompt_tokens, usage.prompt);
                }
                end
            }
        };
        for event in written
            .into_iter()
            .chain([TurnEvent::AnswerEnded { ask, end }])
        {
            outcome
                .effects
                .extend(core.handle_event(now, Event::Turn { turn, event }));
        }
    }

    /// Asks the model within the budget, and waits for the whole answer.
    fn fetch_answer(
        &self,
        caller: &ModelCaller,
        request: ModelRequest,
        ask: u32,
        written: &mut Vec<TurnEvent>,
    ) -> Result<TokenUsage, ModelFailure> {
        self.runtime.block_on(async {
            let mut call = caller.ask(&self.model, request)?;
            loop {
                match call.next_event().await {
                    ModelEvent::Delta(text) => written.push(TurnEvent::Delta { ask, text }),
                    ModelEvent::ToolDelta(delta) => {
                        written.push(TurnEvent::ToolDelta { ask, delta })
                    }
                    ModelEvent::Reasoning(_) | ModelEvent::Retry | ModelEvent::ContextShrank(_) => {
                    }
                    ModelEvent::Note(note) => tracing::warn!("{note}"),
                    ModelEvent::End(end) => return end,
                }
            }
        })
    }

    fn build_inputs(
        &self,
        core: &Core,
        templates: &PromptTemplates,
        now: Millis,
        (turn, channel): (TurnId, ChannelId),
    ) -> RenderInputs {
        let (Some(channel_state), Some(memory)) = (core.channel_state(channel), &self.memory)
        else {
            return RenderInputs::default();
        };
        let policy = channel_state.policy();
        let moment = RecallContext {
            turn,
            cues: channel_state.recall_cues(now),
            names: policy.names.clone(),
        };
        let sources = RecallSources {
            here: channel,
            channels: vec![channel],
            shown_from: channel_state.first_shown_message(),
            begins_after: None,
        };
        let scope = MemoryScope::from_channel(channel, channel_state.channel.guild);
        let newest: Vec<&str> = moment.cues.iter().map(|cue| &*cue.text).collect();
        let profiles = ProfileQuestion {
            speakers: find_speakers(channel_state.timeline()),
            newest: &newest,
            now,
        };
        let (core_memory, recalled, people) = self.runtime.block_on(async {
            let core_memory = memory
                .load_core_memory(scope, &policy.persona)
                .await
                .unwrap_or_default();
            (
                core_memory,
                memory.recall_for_prompt(&sources, &moment).await,
                memory.load_profiles(&sources.channels, profiles).await,
            )
        });
        let fixed_tokens = templates
            .estimate_fixed_tokens(policy, &policy.tools, &core.estimator)
            .unwrap_or_default();
        RenderInputs {
            core_memory,
            recalled,
            people,
            fixed_tokens,
            ..RenderInputs::default()
        }
    }

    fn build_context(
        &self,
        core: &Core,
        now: Millis,
        channel: ChannelId,
        causes: Vec<Author>,
    ) -> Option<ToolContext> {
        let channel_state = core.channel_state(channel)?;
        let (policy, store) = (channel_state.policy(), self.store.clone()?);
        Some(ToolContext {
            guild: channel_state.channel.guild,
            shown_from: channel_state.window.first(),
            causes,
            tools: policy.tools.clone(),
            protocol: policy.protocol,
            ..ToolContext::new(
                channel,
                policy.persona.clone(),
                store,
                self.host.clone(),
                now,
            )
        })
    }

    fn run_tool(&self, call: ToolCall, context: ToolContext) -> ToolResult {
        let running = self.registry.run(call, context);
        self.runtime.block_on(running)
    }

    /// What woke the turn and what came of it, for people.
    fn build_transcript(&mut self, core: &Core, report: &TurnReport) -> String {
        let time = DateTime::from_timestamp_millis(report.started)
            .unwrap_or_default()
            .format("%Y-%m-%d %H:%M:%S");
        let woke = core
            .channel_state(report.channel)
            .and_then(|channel_state| channel_state.timeline().find(report.wake.message?));
        let mut text = match woke {
            Some(said) => format!(
                "[{time}] {}: {}\n",
                said.message.author.name, said.message.text
            ),
            None => format!("[{time}]\n"),
        };
        text.push_str(&self.lines.remove(&report.turn).unwrap_or_default());
        let _ = match &report.outcome {
            TurnOutcome::Acted => Ok(()),
            TurnOutcome::Silent(reason) => writeln!(text, "    (silent: {reason})"),
            TurnOutcome::Failed(reason) => writeln!(text, "    (failed: {reason})"),
        };
        for note in &report.notes {
            let _ = writeln!(text, "    ({note})");
        }
        text
    }
}
