//! What a running tool is given. The program fills in what it knows (channel, scope, time), so that no tool asks the
//! model for it.

use std::sync::Arc;

use chrono_tz::Tz;

use crate::core::chat::{ChannelId, GuildId, MessageId, Millis};
use crate::core::persona::{Language, Persona};
use crate::memory::{Memory, Scope, Sources};

/// What a running tool is given.
#[derive(Clone)]
pub struct ToolContext {
    /// Where the turn runs.
    pub channel: ChannelId,
    /// The guild whose members can all view that channel; none for a direct message.
    pub guild: Option<GuildId>,
    /// The oldest message of the channel that the prompt shows.
    pub shown_from: Option<MessageId>,
    /// The newest message of the channel that is left out of its context for good.
    pub begins_after: Option<MessageId>,
    /// Who the companion is there.
    pub persona: Arc<Persona>,
    /// The time, as the turn's driver sees it.
    pub now: Millis,
    /// What is remembered.
    pub memory: Memory,
    /// What only a platform knows.
    pub host: Arc<dyn Host>,
}

impl ToolContext {
    /// Whose core memory is edited.
    pub fn scope(&self) -> Scope {
        Scope::of(self.channel, self.guild)
    }

    /// Where may be looked for what was said.
    pub fn sources(&self) -> Sources {
        let channels = self.host.readable_in(self.channel);
        Sources { here: self.channel, channels, shown_from: self.shown_from, begins_after: self.begins_after }
    }

    /// The language results are written in.
    pub fn language(&self) -> Language {
        self.persona.language
    }

    /// The time zone the companion lives in; UTC where its persona has no schedule.
    pub fn timezone(&self) -> Tz {
        self.persona.timezone()
    }
}

/// What only a platform knows. The daemon implements it for live platforms; replay and tests have their own.
pub trait Host: Send + Sync {
    /// The channels whose text everybody who can view `channel` can view now, itself among them: only what stands
    /// there may be shown in it. A direct message stands alone.
    fn readable_in(&self, channel: ChannelId) -> Vec<ChannelId> {
        vec![channel]
    }

    /// The server a channel belongs to; none for a direct message.
    fn server(&self, channel: ChannelId) -> Option<Server> {
        let _ = channel;
        None
    }

    /// The names of the emoji that can be used in a channel besides those of Unicode.
    fn emoji(&self, channel: ChannelId) -> Vec<Arc<str>> {
        let _ = channel;
        Vec::new()
    }
}

/// A server, as everybody in one of its channels sees it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Server {
    /// Its name.
    pub name: Arc<str>,
    /// The names of the channels that everybody there can view.
    pub channels: Vec<Arc<str>>,
}
