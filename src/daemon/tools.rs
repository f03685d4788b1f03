//! What tools are given in a channel, and the tools that want to be told what happens to sessions.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Value, json};

use super::state::Daemon;
use kith_core::channel::ChannelState;
use kith_core::chat::{Channel, ChannelId, ChannelKind};
use kith_core::policy::{ChannelMode, ChannelPolicy};
use kith_system::clock;
use kith_tools::custom::mcp::{McpServers, McpTimeouts};
use kith_tools::custom::{SessionEvent, SessionEventTools};
use kith_tools::{NumberedLines, ToolContext};

/// How long tools may take at the end to hear what was told last.
const LAST_WORDS: Duration = Duration::from_secs(3);

/// The tools that want to be told, and the sessions they know.
#[derive(Default)]
pub(super) struct ToolListeners {
    events: SessionEventTools,
    started: BTreeSet<ChannelId>,
}

impl Daemon {
    /// What a tool is given in a channel that has a state, where nobody spoke and no turn runs.
    pub(super) fn tool_context(&mut self, channel: ChannelId) -> Option<ToolContext> {
        let channel_state = self.core.channel_state(channel)?;
        let (channel, policy) = (
            channel_state.channel.clone(),
            channel_state.policy().clone(),
        );
        Some(self.tool_context_in(&channel, &policy))
    }

    /// The same in any channel, with these settings.
    pub(super) fn tool_context_in(
        &mut self,
        channel: &Channel,
        policy: &ChannelPolicy,
    ) -> ToolContext {
        let now = clock::now();
        let spent = self.model_calls.spending_today(now).tokens;
        let channel_state = self.core.channel_state(channel.id);
        ToolContext {
            guild: self.find_public_guild(channel),
            parent: channel.parent,
            is_direct: channel.kind == ChannelKind::Direct,
            shown_from: channel_state.and_then(ChannelState::first_shown_message),
            begins_after: channel_state.and_then(|state| state.state().begins_after),
            lines: channel_state
                .map(|state| NumberedLines::from_timeline(state.timeline(), &state.window.names))
                .unwrap_or_default(),
            permissions: self.permissions.clone(),
            uses: self.uses.clone(),
            tools: policy.tools.clone(),
            skills: self
                .settings
                .known_skills
                .select_listed(&policy.known_skills),
            protocol: policy.protocol,
            model: self.model_calls.selection().model.name().into(),
            tokens_left: self.model_calls.caps().0.saturating_sub(spent),
            web: self.web.clone(),
            secrets: self.settings.known_secrets.clone(),
            redactor: self.redactor.clone(),
            workspace: self.settings.workspace(),
            ..ToolContext::new(
                channel.id,
                policy.persona.clone(),
                self.store.clone(),
                self.tool_host.clone(),
                now,
            )
        }
    }

    /// Tells the tools of a session what happened to it; `about` says more, in words of the event's own.
    pub(super) fn tell_tools(&mut self, channel: ChannelId, event: SessionEvent, about: Value) {
        if self.listeners.events.has_listener(event)
            && let Some(context) = self.tool_context(channel)
        {
            self.listeners
                .events
                .run_event_tools(event, &about, &context);
        }
    }

    /// A channel's settings hold: its session is there.
    pub(super) fn start_tool_session(&mut self, channel: ChannelId) {
        let is_read = self
            .core
            .channel_state(channel)
            .is_some_and(|channel_state| channel_state.policy().mode != ChannelMode::Off);
        if is_read && self.listeners.started.insert(channel) {
            self.tell_tools(channel, SessionEvent::Start, json!({}));
        }
    }

    /// The tools of the host's own are those of the settings as they are now. Calls that run go on with the tools they
    /// began with.
    pub(super) fn reload_tools(&mut self) {
        let (secrets, workspace) = (&self.settings.known_secrets, self.settings.workspace());
        self.servers
            .set_servers(self.settings.servers(), secrets, &workspace);
        self.registry = Arc::new(self.settings.build_registry(self.servers.tools()));
        self.reload_tool_listeners();
    }

    /// A server has other tools than before.
    pub(super) fn reload_server_tools(&mut self) {
        self.registry = Arc::new(self.settings.build_registry(self.servers.tools()));
        self.reapply_policies();
    }

    /// From now on these tools are told; they have to learn first which sessions there are.
    pub(super) fn reload_tool_listeners(&mut self) {
        self.listeners = ToolListeners {
            events: SessionEventTools::from_definitions(&self.settings.defined),
            started: BTreeSet::new(),
        };
    }

    /// The daemon stops: every session ends for the tools.
    pub(super) async fn shut_down_tools(&mut self) {
        for channel in std::mem::take(&mut self.listeners.started) {
            self.tell_tools(channel, SessionEvent::Shutdown, json!({}));
        }
        std::mem::take(&mut self.listeners.events)
            .close(LAST_WORDS)
            .await;
        std::mem::replace(&mut self.servers, McpServers::new(McpTimeouts::default()))
            .stop()
            .await;
    }
}
