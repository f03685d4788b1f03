//! Channels that are deleted and guilds it was thrown out of: what was said there is erased, for whoever deleted the
//! place took every other way to it away.

use std::collections::BTreeSet;

use super::DiscordPlatform;
use crate::daemon::state::Daemon;
use kith_core::chat::{Channel, ChannelId, ChannelKind, GuildId};
use kith_core::manual_override::OverrideScope;

impl Daemon<DiscordPlatform> {
    /// A channel was deleted, and with it the threads below it.
    pub(super) async fn handle_deleted_channel(&mut self, channel: ChannelId) {
        self.leave_channel(channel);
        let below = self
            .load_stored_channels()
            .await
            .into_iter()
            .filter(|stored| stored.parent == Some(channel));
        let gone: BTreeSet<ChannelId> = below.map(|thread| thread.id).chain([channel]).collect();
        for place in gone.iter().map(|channel| OverrideScope::Channel(*channel)) {
            self.reset_overrides(place).await;
        }
        self.erase_channels(gone, None);
    }

    /// Once all guilds have come, erases the channels on record that none lists. Threads stay: archived ones are not listed.
    pub(super) async fn erase_deleted_channels(&mut self) {
        let stored = self.load_stored_channels().await;
        let platform = &self.platform;
        let directory = platform.directory();
        let is_gone = |stored: &&Channel| {
            let is_there = |channel: &ChannelId| directory.channels.contains_key(channel);
            stored
                .guild
                .is_some_and(|guild| directory.guilds.contains_key(&guild))
                && match stored.kind {
                    ChannelKind::Group => !is_there(&stored.id),
                    ChannelKind::Thread => stored.parent.is_some_and(|parent| !is_there(&parent)),
                    ChannelKind::Direct => false,
                }
        };
        let gone: BTreeSet<ChannelId> = stored
            .iter()
            .filter(is_gone)
            .map(|channel| channel.id)
            .collect();
        drop(directory);
        self.erase_channels(gone, None);
    }

    /// Erases these channels, and what is remembered of a guild as a whole.
    pub(super) fn erase_channels(&mut self, channels: BTreeSet<ChannelId>, guild: Option<GuildId>) {
        self.forget_sessions(&channels);
        if channels.is_empty() && guild.is_none() {
            return;
        }
        let platform = &mut self.platform;
        for channel in &channels {
            platform.last_seen.remove(channel);
            platform.unsaved_last_seen.remove(channel);
        }
        let now = kith_system::clock::now();
        let erased = self
            .store
            .erase_places(channels.into_iter().collect(), guild, now);
        let (store, log) = (self.store.clone(), platform.discord.log_channels().clone());
        tokio::spawn(async move {
            if let Err(error) = erased.await {
                return tracing::error!(%error, "what was said in a place that is gone stays until it is too old");
            }
            match store.find_expired_log_messages(0).await {
                Ok(due) => log.delete_entries(due),
                Err(error) => {
                    tracing::error!(%error, "log channels may still quote what was erased")
                }
            }
        });
    }

    pub(super) async fn reset_overrides(&mut self, place: OverrideScope) {
        if self.manual_overrides.at(place).next().is_none() {
            return;
        }
        self.manual_overrides.reset(place);
        if let Err(error) = self.store.reset_overrides(place).await {
            tracing::error!(%error, "what was chosen in a place that is gone still holds if it comes back");
        }
    }

    pub(super) async fn load_stored_channels(&self) -> Vec<Channel> {
        self.store.channels().await.unwrap_or_else(|error| {
            tracing::error!(%error, "which channels are on record cannot be read");
            Vec::new()
        })
    }
}
