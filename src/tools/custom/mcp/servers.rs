//! The servers of the definition files, as the rest of the house holds them: what tools they have right now, and when
//! that changes.

use kith_language::custom_tools;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use rmcp::model::CallToolRequestParams;
use rmcp::service::{Peer, RoleClient, ServiceError};
use serde_json::{Map, Value};
use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;

use super::keeper::keep_connected;
use super::listed::McpTool;
use super::{McpDefinition, result};
use crate::custom::DefinedTool;
use crate::tool::ToolDescription;
use crate::{Tool, ToolContext, ToolOrigin, ToolSecrets};
use kith_core::call::{ToolExposure, ToolKind, ToolResult};
use kith_core::redactor::Redactor;

/// How long a call may take where the definition says nothing: such servers mostly ask others.
const TIME_OUT: Duration = Duration::from_secs(30);
/// How long servers may take to end.
const END: Duration = Duration::from_secs(2);

/// A server, as its definition tells of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct McpServer {
    /// Its name, which begins those of its tools.
    pub name: String,
    /// The folder its definition lies in.
    pub folder: PathBuf,
    pub mcp: McpDefinition,
    /// When the model is told of its tools.
    pub offer: ToolExposure,
    /// A channel has its tools only where its settings name them.
    pub optional: bool,
    /// How long a call may take.
    pub time_out: Option<Duration>,
    /// The most characters of a result that the model is shown.
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

/// How patient the keeping is.
#[derive(Clone, Copy, Debug)]
pub struct McpTimeouts {
    /// How long a server may take until it has told its tools: it may have to be fetched first.
    pub connect: Duration,
    /// How long it is waited before a server that went away is started again; doubled each time.
    pub first: Duration,
    /// The longest it is waited.
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

/// How a server is doing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum McpServerStatus {
    /// It has not answered yet.
    #[default]
    Starting,
    /// It is there.
    Ready,
    /// It is not, and why; it is tried again.
    Unavailable(String),
}

/// One server and what is known of it.
pub(super) struct McpServerState {
    pub server: McpServer,
    /// The secrets it is given.
    pub secrets: ToolSecrets,
    /// Below this folder it has one of its own.
    pub root: Arc<Path>,
    peer: Mutex<Option<Peer<RoleClient>>>,
    /// The tools it told last, also while it is away: its face in prompts does not flicker.
    known: Mutex<(Vec<McpTool>, McpServerStatus)>,
    /// A call could not be sent.
    pub call_failed: Notify,
    watchers: ServerWatchers,
}

/// Who hears what becomes known.
#[derive(Clone, Default)]
struct ServerWatchers {
    /// Moves when tools change.
    tools: watch::Sender<u64>,
    /// Moves when anything does.
    anything: watch::Sender<u64>,
}

impl McpServerState {
    /// It is there, with these tools.
    pub fn set_ready(&self, peer: Peer<RoleClient>, tools: Vec<McpTool>) {
        *self.peer.lock().unwrap_or_else(PoisonError::into_inner) = Some(peer);
        self.update_state(Some(tools), McpServerStatus::Ready);
    }

    /// It is not there; answers whether that, or why, is news.
    pub fn away(&self, why: String) -> bool {
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

    fn known_tools(&self) -> Vec<McpTool> {
        self.known
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .0
            .clone()
    }

    fn status(&self) -> McpServerStatus {
        self.known
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .1
            .clone()
    }

    async fn call_tool(
        &self,
        tool_name: String,
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
        let answer = peer
            .call_tool_once(CallToolRequestParams::new(tool_name).with_arguments(params))
            .await;
        if matches!(
            answer,
            Err(ServiceError::TransportClosed | ServiceError::TransportSend(_))
        ) {
            self.call_failed.notify_one();
        }
        result::to_tool_result(name, answer, &context.redactor, language)
    }
}

/// All servers. Dropped, it ends them.
pub struct McpServers {
    running: Vec<Running>,
    timeouts: McpTimeouts,
    watchers: ServerWatchers,
}

struct Running {
    state: Arc<McpServerState>,
    /// Dropped, it ends the task.
    _stop: watch::Sender<()>,
    task: JoinHandle<()>,
}

impl McpServers {
    /// None yet.
    pub fn new(timeouts: McpTimeouts) -> Self {
        Self {
            running: Vec::new(),
            timeouts,
            watchers: ServerWatchers::default(),
        }
    }

    /// Has these servers kept from now on, and no others. One that is kept already goes on as it is, unless anything
    /// about it has changed. Comes back at once; whether they answer is seen later. Needs a runtime.
    pub fn set_servers(
        &mut self,
        servers: Vec<McpServer>,
        secrets: &ToolSecrets,
        root: &Arc<Path>,
    ) {
        let mut before = std::mem::take(&mut self.running);
        for server in servers {
            let secrets = server.mcp.select_secrets(secrets);
            let is_same = |running: &Running| {
                let kept = &running.state;
                kept.server == server && kept.secrets == secrets && kept.root == *root
            };
            let running = match before.iter().position(is_same) {
                Some(at) => before.swap_remove(at),
                None => self.start_server(server, secrets, root.clone()),
            };
            self.running.push(running);
        }
        drop(before);
    }

    fn start_server(&self, server: McpServer, secrets: ToolSecrets, root: Arc<Path>) -> Running {
        let state = Arc::new(McpServerState {
            server,
            secrets,
            root,
            peer: Mutex::default(),
            known: Mutex::default(),
            call_failed: Notify::new(),
            watchers: self.watchers.clone(),
        });
        let (stop, mut stopped) = watch::channel(());
        let (pace, keeping) = (self.timeouts, state.clone());
        let task = tokio::spawn(async move {
            tokio::select! {
                () = keep_connected(&keeping, pace) => {}
                // Nothing is ever sent: this is the end of the sender.
                _ = stopped.changed() => {}
            }
        });
        Running {
            state,
            _stop: stop,
            task,
        }
    }

    /// Moves when a server turns out to have other tools than before: [`McpServers::tools`] answers something else then.
    pub fn tool_changes(&self) -> watch::Receiver<u64> {
        self.watchers.tools.subscribe()
    }

    /// Moves when anything becomes known: tools, or how a server is doing.
    pub fn status_changes(&self) -> watch::Receiver<u64> {
        self.watchers.anything.subscribe()
    }

    /// The tools they have right now, in the order of the servers.
    pub fn tools(&self) -> Vec<Tool> {
        let all = self.running.iter().flat_map(|running| {
            running
                .state
                .known_tools()
                .into_iter()
                .map(|listed| build_tool(&running.state, listed))
        });
        all.collect()
    }

    /// How each is doing, by name.
    pub fn statuses(&self) -> Vec<(String, McpServerStatus)> {
        self.running
            .iter()
            .map(|running| (running.state.server.name.clone(), running.state.status()))
            .collect()
    }

    /// Waits until each has answered, or could not, but no longer than this.
    pub async fn wait_until_settled(&self, limit: Duration) {
        let mut news = self.status_changes();
        let all = async {
            while self
                .statuses()
                .iter()
                .any(|(_, standing)| *standing == McpServerStatus::Starting)
            {
                if news.changed().await.is_err() {
                    break;
                }
            }
        };
        let _ = tokio::time::timeout(limit, all).await;
    }

    /// Ends them and waits until they have ended.
    pub async fn stop(self) {
        let tasks: Vec<_> = self
            .running
            .into_iter()
            .map(|running| running.task)
            .collect();
        let _ = tokio::time::timeout(END, futures_util::future::join_all(tasks)).await;
    }
}

fn build_tool(state: &Arc<McpServerState>, server_tool: McpTool) -> Tool {
    let McpTool {
        name,
        remote_name: theirs,
        annotations,
        parameters,
    } = server_tool;
    let server = &state.server;
    // What a server says of its tools stands in every prompt.
    let parameters = Redactor::new(state.secrets.values()).redact_json(parameters);
    let description = ToolDescription {
        name,
        kind: ToolKind::Tool,
        annotations,
        offer: server.offer.clone(),
        primary: None,
        parameters,
        origin: ToolOrigin::Server(server.name.clone()),
    };
    let (optional, time_out, characters) =
        (server.optional, server.time_out, server.result_characters);
    let (kept, made_of) = (state.clone(), (server.mcp.clone(), theirs.clone()));
    let mut tool = Tool::defined(description, move |params, context| {
        let (kept, theirs) = (kept.clone(), theirs.clone());
        async move { kept.call_tool(theirs, params, context).await }
    });
    tool = tool
        .with_definition(&made_of)
        .time_out(time_out.unwrap_or(TIME_OUT));
    if optional {
        tool = tool.optional();
    }
    match characters {
        Some(characters) => tool.result_characters(characters),
        None => tool,
    }
}
