//! How far each guild was heard, in whatever channel. What was made after that was made while nobody listened, and
//! everything in it was missed. Ids only.

use std::collections::{BTreeSet, HashMap, HashSet};

use kith_core::chat::{GuildId, MessageId};
use kith_core::directory::KnownChannel;
use kith_discord::{SessionGuilds, snowflake};

#[derive(Default)]
pub(super) struct GuildProgress {
    newest: HashMap<GuildId, MessageId>,
    unsaved: BTreeSet<GuildId>,
    /// The guilds that were told whole since their session began: what is new in them is told when it is made.
    present: HashSet<GuildId>,
}

impl GuildProgress {
    /// As it was when the daemon stopped.
    pub fn new(newest: Vec<(GuildId, MessageId)>) -> Self {
        Self {
            newest: newest.into_iter().collect(),
            ..Self::default()
        }
    }

    /// A session begins: its guilds are still to come.
    pub fn start_session(&mut self, listed: &SessionGuilds) {
        self.present.retain(|guild| !listed.is_in_shard(*guild));
    }

    pub fn record_outage(&mut self, guild: GuildId) {
        self.present.remove(&guild);
    }

    /// A guild was told whole; answers whether it is the first time in its session.
    pub fn record_arrival(&mut self, guild: GuildId) -> bool {
        self.present.insert(guild)
    }

    /// Something of a guild was told. Until the guild was told whole, it is not known what came before this.
    pub fn record_newest(&mut self, guild: GuildId, id: MessageId) {
        if !self.present.contains(&guild) {
            return;
        }
        let newest = self.newest.entry(guild).or_default();
        if *newest < id {
            *newest = id;
            self.unsaved.insert(guild);
        }
    }

    /// Whether a channel was made while nobody listened to its guild.
    pub fn is_missed(&self, known: &KnownChannel) -> bool {
        let Some(guild) = known
            .channel
            .guild
            .filter(|guild| !self.present.contains(guild))
        else {
            return false;
        };
        self.newest
            .get(&guild)
            .is_some_and(|newest| *newest < snowflake::smallest_snowflake(known.created_at))
    }

    pub fn forget_guild(&mut self, guild: GuildId) {
        self.newest.remove(&guild);
        self.unsaved.remove(&guild);
        self.present.remove(&guild);
    }

    pub fn guilds(&self) -> impl Iterator<Item = GuildId> {
        self.newest.keys().copied()
    }

    pub fn has_unsaved(&self) -> bool {
        !self.unsaved.is_empty()
    }

    pub fn take_unsaved(&mut self) -> Vec<(GuildId, MessageId)> {
        let unsaved = std::mem::take(&mut self.unsaved);
        unsaved
            .into_iter()
            .filter_map(|guild| Some((guild, *self.newest.get(&guild)?)))
            .collect()
    }
}
