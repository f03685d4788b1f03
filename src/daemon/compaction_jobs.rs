//! Which channels' histories are being summed up, and which could not be lately.

use std::collections::BTreeMap;

use kith_core::chat::{ChannelId, MINUTE, MessageId, Millis};

/// Where it could not be summed up it is not tried again for so long.
const TRY_AGAIN: Millis = 10 * MINUTE;

/// The channels that are being summed up, and those of which that failed lately.
#[derive(Default)]
pub(super) struct CompactionJobs {
    /// With the messages that were changed or deleted meanwhile.
    running: BTreeMap<ChannelId, Vec<MessageId>>,
    /// And when.
    failed: BTreeMap<ChannelId, Millis>,
}

impl CompactionJobs {
    pub fn is_running(&self, channel: ChannelId) -> bool {
        self.running.contains_key(&channel)
    }

    /// Whether it may be tried in a channel: where it failed lately it may not.
    pub fn may_start(&self, channel: ChannelId, now: Millis) -> bool {
        let failed = self.failed.get(&channel);
        failed.is_none_or(|at| now - at >= TRY_AGAIN)
    }

    /// A channel is being summed up from now on; `changed` are the messages that were changed since it was read.
    pub fn start(&mut self, channel: ChannelId, changed: Vec<MessageId>) {
        self.running.insert(channel, changed);
    }

    /// It is done with for now; answers with the messages that were changed or deleted meanwhile.
    pub fn finish(&mut self, channel: ChannelId) -> Vec<MessageId> {
        self.running.remove(&channel).unwrap_or_default()
    }

    /// Whether a summary could be made: where none could it is not tried again for a while.
    pub fn record_result(&mut self, channel: ChannelId, is_made: bool, now: Millis) {
        match is_made {
            true => self.failed.remove(&channel),
            false => self.failed.insert(channel, now),
        };
    }

    /// Messages were changed or deleted: what is being made of them is not kept.
    pub fn record_changed_messages(&mut self, channel: ChannelId, ids: &[MessageId]) {
        if let Some(changed) = self.running.get_mut(&channel) {
            changed.extend(ids);
        }
    }
}
