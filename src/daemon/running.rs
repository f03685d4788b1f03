//! What the daemon keeps of a running turn, and the account of its model calls: whatever way a call ends, it is written
//! down once what it took, and never as less than it may have taken.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::json;
use tokio::sync::Notify;
use tokio::task::AbortHandle;

use super::news::TurnNews;
use super::side_calls::SideCall;
use super::state::Daemon;
use kith_agent::TaskReport;
use kith_core::chat::{ChannelId, TurnId};
use kith_core::event::{Event, TurnEvent};
use kith_core::report::{ModelFailure, TokenUsage, TurnOutcome, TurnReport};
use kith_model::{
    CallUsage, CostAttribution, FallbackChoice, Model, ModelFunction, Reservation, pick_model,
};
use kith_room::{LiveEvent, ToolNewsKind};
use kith_store::{ModelSpend, StoredPrompt};
use kith_system::clock;
use kith_tools::ToolNewsItem;
use kith_tools::custom::SessionEvent;

/// What is kept of a running turn.
pub(super) struct RunningTurn {
    pub channel: ChannelId,
    /// The models that answer this turn to its end, whatever is chosen meanwhile; each where those before it failed.
    models: Vec<Model>,
    /// The place of the model that is asked.
    model_index: usize,
    pub tasks: Vec<AbortHandle>,
    pub prompts: Vec<StoredPrompt>,
    pub call: Option<OpenModelCall>,
    /// The model call under way, and how to hang up on it.
    pub active_call: Option<(u32, Arc<Notify>)>,
    /// Calls beside its own that have not told their end, by their numbers.
    pub side_calls: BTreeMap<u64, SideCall>,
    pub notes: Vec<String>,
    /// What its tools told while they ran.
    pub news: TurnNews,
    /// Whether a model call failed and is made again.
    is_retrying: bool,
    /// What its calls cost so far, as far as their models have a price.
    cost: Option<f64>,
}

/// A model call that costs tokens and has not told its end.
pub(super) struct OpenModelCall {
    pub ask: u32,
    pub reservation: Reservation,
    pub has_started: bool,
    /// Whether pictures were shown: what they take is only guessed.
    pub with_images: bool,
}

impl RunningTurn {
    /// A turn that asks the first of `models`, of which there is at least one.
    pub fn new(channel: ChannelId, models: Vec<Model>) -> Self {
        Self {
            channel,
            models,
            model_index: 0,
            tasks: Vec::new(),
            prompts: Vec::new(),
            call: None,
            active_call: None,
            side_calls: BTreeMap::new(),
            notes: Vec::new(),
            news: TurnNews::default(),
            is_retrying: false,
            cost: None,
        }
    }

    /// The model is at work on this call.
    fn mark_call_started(&mut self, ask: u32) {
        if let Some(call) = self.call.as_mut().filter(|call| call.ask == ask) {
            call.has_started = true;
        }
    }
}

impl RunningTurn {
    /// The model that is asked.
    pub fn model(&self) -> &Model {
        &self.models[self.model_index.min(self.models.len() - 1)]
    }

    /// The models that may still answer it, the one that is asked first.
    pub fn models(&self) -> &[Model] {
        &self.models[self.model_index.min(self.models.len() - 1)..]
    }

    /// Whether the model that is asked, or one that stands in for it, can see.
    pub fn may_see(&self) -> bool {
        self.models
            .iter()
            .skip(self.model_index.min(self.models.len() - 1))
            .any(Model::can_see_images)
    }

    /// Settles which model is asked a prompt of so many tokens, and answers whether another could be.
    pub fn pick_model(&mut self, prompt_tokens: u32) -> Result<bool, ModelFailure> {
        let FallbackChoice {
            at,
            has_fallback: another,
        } = pick_model(&self.models, self.model_index, prompt_tokens)?;
        self.model_index = at;
        Ok(another)
    }

    /// The answer to this model call is complete, whatever is still written.
    pub fn stop_answer(&self, ask: u32) {
        if let Some((_, stop_signal)) = self.active_call.as_ref().filter(|(open, _)| *open == ask) {
            stop_signal.notify_one();
        }
    }

    /// The model will not do.
    pub fn advance_model(&mut self) {
        self.model_index += 1;
    }
}

impl Drop for RunningTurn {
    fn drop(&mut self) {
        self.tasks.iter().for_each(AbortHandle::abort);
    }
}

impl Daemon {
    /// A task of a turn told what came of it.
    pub(super) fn handle_task_report(&mut self, turn: TurnId, report: TaskReport) {
        let Some(running) = self.turns.get_mut(&turn) else {
            return;
        };
        let event = match report {
            TaskReport::Working { ask } => return running.mark_call_started(ask),
            TaskReport::Retry => return self.record_retry(turn),
            TaskReport::ContextShrank => return self.reapply_policies(),
            TaskReport::Note(note) => {
                // Notes quote servers, and servers quote prompts: they are for the turn's report.
                tracing::warn!(%turn, "the model call left a note; see the turn in the page");
                running.notes.push(self.redactor.redact(&note).into_owned());
                return;
            }
            TaskReport::ApprovalNeeded(asks) => return self.propose_call(turn, asks),
            TaskReport::News { tool, item } => return self.handle_tool_news(turn, tool, item),
            TaskReport::ReservationRequested(request) => return self.open_side_call(turn, request),
            TaskReport::Settled {
                call,
                usage: call_usage,
            } => return self.finish_side_call(turn, call, call_usage),
            TaskReport::Event(event) => event,
        };
        match &event {
            TurnEvent::AnswerEnded { ask, end } => self.finish_model_call(turn, *ask, end),
            TurnEvent::Delta { ask, text } => self.publish_answer_delta(turn, *ask, text.clone()),
            TurnEvent::ToolDelta { ask, delta } => {
                self.publish_answer_delta(turn, *ask, delta.to_text())
            }
            // What it still had under way was given up with it.
            TurnEvent::CallDone { .. } => self.drop_side_calls(turn),
            _ => {}
        }
        self.handle_event(Event::Turn { turn, event });
    }

    /// A running tool tells how it is getting on: people see it at once, and in the turn's report.
    fn handle_tool_news(&mut self, turn: TurnId, tool: String, item: ToolNewsItem) {
        let Some(running) = self.turns.get_mut(&turn) else {
            return;
        };
        let channel = running.channel;
        let kind = match item {
            ToolNewsItem::Progress(text) => ToolNewsKind::Progress { text },
            ToolNewsItem::Published {
                channel: name,
                data,
            } => ToolNewsKind::Published { name, data },
            ToolNewsItem::Denied(why) => {
                let about = json!({ "rule": "permission", "tool": tool, "why": why });
                return self.tell_tools(channel, SessionEvent::RuleTriggered, about);
            }
        };
        let news = running.news.record_news(tool, kind);
        self.send_live_event(LiveEvent::ToolNews {
            turn,
            channel,
            news,
        });
    }

    /// A model call failed and is made again.
    pub(super) fn record_retry(&mut self, turn: TurnId) {
        let Some(running) = self.turns.get_mut(&turn) else {
            return;
        };
        running.is_retrying = true;
        let about = json!({ "model": running.model().name() });
        let channel = running.channel;
        self.tell_tools(channel, SessionEvent::AutoRetryStart, about);
    }

    /// A piece of an answer came: the page shows it.
    fn publish_answer_delta(&mut self, turn: TurnId, ask: u32, delta: String) {
        let Some(running) = self.turns.get_mut(&turn) else {
            return;
        };
        running.mark_call_started(ask);
        let channel = running.channel;
        self.send_live_event(LiveEvent::TurnProgress {
            turn,
            channel,
            ask,
            delta,
        });
    }

    /// Writes down what a model call took, however it ended, and learns from what the server counted.
    fn finish_model_call(
        &mut self,
        turn: TurnId,
        ask: u32,
        end: &Result<TokenUsage, ModelFailure>,
    ) {
        let Some(running) = self.turns.get_mut(&turn) else {
            return;
        };
        if std::mem::take(&mut running.is_retrying) {
            let (channel, about) = (
                running.channel,
                json!({ "model": running.model().name(), "success": end.is_ok() }),
            );
            self.tell_tools(channel, SessionEvent::AutoRetryEnd, about);
        }
        let Some(running) = self.turns.get_mut(&turn) else {
            return;
        };
        let Some(call) = running.call.take_if(|call| call.ask == ask) else {
            return;
        };
        let (model, chosen) = (running.model(), &self.model_selection.model);
        let is_current = model.name() == chosen.name() && model.host() == chosen.host();
        // Another model's tokens would teach the estimator wrong.
        if let (Ok(usage), Some(prompt_tokens), true) =
            (end, self.core.prompt_tokens(turn), is_current)
            && !usage.estimated
            && !call.with_images
        {
            self.core.estimator.learn(prompt_tokens, usage.prompt);
        }
        let call_usage = match end {
            Ok(usage) => CallUsage::Usage(*usage),
            Err(failure) => match failure.spent {
                Some(usage) => CallUsage::Usage(usage),
                None if call.has_started => CallUsage::Unknown,
                None => CallUsage::Nothing,
            },
        };
        self.settle_call(turn, call.reservation, call_usage);
    }

    /// Abandons what a turn's tasks are doing. What an abandoned call took nobody will tell: all that was promised.
    pub(super) fn abort_turn_tasks(&mut self, turn: TurnId) {
        let Some(running) = self.turns.get_mut(&turn) else {
            return;
        };
        running.tasks.drain(..).for_each(|task| task.abort());
        if let Some(call) = running.call.take() {
            self.settle_call(turn, call.reservation, CallUsage::Unknown);
        }
        self.drop_side_calls(turn);
    }

    fn settle_call(&mut self, turn: TurnId, reservation: Reservation, call_usage: CallUsage) {
        let Some(running) = self.turns.get(&turn) else {
            return;
        };
        let model = running.model().clone();
        self.record_call_usage(turn, &model, ModelFunction::Turn, reservation, call_usage);
    }

    /// Writes down what a call that was made for a turn took.
    pub(super) fn record_call_usage(
        &mut self,
        turn: TurnId,
        model: &Model,
        function: ModelFunction,
        reservation: Reservation,
        call_usage: CallUsage,
    ) {
        let now = clock::now();
        let amount = self.budget.settle(now, reservation, call_usage);
        if let Some(running) = self.turns.get_mut(&turn)
            && amount.tokens > 0
        {
            if model.price().is_some() {
                *running.cost.get_or_insert(0.0) += amount.cost;
            }
            let (model, channel) = (model.name().to_owned(), running.channel);
            let (usage, name) = (
                to_token_usage(call_usage, amount.tokens),
                function.name().into(),
            );
            self.observer.record_spend(ModelSpend {
                at: now,
                model,
                channel,
                function: name,
                usage,
                cost: amount.cost,
            });
            let charge = CostAttribution {
                function,
                ..self.attribute_turn_cost(turn, channel)
            };
            self.report_reached_limits(now, charge);
        }
        self.update_budget_state(now);
        self.publish_model_state();
    }

    pub(super) fn finish_turn(&mut self, mut report: TurnReport) {
        // A turn can end while its call still runs: that call is abandoned.
        self.abort_turn_tasks(report.turn);
        report.cost = self
            .turns
            .get(&report.turn)
            .and_then(|running| running.cost);
        let mut report = self.redact_report(report);
        self.log_turn(&report);
        if let Some(mut running) = self.turns.remove(&report.turn) {
            report.notes.append(&mut running.notes);
            report.notes.extend(running.news.notes());
            self.observer
                .record_turn(&report, std::mem::take(&mut running.prompts));
        }
        self.platform.hide_typing(report.channel);
        self.send_live_event(LiveEvent::TurnFinished(Box::new(report)));
    }

    /// The daemon stops: every running turn ends here, with its account and its report.
    pub(super) fn stop_turns(&mut self) {
        let now = clock::now();
        for turn in self.turns.keys().copied().collect::<Vec<_>>() {
            let channel = self.core.find_turn_channel(turn);
            let channel_state = channel.and_then(|channel| self.core.channel_state(channel));
            let Some(mut report) = channel_state
                .and_then(|state| Some(state.turn.as_ref()?.build_interim_report(now)))
            else {
                continue;
            };
            report.outcome =
                TurnOutcome::Failed("stopped: the daemon was stopped while it ran".into());
            self.finish_turn(report);
        }
    }
}

/// What is written down of a call: what it told, or as prompt tokens all that was promised to it.
pub(super) fn to_token_usage(call_usage: CallUsage, tokens: u64) -> TokenUsage {
    match call_usage {
        CallUsage::Usage(usage) => usage,
        CallUsage::Unknown | CallUsage::Nothing => TokenUsage {
            prompt: u32::try_from(tokens).unwrap_or(u32::MAX),
            estimated: true,
            ..TokenUsage::default()
        },
    }
}
