//! Of which channels the memory is asked.

use std::collections::BTreeMap;

use crate::daemon::reply::refuse_missing;
use crate::daemon::state::Daemon;
use kith_core::chat::{Channel, ChannelId, GuildId, UserId};
use kith_language::room_refusals;
use kith_room::RequestRefusal;

/// What of the memory is wanted; all of it where nothing is named.
pub(super) struct MemoryFilter {
    /// What may be seen there.
    pub channel: Option<ChannelId>,
    /// What is from channels of this server.
    pub guild: Option<GuildId>,
    /// What is about them, or has them in it.
    pub person: Option<UserId>,
}

impl Daemon {
    /// The channels whose text may be shown to whoever sees this one.
    pub(in crate::daemon) fn find_memory_readable(
        &self,
        channel: ChannelId,
    ) -> Result<Vec<ChannelId>, RequestRefusal> {
        match self.find_channel(channel) {
            Some(_) => Ok(self.tool_host.find_readable_channels(channel)),
            None => Err(refuse_missing(room_refusals::no_channel())),
        }
    }

    /// The channels a filter means. Who runs Kith sees all of them, direct messages too.
    pub(super) fn find_memory_channels(
        &self,
        filter: &MemoryFilter,
    ) -> Result<Vec<ChannelId>, RequestRefusal> {
        if let Some(channel) = filter.channel {
            return self.find_memory_readable(channel);
        }
        let known = self.list_known_channels();
        let wanted = known.into_values().filter(|channel| {
            let guild = filter.guild;
            guild.is_none() || channel.guild == guild
        });
        Ok(wanted.map(|channel| channel.id).collect())
    }

    /// The channels that are there: those the platform tells of, and those that have a state.
    pub(super) fn list_known_channels(&self) -> BTreeMap<ChannelId, Channel> {
        let states = self.core.channel_states().map(|state| &state.channel);
        let known = self.platform.list_channels();
        let all = states.cloned().chain(known);
        all.map(|channel| (channel.id, channel)).collect()
    }
}
