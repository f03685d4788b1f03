//! What tools are given in a channel, and the tools that want to be told what happens to sessions.

use std::collections::BTreeSet;
use std::time::Duration;

use serde_json::{Value, json};

use super::Daemon;
use super::effects::shown_from;
use crate::clock;
use crate::core::chat::{ChannelId, ChannelKind};
use crate::core::policy::Mode;
use crate::tools::ToolContext;
use crate::tools::custom::{Events, SessionEvent};

/// How long tools may take at the end to hear what was told last.
const LAST_WORDS: Duration = Duration::from_secs(3);

/// The tools that want to be told, and the sessions they know.
#[derive(Default)]
pub(super) struct Listeners {
    events: Events,
    started: BTreeSet<ChannelId>,
}

impl Daemon {
    /// What a tool is given in a channel, where nobody spoke and no turn runs.
    pub(super) fn tool_context(&mut self, channel: ChannelId) -> Option<ToolContext> {
        let now = clock::now();
        let spent = self.budget.spent(now).tokens;
        let lane = self.core.lane(channel)?;
        let policy = lane.policy();
        Some(ToolContext {
            guild: self.open_guild(&lane.channel),
            parent: lane.channel.parent,
            is_direct: lane.channel.kind == ChannelKind::Direct,
            shown_from: shown_from(lane),
            begins_after: lane.state().begins_after,
            permissions: self.permissions.clone(),
            uses: self.uses.clone(),
            tools: policy.tools.clone(),
            skills: self.settings.known_skills.of(&policy.known_skills),
            protocol: policy.protocol,
            model: self.chosen.model.name().into(),
            tokens_left: self.budget.cap().saturating_sub(spent),
            secrets: self.settings.known_secrets.clone(),
            workspace: self.settings.data_dir.join("tools").into(),
            ..ToolContext::new(channel, policy.persona.clone(), self.store.clone(), self.host.clone(), now)
        })
    }

    /// Tells the tools of a session what happened to it; `about` says more, in words of the event's own.
    pub(super) fn tell_tools(&mut self, channel: ChannelId, event: SessionEvent, about: Value) {
        if self.listeners.events.are_wanted(event)
            && let Some(context) = self.tool_context(channel)
        {
            self.listeners.events.tell(event, &about, &context);
        }
    }

    /// A channel's settings hold: its session is there.
    pub(super) fn session_there(&mut self, channel: ChannelId) {
        let is_read = self.core.lane(channel).is_some_and(|lane| lane.policy().mode != Mode::Off);
        if is_read && self.listeners.started.insert(channel) {
            self.tell_tools(channel, SessionEvent::Start, json!({}));
        }
    }

    /// From now on these tools are told; they have to learn first which sessions there are.
    pub(super) fn listen_anew(&mut self) {
        self.listeners = Listeners { events: Events::of(&self.settings.defined), started: BTreeSet::new() };
    }

    /// The daemon stops: every session ends for the tools.
    pub(super) async fn tools_are_told_the_end(&mut self) {
        for channel in std::mem::take(&mut self.listeners.started) {
            self.tell_tools(channel, SessionEvent::Shutdown, json!({}));
        }
        std::mem::take(&mut self.listeners.events).close(LAST_WORDS).await;
    }
}
