//! What is done by the clock on Discord: saving how far each channel was heard, forgetting what people do not want to
//! be remembered, and deleting old entries of log channels.

use super::super::Daemon;
use super::DiscordPlatform;
use kith_core::chat::{ChannelId, DAY, HOUR, MessageId, Millis};

/// The texts of people who do not want to be remembered are gone after this time.
const UNREMEMBERED: Millis = DAY;
/// These chores are looked at this often.
pub(in crate::daemon) const CHORES_EVERY: Millis = HOUR / 4;

impl Daemon {
    /// Saves how far each channel was heard, without waiting.
    pub(in crate::daemon) fn save_seen_in_background(&mut self) {
        let saving = self.build_seen_save();
        tokio::spawn(saving);
    }

    /// The same, and waits until it is saved.
    pub(in crate::daemon) async fn save_seen(&mut self) {
        self.build_seen_save().await;
    }

    fn build_seen_save(&mut self) -> impl Future<Output = ()> + Send + use<> {
        let unsaved = self
            .away
            .as_mut()
            .map(DiscordPlatform::take_unsaved)
            .unwrap_or_default();
        let in_guilds = self
            .away
            .as_mut()
            .map(|platform| platform.guild_progress.take_unsaved())
            .unwrap_or_default();
        let store = self.store.clone();
        async move {
            // First the channels: one that is newer than its guild's mark and has none of its own counts as missed.
            let saved = match unsaved.is_empty() {
                true => Ok(()),
                false => store.record_seen(unsaved).await,
            };
            let saved = match in_guilds.is_empty() {
                true => saved,
                false => saved.and(store.record_seen_in_guilds(in_guilds).await),
            };
            if let Err(error) = saved {
                tracing::error!(%error, "how far channels were heard is not saved; a restart looks further back");
            }
        }
    }

    /// Whether there is something to save.
    pub(in crate::daemon) fn has_unsaved_seen(&self) -> bool {
        self.away.as_ref().is_some_and(|platform| {
            !platform.unsaved_last_seen.is_empty() || platform.guild_progress.has_unsaved()
        })
    }

    /// Forgets and deletes what is due.
    pub(in crate::daemon) fn run_chores(&self, now: Millis) {
        let Some(platform) = &self.away else { return };
        let (store, loop_sender, discord) = (
            self.store.clone(),
            self.loop_sender.clone(),
            platform.discord.clone(),
        );
        let memory = self.memory.clone();
        let expired = match Millis::from(self.settings.discord.log.keep_hours) {
            0 => 0,
            // What people asked to be forgotten goes all the same: their word counts for more than a doubt.
            _ if !self.is_clock_trusted() => 0,
            hours => now - hours * HOUR,
        };
        tokio::spawn(async move {
            loop {
                match memory.forget_unremembered(now - UNREMEMBERED).await {
                    Ok(gone) if gone.messages.is_empty() => break,
                    Ok(gone) => {
                        let _ = loop_sender
                            .send(super::super::LoopMessage::TextsErased(gone))
                            .await;
                    }
                    Err(error) => {
                        tracing::error!(%error, "texts that should be forgotten are still there; trying again later");
                        break;
                    }
                }
            }
            // What quotes what was just forgotten is due now, too.
            match store.find_expired_log_messages(expired).await {
                Ok(due) => discord.log_channels().delete_entries(due),
                Err(error) => {
                    tracing::error!(%error, "old entries of log channels stay; trying again later")
                }
            }
        });
    }
}

impl DiscordPlatform {
    /// What of the newest messages is not saved yet.
    fn take_unsaved(&mut self) -> Vec<(ChannelId, MessageId)> {
        let unsaved = std::mem::take(&mut self.unsaved_last_seen);
        unsaved
            .into_iter()
            .filter_map(|channel| Some((channel, *self.last_seen.get(&channel)?)))
            .collect()
    }
}
