//! The port for programs that watch over Kith: `/metrics`, `/healthz`, `/readyz`. On loopback only and for reading only; it
//! asks the loop, and whoever asks learns numbers.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use anyhow::Context as _;
use axum::Router;
use axum::extract::State as Shared;
use axum::http::{StatusCode, header};
use axum::middleware;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use futures_util::future::join_all;
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::timeout;

use super::merged_text::merge_texts;
use super::report::{MonitoringAnswer, MonitoringRequest, has_lease_lapsed};
use crate::daemon::loop_message::LoopMessage;
use kith_core::partition::Partition;
use kith_language::cli;
use kith_store::LeaseView;
use kith_system::clock;

/// How long the loop, and then the store, may take to answer. Longer than any one event takes.
const ANSWER_WITHIN: Duration = Duration::from_secs(5);
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The port, open until this is dropped.
pub struct MonitoringServer(
    #[expect(dead_code, reason = "the server ends when this end is gone")] oneshot::Sender<()>,
);

impl MonitoringServer {
    /// Opens the port, if there is to be one, for this process. Port 0 takes any free one; the log says which.
    pub async fn open(
        listen: Option<SocketAddr>,
        loops: &MonitoredLoops,
    ) -> anyhow::Result<Option<Self>> {
        let Some(listen) = listen else {
            return Ok(None);
        };
        let listener = TcpListener::bind(listen)
            .await
            .map_err(|error| cli::metrics_unopenable(listen.to_string(), error.to_string()))?;
        let address = listener
            .local_addr()
            .context("the address of the metrics")?;
        tracing::info!("metrics and health are at http://{address}/metrics, /healthz and /readyz");
        let app = Router::new()
            .route("/metrics", get(show_metrics))
            .route("/healthz", get(show_health))
            .route("/readyz", get(show_readiness))
            .layer(middleware::from_fn(kith_room::guard_host))
            .with_state(loops.clone());
        let (stop, stopped) = oneshot::channel::<()>();
        tokio::spawn(kith_room::serve_app(listener, app, async move {
            drop(stopped.await);
        }));
        Ok(Some(Self(stop)))
    }
}

type LoopSender = mpsc::Sender<LoopMessage>;

/// The loops that run in this process, by partition. Cheap to clone: all clones are the same.
#[derive(Clone, Default)]
pub struct MonitoredLoops {
    by_number: Arc<Mutex<BTreeMap<u16, MonitoredLoop>>>,
    /// What they are run by, where several processes share the companion.
    leases: Option<watch::Receiver<LeaseView>>,
}

#[derive(Clone)]
struct MonitoredLoop {
    partition: Partition,
    sender: LoopSender,
}

/// A loop that runs, until this is dropped.
pub(in crate::daemon) struct MonitoredRun {
    loops: MonitoredLoops,
    number: u16,
}

impl MonitoredLoops {
    /// None yet, in a process that shares the companion.
    pub fn new(leases: watch::Receiver<LeaseView>) -> Self {
        Self {
            leases: Some(leases),
            ..Self::default()
        }
    }

    pub(in crate::daemon) fn add(
        &self,
        partition: Partition,
        sender: &mpsc::Sender<LoopMessage>,
    ) -> MonitoredRun {
        let (loops, number) = (self.clone(), partition.number());
        let sender = sender.clone();
        self.lock()
            .insert(number, MonitoredLoop { partition, sender });
        MonitoredRun { loops, number }
    }

    /// Whether each of them answers.
    pub async fn are_alive(&self) -> bool {
        self.ask().await.iter().all(|(_, told)| told.is_some())
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<u16, MonitoredLoop>> {
        self.by_number
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks all of them at once; none stands for a loop that does not answer in time.
    async fn ask(&self) -> Vec<(Partition, Option<MonitoringAnswer>)> {
        let all: Vec<MonitoredLoop> = self.lock().values().cloned().collect();
        let asked = all
            .into_iter()
            .map(async |one| (one.partition, ask_loop(&one.sender).await));
        join_all(asked).await
    }
}

impl Drop for MonitoredRun {
    fn drop(&mut self) {
        self.loops.lock().remove(&self.number);
    }
}

/// What the loop answers; none where it does not in time.
async fn ask_loop(loop_sender: &LoopSender) -> Option<MonitoringAnswer> {
    let (answer, answered) = oneshot::channel();
    let asked = clock::monotonic();
    let request = MonitoringRequest { asked, answer };
    let ask = async {
        loop_sender
            .send(LoopMessage::Monitoring(request))
            .await
            .ok()?;
        answered.await.ok()
    };
    timeout(ANSWER_WITHIN, ask).await.ok().flatten()
}

fn refuse(word: &str) -> Response {
    (StatusCode::SERVICE_UNAVAILABLE, format!("{word}\n")).into_response()
}

/// That every loop answers is all that is asked here: a process that does not is to be started anew.
async fn show_health(Shared(loops): Shared<MonitoredLoops>) -> Response {
    match loops.are_alive().await {
        true => "ok\n".into_response(),
        false => refuse("loop"),
    }
}

/// A process that runs nothing waits for its turn, and is ready for it.
async fn show_readiness(Shared(loops): Shared<MonitoredLoops>) -> Response {
    if has_lease_lapsed(loops.leases.as_ref()) {
        return refuse("lease");
    }
    for (_, told) in loops.ask().await {
        let Some(MonitoringAnswer { report, store, .. }) = told else {
            return refuse("loop");
        };
        let obstacle = match timeout(ANSWER_WITHIN, report.add_store(&store)).await {
            Ok(report) => report.obstacle(),
            Err(_) => Some("store"),
        };
        if let Some(word) = obstacle {
            return refuse(word);
        }
    }
    "ok\n".into_response()
}

async fn show_metrics(Shared(loops): Shared<MonitoredLoops>) -> Response {
    let mut texts = Vec::new();
    let mut is_divided = false;
    for (partition, told) in loops.ask().await {
        let Some(MonitoringAnswer {
            report,
            store,
            metrics,
        }) = told
        else {
            return refuse("loop");
        };
        let with_store = timeout(ANSWER_WITHIN, report.clone().add_store(&store)).await;
        let text = metrics.write_text(&with_store.unwrap_or(report));
        texts.push((partition.number(), text));
        is_divided |= partition.count() > 1;
    }
    let is_held = !has_lease_lapsed(loops.leases.as_ref());
    let text = merge_texts(&texts, is_divided, is_held);
    ([(header::CONTENT_TYPE, OPEN_METRICS)], text).into_response()
}
