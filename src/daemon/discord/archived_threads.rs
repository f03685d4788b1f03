//! Archived threads rest: their state leaves memory and stays on record, and whoever writes there wakes them. So
//! memory is bounded by what is alive, however many threads there were.

use super::DiscordPlatform;
use crate::daemon::state::Daemon;
use kith_core::channel::ChannelSnapshot;
use kith_core::chat::ChannelId;
use kith_system::clock;

impl Daemon<DiscordPlatform> {
    pub(super) fn is_archived(&self, channel: ChannelId) -> bool {
        self.platform
            .directory()
            .channels
            .get(&channel)
            .is_some_and(|known| known.archived)
    }

    /// Lets an archived thread's state go, unless something is still to be done there.
    pub(super) fn release_archived_thread(&mut self, channel: ChannelId) {
        let now = clock::now();
        let is_busy = |snapshot: ChannelSnapshot| {
            snapshot.turn.is_some() || snapshot.unseen > 0 || snapshot.next_decision_point.is_some()
        };
        let waits = self
            .core
            .channel_state(channel)
            .is_some_and(|channel_state| !channel_state.intentions().is_empty());
        if !self.is_archived(channel)
            || waits
            || self.core.channel_snapshot(now, channel).is_none_or(is_busy)
        {
            return;
        }
        self.release_channel(channel);
        tracing::debug!(%channel, "the thread is archived; its state is let go");
    }

    /// Saves a channel's state and lets it go, unless a turn runs there.
    pub(super) fn release_channel(&mut self, channel: ChannelId) {
        self.save_channel_states(clock::now());
        if self.core.unload_channel(channel) {
            self.decision_times.forget(channel);
        }
    }

    /// Somebody wrote in a thread that may be archived: the word that it is not any more may still be on its way.
    pub(super) fn wake_archived_thread(&mut self, channel: ChannelId) {
        if !self.platform.readable.is_read(channel) {
            return;
        }
        let resting = self
            .platform
            .find_visible_channel(channel)
            .filter(|_| self.core.channel_state(channel).is_none() && self.is_archived(channel));
        if let Some(thread) = resting {
            self.backfill_channel(thread);
        }
    }

    /// Lets the states go that could not be when their channels were archived, or gone.
    pub(in crate::daemon) fn release_idle_channels(&mut self) {
        let channels: Vec<ChannelId> = self
            .core
            .channel_states()
            .map(|channel_state| channel_state.channel.id)
            .collect();
        for channel in channels {
            match self.platform.find_visible_channel(channel) {
                Some(_) => self.release_archived_thread(channel),
                None => self.leave_channel(channel),
            }
        }
    }
}
