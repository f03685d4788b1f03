//! What a running turn's tasks tell, and its end. What becomes of running turns at shutdown is in `shutdown.rs`.

use std::sync::Arc;

use serde_json::json;

use super::state::Daemon;
use kith_agent::TaskReport;
use kith_agent::sub_agent::SubAgent;
use kith_core::chat::{ChannelId, TurnId};
use kith_core::event::{Event, TurnEvent};
use kith_core::policy::ChannelPolicy;
use kith_core::report::{ModelFailure, TokenUsage, TurnReport};
use kith_model::{CostAttribution, ModelFunction};
use kith_room::{LiveEvent, ToolNewsKind};
use kith_tools::custom::SessionEvent;
use kith_tools::{BackgroundTask, ToolNewsItem};

impl Daemon {
    pub(super) fn handle_task_report(&mut self, turn: TurnId, report: TaskReport) {
        let Some(running) = self.turns.get_mut(&turn) else {
            return;
        };
        let event = match report {
            TaskReport::Retry => return self.record_retry(turn),
            TaskReport::ContextShrank => return self.reapply_policies(),
            TaskReport::Note(note) => {
                // Notes quote servers, and servers quote prompts: they are for the turn's report.
                tracing::warn!(%turn, "the model call left a note; see the turn in the page");
                running.notes.push(self.redactor.redact(&note).into_owned());
                return;
            }
            TaskReport::ApprovalNeeded(asks) => {
                if self.end_running_call(turn, asks.call) {
                    self.propose_call(turn, asks);
                }
                return;
            }
            TaskReport::News { tool, item } => return self.handle_tool_news(turn, tool, item),
            TaskReport::Event(TurnEvent::AnswerEnded { ask, end }) => TurnEvent::AnswerEnded {
                ask,
                end: end.map_err(|failure| self.tell_host(failure)),
            },
            TaskReport::Event(event) => event,
        };
        match &event {
            TurnEvent::CallDone { call, .. } if !self.end_running_call(turn, *call) => return,
            TurnEvent::AnswerEnded { ask, end } => self.finish_model_call(turn, *ask, end),
            TurnEvent::Delta { ask, text } => self.publish_answer_delta(turn, *ask, text.clone()),
            TurnEvent::ToolDelta { ask, delta } => {
                self.publish_answer_delta(turn, *ask, delta.to_text())
            }
            _ => {}
        }
        self.handle_event(Event::Turn { turn, event });
    }

    /// Reports are read by the host.
    pub(super) fn tell_host(&self, failure: ModelFailure) -> ModelFailure {
        failure.into_language(self.settings.language.unwrap_or_default())
    }

    /// A running tool tells how it is getting on: people see it at once, and in the turn's report.
    fn handle_tool_news(&mut self, turn: TurnId, tool: String, item: ToolNewsItem) {
        let Some(channel) = self.turns.get(&turn).map(|running| running.channel) else {
            return;
        };
        let kind = match item {
            ToolNewsItem::Progress(text) => ToolNewsKind::Progress { text },
            ToolNewsItem::Published {
                channel: name,
                data,
            } => {
                self.tell_publication(channel, &tool, (&name, &data));
                ToolNewsKind::Published { name, data }
            }
            ToolNewsItem::Complaint(log) => ToolNewsKind::Logged { log },
            ToolNewsItem::Note(note) => return self.add_turn_note(turn, note),
            ToolNewsItem::Picture(file) => return self.keep_tool_picture(turn, &tool, &file),
            ToolNewsItem::Denied(why) => {
                let about = json!({ "rule": "permission", "tool": tool, "why": why });
                return self.tell_tools(channel, SessionEvent::RuleTriggered, about);
            }
        };
        let Some(running) = self.turns.get_mut(&turn) else {
            return;
        };
        let news = running.news.record_news(tool, kind);
        self.send_live_event(LiveEvent::ToolNews {
            turn,
            channel,
            news,
        });
    }

    pub(super) fn record_retry(&mut self, turn: TurnId) {
        let Some(running) = self.turns.get_mut(&turn) else {
            return;
        };
        running.is_retrying = true;
        let about = json!({ "model": running.model().name() });
        let channel = running.channel;
        self.tell_tools(channel, SessionEvent::AutoRetryStart, about);
    }

    fn publish_answer_delta(&self, turn: TurnId, ask: u32, delta: String) {
        let Some(channel) = self.turns.get(&turn).map(|running| running.channel) else {
            return;
        };
        self.send_live_event(LiveEvent::TurnProgress {
            turn,
            channel,
            ask,
            delta,
        });
    }

    /// A model call is over: the estimator learns from what the server counted.
    fn finish_model_call(
        &mut self,
        turn: TurnId,
        ask: u32,
        end: &Result<TokenUsage, ModelFailure>,
    ) {
        self.handle_ledger_changes();
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
        self.record_model_outcome(turn, end.as_ref().err());
        let Some(running) = self.turns.get(&turn) else {
            return;
        };
        let (model, chosen) = (running.model(), &self.model_calls.selection().model);
        let is_current = model.name() == chosen.name() && model.host() == chosen.host();
        // Another model's tokens would teach the estimator wrong, and the demo model counts none.
        if let (Ok(usage), Some(prompt_tokens), true) =
            (end, self.core.prompt_tokens(turn), is_current)
            && !usage.estimated
            && !call.with_images
            && !model.is_demo()
        {
            self.core.estimator.learn(prompt_tokens, usage.prompt);
        }
    }

    /// Abandons what a turn's tasks are doing. What an abandoned call took nobody will tell: all that was promised.
    pub(super) fn abort_turn_tasks(&mut self, turn: TurnId) {
        if let Some(running) = self.turns.get_mut(&turn) {
            running.tasks.drain(..).for_each(|task| task.abort());
            running.call = None;
            if running.calls.clear() {
                self.publish_running_calls(turn);
            }
        }
        // A task is dropped, and its calls with it, some time after it is aborted; the report is written now.
        self.model_calls.ledger().abandon_turn(turn);
        self.handle_ledger_changes();
    }

    /// Who does for a turn's tools what is to be done beside it. Who spoke to the companion pays for it as for the turn.
    pub(super) fn build_side_work(
        &mut self,
        turn: TurnId,
        channel: ChannelId,
        policy: &Arc<ChannelPolicy>,
    ) -> Arc<dyn BackgroundTask> {
        let models = self.ensure_running_turn(turn, channel).models.branch();
        let attribution = CostAttribution {
            function: ModelFunction::Task,
            ..self.attribute_turn_cost(turn, channel)
        };
        let settings = &self.settings.task;
        Arc::new(SubAgent {
            models,
            registry: self.tools.registry.clone(),
            prompts: self.prompts.clone(),
            caller: self
                .model_calls
                .caller(attribution, Some(turn), self.core.estimator),
            policy: policy.clone(),
            extra_tools: self
                .tools
                .registry
                .select(&settings.tools, policy.persona.language),
            rounds: settings.rounds,
            tokens: settings.tokens,
        })
    }

    pub(super) fn finish_turn(&mut self, mut report: TurnReport) {
        // A turn can end while its call still runs: that call is abandoned.
        self.abort_turn_tasks(report.turn);
        report.cost = self
            .turns
            .get(&report.turn)
            .and_then(|running| running.cost);
        let mut report = self.redact_report(report);
        self.metrics.record_turn(&report.outcome);
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
}
