//! The room's HTTP server: bounded in how many connections it holds, and in how long each may take to say what it wants.
//! Knows nothing of what is served.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;

use super::Stop;

/// The most connections at the same time: many pages, each with its stream. Others wait.
const MOST_CONNECTIONS: u32 = 128;
/// How long a connection may take for the headers of a request.
const HEADERS_WITHIN: Duration = Duration::from_secs(10);
/// How long to wait where the system has no connection to give, as without free file descriptors.
const ACCEPT_AGAIN: Duration = Duration::from_secs(1);

/// Serves until `stop` is done, and lets what is being answered end.
pub(super) async fn serve(listener: TcpListener, app: Router, stop: Stop) {
    let places = Arc::new(Semaphore::new(MOST_CONNECTIONS as usize));
    loop {
        let next = async {
            let place = places.clone().acquire_owned().await;
            (place, accept(&listener).await)
        };
        let (place, stream) = tokio::select! {
            next = next => next,
            () = stop.clone() => break,
        };
        let (app, stop) = (app.clone(), stop.clone());
        tokio::spawn(async move {
            answer(stream, app, stop).await;
            drop(place);
        });
    }
    drop(listener);
    // Each that is done has given its place back.
    let _ = places.acquire_many(MOST_CONNECTIONS).await;
}

async fn accept(listener: &TcpListener) -> TcpStream {
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

async fn answer(stream: TcpStream, app: Router, stop: Stop) {
    let mut server = http1::Builder::new();
    server.timer(TokioTimer::new()).header_read_timeout(HEADERS_WITHIN);
    let mut connection = std::pin::pin!(server.serve_connection(TokioIo::new(stream), TowerToHyperService::new(app)));
    // Who goes away half-way, or never says what they want, is nobody's problem.
    tokio::select! {
        _ = connection.as_mut() => return,
        () = stop => connection.as_mut().graceful_shutdown(),
    }
    let _ = connection.await;
}
