//! Keeping one server: reaching it, asking what it has, noticing when it goes away, waiting, and again.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use futures_util::FutureExt;
use reqwest::redirect::Policy;
use rmcp::model::{ClientCapabilities, ClientConfig, Implementation, ProgressNotificationParam};
use rmcp::service::{NotificationContext, RoleClient, RunningService};
use rmcp::transport::streamable_http_client::{
    StreamableHttpClientTransport, StreamableHttpClientTransportConfig,
};
use rmcp::{ClientHandler, ServiceExt};
use tokio::sync::Notify;
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};

use super::child::{self, BYTES_A_SECOND, ByteMeter};
use super::headers::fill_headers;
use super::server::{McpServerState, McpTimeouts};
use super::tool_list::{fetch_tools, select_tools};
use crate::custom::command::ProgramGuard;
use kith_core::back_off::BackOffSchedule;
use kith_core::redactor::Redactor;
use kith_system::tls;

const REACHED: Duration = Duration::from_secs(10);
const EVENT_BYTES: usize = 4 << 20;
/// Changes of a server's tools that come within so long are asked about once.
const GATHERED: Duration = Duration::from_millis(200);
const REASON_CHARACTERS: usize = 300;

pub(super) async fn keep_connected(state: &McpServerState, timeouts: McpTimeouts) {
    let mut waits = BackOffSchedule::new(timeouts.first, timeouts.longest_wait);
    loop {
        let mut was_stable = false;
        let why = run_connection(state, timeouts, &mut was_stable).await;
        let why = Redactor::new(state.secrets.values())
            .redact(&why)
            .chars()
            .take(REASON_CHARACTERS)
            .collect::<String>();
        if was_stable {
            waits = BackOffSchedule::new(timeouts.first, timeouts.longest_wait);
        }
        let wait = waits.next_wait();
        let server = &state.server.name;
        if state.mark_unreachable(why.clone()) {
            tracing::warn!(
                server,
                why,
                "an MCP server is away; it is tried again in {} s",
                wait.as_secs_f32()
            );
        }
        sleep(wait).await;
    }
}

/// One visit: from reaching it until it goes away. Answers why that is.
async fn run_connection(
    state: &McpServerState,
    timeouts: McpTimeouts,
    was_stable: &mut bool,
) -> String {
    let tools_changed = Arc::new(Notify::new());
    let connected = match timeout(timeouts.connect, connect(state, tools_changed.clone())).await {
        Ok(Ok(connected)) => connected,
        Ok(Err(why)) => return why,
        Err(_) => {
            return format!(
                "it did not answer within {} s",
                timeouts.connect.as_secs_f32()
            );
        }
    };
    let ServerConnection {
        service,
        program,
        meter,
    } = connected;
    // What an earlier visit was doubted for is over.
    let _ = state.call_failed.notified().now_or_never();
    let peer = service.peer().clone();
    // Gone with this visit, whatever ends it.
    let _program = program;
    let mut service_end = Box::pin(service.waiting());
    let mut second = interval(Duration::from_secs(1));
    second.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut stable_timer = Box::pin(sleep(timeouts.stable_after));
    tools_changed.notify_one();
    loop {
        tokio::select! {
            _ = &mut service_end => return "it has ended".to_owned(),
            () = state.call_failed.notified() => return "it could not be reached for a call".to_owned(),
            () = tools_changed.notified() => {
                sleep(GATHERED).await;
                match timeout(timeouts.connect, fetch_tools(&peer)).await {
                    Ok(Ok(theirs)) => {
                        let (tools, notes) = select_tools(&state.server.name, theirs, &state.server.mcp.tools);
                        let server = &state.server.name;
                        notes.iter().for_each(|note| tracing::warn!(server, "an MCP server: {note}"));
                        let count = tools.len();
                        state.set_ready(peer.clone(), tools);
                        tracing::info!(server, tools = count, "an MCP server is there");
                    }
                    Ok(Err(error)) => return format!("it does not tell its tools: {error}"),
                    Err(_) => return "it does not tell its tools".to_owned(),
                }
            }
            _ = second.tick() => {
                if let Some(meter) = &meter {
                    meter.store(BYTES_A_SECOND, Ordering::Relaxed);
                }
            }
            () = &mut stable_timer, if !*was_stable => *was_stable = true,
        }
    }
}

struct ServerConnection {
    service: RunningService<RoleClient, ServerNotifications>,
    program: Option<ProgramGuard>,
    meter: Option<ByteMeter>,
}

async fn connect(
    state: &McpServerState,
    tools_changed: Arc<Notify>,
) -> Result<ServerConnection, String> {
    let server = &state.server;
    let client_handler = ServerNotifications {
        tools_changed,
        progress: state.progress.clone(),
    };
    let Some(url) = &server.mcp.url else {
        let started = child::start_server(server, &state.root, &state.secrets, &state.complaints);
        let (program, pipe, meter) =
            started.map_err(|error| format!("it cannot be started: {error}"))?;
        let service = client_handler
            .serve(pipe)
            .await
            .map_err(|error| format!("it does not answer as it should: {error}"))?;
        return Ok(ServerConnection {
            service,
            program: Some(program),
            meter: Some(meter),
        });
    };
    let headers = fill_headers(&server.mcp.headers, &state.secrets)?;
    // Elsewhere, and at a proxy that only the environment names, its secrets are nobody's business.
    let client = reqwest::Client::builder()
        .no_proxy()
        .redirect(Policy::none())
        .connect_timeout(REACHED);
    let client = tls::share_certificates(client, url)
        .build()
        .map_err(|error| error.without_url().to_string())?;
    let mut config = StreamableHttpClientTransportConfig::with_uri(url.as_str());
    config.custom_headers = headers;
    config.max_sse_event_size = EVENT_BYTES;
    let transport = StreamableHttpClientTransport::with_client(client, config);
    let service = client_handler
        .serve(transport)
        .await
        .map_err(|error| format!("it cannot be reached: {error}"))?;
    Ok(ServerConnection {
        service,
        program: None,
        meter: None,
    })
}

struct ServerNotifications {
    tools_changed: Arc<Notify>,
    progress: Arc<Notify>,
}

impl ClientHandler for ServerNotifications {
    fn get_info(&self) -> ClientConfig {
        ClientConfig::new(
            ClientCapabilities::default(),
            Implementation::new("kith", env!("CARGO_PKG_VERSION")),
        )
    }

    async fn on_tool_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.tools_changed.notify_one();
    }

    async fn on_resource_list_changed(&self, _: NotificationContext<RoleClient>) {
        self.tools_changed.notify_one();
    }

    async fn on_progress(&self, _: ProgressNotificationParam, _: NotificationContext<RoleClient>) {
        self.progress.notify_waiters();
    }
}
