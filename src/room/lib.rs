//! The local room: a chat page and inspector served on loopback, and the small JSON API behind it. It turns HTTP
//! into requests for the daemon and the daemon's events into a stream; it never decides, stores or speaks itself.
//!
//! # The API
//!
//! `docs/ROOM_API.md` shows every request with an example. In one breath: `POST /api` takes one [`RoomRequest`] as JSON
//! and answers with the bare [`RoomAnswer`]; `GET /api/live` is a stream of server-sent events, each one [`LiveEvent`], after
//! a first one of type `hello`, at which a front end fetches what it shows, so that nothing is lost while it was away.
//! Every request needs the room's token, in a cookie or a header ([`RoomToken`], `access_guard.rs`).

#![warn(clippy::unwrap_used, clippy::expect_used)]

mod access_guard;
mod live_event;
mod memory_answer;
mod mentions;
mod page;
mod request;
mod room_answer;
mod server;
mod token;

use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{DefaultBodyLimit, State as Shared};
use axum::http::StatusCode;
use axum::middleware;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Json, Response};
use axum::routing::{get, post};
use futures_util::future::{self, BoxFuture, FutureExt, Shared as SharedFuture};
use futures_util::stream::{self, Stream, StreamExt};
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::{broadcast, mpsc, oneshot};
use tokio_stream::wrappers::BroadcastStream;

pub use live_event::LiveEvent;
pub use memory_answer::{
    CoreMemoryBlock, EarlierBlock, FoundLine, MemoryDetails, MemoryOverview, MemorySearchResult,
    QuotedLine,
};
pub use mentions::find_mentions;
pub use request::{
    CardUpload, EndpointRequest, ModelChoice, ModelUse, PendingRequest, RoomRequest, TypedKey,
};
pub use room_answer::{
    DecisionSummary, DecisionVerdict, FullTurn, HistoryPage, LocalizedText, MessageExplanation,
    ModelState, PendingAction, ReactionGroup, RefusalKind, RequestRefusal, RoomAnswer, RoomChannel,
    RoomMessage, RoomSession, RoomState, ShownPrompt, SummaryReason, ToolNews, ToolNewsKind,
    UnreadCounts, WillingnessState, localize,
};
pub use token::RoomToken;

/// The largest request body, in bytes.
const LARGEST_BODY: usize = 64 * 1024;

/// The largest body of a request that brings a character card, in bytes: a picture of some megabytes, as base64. Larger
/// ones are for `kith persona import`.
const LARGEST_CARD_BODY: usize = 16 << 20;

/// How soon a listener comes back whose stream broke.
const COME_BACK: Duration = Duration::from_secs(1);

/// How the room reaches the daemon.
#[derive(Clone, Debug)]
pub struct RoomHandles {
    /// Requests go out here, each with the way its answer comes back.
    pub requests: mpsc::Sender<PendingRequest>,
    /// What happens comes in here.
    pub live: broadcast::Sender<Arc<LiveEvent>>,
}

/// Why the room cannot open its door.
#[derive(Debug, thiserror::Error)]
pub enum RoomBindError {
    /// The address could be reached from other machines.
    #[error(
        "the room does not open on {0}: what it says is not encrypted, so it is for this machine only; use 127.0.0.1"
    )]
    NotLoopback(SocketAddr),
    /// Somebody else listens there.
    #[error(
        "the room cannot open on {0}: the port is in use, perhaps by another kith; stop that one, or choose another \
         port (0 finds a free one)"
    )]
    InUse(SocketAddr),
    /// The system refused for another reason.
    #[error("the room cannot open on {address}: {source}; choose another port with `room.listen`")]
    Refused {
        address: SocketAddr,
        /// What the system says.
        source: io::Error,
    },
}

/// Opens the door on a loopback address; port 0 finds a free one.
pub async fn bind(address: SocketAddr) -> Result<TcpListener, RoomBindError> {
    if !address.ip().is_loopback() {
        return Err(RoomBindError::NotLoopback(address));
    }
    TcpListener::bind(address)
        .await
        .map_err(|source| match source.kind() {
            io::ErrorKind::AddrInUse => RoomBindError::InUse(address),
            _ => RoomBindError::Refused { address, source },
        })
}

/// Serves the room to whoever has the token until `stop` is done; open streams end with it.
pub async fn serve(
    listener: TcpListener,
    handles: RoomHandles,
    token: RoomToken,
    stop: impl Future<Output = ()> + Send + 'static,
) -> io::Result<()> {
    let stop = stop.boxed().shared();
    let room = Room {
        handles,
        stop: stop.clone(),
    };
    let app = page::build_routes()
        .route("/api", post(handle_request))
        .route(
            "/api/card",
            post(handle_request).layer(DefaultBodyLimit::max(LARGEST_CARD_BODY)),
        )
        .route("/api/live", get(stream_events))
        .with_state(room)
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(middleware::from_fn_with_state(
            Arc::new(token),
            access_guard::guard_request,
        ));
    server::serve(listener, app, stop).await;
    Ok(())
}

type StopSignal = SharedFuture<BoxFuture<'static, ()>>;

#[derive(Clone)]
struct Room {
    handles: RoomHandles,
    stop: StopSignal,
}

async fn handle_request(
    Shared(room): Shared<Room>,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    let body = match body {
        Ok(body) => body,
        Err(error) => {
            return (error.status(), Json(json!({ "error": error.body_text() }))).into_response();
        }
    };
    match dispatch_request(&room.handles, &body).await {
        Ok(answer) => Json(answer).into_response(),
        Err(refused) => {
            let status = match refused.why {
                RefusalKind::BadRequest => StatusCode::BAD_REQUEST,
                RefusalKind::NotFound => StatusCode::NOT_FOUND,
                RefusalKind::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
            };
            let answer = json!({ "error": refused.message, "told": refused.told });
            (status, Json(answer)).into_response()
        }
    }
}

async fn dispatch_request(
    handles: &RoomHandles,
    body: &[u8],
) -> Result<RoomAnswer, RequestRefusal> {
    let request: RoomRequest = serde_json::from_slice(body).map_err(|error| {
        RequestRefusal::bad_request(format!(
            "the body is not a request: {error}; see docs/ROOM_API.md"
        ))
    })?;
    request.check()?;
    let (answer, answer_receiver) = oneshot::channel();
    handles
        .requests
        .send(PendingRequest { request, answer })
        .await
        .map_err(|_| RequestRefusal::stopping())?;
    answer_receiver
        .await
        .unwrap_or_else(|_| Err(RequestRefusal::stopping()))
}

async fn stream_events(
    Shared(room): Shared<Room>,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let hello = stream::once(async {
        Event::default()
            .retry(COME_BACK)
            .data(r#"{"type":"hello"}"#)
    });
    // A reader too slow for the stream is cut off: it comes back, is greeted and fetches what it missed.
    let events = BroadcastStream::new(room.handles.live.subscribe())
        .take_while(|live| future::ready(live.is_ok()))
        .filter_map(|live| {
            future::ready(
                live.ok()
                    .and_then(|live| Event::default().json_data(&*live).ok()),
            )
        });
    let stream = hello.chain(events).take_until(room.stop).map(Ok);
    Sse::new(stream).keep_alive(KeepAlive::default())
}
