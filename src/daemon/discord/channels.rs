//! Which channels of Discord have a state, and the settings that hold in them: they follow the directory, the files and
//! what moderators chose by hand.

use std::collections::BTreeSet;

use super::DiscordPlatform;
use super::platform::CLOCKS_DIFFER;
use crate::daemon::platform::Platform;
use crate::daemon::state::Daemon;
use kith_core::channel::ChannelState;
use kith_core::chat::{AuthorKind, Channel, ChannelId, ChannelKind, GuildId, Message, Millis};
use kith_core::event::ChatEvent;
use kith_core::manual_override::{ManualOverrides, OverrideRecord, OverrideScope, OverrideValue};
use kith_core::policy::ChannelMode;
use kith_discord::{ConfiguredIds, SessionGuilds};
use kith_system::clock;

impl Daemon<DiscordPlatform> {
    /// A guild came or changed: all of its channels are looked at.
    pub(super) async fn update_guild(&mut self, guild: GuildId) {
        let platform = &mut self.platform;
        let (channels, timed_out): (Vec<ChannelId>, _) = {
            let directory = platform.discord.directory();
            let channels = directory
                .list_channels(guild)
                .map(|known| known.channel.id)
                .collect();
            (
                channels,
                directory
                    .guilds
                    .get(&guild)
                    .and_then(|known| known.timed_out_until),
            )
        };
        match timed_out.filter(|until| until + CLOCKS_DIFFER > clock::now()) {
            Some(until) => platform.time_outs.insert(guild, until),
            None => platform.time_outs.remove(&guild),
        };
        platform.discord.handle_guild_change(guild);
        for channel in channels {
            self.update_channel(channel).await;
        }
        self.update_guild_appearance(guild);
    }

    /// A guild was told whole or changed. After a pause in which nothing was heard, it looks for what was missed.
    pub(super) async fn handle_guild_arrival(&mut self, guild: GuildId) {
        self.update_guild(guild).await;
        let platform = &mut self.platform;
        let is_new = platform.guild_progress.record_arrival(guild);
        let channels: Vec<ChannelId> = platform
            .directory()
            .list_channels(guild)
            .map(|known| known.channel.id)
            .collect();
        channels
            .into_iter()
            .for_each(|channel| platform.record_channel_news(channel));
        if is_new {
            self.backfill_channels(|channel| channel.guild == Some(guild));
        }
    }

    /// Where a time-out is over it may speak again.
    pub(in crate::daemon) async fn end_time_outs(&mut self, now: Millis) {
        let platform = &self.platform;
        let over = platform
            .time_outs
            .iter()
            .filter(|(_, until)| **until + CLOCKS_DIFFER <= now);
        let over: Vec<GuildId> = over.map(|(guild, _)| *guild).collect();
        for guild in over {
            self.update_guild(guild).await;
        }
    }

    /// A channel came or changed. Its threads have its rights, so what was refused there is tried again.
    pub(super) async fn update_channel_with_threads(&mut self, channel: ChannelId) {
        let platform = &self.platform;
        let threads: Vec<ChannelId> = platform
            .directory()
            .list_threads(channel)
            .map(|known| known.channel.id)
            .collect();
        for channel in std::iter::once(channel).chain(threads) {
            self.platform.discord.handle_channel_change(channel);
            self.update_channel(channel).await;
        }
    }

    /// Somebody wrote in a direct message in which it was refused before: perhaps it may write there now.
    pub(super) fn retry_direct_channel(&mut self, message: &Message) {
        let is_shut = |channel_state: &&ChannelState| {
            channel_state.channel.kind == ChannelKind::Direct && !channel_state.policy().may_send
        };
        let direct_channel = self
            .core
            .channel_state(message.channel)
            .filter(is_shut)
            .map(|channel_state| channel_state.channel.clone());
        if let (Some(channel), AuthorKind::Person) = (direct_channel, message.author.kind) {
            self.platform.discord.handle_channel_change(channel.id);
            self.apply_policy(channel);
        }
    }

    /// A channel came or changed: it gets a state where it is read and not at rest, and its channel the settings that hold now.
    pub(super) async fn update_channel(&mut self, channel: ChannelId) {
        let Some(known) = self.platform.find_visible_channel(channel) else {
            return self.leave_channel(channel);
        };
        if self.core.channel_state(channel).is_some() {
            self.apply_policy(known);
            return self.release_archived_thread(channel);
        }
        let mode = self.resolve_mode(&known);
        self.platform.record_mode(channel, mode);
        if mode != ChannelMode::Off && !self.is_archived(channel) {
            self.store_incoming(vec![ChatEvent::Channel(known.clone())])
                .await;
            self.backfill_channel(known);
        }
    }

    /// A channel is gone or hidden: nothing is read or said there. Its record stays: it may come back as it was.
    pub(super) fn leave_channel(&mut self, channel: ChannelId) {
        if self.core.channel_state(channel).is_none() {
            return;
        }
        self.turn_channel_off(channel);
        self.record_current_mode(channel);
        self.release_channel(channel);
        self.platform.held_events.discard_channel(channel);
    }

    /// It was thrown out of guilds while it did not listen: it leaves those of which it still knows something.
    pub(super) async fn leave_unlisted_guilds(&mut self, listed: &SessionGuilds) {
        let stored = self.load_stored_channels().await;
        let loaded_channels = self
            .core
            .channel_states()
            .map(|channel_state| &channel_state.channel);
        let known = stored
            .iter()
            .chain(loaded_channels)
            .filter_map(|channel| channel.guild);
        let greeted = self.platform.greeted_guilds.iter().copied();
        let told = greeted.chain(self.platform.guild_progress.guilds());
        let chosen = self.manual_overrides.guilds();
        let gone: BTreeSet<GuildId> = known
            .chain(told)
            .chain(chosen)
            .filter(|guild| listed.is_missing(*guild))
            .collect();
        for guild in gone {
            self.leave_guild(guild).await;
        }
    }

    /// It was thrown out of a guild. Invited again, the guild is new: off, with no choices and none of what was said.
    pub(super) async fn leave_guild(&mut self, guild: GuildId) {
        let loaded_channels = self
            .core
            .channel_states()
            .map(|channel_state| &channel_state.channel);
        let known: Vec<ChannelId> = loaded_channels
            .filter(|known| known.guild == Some(guild))
            .map(|known| known.id)
            .collect();
        let stored = self.load_stored_channels().await;
        let stored = stored
            .into_iter()
            .filter(|stored| stored.guild == Some(guild))
            .map(|stored| stored.id);
        let channels: BTreeSet<ChannelId> = stored.chain(known.iter().copied()).collect();
        for place in channels
            .iter()
            .copied()
            .map(OverrideScope::Channel)
            .chain([OverrideScope::Guild(guild)])
        {
            self.reset_overrides(place).await;
        }
        known
            .into_iter()
            .for_each(|channel| self.leave_channel(channel));
        self.platform.greeted_guilds.remove(&guild);
        self.platform.time_outs.remove(&guild);
        self.platform.guild_progress.forget_guild(guild);
        self.erase_channels(channels, Some(guild));
        self.forget_guild_avatar(guild).await;
    }

    /// The most that moderators can choose: where locked, what the files say; log channels are never heard.
    pub(super) fn find_highest_mode(&self, channel: &Channel) -> ChannelMode {
        if self.is_log_channel(channel.id) {
            return ChannelMode::Off;
        }
        let here = self.platform.channel_facts(channel, &self.settings);
        let place = OverrideScope::Channel(channel.id);
        let all = OverrideRecord {
            place,
            choice: OverrideValue::Mode(ChannelMode::On),
            by: None,
            at: 0,
        };
        self.settings
            .resolve_channel_settings(channel, &ManualOverrides::new([all]), &here)
            .mode
    }

    /// All guilds have come: puts its picture on, and looks whether the guilds and channels of the settings are there.
    pub(in crate::daemon) fn check_configured_places(&mut self) {
        let platform = &mut self.platform;
        let settings = &self.settings;
        let host_log = settings.discord.log.channel;
        // What other partitions tell of stands in the log channels of their guilds.
        let partition = platform.discord.partition();
        let is_heard = |id: &str| id.parse().map_or(true, |id| partition.holds_guild(id));
        let guild_logs: Vec<ChannelId> = settings
            .guild
            .iter()
            .filter(|(id, _)| is_heard(id))
            .filter_map(|(_, guild)| guild.log_channel)
            .collect();
        if !std::mem::replace(&mut platform.is_complete, true) {
            let logs: Vec<ChannelId> = host_log.into_iter().chain(guild_logs.clone()).collect();
            platform.discord.find_earlier_entries(&logs);
            self.resume_proposals();
        }
        let platform = &self.platform;
        platform.discord.report_missing_places(ConfiguredIds {
            guilds: settings
                .guild
                .keys()
                .filter_map(|id| id.parse().ok())
                .map(GuildId)
                .collect(),
            channels: settings
                .channel
                .keys()
                .filter_map(|id| id.parse().ok())
                .map(ChannelId)
                .collect(),
            host_log,
            guild_logs,
        });
        self.look_for_departed(clock::now());
        self.update_avatar(None);
    }

    /// Settings changed: what was off may be on now.
    pub(in crate::daemon) async fn update_all_channels(&mut self) {
        let platform = &self.platform;
        let channels: Vec<ChannelId> = platform.directory().channels.keys().copied().collect();
        let is_complete = platform.is_complete;
        for channel in channels {
            self.update_channel(channel).await;
        }
        if is_complete {
            self.check_configured_places();
        }
    }

    /// The same, and what is shown of the settings in Discord itself follows them: looks, and the choices of commands.
    pub(in crate::daemon) async fn apply_discord_settings(&mut self) {
        self.refresh_appearance();
        self.update_all_channels().await;
        let platform = &self.platform;
        platform.discord.register_commands(
            self.settings.offered_personas(),
            self.settings.discord.max_talkativeness,
        );
    }
}
