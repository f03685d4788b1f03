//! From decisions and turn reports to the store and the log. It watches; it never changes what happens.

use chrono::DateTime;

use crate::core::chat::{ChannelId, Millis};
use crate::core::report::{BeatOutcome, BeatReport, Decision, TurnOutcome, TurnReport, Usage};
use crate::store::{Pending, Prompt, Store};

/// Keeps what the companion tells about itself.
#[derive(Clone)]
pub struct Observer {
    store: Store,
}

impl Observer {
    /// Keeps reports in `store`.
    pub fn new(store: Store) -> Self {
        Self { store }
    }

    /// A message was scored.
    pub fn decided(&self, decision: &Decision) {
        self.keep(self.store.save_decisions(vec![decision.clone()]), "a decision");
    }

    /// A beat looked at a channel.
    pub fn beat(&self, beat: &BeatReport) {
        let BeatReport { channel, score, bar, outcome, .. } = beat;
        match outcome {
            BeatOutcome::BelowBar => tracing::debug!(%channel, score, bar, "kept silent"),
            outcome => tracing::debug!(%channel, score, bar, ?outcome, "beat"),
        }
    }

    /// A turn is over.
    pub fn finished(&self, report: &TurnReport, prompts: Vec<Prompt>) {
        let TurnReport { turn, channel, started, ended, .. } = report;
        let calls: Vec<&str> =
            report.rounds.iter().flat_map(|round| round.calls.iter().map(|done| done.call.name.as_str())).collect();
        let (rounds, milliseconds, calls) = (report.rounds.len(), ended - started, calls.join(" "));
        match &report.outcome {
            TurnOutcome::Acted => tracing::info!(%turn, %channel, rounds, milliseconds, calls, "spoke"),
            TurnOutcome::Silent(reason) => {
                tracing::info!(%turn, %channel, rounds, milliseconds, calls, reason, "kept silent");
            }
            TurnOutcome::Failed(reason) => {
                tracing::warn!(%turn, %channel, rounds, milliseconds, calls, "no answer: {reason}");
            }
        }
        self.keep(self.store.save_turn(report.clone(), prompts), "a turn's report");
    }

    /// Tokens were spent.
    pub fn spent(&self, now: Millis, model: &str, channel: ChannelId, usage: Usage) {
        let Some(day) = DateTime::from_timestamp_millis(now).map(|time| time.date_naive()) else { return };
        self.keep(self.store.add_usage(day, model, channel, "turn", usage), "the usage of a call");
    }

    /// Nobody waits for a report to be kept, but a failure is told.
    fn keep(&self, pending: Pending<()>, what: &'static str) {
        tokio::spawn(async move {
            if let Err(error) = pending.await {
                tracing::error!(%error, "{what} could not be kept");
            }
        });
    }
}
