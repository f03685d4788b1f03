//! Up to where the session of each shard was heard, for whoever starts after a kill: Discord tells them what came since.

use std::collections::BTreeMap;

use kith_discord::SessionRecord;

/// Where the records are kept.
pub(super) const SESSIONS: &str = "discord.sessions";

/// The newest record of each shard.
#[derive(Default)]
pub(super) struct SessionRecords {
    by_shard: BTreeMap<u16, SessionRecord>,
    is_unsaved: bool,
}

impl SessionRecords {
    /// Takes the place of the shard's record before.
    pub fn put(&mut self, record: SessionRecord) {
        self.by_shard.insert(record.shard.0, record);
        self.is_unsaved = true;
    }

    /// Whether a record is not saved yet.
    pub fn has_unsaved(&self) -> bool {
        self.is_unsaved
    }

    /// All of them as they are kept, where one is not saved yet.
    pub fn take_unsaved(&mut self) -> Option<String> {
        let records: Vec<&SessionRecord> = self.by_shard.values().collect();
        let json = serde_json::to_string(&records).ok();
        std::mem::take(&mut self.is_unsaved).then_some(json)?
    }

    /// Reads them back; none where they cannot be read.
    pub fn parse(json: &str) -> Vec<SessionRecord> {
        serde_json::from_str(json).unwrap_or_default()
    }
}
