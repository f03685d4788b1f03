//! When channels are looked at next, as the page was told: it is told again where something happened and that changed.

use std::collections::{BTreeSet, HashMap};

use kith_core::chat::{ChannelId, Millis};

/// What the page was told of when channels are looked at next.
#[derive(Default)]
pub(super) struct DecisionTimes {
    told: HashMap<ChannelId, Option<Millis>>,
    /// The channels something happened in since the page was told.
    touched: BTreeSet<ChannelId>,
}

impl DecisionTimes {
    pub fn touch(&mut self, channels: impl IntoIterator<Item = ChannelId>) {
        self.touched.extend(channels);
    }

    /// The channels whose next look, as far as the page knows, is over: the heartbeat may have moved it without a word.
    pub fn touch_overdue(&mut self, now: Millis) {
        let overdue = self
            .told
            .iter()
            .filter(|(_, at)| at.is_some_and(|at| at <= now));
        self.touched.extend(overdue.map(|(channel, _)| *channel));
    }

    pub fn take_touched(&mut self) -> BTreeSet<ChannelId> {
        std::mem::take(&mut self.touched)
    }

    /// A channel is looked at then; answers whether the page knows something else.
    pub fn update(&mut self, channel: ChannelId, at: Option<Millis>) -> bool {
        self.told.insert(channel, at).flatten() != at
    }

    pub fn forget(&mut self, channel: ChannelId) {
        self.told.remove(&channel);
    }
}
