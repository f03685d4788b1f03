//! Archived threads rest: their lanes are let go, their state is on record, and whoever writes there wakes them. So
//! memory is bounded by what is alive, however many threads there were.

use super::super::Daemon;
use kith_core::channel::ChannelSnapshot;
use kith_core::chat::ChannelId;
use kith_system::clock;

impl Daemon {
    pub(super) fn is_archived(&self, channel: ChannelId) -> bool {
        let Some(away) = &self.away else { return false };
        away.directory().channels.get(&channel).is_some_and(|known| known.archived)
    }

    /// Lets an archived thread's lane go, unless something is still to be done there.
    pub(super) fn let_rest(&mut self, channel: ChannelId) {
        let now = clock::now();
        let is_busy = |mood: ChannelSnapshot| mood.turn.is_some() || mood.unseen > 0 || mood.next_beat.is_some();
        let waits = self.core.lane(channel).is_some_and(|lane| !lane.intentions().is_empty());
        if !self.is_archived(channel) || waits || self.core.mood(now, channel).is_none_or(is_busy) {
            return;
        }
        self.let_go(channel);
        tracing::debug!(%channel, "the thread is archived; its lane is let go");
    }

    /// Saves a channel's lane and lets it go, unless a turn runs there.
    pub(super) fn let_go(&mut self, channel: ChannelId) {
        self.save_lanes(clock::now());
        if self.core.leave(channel) {
            self.next_beats.remove(&channel);
        }
    }

    /// Somebody wrote in a thread that may be archived: the word that it is not any more may still be on its way.
    pub(super) fn wake(&mut self, channel: ChannelId) {
        let Some(away) = self.away.as_ref().filter(|away| away.readable.is_read(channel)) else { return };
        let resting = away.known(channel).filter(|_| self.core.lane(channel).is_none() && self.is_archived(channel));
        if let Some(thread) = resting {
            self.look_back(thread);
        }
    }

    /// Lets the lanes go that could not be when their channels were archived, or gone.
    pub(in crate::daemon) fn let_all_rest(&mut self) {
        let channels: Vec<ChannelId> = self.core.lanes().map(|lane| lane.channel.id).collect();
        for channel in channels {
            match self.away.as_ref().map(|away| away.known(channel).is_some()) {
                Some(true) => self.let_rest(channel),
                Some(false) => self.leave_channel(channel),
                None => return,
            }
        }
    }
}
