//! Which guilds are still to come: a session lists them, and then they are told one by one, late where one has an
//! outage. Knows ids only.

use std::collections::HashSet;

use crate::event::SessionGuilds;
use kith_core::chat::GuildId;
use kith_core::partition::Partition;

#[derive(Debug)]
pub(super) struct AwaitedGuilds {
    /// Listed by a session, and not told since.
    guilds: HashSet<GuildId>,
    partition: Partition,
    /// Those that have a session, and how many there are everywhere.
    shards: HashSet<u64>,
    all_shards: u64,
    is_reported: bool,
}

impl AwaitedGuilds {
    pub fn new(partition: Partition) -> Self {
        Self {
            guilds: HashSet::new(),
            partition,
            shards: HashSet::new(),
            all_shards: 0,
            is_reported: false,
        }
    }

    pub fn record_session(&mut self, listed: &SessionGuilds) {
        self.shards.insert(listed.shard.0);
        self.all_shards = listed.shard.1;
        self.guilds.extend(&listed.guilds);
        self.is_reported = false;
    }

    pub fn remove_guild(&mut self, guild: GuildId) {
        self.guilds.remove(&guild);
    }

    /// Whether all are there now, and were not when this was asked before.
    pub fn check_completion(&mut self) -> bool {
        let all_shards = u16::try_from(self.all_shards).unwrap_or(u16::MAX);
        let is_complete = self.guilds.is_empty()
            && all_shards > 0
            && self.shards.len() == self.partition.shards(all_shards).count();
        is_complete && !std::mem::replace(&mut self.is_reported, true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_are_there_once_every_shard_has_all_it_listed() {
        let mut awaited = AwaitedGuilds::new(Partition::WHOLE);
        assert!(!awaited.check_completion());
        awaited.record_session(&SessionGuilds {
            guilds: vec![GuildId(1), GuildId(2)],
            shard: (0, 2),
        });
        awaited.remove_guild(GuildId(1));
        awaited.remove_guild(GuildId(2));
        assert!(!awaited.check_completion(), "the other shard is not there");
        awaited.record_session(&SessionGuilds {
            guilds: vec![GuildId(3)],
            shard: (1, 2),
        });
        assert!(!awaited.check_completion());
        awaited.remove_guild(GuildId(3));
        assert!(
            awaited.check_completion() && !awaited.check_completion(),
            "told once"
        );
    }

    #[test]
    fn a_session_without_guilds_is_complete_at_once() {
        let mut awaited = AwaitedGuilds::new(Partition::WHOLE);
        awaited.record_session(&SessionGuilds {
            guilds: Vec::new(),
            shard: (0, 1),
        });
        assert!(awaited.check_completion());
    }
}
