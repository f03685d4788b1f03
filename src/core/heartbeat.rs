//! When to look again: a heap of deadlines over all channels. No tick ever walks over all of them. How long a channel
//! waits after a line is said by `burst_window.rs`.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

use super::chat::{ChannelId, Millis};

/// How many entries that nobody needs any more may stand there beside the live ones.
const SPARE: usize = 64;

/// The deadlines of all channels. A channel has one live entry; older ones are skipped when they come up.
#[derive(Debug, Default)]
pub struct ChannelDeadlines {
    heap: BinaryHeap<Reverse<(Millis, ChannelId)>>,
    live: HashMap<ChannelId, Millis>,
}

impl ChannelDeadlines {
    /// Sets, moves or (with none) takes away a channel's deadline.
    pub fn set(&mut self, channel: ChannelId, deadline: Option<Millis>) {
        match deadline {
            None => {
                self.live.remove(&channel);
            }
            Some(at) => {
                if self.live.insert(channel, at) != Some(at) {
                    self.heap.push(Reverse((at, channel)));
                    // What a deadline moved away from comes up late where it was far off.
                    if self.heap.len() > 2 * self.live.len() + SPARE {
                        self.heap = self
                            .live
                            .iter()
                            .map(|(channel, at)| Reverse((*at, *channel)))
                            .collect();
                    }
                }
            }
        }
    }

    /// The next channel whose deadline is reached; its entry is gone afterwards.
    pub fn pop_due(&mut self, now: Millis) -> Option<ChannelId> {
        self.skip_stale_entries();
        let Reverse((at, channel)) = *self.heap.peek()?;
        if at > now {
            return None;
        }
        self.heap.pop();
        self.live.remove(&channel);
        Some(channel)
    }

    pub fn next_deadline(&mut self) -> Option<Millis> {
        self.skip_stale_entries();
        self.heap.peek().map(|Reverse((at, _))| *at)
    }

    fn skip_stale_entries(&mut self) {
        while let Some(Reverse((at, channel))) = self.heap.peek()
            && self.live.get(channel) != Some(at)
        {
            self.heap.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn deadlines_come_up_in_order_and_a_moved_one_only_once() {
        let mut heartbeat = ChannelDeadlines::default();
        let (a, b) = (ChannelId(1), ChannelId(2));
        heartbeat.set(a, Some(10));
        heartbeat.set(b, Some(20));
        heartbeat.set(a, Some(30));
        assert_eq!(heartbeat.next_deadline(), Some(20));
        assert_eq!(heartbeat.pop_due(15), None);
        assert_eq!(heartbeat.pop_due(40), Some(b));
        assert_eq!(heartbeat.pop_due(40), Some(a));
        assert_eq!(heartbeat.pop_due(40), None);
        heartbeat.set(a, Some(50));
        heartbeat.set(a, None);
        assert_eq!(heartbeat.next_deadline(), None);
    }
}
