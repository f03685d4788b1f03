//! Which channels of Discord have a state, and the settings that hold in them: they follow the directory, the files and
//! what moderators chose by hand.

use std::collections::BTreeSet;

use super::super::Daemon;
use super::DiscordPlatform;
use crate::settings::ChannelFacts;
use kith_core::channel::ChannelState;
use kith_core::chat::{
    AuthorKind, Channel, ChannelId, ChannelKind, GuildId, Message, Millis, SECOND,
};
use kith_core::event::Event;
use kith_core::manual_override::{ManualOverrides, OverrideRecord, OverrideScope, OverrideValue};
use kith_core::policy::ChannelMode;
use kith_discord::{NamedPlaces, SessionGuilds};
use kith_store::IncomingEvent;
use kith_system::clock;

/// A time-out counts as over only so long after its end, for Discord's clock may go slower.
const CLOCKS_DIFFER: Millis = SECOND;

impl DiscordPlatform {
    /// What Discord says of a channel that settings must know.
    pub fn build_channel_facts(
        &self,
        channel: &Channel,
        direct_messages: ChannelMode,
    ) -> ChannelFacts {
        let directory = self.directory();
        let is_direct = channel.kind == ChannelKind::Direct;
        ChannelFacts {
            names: directory
                .collect_own_names(channel.guild)
                .iter()
                .map(ToString::to_string)
                .collect(),
            hidden: directory.is_hidden(channel.id),
            nsfw: directory.is_nsfw(channel.id),
            private: directory
                .channels
                .get(&channel.id)
                .is_some_and(|known| known.private),
            may_send: (is_direct || directory.may_send(channel.id, clock::now()))
                && self.discord.can_send(channel.id),
            may_react: directory.may_react(channel.id, false, clock::now()),
            only_speakers: false,
            default_mode: if is_direct {
                direct_messages
            } else {
                ChannelMode::Off
            },
        }
    }

    /// When the next of its time-outs is over.
    pub(in crate::daemon) fn next_time_out(&self) -> Option<Millis> {
        self.time_outs
            .values()
            .min()
            .map(|until| until + CLOCKS_DIFFER)
    }

    pub(in crate::daemon) fn find_visible_channel(&self, channel: ChannelId) -> Option<Channel> {
        let directory = self.directory();
        let known = directory
            .channels
            .get(&channel)
            .filter(|known| known.has_text)?;
        (known.channel.kind == ChannelKind::Direct || directory.may_view(channel, clock::now()))
            .then(|| known.channel.clone())
    }
}

impl Daemon {
    /// A guild came or changed: all of its channels are looked at.
    pub(super) async fn update_guild(&mut self, guild: GuildId) {
        let Some(platform) = &mut self.away else {
            return;
        };
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

    /// A guild was told whole or changed. Told whole after a pause, what was said in it until now is looked for: before
    /// this nothing of it was heard.
    pub(super) async fn handle_guild_arrival(&mut self, guild: GuildId) {
        self.update_guild(guild).await;
        let Some(platform) = &mut self.away else {
            return;
        };
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
        let Some(platform) = &self.away else { return };
        let over = platform
            .time_outs
            .iter()
            .filter(|(_, until)| **until + CLOCKS_DIFFER <= now);
        let over: Vec<GuildId> = over.map(|(guild, _)| *guild).collect();
        for guild in over {
            self.update_guild(guild).await;
        }
    }

    /// A channel came or changed, and with it the threads below it, which have its rights: what was refused there is
    /// tried again.
    pub(super) async fn update_channel_with_threads(&mut self, channel: ChannelId) {
        let Some(platform) = &self.away else { return };
        let threads: Vec<ChannelId> = platform
            .directory()
            .list_threads(channel)
            .map(|known| known.channel.id)
            .collect();
        for channel in std::iter::once(channel).chain(threads) {
            if let Some(platform) = &self.away {
                platform.discord.handle_channel_change(channel);
            }
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
        if let (Some(platform), Some(channel), AuthorKind::Person) =
            (&self.away, direct_channel, message.author.kind)
        {
            platform.discord.handle_channel_change(channel.id);
            self.apply_policy(channel);
        }
    }

    /// Something was not delivered. Where that was because it may not write in the channel, no further turn is paid for
    /// until it may.
    pub(in crate::daemon) fn handle_send_refusal(&mut self, channel: ChannelId) {
        let (Some(platform), Some(channel_state)) = (&self.away, self.core.channel_state(channel))
        else {
            return;
        };
        if channel_state.policy().may_send && !platform.discord.can_send(channel) {
            self.apply_policy(channel_state.channel.clone());
            self.schedule_permission_trial(channel);
        }
    }

    /// A channel came or changed: it gets a state where it is read and not at rest, and its channel the settings that hold now.
    pub(super) async fn update_channel(&mut self, channel: ChannelId) {
        let Some(known) = self
            .away
            .as_ref()
            .and_then(|platform| platform.find_visible_channel(channel))
        else {
            return self.leave_channel(channel);
        };
        if self.core.channel_state(channel).is_some() {
            self.apply_policy(known);
            return self.release_archived_thread(channel);
        }
        let mode = self.resolve_mode(&known);
        self.record_mode(channel, mode);
        if mode != ChannelMode::Off && !self.is_archived(channel) {
            self.store_incoming(vec![IncomingEvent::Channel(known.clone())])
                .await;
            self.backfill_channel(known);
        }
    }

    /// Keeps in mind whether a channel is read, and so may be read from elsewhere.
    pub(in crate::daemon) fn record_current_mode(&mut self, channel: ChannelId) {
        self.record_mode(channel, self.current_mode(channel));
    }

    /// A channel is read from now on, or not any more: what is said in between stays unread for good. One that nothing
    /// was known of comes back as it was when the daemon stopped.
    fn record_mode(&mut self, channel: ChannelId, mode: ChannelMode) {
        let Some(platform) = &mut self.away else {
            return;
        };
        let was = platform.readable.set(channel, mode);
        if was.is_some_and(|was| (was == ChannelMode::Off) != (mode == ChannelMode::Off)) {
            platform.mark_read_until_now(channel);
        }
    }

    /// A channel is gone or cannot be seen any more: nothing is read or said there. What is kept of it is on record, so
    /// that it comes back as it was.
    pub(super) fn leave_channel(&mut self, channel: ChannelId) {
        let Some(channel_state) = self.core.channel_state(channel) else {
            return;
        };
        let mut policy = channel_state.policy().as_ref().clone();
        policy.mode = ChannelMode::Off;
        let event = Event::ChannelSeen {
            channel: channel_state.channel.clone(),
            policy: policy.into(),
        };
        self.handle_event(event);
        self.record_current_mode(channel);
        self.release_channel(channel);
        if let Some(platform) = &mut self.away {
            platform.held_events.discard_channel(channel);
        }
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
        let told = self.away.iter().flat_map(|platform| {
            platform
                .greeted_guilds
                .iter()
                .copied()
                .chain(platform.guild_progress.guilds())
        });
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

    /// It was thrown out of a guild. If it is invited again, that is a new guild: off, whatever was chosen before, and
    /// with nothing of what was said.
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
        if let Some(platform) = &mut self.away {
            platform.greeted_guilds.remove(&guild);
            platform.time_outs.remove(&guild);
            platform.guild_progress.forget_guild(guild);
        }
        self.erase_channels(channels, Some(guild));
        self.forget_guild_avatar(guild).await;
    }

    /// The most that moderators can choose in a channel: what is locked stays below what the files say, and log channels
    /// are never heard.
    pub(super) fn find_highest_mode(&self, channel: &Channel) -> ChannelMode {
        let Some(platform) = self
            .away
            .as_ref()
            .filter(|_| !self.is_log_channel(channel.id))
        else {
            return ChannelMode::Off;
        };
        let here = platform.build_channel_facts(channel, self.settings.discord.direct_messages);
        let place = OverrideScope::Channel(channel.id);
        let all = OverrideRecord {
            place,
            choice: OverrideValue::Mode(ChannelMode::On),
            by: None,
            at: 0,
        };
        self.settings
            .resolve_policy(channel, &ManualOverrides::new([all]), &here)
            .mode
    }

    /// All guilds have come: puts its picture on, and looks whether the guilds and channels of the settings are there.
    pub(in crate::daemon) fn check_configured_places(&mut self) {
        let Some(platform) = &mut self.away else {
            return;
        };
        let settings = &self.settings;
        let of_guilds = settings
            .guild
            .values()
            .filter_map(|guild| guild.log_channel);
        let logs: Vec<ChannelId> = settings
            .discord
            .log
            .channel
            .into_iter()
            .chain(of_guilds)
            .collect();
        if !std::mem::replace(&mut platform.is_complete, true) {
            platform.discord.find_earlier_entries(&logs);
            self.resume_proposals();
        }
        let Some(platform) = &self.away else { return };
        platform.discord.report_missing_places(NamedPlaces {
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
            logs,
        });
        self.update_avatar(None);
    }

    /// Settings changed: what was off may be on now.
    pub(in crate::daemon) async fn update_all_channels(&mut self) {
        let Some(platform) = &self.away else { return };
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
        let Some(platform) = &self.away else { return };
        platform.discord.register_commands(
            self.settings.offered_personas(),
            self.settings.discord.max_talkativeness,
        );
    }
}
