//! What a running tool is given. The program fills in what it knows (channel, scope, time), so that no tool asks the
//! model for it.

use std::sync::Arc;

use chrono_tz::Tz;

use crate::core::chat::{ChannelId, GuildId, Millis};
use crate::core::persona::{Language, Persona};
use crate::memory::Memory;

/// What a running tool is given.
#[derive(Clone)]
pub struct ToolContext {
    /// Where the turn runs.
    pub channel: ChannelId,
    /// The guild of that channel; none for a direct message.
    pub guild: Option<GuildId>,
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
    /// The language results are written in.
    pub fn language(&self) -> Language {
        self.persona.language
    }

    /// The time zone the companion lives in; UTC where its persona has no schedule.
    pub fn timezone(&self) -> Tz {
        self.persona.schedule.as_ref().map_or(Tz::UTC, |schedule| schedule.timezone)
    }
}

/// What only a platform knows. The daemon implements it for live platforms; replay and tests have their own.
pub trait Host: Send + Sync {}
