//! What moderators set by slash command: plain data that stands above the settings files, kept with author and date.

use std::collections::HashMap;

use serde::{Deserialize, Serialize};

use super::chat::{Channel, ChannelId, GuildId, Millis, UserId};
use super::policy::ChannelMode;
use super::talkativeness::Talkativeness;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OverrideScope {
    Guild(GuildId),
    /// In one channel and the threads below it.
    Channel(ChannelId),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OverrideValue {
    Mode(ChannelMode),
    Talkativeness(Talkativeness),
    /// The name of one of the personas the host offers (`[personas]`).
    Persona(String),
    /// Nobody is answered until then.
    PausedUntil(Millis),
}

impl OverrideValue {
    /// What it is about: a newer choice about the same replaces an older one.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Mode(_) => "mode",
            Self::Talkativeness(_) => "talkativeness",
            Self::Persona(_) => "persona",
            Self::PausedUntil(_) => "pause",
        }
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OverrideRecord {
    pub place: OverrideScope,
    pub choice: OverrideValue,
    /// Who chose it; none where that person wanted to be forgotten.
    pub by: Option<UserId>,
    pub at: Millis,
}

/// All choices, by place: a large bot has many, and every message in a channel that is off asks for its own.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ManualOverrides(HashMap<OverrideScope, Vec<OverrideRecord>>);

impl ManualOverrides {
    /// These choices; of two about the same thing in the same place the later one counts.
    pub fn new(choices: impl IntoIterator<Item = OverrideRecord>) -> Self {
        let mut all = Self::default();
        choices.into_iter().for_each(|choice| all.record(choice));
        all
    }

    pub fn record(&mut self, set: OverrideRecord) {
        let here = self.0.entry(set.place).or_default();
        here.retain(|old| old.choice.kind() != set.choice.kind());
        here.push(set);
    }

    /// Nobody is told any more that a person made a choice.
    pub fn forget(&mut self, user: UserId) {
        self.0
            .values_mut()
            .flatten()
            .filter(|set| set.by == Some(user))
            .for_each(|set| set.by = None);
    }

    pub fn reset(&mut self, place: OverrideScope) {
        self.0.remove(&place);
    }

    /// The guilds for which something was chosen as a whole.
    pub fn guilds(&self) -> impl Iterator<Item = GuildId> {
        self.0.keys().filter_map(|place| match place {
            OverrideScope::Guild(guild) => Some(*guild),
            OverrideScope::Channel(_) => None,
        })
    }

    /// The choices made for exactly this place.
    pub fn at(&self, place: OverrideScope) -> impl Iterator<Item = &OverrideRecord> {
        self.0.get(&place).into_iter().flatten()
    }

    /// The choices that hold in a channel, the strongest first: its own, then its parent's, then its guild's.
    pub fn list_for_channel(&self, channel: &Channel) -> impl Iterator<Item = &OverrideRecord> {
        let places = [Some(channel.id), channel.parent]
            .into_iter()
            .flatten()
            .map(OverrideScope::Channel);
        places
            .chain(channel.guild.map(OverrideScope::Guild))
            .flat_map(|place| self.at(place))
    }

    /// What `pick` finds first for a channel: among its own choices, then its parent's, then its guild's.
    pub fn find<T>(
        &self,
        channel: &Channel,
        mut pick: impl FnMut(&OverrideValue) -> Option<T>,
    ) -> Option<T> {
        self.list_for_channel(channel)
            .find_map(|set| pick(&set.choice))
    }
}
