//! How Kith is at one moment: what the loop itself answers, and what the store then says.

use std::time::{Duration, Instant};

use tokio::runtime::Handle;
use tokio::sync::{oneshot, watch};

use super::process_memory::read_resident_bytes;
use crate::daemon::state::Daemon;
use kith_store::{LeaseView, Store};
use kith_system::clock;

pub(in crate::daemon) struct MonitoringRequest {
    pub asked: Instant,
    pub answer: oneshot::Sender<MonitoringAnswer>,
}

pub(in crate::daemon) struct MonitoringAnswer {
    pub report: HealthReport,
    /// For what only the store knows.
    pub store: Store,
    /// The counters as text, with a report; made by who asked, so that the loop does not wait for it.
    pub metrics: std::sync::Arc<super::OperationMetrics>,
}

#[derive(Clone, Debug, Default)]
pub(in crate::daemon) struct HealthReport {
    /// Whether each shard is connected to Discord; none in the room.
    pub shards: Vec<(u16, bool)>,
    /// Whether something could not be stored and is tried again.
    pub has_store_failed: bool,
    /// Whether others count this process as dead, which could not tell them that it lives.
    pub has_lease_lapsed: bool,
    /// Whether the store took a change, where it was asked for one.
    pub is_store_writable: Option<bool>,
    pub outbox: Option<OutboxAge>,
    /// How many turns run, and how many channels wait for one.
    pub turns: (usize, usize),
    pub queues: [(&'static str, usize); 3],
    pub tokens_today: u64,
    pub token_cap: u64,
    pub loop_lag: Duration,
    pub resident_bytes: Option<u64>,
    /// Tasks of the runtime that have not ended.
    pub tasks: usize,
}

#[derive(Clone, Copy, Debug, Default)]
pub(in crate::daemon) struct OutboxAge {
    pub count: u64,
    pub oldest_age: Duration,
}

/// Whether others count this process as dead, where any share the companion.
pub(super) fn has_lease_lapsed(leases: Option<&watch::Receiver<LeaseView>>) -> bool {
    leases.is_some_and(|view| view.borrow().has_lapsed(clock::monotonic()))
}

impl HealthReport {
    /// Why Kith cannot do its work now, in a word.
    pub fn obstacle(&self) -> Option<&'static str> {
        if self.has_store_failed || self.is_store_writable == Some(false) {
            return Some("store");
        }
        if self.has_lease_lapsed {
            return Some("lease");
        }
        let is_cut = |shard: &(u16, bool)| !shard.1;
        self.shards.iter().any(is_cut).then_some("discord")
    }

    pub async fn add_store(mut self, store: &Store) -> Self {
        let (writable, outbox) = (store.check_writable(), store.find_outbox_age());
        self.is_store_writable = Some(writable.await.is_ok());
        if let Ok((count, oldest)) = outbox.await {
            let age = oldest.map(|oldest| (clock::now() - oldest).max(0).unsigned_abs());
            self.outbox = Some(OutboxAge {
                count,
                oldest_age: Duration::from_millis(age.unwrap_or_default()),
            });
        }
        self
    }
}

impl Daemon {
    /// Answers how it is. `waiting`: how much waits for the loop, from its own tasks and from turns.
    pub(in crate::daemon) fn answer_monitoring(
        &self,
        request: MonitoringRequest,
        waiting: (usize, usize),
    ) {
        let now = clock::now();
        let report = HealthReport {
            shards: self.platform.connected_shards(),
            has_store_failed: self.observer.unwritten_count() > 0 || self.platform.has_unstored(),
            has_lease_lapsed: has_lease_lapsed(self.leases.as_ref()),
            is_store_writable: None,
            outbox: None,
            turns: self.core.load(),
            queues: [
                ("loop", waiting.0),
                ("turn_reports", waiting.1),
                ("unwritten_reports", self.observer.unwritten_count()),
            ],
            tokens_today: self.model_calls.spending_today(now).tokens,
            token_cap: self.model_calls.caps().0,
            loop_lag: clock::monotonic().saturating_duration_since(request.asked),
            resident_bytes: read_resident_bytes(),
            tasks: Handle::current().metrics().num_alive_tasks(),
        };
        // Who does not wait any more needs no answer.
        drop(request.answer.send(MonitoringAnswer {
            report,
            store: self.store.clone(),
            metrics: self.metrics.clone(),
        }));
    }
}
