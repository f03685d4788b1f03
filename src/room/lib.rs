//! The local room: a chat page and inspector served on loopback, and the small JSON API behind it. It turns HTTP
//! into requests for the daemon and the daemon's events into a stream; it never decides, stores or speaks itself.
//!
//! # The API
//!
//! `docs/ROOM_API.md` shows every request with an example. In one breath: `POST /api` takes one [`RoomRequest`] as JSON
//! and answers with the bare [`RoomAnswer`]; `GET /api/live` is a stream of server-sent events, each one [`LiveEvent`], after
//! a first one of type `hello`, at which a front end fetches what it shows, so that nothing is lost while it was away.
//! The console has an address of its own, `POST /api/console`, which takes a [`ConsoleRequest`], and both ask about the
//! memory at `POST /api/memory`, which takes a [`MemoryRequest`].
//! Every request needs the room's token, in a cookie or a header ([`RoomToken`], `access_guard.rs`).

#![warn(clippy::unwrap_used, clippy::expect_used)]

mod access_guard;
mod console_answer;
mod console_request;
mod live_event;
mod memory_answer;
mod memory_request;
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

use axum::Router;
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

pub use access_guard::guard_host;
pub use console_answer::{
    ChannelDay, ChannelOverview, ChannelStatus, ConsoleAnswer, FaultOverview, GuildSummary,
    InspectedTurn, LogFault, PendingApproval, PersonaCheckResult, PersonaFile, PersonaProblem,
    ProcessStatus, SettingOriginView, SettingView, SettingsView, SpendItem, SpendOverview,
    TalkRate, TurnFault, TurnSummary,
};
pub use console_request::{ChannelOrder, ConsoleRequest};
pub use live_event::LiveEvent;
pub use memory_answer::{
    CoreMemoryBlock, EarlierBlock, FoundLine, GuildName, MemoryAnswer, MemoryDetails,
    MemoryOverview, MemoryPlace, MemoryPlaces, MemorySearchResult, QuotedLine,
};
pub use memory_request::MemoryRequest;
pub use mentions::find_mentions;
pub use request::{
    ApiRequest, CardUpload, EndpointRequest, ModelChoice, ModelUse, PendingRequest, RoomRequest,
    TypedKey,
};
pub use room_answer::{
    DecisionSummary, DecisionVerdict, FullTurn, HistoryPage, LocalizedText, MessageExplanation,
    ModelState, PendingAction, ReactionGroup, RefusalKind, RequestRefusal, RoomAnswer, RoomChannel,
    RoomMessage, RoomSession, RoomState, RunningToolCall, ShownPrompt, SummaryReason, ToolNews,
    ToolNewsKind, UnreadCounts, WillingnessState, localize,
};
pub use token::RoomToken;

/// The largest request body, in bytes.
const LARGEST_BODY: usize = 64 * 1024;

/// The largest body with a character card, in bytes of base64. Larger cards are for `kith persona import`.
const LARGEST_CARD_BODY: usize = 16 << 20;

/// The largest body of a request of the console, which may bring a whole persona, in bytes.
const LARGEST_CONSOLE_BODY: usize = 1 << 20;

/// How soon a listener comes back whose stream broke.
const COME_BACK: Duration = Duration::from_secs(1);

/// How the room reaches the daemon.
#[derive(Clone, Debug)]
pub struct RoomHandles {
    /// Requests go out here, each with the way its answer comes back.
    pub requests: mpsc::Sender<PendingRequest>,
    /// What happens comes in here.
    pub live: broadcast::Sender<Arc<LiveEvent>>,
    pub console: ConsoleHandles,
}

#[derive(Clone, Debug)]
pub struct ConsoleHandles {
    /// Its own requests go out here.
    pub requests: mpsc::Sender<PendingRequest<ConsoleRequest>>,
    /// Requests about the memory go out here, those of the room's page, too.
    pub memory: mpsc::Sender<PendingRequest<MemoryRequest>>,
}

#[derive(Debug, thiserror::Error)]
pub enum RoomBindError {
    #[error("other machines could reach it")]
    NotLoopback,
    #[error("the port is in use")]
    InUse,
    #[error(transparent)]
    Refused(io::Error),
}

/// Opens the door on a loopback address; port 0 finds a free one.
pub async fn bind(address: SocketAddr) -> Result<TcpListener, RoomBindError> {
    if !address.ip().is_loopback() {
        return Err(RoomBindError::NotLoopback);
    }
    TcpListener::bind(address)
        .await
        .map_err(|error| match error.kind() {
            io::ErrorKind::AddrInUse => RoomBindError::InUse,
            _ => RoomBindError::Refused(error),
        })
}

/// Serves the room, and its console, to whoever has the token until `stop` is done; open streams end with it.
pub async fn serve(
    listener: TcpListener,
    handles: RoomHandles,
    token: RoomToken,
    stop: impl Future<Output = ()> + Send + 'static,
) {
    let stop = stop.boxed().shared();
    let requests = Router::new()
        .route("/api", post(handle_request::<RoomRequest>))
        .route(
            "/api/card",
            post(handle_request::<RoomRequest>).layer(DefaultBodyLimit::max(LARGEST_CARD_BODY)),
        )
        .with_state(handles.requests);
    let live = LiveStream {
        live: handles.live,
        stop: stop.clone(),
    };
    let app = page::build_routes(page::FrontPage::Room)
        .merge(requests)
        .merge(build_console_routes(handles.console))
        .route("/api/live", get(stream_events))
        .with_state(live);
    serve_guarded(listener, app, token, stop).await;
}

/// Serves the console alone, where the companion lives elsewhere, to whoever has the token until `stop` is done.
pub async fn serve_console(
    listener: TcpListener,
    console: ConsoleHandles,
    token: RoomToken,
    stop: impl Future<Output = ()> + Send + 'static,
) {
    let app = page::build_routes(page::FrontPage::Console).merge(build_console_routes(console));
    serve_guarded(listener, app, token, stop.boxed().shared()).await;
}

fn build_console_routes<S: Clone + Send + Sync + 'static>(console: ConsoleHandles) -> Router<S> {
    let handle = post(handle_request::<ConsoleRequest>);
    let memory = Router::new()
        .route("/api/memory", post(handle_request::<MemoryRequest>))
        .with_state(console.memory);
    Router::new()
        .route(
            "/api/console",
            handle.layer(DefaultBodyLimit::max(LARGEST_CONSOLE_BODY)),
        )
        .with_state(console.requests)
        .merge(memory)
}

async fn serve_guarded(listener: TcpListener, app: Router, token: RoomToken, stop: StopSignal) {
    let app = app
        .layer(DefaultBodyLimit::max(LARGEST_BODY))
        .layer(middleware::from_fn_with_state(
            Arc::new(token),
            access_guard::guard_request,
        ));
    server::serve(listener, app, stop).await;
}

/// Serves another app than the room's with the same bounds, and without its token, until `stop` is done.
pub async fn serve_app(
    listener: TcpListener,
    app: Router,
    stop: impl Future<Output = ()> + Send + 'static,
) {
    server::serve(listener, app, stop.boxed().shared()).await;
}

type StopSignal = SharedFuture<BoxFuture<'static, ()>>;

/// What happens, and when to stop telling it.
#[derive(Clone)]
struct LiveStream {
    live: broadcast::Sender<Arc<LiveEvent>>,
    stop: StopSignal,
}

async fn handle_request<R: ApiRequest>(
    Shared(requests): Shared<mpsc::Sender<PendingRequest<R>>>,
    body: Result<Bytes, BytesRejection>,
) -> Response {
    let body = match body {
        Ok(body) => body,
        Err(error) => {
            return (error.status(), Json(json!({ "error": error.body_text() }))).into_response();
        }
    };
    match dispatch_request(&requests, &body).await {
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

async fn dispatch_request<R: ApiRequest>(
    requests: &mpsc::Sender<PendingRequest<R>>,
    body: &[u8],
) -> Result<R::Answer, RequestRefusal> {
    let request: R = serde_json::from_slice(body).map_err(|error| {
        RequestRefusal::bad_request(format!(
            "the body is not a request: {error}; see docs/ROOM_API.md"
        ))
    })?;
    request.check()?;
    let (answer, answer_receiver) = oneshot::channel();
    requests
        .send(PendingRequest { request, answer })
        .await
        .map_err(|_| RequestRefusal::stopping())?;
    answer_receiver
        .await
        .unwrap_or_else(|_| Err(RequestRefusal::stopping()))
}

async fn stream_events(
    Shared(stream): Shared<LiveStream>,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let hello = stream::once(async {
        Event::default()
            .retry(COME_BACK)
            .data(r#"{"type":"hello"}"#)
    });
    // A reader too slow for the stream is cut off: it comes back, is greeted and fetches what it missed.
    let events = BroadcastStream::new(stream.live.subscribe())
        .take_while(|live| future::ready(live.is_ok()))
        .filter_map(|live| {
            future::ready(
                live.ok()
                    .and_then(|live| Event::default().json_data(&*live).ok()),
            )
        });
    let events = hello.chain(events).take_until(stream.stop).map(Ok);
    Sse::new(events).keep_alive(KeepAlive::default())
}
