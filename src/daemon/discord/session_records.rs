//! Up to where the session of each shard was heard, for whoever starts after a kill: Discord tells them what came since.

use std::collections::{BTreeMap, BTreeSet};

use kith_core::chat::ChannelId;
use kith_discord::{FormerSessions, SessionRecord};

pub(super) const SESSIONS: &str = "discord.sessions";

pub(super) struct SessionRecords {
    by_shard: BTreeMap<u16, SessionRecord>,
    /// Channels that a former process had not looked back at, and that nobody has since.
    behind: BTreeSet<ChannelId>,
    is_unsaved: bool,
}

impl SessionRecords {
    /// What a former process left is kept until there is something newer.
    pub fn new(former: &FormerSessions) -> Self {
        let records = former.records.iter().cloned();
        Self {
            by_shard: records.map(|record| (record.shard.0, record)).collect(),
            behind: former.behind.clone(),
            is_unsaved: false,
        }
    }

    /// Takes the place of the shard's record before.
    pub fn put(&mut self, record: SessionRecord) {
        self.by_shard.insert(record.shard.0, record);
        self.is_unsaved = true;
    }

    /// A channel was looked back at.
    pub fn settle(&mut self, channel: ChannelId) {
        self.behind.remove(&channel);
    }

    /// Nobody can go on from any of them: something that was heard before is lost.
    pub fn clear(&mut self) {
        self.by_shard.clear();
        self.is_unsaved = true;
    }

    pub fn has_unsaved(&self) -> bool {
        self.is_unsaved
    }

    /// All of them as they are kept, where one is not saved yet. In channels that are `held` not all that was heard is stored.
    pub fn take_unsaved(&mut self, held: impl Iterator<Item = ChannelId>) -> Option<String> {
        if !std::mem::take(&mut self.is_unsaved) {
            return None;
        }
        let former = FormerSessions {
            records: self.by_shard.values().cloned().collect(),
            behind: self.behind.iter().copied().chain(held).collect(),
        };
        serde_json::to_string(&former).ok()
    }
}

/// Reads back what a former process left; nothing where it cannot be read.
pub(super) fn parse_sessions(json: &str) -> FormerSessions {
    serde_json::from_str(json).unwrap_or_default()
}
