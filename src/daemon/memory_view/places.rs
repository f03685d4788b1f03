//! Where something is remembered.

use std::collections::BTreeSet;

use super::MemoryReply;
use crate::daemon::reply::{reply_later, to_request_refusal};
use crate::daemon::state::Daemon;
use kith_core::chat::GuildId;
use kith_room::{GuildName, MemoryAnswer, MemoryPlace, MemoryPlaces};

const MOST_CHANNELS: usize = 500;

impl Daemon {
    pub(super) fn list_memory_places(&self, to: MemoryReply) {
        let mut known = self.list_known_channels();
        let guilds: BTreeSet<GuildId> = known.values().filter_map(|it| it.guild).collect();
        let mut guilds: Vec<GuildName> = guilds
            .into_iter()
            .map(|id| {
                let name = self.platform.guild_name(id);
                let name = name.map_or_else(String::new, |name| name.to_string());
                GuildName { name, id }
            })
            .collect();
        let counts = self.store.count_memories();
        reply_later(to, async move {
            let counts = counts.await.map_err(to_request_refusal)?.into_iter();
            let channels = counts.filter_map(|(id, memories)| {
                let channel = known.remove(&id)?;
                Some(MemoryPlace {
                    id,
                    name: channel.name.to_string(),
                    guild: channel.guild,
                    memories,
                })
            });
            let channels: Vec<MemoryPlace> = channels.take(MOST_CHANNELS).collect();
            guilds.retain(|guild| channels.iter().any(|it| it.guild == Some(guild.id)));
            guilds.sort();
            Ok(MemoryAnswer::Places(MemoryPlaces { guilds, channels }))
        });
    }
}
