//! What tools are given in a channel, and what they are told of sessions.

use serde_json::{Value, json};

use super::state::Daemon;
use kith_core::channel::ChannelState;
use kith_core::chat::{Channel, ChannelId, ChannelKind};
use kith_core::policy::ChannelPolicy;
use kith_system::clock;
use kith_tools::custom::SessionEvent;
use kith_tools::{NumberedLines, ToolContext};

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
        let turn = channel_state.and_then(|state| state.turn.as_ref());
        ToolContext {
            read_at: turn.map_or(now, |turn| turn.asked_at()),
            guild: self.find_public_guild(channel),
            parent: channel.parent,
            is_direct: channel.kind == ChannelKind::Direct,
            shown_from: channel_state.and_then(ChannelState::first_shown_message),
            begins_after: channel_state.and_then(|state| state.state().begins_after),
            lines: channel_state
                .map(|state| NumberedLines::from_timeline(state.timeline(), &state.window.names))
                .unwrap_or_default(),
            permissions: self.tools.permissions.clone(),
            uses: self.tools.uses(),
            tools: policy.tools.clone(),
            skills: self
                .settings
                .known_skills
                .select_listed(&policy.known_skills),
            protocol: policy.protocol,
            model: self.model_calls.selection().model.name().into(),
            tokens_left: self.model_calls.caps().0.saturating_sub(spent),
            web: self.tools.web(),
            secrets: self.settings.known_secrets.clone(),
            redactor: self.redactor.clone(),
            hooks: self.settings.resolve_hooks(channel),
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
        if self.tools.has_listener(event)
            && let Some(context) = self.tool_context(channel)
        {
            self.tools.tell(event, &about, &context);
        }
    }

    /// Tells the tools of a session that asked for it what another one published there.
    pub(super) fn tell_publication(
        &mut self,
        channel: ChannelId,
        tool: &str,
        published: (&str, &Value),
    ) {
        if self.tools.has_publication_listener(published.0)
            && let Some(context) = self.tool_context(channel)
        {
            self.tools.tell_publication(tool, published, &context);
        }
    }

    pub(super) fn start_tool_session(&mut self, channel: ChannelId) {
        if self.is_read(channel) && self.tools.start_session(channel) {
            self.tell_tools(channel, SessionEvent::Start, json!({}));
        }
    }

    pub(super) fn reload_server_tools(&mut self) {
        self.tools.update_registry(&self.settings);
        self.reapply_policies();
    }

    pub(super) async fn shut_down_tools(&mut self) {
        for channel in self.tools.take_sessions() {
            self.tell_tools(channel, SessionEvent::Shutdown, json!({}));
        }
        self.tools.close().await;
    }
}
