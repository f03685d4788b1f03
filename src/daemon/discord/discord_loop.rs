//! Discord's half of the loop: what it hears from the gateway and its own tasks, and what it does by the clock.

use super::DiscordPlatform;
use super::input::{DiscordInput, DiscordListener};
use super::task_event::DiscordTaskEvent;
use crate::daemon::platform::Platform;
use crate::daemon::platform_loop::PlatformLoop;
use crate::daemon::state::Daemon;
use kith_core::chat::{ChannelId, DAY, HOUR, Millis};
use kith_store::{ForgetResult, StoreError};

/// The texts of people who do not want to be remembered are gone after this time.
const UNREMEMBERED: Millis = DAY;

impl PlatformLoop for DiscordPlatform {
    type Listener = DiscordListener;

    /// Channels come back with their guild, each after its own outbox is settled.
    async fn restore(daemon: &mut Daemon<Self>, now: Millis) -> Result<(), StoreError> {
        daemon.catch_up_with_others(now).await
    }

    async fn handle_input(daemon: &mut Daemon<Self>, input: DiscordInput) {
        match input {
            DiscordInput::Events(events) => daemon.handle_discord_events(events).await,
            DiscordInput::Task(event) => daemon.handle_discord_task(event).await,
        }
    }

    async fn tick(daemon: &mut Daemon<Self>, now: Millis) {
        daemon.end_time_outs(now).await;
        daemon.look_at_others(now);
    }

    fn run_chores(daemon: &mut Daemon<Self>, now: Millis) {
        daemon.forget_and_delete(now);
        daemon.release_idle_channels();
        daemon.look_for_departed(now);
    }

    async fn reapply_settings(daemon: &mut Daemon<Self>) {
        daemon.apply_discord_settings().await;
    }

    async fn store_remaining(daemon: &mut Daemon<Self>) {
        daemon.store_remaining_events().await;
    }
}

impl Daemon<DiscordPlatform> {
    async fn handle_discord_task(&mut self, event: DiscordTaskEvent) {
        match event {
            DiscordTaskEvent::AskStillWanted(question) => self.answer_still_wanted(question),
            DiscordTaskEvent::PermissionTried { channel, planned } => {
                self.handle_permission_trial(channel, planned)
            }
            DiscordTaskEvent::BackfillFetched {
                channel,
                missed,
                dropped,
            } => self.handle_backfill(channel, missed, dropped).await,
            DiscordTaskEvent::StoreRetried(stored) => self.handle_store_retry(stored),
            DiscordTaskEvent::CommandDecided(decided) => {
                self.handle_command_decision(*decided).await
            }
            DiscordTaskEvent::OthersTold(news) => self.handle_news_of_others(news),
            DiscordTaskEvent::MemberDeparted(departed) => self.handle_departure(departed),
            DiscordTaskEvent::TextsErased(gone) => drop(self.apply_erasure(gone)),
        }
    }

    fn handle_permission_trial(&mut self, channel: ChannelId, planned: bool) {
        let platform = &mut self.platform;
        platform.trials.record(channel, planned);
        if platform.discord.retry_time(channel).is_some() {
            return platform.schedule_permission_trial(channel);
        }
        if let Some(channel_state) = self.core.channel_state(channel) {
            let channel = channel_state.channel.clone();
            self.apply_policy(channel);
        }
    }

    fn forget_and_delete(&self, now: Millis) {
        let (store, task_sender, discord) = (
            self.store.clone(),
            self.platform.task_sender.clone(),
            self.platform.discord.clone(),
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
                    Ok(gone) if gone == ForgetResult::default() => break,
                    Ok(gone) => {
                        let _ = task_sender.send(DiscordTaskEvent::TextsErased(gone)).await;
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
