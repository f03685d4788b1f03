//! The port for programs that watch over Kith: `/metrics`, `/healthz`, `/readyz`. On loopback only and for reading only; it
//! asks the loop, and whoever asks learns numbers.

use std::net::SocketAddr;
use std::time::Duration;

use anyhow::Context as _;
use axum::Router;
use axum::extract::State as Shared;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::net::TcpListener;
use tokio::sync::{mpsc, oneshot};
use tokio::time::timeout;

use super::report::{MonitoringAnswer, MonitoringRequest};
use crate::daemon::loop_message::LoopMessage;
use kith_language::cli;
use kith_system::clock;

/// How long the loop, and then the store, may take to answer. Longer than any one event takes.
const ANSWER_WITHIN: Duration = Duration::from_secs(5);
/// What Prometheus is told the text is.
const OPEN_METRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// The port, open until this is dropped.
pub(in crate::daemon) struct MonitoringServer(
    #[expect(dead_code, reason = "the server ends when this end is gone")] oneshot::Sender<()>,
);

impl MonitoringServer {
    /// Opens the port, where there is to be one. Port 0 takes any free one; the log says which.
    pub async fn open(
        listen: Option<SocketAddr>,
        loop_sender: &LoopSender,
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
            .with_state(loop_sender.clone());
        let (stop, stopped) = oneshot::channel::<()>();
        tokio::spawn(kith_room::serve_app(listener, app, async move {
            drop(stopped.await);
        }));
        Ok(Some(Self(stop)))
    }
}

type LoopSender = mpsc::Sender<LoopMessage>;

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

/// That the loop answers is all that is asked here: a process that does not is to be started anew.
async fn show_health(Shared(loop_sender): Shared<LoopSender>) -> Response {
    match ask_loop(&loop_sender).await {
        Some(_) => "ok\n".into_response(),
        None => (StatusCode::SERVICE_UNAVAILABLE, "loop\n").into_response(),
    }
}

async fn show_readiness(Shared(loop_sender): Shared<LoopSender>) -> Response {
    let obstacle = match ask_loop(&loop_sender).await {
        Some(MonitoringAnswer { report, store, .. }) => {
            match timeout(ANSWER_WITHIN, report.add_store(&store)).await {
                Ok(report) => report.obstacle(),
                Err(_) => Some("store"),
            }
        }
        None => Some("loop"),
    };
    match obstacle {
        None => "ok\n".into_response(),
        Some(word) => (StatusCode::SERVICE_UNAVAILABLE, format!("{word}\n")).into_response(),
    }
}

async fn show_metrics(Shared(loop_sender): Shared<LoopSender>) -> Response {
    let Some(answer) = ask_loop(&loop_sender).await else {
        return (StatusCode::SERVICE_UNAVAILABLE, "loop\n").into_response();
    };
    let MonitoringAnswer {
        report,
        store,
        metrics,
    } = answer;
    let with_store = timeout(ANSWER_WITHIN, report.clone().add_store(&store)).await;
    let text = metrics.write_text(&with_store.unwrap_or(report));
    ([(header::CONTENT_TYPE, OPEN_METRICS)], text).into_response()
}
