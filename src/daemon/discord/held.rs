//! Channels that are looked back at: what is heard there meanwhile waits, so that one turn sees all of it in order, and
//! so that the newest message on record never stands behind one that is still missing.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use crate::core::chat::{ChannelId, UserId};
use crate::platform::discord::Heard;

/// The most that waits in one channel; what comes past it is fetched with another look.
const MOST: usize = 5_000;

/// What waits.
#[derive(Default)]
pub(super) struct Held(HashMap<ChannelId, Waiting>);

#[derive(Default)]
struct Waiting {
    heard: Vec<Heard>,
    /// What is being fetched may be too old: it must be looked back once more.
    again: bool,
}

impl Held {
    /// From now on a channel is held; answers whether it was not before. One that was is to be looked back at once more:
    /// what was said after it was asked for its history, and before now, nobody may have told.
    pub fn hold(&mut self, channel: ChannelId) -> bool {
        let waiting = self.0.entry(channel);
        let is_new = matches!(waiting, Entry::Vacant(_));
        waiting.or_default().again = !is_new;
        is_new
    }

    /// Whether a held channel must be looked back at once more; asking is doing it.
    pub fn takes_another_look(&mut self, channel: ChannelId) -> bool {
        self.0.get_mut(&channel).is_some_and(|waiting| std::mem::take(&mut waiting.again))
    }

    /// Keeps something of a held channel; gives it back where the channel is not held.
    pub fn keep(&mut self, channel: ChannelId, heard: Heard) -> Option<Heard> {
        let Some(waiting) = self.0.get_mut(&channel) else { return Some(heard) };
        if waiting.heard.len() < MOST {
            waiting.heard.push(heard);
        } else {
            waiting.again = true;
        }
        None
    }

    /// Somebody is forgotten in these channels, or in all: their reactions that wait are from before, but do not say so.
    pub fn forget(&mut self, user: UserId, channels: Option<&[ChannelId]>) {
        let is_meant = |channel| channels.is_none_or(|channels| channels.contains(channel));
        for (_, waiting) in self.0.iter_mut().filter(|(channel, _)| is_meant(channel)) {
            waiting.heard.retain(|heard| !matches!(heard, Heard::Reaction { by, .. } if by.id == user));
        }
    }

    /// Lets a channel go and gives what waited, in the order it was heard.
    pub fn release(&mut self, channel: ChannelId) -> Vec<Heard> {
        self.0.remove(&channel).unwrap_or_default().heard
    }
}
