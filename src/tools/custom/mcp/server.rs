//! One server of the definition files: how it is reached, what tools it has right now, and how they are called.

use std::future::Future;
use std::path::{Path, PathBuf};
use std::pin::pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rmcp::model::{CallToolRequestParams, ReadResourceRequestParams};
use rmcp::service::{Peer, RoleClient, ServiceError};
use serde_json::{Map, Value};
use tokio::sync::{Notify, watch};
use tokio::time::sleep;

use super::tool_list::McpTool;
use super::{McpDefinition, result};
use crate::custom::defined_tool::DefinedTool;
use crate::{ToolContext, ToolSecrets};
use kith_core::call::{ToolExposure, ToolResult};
use kith_language::custom_tools;

/// How long a call may take where the definition says nothing: such servers mostly ask others.
const TIME_OUT: Duration = Duration::from_secs(30);
/// The longest a call may take, however it is getting on.
pub(super) const LONGEST_CALL: Duration = Duration::from_secs(600);

#[derive(Clone, Debug, Default, PartialEq)]
pub struct McpServer {
    /// Its name, which begins those of its tools.
    pub name: String,
    pub folder: PathBuf,
    pub mcp: McpDefinition,
    pub offer: ToolExposure,
    /// A channel has its tools only where its settings name them.
    pub optional: bool,
    pub time_out: Option<Duration>,
    pub result_characters: Option<usize>,
}

impl McpServer {
    /// The server that a definition tells of; none where it tells of a tool.
    pub fn from_definition(defined: &DefinedTool) -> Option<Self> {
        let definition = &defined.definition;
        Some(Self {
            name: defined.name.clone(),
            folder: defined.folder().into(),
            mcp: definition.mcp.clone()?,
            offer: if definition.deferred {
                ToolExposure::Found
            } else {
                ToolExposure::Always
            },
            optional: definition.optional,
            time_out: definition.time_out_seconds.map(|_| defined.time_out()),
            result_characters: definition.result_characters,
        })
    }
}

#[derive(Clone, Copy, Debug)]
pub struct McpTimeouts {
    /// How long a server may take until it has told its tools: it may have to be fetched first.
    pub connect: Duration,
    /// How long it is waited before a server that went away is started again; doubled each time.
    pub first: Duration,
    pub longest_wait: Duration,
    /// A server that stays for so long begins with the first wait again.
    pub stable_after: Duration,
}

impl Default for McpTimeouts {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self {
            connect: seconds(60),
            first: seconds(1),
            longest_wait: seconds(300),
            stable_after: seconds(60),
        }
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum McpServerStatus {
    #[default]
    Starting,
    Ready,
    /// It is not, and why; it is tried again.
    Unavailable(String),
}

pub(super) struct McpServerState {
    pub server: McpServer,
    pub secrets: ToolSecrets,
    /// Below this folder it has one of its own.
    pub root: Arc<Path>,
    pub(super) peer: Mutex<Option<Peer<RoleClient>>>,
    /// The tools it told last, also while it is away: its face in prompts does not flicker.
    pub(super) known: Mutex<(Vec<McpTool>, McpServerStatus)>,
    pub(super) complaints: Arc<Mutex<Vec<String>>>,
    pub call_failed: Notify,
    /// A call is getting on.
    pub progress: Arc<Notify>,
    pub(super) watchers: ServerWatchers,
}

#[derive(Clone, Default)]
pub(super) struct ServerWatchers {
    /// Moves when tools change.
    pub(super) tools: watch::Sender<u64>,
    /// Moves when anything does.
    pub(super) anything: watch::Sender<u64>,
}

impl McpServerState {
    pub fn set_ready(&self, peer: Peer<RoleClient>, tools: Vec<McpTool>) {
        *self.peer.lock().unwrap_or_else(PoisonError::into_inner) = Some(peer);
        self.update_state(Some(tools), McpServerStatus::Ready);
    }

    /// It is not there; answers whether that, or why, is news.
    pub fn mark_unreachable(&self, why: String) -> bool {
        *self.peer.lock().unwrap_or_else(PoisonError::into_inner) = None;
        self.update_state(None, McpServerStatus::Unavailable(why))
    }

    fn update_state(&self, tools: Option<Vec<McpTool>>, status: McpServerStatus) -> bool {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let tools = tools.unwrap_or_else(|| known.0.clone());
        let (are_new, is_news) = (known.0 != tools, known.1 != status);
        *known = (tools, status);
        drop(known);
        if are_new {
            self.watchers.tools.send_modify(|count| *count += 1);
        }
        if are_new || is_news {
            self.watchers.anything.send_modify(|count| *count += 1);
        }
        is_news
    }

    pub(super) fn known_tools(&self) -> Vec<McpTool> {
        self.known
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .0
            .clone()
    }

    pub(super) fn status(&self) -> McpServerStatus {
        self.known
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .1
            .clone()
    }

    /// Calls a tool, or reads of its resources where there is no name.
    pub(super) async fn call_tool(
        &self,
        tool_name: Option<String>,
        params: Map<String, Value>,
        context: ToolContext,
    ) -> ToolResult {
        let name = &self.server.name;
        let language = context.language();
        let peer = self
            .peer
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone();
        let Some(peer) = peer else {
            return context.build_error(custom_tools::server_not_there(name));
        };
        let uri = params.get("uri").and_then(Value::as_str).map(str::trim);
        let uri = uri.filter(|uri| !uri.is_empty());
        let answer = match (tool_name, uri) {
            (Some(tool), _) => {
                let request = CallToolRequestParams::new(tool).with_arguments(params);
                self.await_answer(peer.call_tool_once(request)).await
            }
            (None, Some(uri)) => {
                let request = ReadResourceRequestParams::new(uri);
                let read = self.await_answer(peer.read_resource(request)).await;
                read.map(result::to_call_result)
            }
            (None, None) => match self.await_answer(peer.list_resources(None)).await {
                Ok(page) => {
                    let redactor = &context.redactor;
                    return ToolResult::ok(result::list_resources(&page.resources, redactor));
                }
                Err(error) => Err(error),
            },
        };
        if matches!(
            answer,
            Err(ServiceError::TransportClosed | ServiceError::TransportSend(_))
        ) {
            self.call_failed.notify_one();
        }
        result::to_tool_result(name, answer, &context.redactor, language)
    }

    /// Waits as long as a call may take. Whatever the server tells of how it is getting on begins that anew, up to
    /// [`LONGEST_CALL`].
    async fn await_answer<T>(
        &self,
        call: impl Future<Output = Result<T, ServiceError>>,
    ) -> Result<T, ServiceError> {
        let timeout = self.server.time_out.unwrap_or(TIME_OUT);
        let mut call = pin!(call);
        let waiting = async {
            loop {
                tokio::select! {
                    answer = &mut call => return answer,
                    () = self.progress.notified() => {}
                    () = sleep(timeout) => return Err(ServiceError::Timeout { timeout }),
                }
            }
        };
        let longest = LONGEST_CALL.max(timeout);
        let answer = tokio::time::timeout(longest, waiting).await;
        answer.unwrap_or(Err(ServiceError::Timeout { timeout: longest }))
    }
}
