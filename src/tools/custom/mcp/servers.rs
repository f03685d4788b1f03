//! The servers of the definition files, as the rest of the house holds them: what tools they have right now, and when
//! that changes.

use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, watch};
use tokio::task::JoinHandle;

use super::connection::keep_connected;
use super::server::{
    LONGEST_CALL, McpServer, McpServerState, McpServerStatus, McpTimeouts, ServerWatchers,
};
use super::tool_list::McpTool;
use crate::tool::ToolDescription;
use crate::{Tool, ToolOrigin, ToolSecrets};
use kith_core::call::ToolKind;
use kith_core::redactor::Redactor;

/// By how much the registry waits longer than a call may take.
const GRACE: Duration = Duration::from_secs(1);
const END: Duration = Duration::from_secs(2);

/// All servers. Dropped, it ends them.
pub struct McpServers {
    running: Vec<RunningServer>,
    timeouts: McpTimeouts,
    watchers: ServerWatchers,
}

struct RunningServer {
    state: Arc<McpServerState>,
    /// Dropped, it ends the task.
    _stop: watch::Sender<()>,
    task: JoinHandle<()>,
}

impl McpServers {
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
            let is_same = |running: &RunningServer| {
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

    fn start_server(
        &self,
        server: McpServer,
        secrets: ToolSecrets,
        root: Arc<Path>,
    ) -> RunningServer {
        let state = Arc::new(McpServerState {
            server,
            secrets,
            root,
            peer: Mutex::default(),
            known: Mutex::default(),
            complaints: Arc::default(),
            call_failed: Notify::new(),
            progress: Arc::default(),
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
        RunningServer {
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

    pub fn statuses(&self) -> Vec<(String, McpServerStatus)> {
        self.running
            .iter()
            .map(|running| (running.state.server.name.clone(), running.state.status()))
            .collect()
    }

    pub fn complaints(&self, name: &str) -> Vec<String> {
        let named = |running: &&RunningServer| running.state.server.name == name;
        let found = self.running.iter().find(named);
        found.map_or_else(Vec::new, |running| {
            let complaints = &running.state.complaints;
            complaints
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .clone()
        })
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
        server_note,
    } = server_tool;
    let server = &state.server;
    // What a server says of its tools stands in every prompt.
    let redactor = Redactor::new(state.secrets.values());
    let parameters = redactor.redact_json(parameters);
    let description = ToolDescription {
        name,
        kind: ToolKind::Tool,
        annotations,
        offer: server.offer.clone(),
        primary: None,
        parameters,
        origin: ToolOrigin::Server(server.name.clone()),
        server_note: redactor.redact(&server_note).into_owned(),
    };
    let (optional, time_out, characters) =
        (server.optional, server.time_out, server.result_characters);
    let (kept, made_of) = (state.clone(), (server.mcp.clone(), theirs.clone()));
    let mut tool = Tool::from_description(description, move |params, context| {
        let (kept, theirs) = (kept.clone(), theirs.clone());
        async move { kept.call_tool(theirs, params, context).await }
    });
    tool = tool
        .with_definition(&made_of)
        // Its calls end by themselves before that.
        .time_out(time_out.unwrap_or_default().max(LONGEST_CALL) + GRACE);
    if optional {
        tool = tool.optional();
    }
    match characters {
        Some(characters) => tool.result_characters(characters),
        None => tool,
    }
}
