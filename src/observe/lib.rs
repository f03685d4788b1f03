//! From decisions and turn reports to the store and the log. It watches; it never changes what happens. The log holds
//! ids, counts, names of calls and kinds of outcome: never a word that a person or a model wrote.

#![warn(clippy::unwrap_used, clippy::expect_used)]

pub mod embed;
mod retry_queue;

use std::collections::BTreeMap;

use kith_core::channel::SavedChannelState;
use kith_core::chat::{ChannelId, Millis};
use kith_core::report::{
    DecisionOutcome, DecisionReport, MessageDecision, TurnOutcome, TurnReport,
};
use kith_store::{ModelSpend, Store, StoredPrompt};

pub use embed::{CardSeverity, LogEmbed};
use retry_queue::{ReportRecord, RetryQueue};

/// Keeps what the companion tells about itself.
pub struct Observer {
    retry_queue: RetryQueue,
    /// What was decided since decisions were last queued for the store: one at a time would cost as much as the messages.
    decisions: Vec<MessageDecision>,
}

impl Observer {
    /// Keeps reports in `store`. Needs a tokio runtime.
    pub fn new(store: Store) -> Self {
        Self {
            retry_queue: RetryQueue::new(store),
            decisions: Vec::new(),
        }
    }

    /// A message was scored. It is kept with the next [`Observer::queue_decisions`].
    pub fn record_message_decision(&mut self, decision: &MessageDecision) {
        self.decisions.push(decision.clone());
    }

    /// Keeps what was decided on messages that came together.
    pub fn queue_decisions(&mut self) {
        if !self.decisions.is_empty() {
            self.retry_queue
                .enqueue(ReportRecord::Decisions(std::mem::take(&mut self.decisions)));
        }
    }

    pub fn record_decision_report(&mut self, report: &DecisionReport) {
        let DecisionReport {
            channel,
            score,
            threshold,
            outcome,
            ..
        } = report;
        match outcome {
            DecisionOutcome::Unwilling => {
                tracing::debug!(%channel, score, threshold, "kept silent")
            }
            outcome => tracing::debug!(%channel, score, threshold, ?outcome, "decision point"),
        }
        self.retry_queue
            .enqueue(ReportRecord::DecisionReport(Box::new(report.clone())));
    }

    pub fn record_turn(&mut self, report: &TurnReport, prompts: Vec<StoredPrompt>) {
        let TurnReport {
            turn,
            channel,
            started,
            ended,
            ..
        } = report;
        // A call nobody knows has a name of the model's own making.
        let names = report
            .rounds
            .iter()
            .flat_map(|round| &round.calls)
            .map(|done| match done.kind {
                Some(_) => done.call.name.as_str(),
                None => "(unknown)",
            });
        let calls = names.collect::<Vec<_>>().join(" ");
        let (rounds, milliseconds) = (report.rounds.len(), ended - started);
        match &report.outcome {
            TurnOutcome::Acted => {
                tracing::info!(%turn, %channel, rounds, milliseconds, calls, "spoke")
            }
            TurnOutcome::Silent(_) => {
                tracing::info!(%turn, %channel, rounds, milliseconds, calls, "kept silent")
            }
            TurnOutcome::Failed(_) => {
                let failure = report
                    .rounds
                    .last()
                    .and_then(|round| round.failure.as_ref());
                let why = match failure {
                    Some(failure) if failure.budget => "the budget is spent".to_owned(),
                    Some(failure) => failure.message_for_log(),
                    None => "nothing came of it".to_owned(),
                };
                tracing::warn!(%turn, %channel, rounds, milliseconds, calls, why, "no answer; see the turn in the page");
            }
        }
        self.retry_queue
            .enqueue(ReportRecord::Turn(Box::new(report.clone()), prompts));
    }

    pub fn record_spend(&mut self, spend: ModelSpend) {
        self.retry_queue.enqueue(ReportRecord::Spend(spend));
    }

    /// States of channels, to be put back after a restart.
    pub fn record_channel_states(
        &mut self,
        states: Vec<(ChannelId, SavedChannelState)>,
        now: Millis,
    ) {
        let to_json = |(channel, state)| match serde_json::to_string(&state) {
            Ok(json) => Some((channel, json)),
            Err(error) => {
                tracing::error!(%error, %channel, "the channel's state cannot be written as JSON");
                None
            }
        };
        let states: BTreeMap<ChannelId, String> = states.into_iter().filter_map(to_json).collect();
        if !states.is_empty() {
            self.retry_queue
                .enqueue(ReportRecord::ChannelStates { states, now });
        }
    }

    /// Tries again what could not be stored. Answers, the first time something could not, with a sentence for people.
    pub fn retry(&mut self) -> Option<String> {
        self.retry_queue.retry()
    }

    pub fn has_unwritten(&self) -> bool {
        self.retry_queue.has_unwritten()
    }

    pub fn unwritten_count(&self) -> usize {
        self.retry_queue.unwritten_count()
    }

    /// Waits until all of it is stored, as far as it can be.
    pub async fn flush(&mut self) {
        self.queue_decisions();
        self.retry_queue.flush().await;
    }
}
