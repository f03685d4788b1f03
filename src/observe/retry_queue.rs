//! Writes records without making anybody wait, and holds on to those that could not be written, to try them again.
//! Bounded: when the store is gone for long, the oldest are given up.

use std::collections::{BTreeMap, VecDeque};

use tokio::task::JoinSet;

use kith_core::chat::{ChannelId, Millis};
use kith_core::report::{DecisionReport, MessageDecision, TurnReport};
use kith_store::{ModelSpend, Store, StoreError, StoreReply, StoredPrompt};

/// How many records wait for a store that does not take them.
const WAITING: usize = 1_024;

#[derive(Clone)]
pub(super) enum ReportRecord {
    Decisions(Vec<MessageDecision>),
    DecisionReport(Box<DecisionReport>),
    Turn(Box<TurnReport>, Vec<StoredPrompt>),
    Spend(ModelSpend),
    ChannelStates {
        states: BTreeMap<ChannelId, String>,
        now: Millis,
    },
}

impl ReportRecord {
    fn write(&self, store: &Store) -> StoreReply<()> {
        match self.clone() {
            Self::Decisions(decisions) => store.save_decisions(decisions),
            Self::DecisionReport(report) => store.save_decision_report(*report),
            Self::Turn(report, prompts) => store.save_turn(*report, prompts),
            Self::Spend(spent) => store.save_spend(spent),
            Self::ChannelStates { states, now } => store.save_channel_states(states, now),
        }
    }

    /// Whether written twice it counts twice; all others take the place of what they were before.
    fn adds_up(&self) -> bool {
        matches!(self, Self::Spend(_))
    }

    /// Takes out what `newer` makes worthless; answers whether anything is left.
    fn drop_replaced(&mut self, newer: &Self) -> bool {
        match (self, newer) {
            (
                Self::ChannelStates { states, now },
                Self::ChannelStates {
                    states: newer,
                    now: then,
                },
            ) if *now <= *then => {
                states.retain(|channel, _| !newer.contains_key(channel));
                !states.is_empty()
            }
            _ => true,
        }
    }
}

pub(super) struct RetryQueue {
    store: Store,
    writing: JoinSet<Result<(), (ReportRecord, StoreError)>>,
    unwritten: VecDeque<ReportRecord>,
    has_reported_error: bool,
}

impl RetryQueue {
    pub fn new(store: Store) -> Self {
        Self {
            store,
            writing: JoinSet::new(),
            unwritten: VecDeque::new(),
            has_reported_error: false,
        }
    }

    /// Queues a record; the store takes them in the order they come.
    pub fn enqueue(&mut self, record: ReportRecord) {
        self.unwritten
            .retain_mut(|older| older.drop_replaced(&record));
        let written = record.write(&self.store);
        self.writing
            .spawn(async move { written.await.map_err(|error| (record, error)) });
    }

    /// Takes back what failed and queues it again; the sentence comes once, with the first failure.
    pub fn retry(&mut self) -> Option<String> {
        let message = self.collect_finished();
        for record in std::mem::take(&mut self.unwritten) {
            self.enqueue(record);
        }
        message
    }

    pub fn has_unwritten(&self) -> bool {
        !self.unwritten.is_empty() || !self.writing.is_empty()
    }

    pub fn unwritten_count(&self) -> usize {
        self.unwritten.len()
    }

    /// Waits until everything is stored, with one more try for what failed before.
    pub async fn flush(&mut self) {
        self.retry();
        while let Some(ended) = self.writing.join_next().await {
            self.handle_finished(ended.ok());
        }
        if !self.unwritten.is_empty() {
            tracing::error!(
                count = self.unwritten.len(),
                "reports that the store did not take are lost"
            );
        }
    }

    fn collect_finished(&mut self) -> Option<String> {
        let mut message = None;
        while let Some(ended) = self.writing.try_join_next() {
            message = message.or(self.handle_finished(ended.ok()));
        }
        message
    }

    fn handle_finished(
        &mut self,
        outcome: Option<Result<(), (ReportRecord, StoreError)>>,
    ) -> Option<String> {
        let (mut record, error) = outcome?.err()?;
        if record.adds_up() && matches!(error, StoreError::InDoubt { .. }) {
            tracing::warn!(%error, "nobody knows whether what a model call took is counted");
            return None;
        }
        let mut unwritten = self.unwritten.iter();
        if unwritten.all(|newer| record.drop_replaced(newer)) {
            self.unwritten.push_back(record);
        }
        if self.unwritten.len() > WAITING {
            self.unwritten.pop_front();
        }
        if std::mem::replace(&mut self.has_reported_error, true) {
            return None;
        }
        tracing::error!(%error, "reports cannot be stored; they are tried again");
        Some(format!(
            "Reports cannot be stored now: {error}. They are tried again."
        ))
    }
}

#[cfg(test)]
mod tests {
    use kith_core::report::TokenUsage;

    use super::*;

    #[test]
    fn what_may_be_counted_already_is_not_tried_again_and_what_counts_once_anyhow_is() {
        let store = Store::open_in_memory().expect("opened");
        let mut queue = RetryQueue::new(store);
        let mut fail = |record: ReportRecord, error: StoreError| {
            queue.handle_finished(Some(Err((record, error))));
            std::mem::take(&mut queue.unwritten).len()
        };
        let spend = || {
            ReportRecord::Spend(ModelSpend {
                at: 0,
                model: "small".into(),
                channel: ChannelId(1),
                function: "turn".into(),
                usage: TokenUsage::default(),
                cost: 0.5,
            })
        };
        let state = ReportRecord::ChannelStates {
            states: BTreeMap::from([(ChannelId(1), "{}".into())]),
            now: 0,
        };
        let in_doubt = || StoreError::InDoubt {
            path: "talk".into(),
            reason: "cut".into(),
        };
        assert_eq!(fail(spend(), in_doubt()), 0);
        assert_eq!(fail(spend(), StoreError::Closed), 1);
        assert_eq!(fail(state, in_doubt()), 1);
    }
}
