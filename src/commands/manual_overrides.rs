//! Keeping what is chosen by hand, and where it holds.

use kith_language::{LocalizedMessage, commands};
use std::collections::BTreeSet;

use super::rights::{CommandContext, CommandRefusal};
use super::{DaemonChange, RequestScope};
use kith_core::chat::{ChannelId, GuildId};
use kith_core::manual_override::{OverrideRecord, OverrideScope, OverrideValue};
use kith_store::StoreError;

impl CommandContext<'_> {
    pub async fn set_override(
        &self,
        place: OverrideScope,
        choice: OverrideValue,
    ) -> Result<DaemonChange, CommandRefusal> {
        let set = OverrideRecord {
            place,
            choice: choice.clone(),
            by: Some(self.caller.user),
            at: self.facts.now,
        };
        self.command_service.store.set_override(set).await?;
        Ok(DaemonChange::Set(place, choice))
    }

    /// The place an extent means, with how it is called. A direct message has no whole.
    pub fn resolve_scope(&self, extent: RequestScope) -> (OverrideScope, LocalizedMessage) {
        let channel = &self.facts.channel;
        match (extent, channel.guild) {
            (RequestScope::All, Some(guild)) => {
                (OverrideScope::Guild(guild), commands::in_whole_server())
            }
            _ => (
                OverrideScope::Channel(channel.id),
                commands::in_place(self.place()),
            ),
        }
    }

    /// All channels of a guild: those that are there now, and those the store remembers.
    pub async fn find_guild_channels(
        &self,
        guild: GuildId,
    ) -> Result<BTreeSet<ChannelId>, StoreError> {
        let stored = self.command_service.store.channels().await?;
        let stored = stored
            .into_iter()
            .filter(|channel| channel.guild == Some(guild))
            .map(|channel| channel.id);
        let known = &self.facts.guild_channels;
        Ok(if self.caller.guild == Some(guild) {
            stored.chain(known.iter().copied()).collect()
        } else {
            stored.collect()
        })
    }
}
