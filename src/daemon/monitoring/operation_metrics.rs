//! What is counted while Kith runs, and how it is written for Prometheus. Names and units follow its rules; money is in
//! whatever the prices of the settings are.

use std::sync::atomic::AtomicU64;
use std::time::Duration;

use prometheus_client::encoding::text;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

use super::report::HealthReport;
use kith_core::chat::AuthorKind;
use kith_core::report::TurnOutcome;
use kith_model::{CallOutcome, LedgerChange};

/// Labels whose every value stands in the code.
type Labels<const N: usize> = [(&'static str, &'static str); N];

/// Upper bounds of what a stored change takes, in seconds: most take a millisecond.
const APPEND_BUCKETS: [f64; 7] = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0];

#[derive(Default)]
pub(in crate::daemon) struct OperationMetrics {
    received: Family<Labels<1>, Counter>,
    sent: Counter,
    turns: Family<Labels<1>, Counter>,
    calls: Family<Labels<2>, Counter>,
    tokens: Family<Labels<2>, Counter>,
    cost: Family<Labels<1>, Counter<f64, AtomicU64>>,
    appends: AppendTimes,
}

struct AppendTimes(Histogram);

impl Default for AppendTimes {
    fn default() -> Self {
        Self(Histogram::new(APPEND_BUCKETS))
    }
}

impl OperationMetrics {
    pub fn record_message(&self, author: AuthorKind) {
        let author = match author {
            AuthorKind::Companion => {
                self.sent.inc();
                return;
            }
            AuthorKind::Person => "person",
            AuthorKind::Bot => "bot",
            AuthorKind::Webhook => "webhook",
        };
        self.received.get_or_create(&[("author", author)]).inc();
    }

    pub fn record_turn(&self, outcome: &TurnOutcome) {
        let outcome = match outcome {
            TurnOutcome::Acted => "acted",
            TurnOutcome::Silent(_) => "silent",
            TurnOutcome::Failed(_) => "failed",
        };
        self.turns.get_or_create(&[("outcome", outcome)]).inc();
    }

    pub fn record_ledger_change(&self, change: &LedgerChange) {
        let role = change.attribution.function.name();
        if let Some(outcome) = change.outcome {
            let outcome = match outcome {
                CallOutcome::Answered => "answered",
                CallOutcome::Failed => "failed",
                CallOutcome::Abandoned => "abandoned",
                CallOutcome::Refused => "refused",
            };
            let labels = [("role", role), ("outcome", outcome)];
            self.calls.get_or_create(&labels).inc();
        }
        if let Some(call) = &change.settled {
            // Of the prompt those from the provider's cache are counted apart, so that all kinds add up.
            let cached = call.usage.cached.min(call.usage.prompt);
            for (kind, tokens) in [
                ("prompt", call.usage.prompt - cached),
                ("cached_prompt", cached),
                ("completion", call.usage.completion),
            ] {
                let labels = [("role", role), ("kind", kind)];
                self.tokens.get_or_create(&labels).inc_by(tokens.into());
            }
            let cost = call.cost.unwrap_or_default();
            self.cost.get_or_create(&[("role", role)]).inc_by(cost);
        }
    }

    pub fn record_append(&self, took: Duration) {
        self.appends.0.observe(took.as_secs_f64());
    }

    /// All of it, and how Kith is now, in the text format of Prometheus (OpenMetrics 1.0).
    pub fn write_text(&self, now: &HealthReport) -> String {
        let mut registry = Registry::default();
        self.register_counters(&mut registry);
        register_gauges(&mut registry, now);
        let mut out = String::new();
        // Writing to a string cannot fail.
        let _ = text::encode(&mut out, &registry);
        out
    }

    fn register_counters(&self, registry: &mut Registry) {
        let version = Info::new([("version", env!("CARGO_PKG_VERSION"))]);
        registry.register("kith_build", "Which Kith this is", version);
        registry.register(
            "kith_messages_received",
            "Messages that were stored, by what wrote them",
            self.received.clone(),
        );
        registry.register(
            "kith_messages_sent",
            "Messages of the companion that were stored",
            self.sent.clone(),
        );
        registry.register("kith_turns", "Turns that ended", self.turns.clone());
        registry.register(
            "kith_model_calls",
            "Calls of models that ended, by what they were for",
            self.calls.clone(),
        );
        registry.register(
            "kith_model_tokens",
            "Tokens of calls of models, the reserved ones where nobody counted",
            self.tokens.clone(),
        );
        registry.register(
            "kith_model_cost",
            "Money that calls of models took, in the currency of the prices in the settings",
            self.cost.clone(),
        );
        registry.register_with_unit(
            "kith_store_append",
            "How long it took to store what was heard together",
            Unit::Seconds,
            self.appends.0.clone(),
        );
    }
}

fn register_gauges(registry: &mut Registry, now: &HealthReport) {
    let mut whole =
        |name: &str, help: &str, value: u64| register_whole(registry, name, help, value);
    let ready = u64::from(now.obstacle().is_none());
    whole("kith_ready", "Whether /readyz says yes", ready);
    let (running, waiting) = now.turns;
    whole("kith_turns_running", "Turns that run now", running as u64);
    whole(
        "kith_turns_waiting",
        "Channels that wait until a turn may run",
        waiting as u64,
    );
    whole(
        "kith_budget_tokens_spent",
        "Tokens of today that are spent or reserved",
        now.tokens_today,
    );
    whole(
        "kith_budget_tokens",
        "Tokens of a day at most",
        now.token_cap,
    );
    if let Some(pending) = now.outbox {
        whole(
            "kith_outbox_pending",
            "Actions that are on disk and not known to be done",
            pending.count,
        );
    }
    register_process_gauges(registry, now);
    let queues: Family<Labels<1>, Gauge<u64, AtomicU64>> = Family::default();
    for (queue, length) in now.queues {
        queues.get_or_create(&[("queue", queue)]).set(length as u64);
    }
    registry.register(
        "kith_queue_length",
        "What waits for the loop, or for the store",
        queues,
    );
    let mut seconds = |name: &str, help: &str, value: f64| {
        let gauge: Gauge<f64, AtomicU64> = Gauge::default();
        gauge.set(value);
        registry.register_with_unit(name, help, Unit::Seconds, gauge);
    };
    if let Some(pending) = now.outbox {
        seconds(
            "kith_outbox_oldest_age",
            "Age of the oldest action that is not known to be done, 0 without one",
            pending.oldest_age.as_secs_f64(),
        );
    }
    seconds(
        "kith_loop_lag",
        "How long this very question waited for the loop",
        now.loop_lag.as_secs_f64(),
    );
    if !now.shards.is_empty() {
        let shards: Family<[(&str, String); 1], Gauge<u64, AtomicU64>> = Family::default();
        for (number, is_up) in &now.shards {
            let labels = [("shard", number.to_string())];
            shards.get_or_create(&labels).set(u64::from(*is_up));
        }
        registry.register(
            "kith_gateway_connected",
            "Whether a shard has a session with Discord that is up",
            shards,
        );
    }
}

fn register_process_gauges(registry: &mut Registry, now: &HealthReport) {
    let (name, help) = ("kith_tasks", "Tasks inside the process that have not ended");
    register_whole(registry, name, help, now.tasks as u64);
    if let Some(bytes) = now.resident_bytes {
        let name = "process_resident_memory_bytes";
        register_whole(registry, name, "Resident memory of the process", bytes);
    }
}

fn register_whole(registry: &mut Registry, name: &str, help: &str, value: u64) {
    let gauge: Gauge<u64, AtomicU64> = Gauge::default();
    gauge.set(value);
    registry.register(name, help, gauge);
}
