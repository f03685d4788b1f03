//! Keeping what is chosen by hand, and where it holds.

use std::collections::BTreeSet;

use super::rights::{CommandContext, CommandRefusal};
use super::{DaemonChange, RequestScope};
use kith_core::chat::{ChannelId, GuildId};
use kith_core::manual_override::{OverrideRecord, OverrideScope, OverrideValue};
use kith_store::StoreError;

impl CommandContext<'_> {
    /// Keeps a choice, with who made it and when.
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

    /// The place an extent means, with how it is called in English and Chinese. A direct message has no whole.
    pub fn resolve_scope(&self, extent: RequestScope) -> (OverrideScope, String, String) {
        let channel = &self.facts.channel;
        match (extent, channel.guild) {
            (RequestScope::All, Some(guild)) => (
                OverrideScope::Guild(guild),
                "in this whole server".into(),
                "整个服务器".into(),
            ),
            _ => {
                let place = self.place();
                (
                    OverrideScope::Channel(channel.id),
                    format!("in {place}"),
                    place,
                )
            }
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
