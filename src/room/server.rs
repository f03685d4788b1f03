//! The room's HTTP server: bounded in how many connections it holds, and in how long each may take to say what it wants.
//! Knows nothing of what is served.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use axum::Router;
use axum::extract::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::{Service, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::{AbortHandle, JoinSet};

use super::StopSignal;

/// The most connections at the same time: many pages, each with its stream.
const MOST_CONNECTIONS: usize = 128;
/// How long a connection may take for the headers of a request.
const HEADERS_WITHIN: Duration = Duration::from_secs(10);
/// How long to wait where the system has no connection to give, as without free file descriptors.
const ACCEPT_AGAIN: Duration = Duration::from_secs(1);

/// Who is at the other end of a connection; each of its requests carries it along.
#[derive(Clone, Default)]
pub(super) struct RoomVisitor(Arc<AtomicBool>);

impl RoomVisitor {
    /// Marks somebody who may come in: their connection is kept when there are too many.
    pub(super) fn mark_admitted(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    fn is_admitted(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

struct Connection {
    visitor: RoomVisitor,
    task: AbortHandle,
}

/// Serves until `stop` is done, and lets what is being answered end.
pub(super) async fn serve(listener: TcpListener, app: Router, stop: StopSignal) {
    let mut tasks = JoinSet::new();
    let mut connections = VecDeque::new();
    loop {
        let stream = tokio::select! {
            stream = accept_connection(&listener) => stream,
            Some(_) = tasks.join_next() => continue,
            () = stop.clone() => break,
        };
        evict_oldest_connections(&mut connections);
        let visitor = RoomVisitor::default();
        let task = tasks.spawn(serve_connection(
            stream,
            visitor.clone(),
            app.clone(),
            stop.clone(),
        ));
        connections.push_back(Connection { visitor, task });
    }
    drop(listener);
    while tasks.join_next().await.is_some() {}
}

/// Nobody waits outside for those who never say what they want: with too many, the oldest who was not let in is closed.
fn evict_oldest_connections(connections: &mut VecDeque<Connection>) {
    connections.retain(|connection| !connection.task.is_finished());
    while connections.len() >= MOST_CONNECTIONS {
        let oldest = connections
            .iter()
            .position(|connection| !connection.visitor.is_admitted())
            .unwrap_or(0);
        let Some(closed) = connections.remove(oldest) else {
            return;
        };
        closed.task.abort();
    }
}

async fn accept_connection(listener: &TcpListener) -> TcpStream {
    loop {
        match listener.accept().await {
            Ok((stream, _)) => return stream,
            Err(error) => {
                tracing::debug!(%error, "a connection to the room could not be taken");
                tokio::time::sleep(ACCEPT_AGAIN).await;
            }
        }
    }
}

async fn serve_connection(stream: TcpStream, visitor: RoomVisitor, app: Router, stop: StopSignal) {
    let mut server = http1::Builder::new();
    server
        .timer(TokioTimer::new())
        .header_read_timeout(HEADERS_WITHIN);
    let app = TowerToHyperService::new(app);
    let service = service_fn(move |mut request: Request<Incoming>| {
        request.extensions_mut().insert(visitor.clone());
        app.call(request)
    });
    let mut connection = std::pin::pin!(server.serve_connection(TokioIo::new(stream), service));
    // Who goes away half-way, or never says what they want, is nobody's problem.
    tokio::select! {
        _ = connection.as_mut() => return,
        () = stop => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}
