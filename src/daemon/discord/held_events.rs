//! Channels that are looked back at: what is heard there meanwhile waits, so that one turn sees all of it in order, and
//! so that the newest message on record never stands behind one that is still missing.

use std::collections::HashMap;

use kith_core::chat::{ChannelId, UserId};
use kith_core::event::ChatEvent;
use kith_discord::DiscordEvent;

/// The most that waits in one channel; what comes past it is fetched with another look.
const MOST: usize = 5_000;

#[derive(Default)]
pub(super) struct HeldEvents(HashMap<ChannelId, HeldChannel>);

#[derive(Default)]
struct HeldChannel {
    events: Vec<DiscordEvent>,
    is_fetching: bool,
    /// What is being fetched may be too old: it must be looked back once more.
    needs_another_backfill: bool,
    /// Its guild is still to be told: before that it must not be looked back.
    awaits_guild: bool,
}

/// What is done when what was missed is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum HeldFollowUp {
    Look,
    /// Stay held until the guild is told.
    Wait,
    Release,
}

impl HeldEvents {
    /// From now on a channel is held; answers whether it was not before. One that was is to be looked back at once more:
    /// what was said after it was asked for its history, and before now, nobody may have told.
    pub fn hold(&mut self, channel: ChannelId) -> bool {
        let waiting = self.0.entry(channel).or_default();
        waiting.awaits_guild = false;
        waiting.needs_another_backfill = waiting.is_fetching;
        !std::mem::replace(&mut waiting.is_fetching, true)
    }

    pub fn channels(&self) -> impl Iterator<Item = ChannelId> {
        self.0.keys().copied()
    }

    /// From now on a channel is held, and is not looked back at before it is asked to be held once more.
    pub fn hold_until_guild_arrives(&mut self, channel: ChannelId) {
        self.0.entry(channel).or_default().awaits_guild = true;
    }

    /// What was missed in a channel is there; answers what is done with it, and takes that as done.
    pub fn finish_backfill(&mut self, channel: ChannelId) -> HeldFollowUp {
        let Some(waiting) = self.0.get_mut(&channel) else {
            return HeldFollowUp::Release;
        };
        if waiting.awaits_guild {
            (waiting.is_fetching, waiting.needs_another_backfill) = (false, false);
            return HeldFollowUp::Wait;
        }
        if std::mem::take(&mut waiting.needs_another_backfill) {
            HeldFollowUp::Look
        } else {
            HeldFollowUp::Release
        }
    }

    /// A channel is not there any more: what waits is of no use, unless it is still being looked at.
    pub fn discard_channel(&mut self, channel: ChannelId) {
        if self
            .0
            .get(&channel)
            .is_some_and(|waiting| !waiting.is_fetching)
        {
            self.0.remove(&channel);
        }
    }

    /// Keeps something of a held channel; gives it back where the channel is not held.
    pub fn hold_event(&mut self, channel: ChannelId, event: DiscordEvent) -> Option<DiscordEvent> {
        let Some(waiting) = self.0.get_mut(&channel) else {
            return Some(event);
        };
        if waiting.events.len() < MOST {
            waiting.events.push(event);
        } else {
            waiting.needs_another_backfill = true;
        }
        None
    }

    /// Somebody is forgotten in these channels, or in all: their reactions that wait are from before, but do not say so.
    pub fn forget(&mut self, user: UserId, channels: Option<&[ChannelId]>) {
        let is_meant = |channel| channels.is_none_or(|channels| channels.contains(channel));
        for (_, waiting) in self.0.iter_mut().filter(|(channel, _)| is_meant(channel)) {
            waiting.events.retain(|heard| {
                !matches!(heard, DiscordEvent::Chat { event: ChatEvent::Reaction { author, .. }, .. } if author.id == user)
            });
        }
    }

    /// Lets a channel go and gives what waited, in the order it was heard.
    pub fn release(&mut self, channel: ChannelId) -> Vec<DiscordEvent> {
        self.0.remove(&channel).unwrap_or_default().events
    }
}
