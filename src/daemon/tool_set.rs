//! The tools there are: the host's own, those of servers, who may cause which to run, and which of them are told what
//! happens to sessions. It follows the settings.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
use tokio::sync::watch;

use crate::settings::Settings;
use kith_core::chat::ChannelId;
use kith_tools::custom::mcp::{McpServers, McpTimeouts};
use kith_tools::custom::{SessionEvent, SessionEventTools};
use kith_tools::{ToolContext, ToolPermission, ToolRegistry, ToolUses, WebClient};

/// How long tools may take at the end to hear what was told last.
const LAST_WORDS: Duration = Duration::from_secs(3);

pub(super) struct ToolSet {
    pub registry: Arc<ToolRegistry>,
    pub permissions: Arc<BTreeMap<String, ToolPermission>>,
    servers: McpServers,
    listeners: SessionEventTools,
    /// The sessions those know.
    sessions: BTreeSet<ChannelId>,
    web: Arc<WebClient>,
    uses: Arc<ToolUses>,
}

impl ToolSet {
    /// Those of the settings; those of servers come when the servers have told them.
    pub fn new(settings: &Settings) -> Self {
        let mut tools = Self {
            registry: Arc::new(settings.build_registry(Vec::new())),
            permissions: Arc::new(settings.tool.clone()),
            servers: McpServers::new(McpTimeouts::default()),
            listeners: SessionEventTools::default(),
            sessions: BTreeSet::new(),
            web: Arc::new(WebClient::new(settings.web.clone())),
            uses: Arc::default(),
        };
        tools.reload(settings);
        tools
    }

    /// Tells when a server has other tools than before.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.servers.tool_changes()
    }

    pub fn web(&self) -> Arc<WebClient> {
        self.web.clone()
    }

    pub fn uses(&self) -> Arc<ToolUses> {
        self.uses.clone()
    }

    /// The settings changed from `before`. Calls that run go on with the tools they began with.
    pub fn apply_settings(&mut self, settings: &Settings, before: &Settings) {
        self.permissions = Arc::new(settings.tool.clone());
        if settings.web != before.web {
            self.web = Arc::new(WebClient::new(settings.web.clone()));
        }
        if settings.defined != before.defined || settings.known_secrets != before.known_secrets {
            self.reload(settings);
        }
    }

    pub fn update_registry(&mut self, settings: &Settings) {
        self.registry = Arc::new(settings.build_registry(self.servers.tools()));
    }

    /// From now on these tools are told; they have to learn first which sessions there are.
    fn reload(&mut self, settings: &Settings) {
        let (secrets, workspace) = (&settings.known_secrets, settings.workspace());
        self.servers
            .set_servers(settings.servers(), secrets, &workspace);
        self.update_registry(settings);
        self.listeners = SessionEventTools::from_definitions(&settings.defined);
        self.sessions.clear();
    }

    pub fn has_listener(&self, event: SessionEvent) -> bool {
        self.listeners.has_listener(event)
    }

    pub fn tell(&mut self, event: SessionEvent, about: &Value, context: &ToolContext) {
        self.listeners.run_event_tools(event, about, context);
    }

    pub fn has_publication_listener(&self, name: &str) -> bool {
        self.listeners.has_publication_listener(name)
    }

    /// Tells the tools that asked for it what another one published.
    pub fn tell_publication(&self, tool: &str, published: (&str, &Value), context: &ToolContext) {
        self.listeners
            .run_publication_tools(tool, published, context);
    }

    /// A channel's session is there; answers whether the tools do not know it yet.
    pub fn start_session(&mut self, channel: ChannelId) -> bool {
        self.sessions.insert(channel)
    }

    /// The sessions the tools know, which end now.
    pub fn take_sessions(&mut self) -> BTreeSet<ChannelId> {
        std::mem::take(&mut self.sessions)
    }

    /// Lets tools hear what was told last, and stops the servers.
    pub async fn close(&mut self) {
        std::mem::take(&mut self.listeners).close(LAST_WORDS).await;
        std::mem::replace(&mut self.servers, McpServers::new(McpTimeouts::default()))
            .stop()
            .await;
    }
}
