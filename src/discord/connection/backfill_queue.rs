//! In which order channels are looked back at. Discord lets a bot ask so seldom that a bot in very many servers needs
//! hours for all of them, so those go first in which somebody waits: something was missed, or something is held there.

use std::collections::{HashSet, VecDeque};
use std::iter;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use kith_core::chat::ChannelId;

/// Channels that wait to be looked back at. Cheap to clone.
#[derive(Clone)]
pub(super) struct BackfillQueue(Arc<Mutex<QueueState>>);

struct QueueState {
    /// How many more may be looked back at now.
    free: usize,
    /// Where somebody waits.
    preferred: HashSet<ChannelId>,
    first: VecDeque<Waiting>,
    rest: VecDeque<Waiting>,
}

struct Waiting {
    channel: ChannelId,
    turn: oneshot::Sender<BackfillTurn>,
}

impl QueueState {
    /// Without those for which nobody waits any more.
    fn next(&mut self) -> Option<Waiting> {
        let is_awaited = |waiting: &Waiting| !waiting.turn.is_closed();
        let Self { first, rest, .. } = self;
        iter::from_fn(|| first.pop_front().or_else(|| rest.pop_front())).find(is_awaited)
    }
}

/// A channel's turn, until it is dropped.
pub(super) struct BackfillTurn(BackfillQueue);

impl BackfillQueue {
    /// One in which so many have their turn at once.
    pub fn new(at_once: usize) -> Self {
        Self(Arc::new(Mutex::new(QueueState {
            free: at_once,
            preferred: HashSet::new(),
            first: VecDeque::new(),
            rest: VecDeque::new(),
        })))
    }

    /// Waits for a channel's turn.
    pub async fn wait_for_turn(&self, channel: ChannelId) -> Option<BackfillTurn> {
        let waiting = {
            let mut state = self.lock();
            if let Some(free) = state.free.checked_sub(1) {
                state.free = free;
                return Some(BackfillTurn(self.clone()));
            }
            let (turn, waiting) = oneshot::channel();
            let queue = match state.preferred.contains(&channel) {
                true => &mut state.first,
                false => &mut state.rest,
            };
            queue.push_back(Waiting { channel, turn });
            waiting
        };
        waiting.await.ok()
    }

    /// Somebody waits in a channel: it goes before those in which nobody does, now or when it comes to wait.
    pub fn prefer(&self, channel: ChannelId) {
        let mut state = self.lock();
        if !state.preferred.insert(channel) {
            return;
        }
        let position = state
            .rest
            .iter()
            .position(|waiting| waiting.channel == channel);
        if let Some(waiting) = position.and_then(|position| state.rest.remove(position)) {
            state.first.push_back(waiting);
        }
    }

    /// A channel was looked back at: nobody waits there any more.
    pub fn settle(&self, channel: ChannelId) {
        self.lock().preferred.remove(&channel);
    }

    /// The next channel has its turn. Where nobody waits for it any more it passes on its own.
    fn pass_turn(&self) {
        let next = {
            let mut state = self.lock();
            let next = state.next();
            if next.is_none() {
                state.free += 1;
            }
            next
        };
        if let Some(next) = next {
            drop(next.turn.send(BackfillTurn(self.clone())));
        }
    }

    fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for BackfillTurn {
    fn drop(&mut self) {
        self.0.pass_turn();
    }
}

#[cfg(test)]
mod tests {
    use futures_util::FutureExt;

    use super::*;

    /// In which order these channels have their turns, which all begin to wait while another has it.
    fn list_turns(channels: &[u64], prepare: impl FnOnce(&BackfillQueue)) -> Vec<u64> {
        let queue = BackfillQueue::new(1);
        let mut turn = queue.wait_for_turn(ChannelId(1)).now_or_never().flatten();
        let mut waiting: Vec<_> = channels
            .iter()
            .map(|channel| (*channel, Box::pin(queue.wait_for_turn(ChannelId(*channel)))))
            .collect();
        for (_, wait) in &mut waiting {
            assert!(wait.now_or_never().is_none());
        }
        prepare(&queue);
        let mut order = Vec::new();
        while turn.take().is_some() {
            let ready = waiting
                .iter_mut()
                .enumerate()
                .find_map(|(index, (_, wait))| Some((index, wait.now_or_never()?)));
            if let Some((index, next)) = ready {
                order.push(waiting.remove(index).0);
                turn = next;
            }
        }
        order
    }

    #[test]
    fn channels_have_their_turn_as_they_come() {
        assert_eq!(list_turns(&[2, 3, 4], |_| {}), [2, 3, 4]);
    }

    #[test]
    fn where_somebody_waits_goes_before_where_nobody_does() {
        let prefer_two = |queue: &BackfillQueue| {
            queue.prefer(ChannelId(4));
            queue.prefer(ChannelId(3));
            queue.prefer(ChannelId(4));
        };
        assert_eq!(list_turns(&[2, 3, 4], prefer_two), [4, 3, 2]);
    }

    #[test]
    fn who_is_waited_for_before_it_waits_goes_first_until_it_was_looked_back_at() {
        let queue = BackfillQueue::new(1);
        let turn = queue.wait_for_turn(ChannelId(1)).now_or_never().flatten();
        queue.prefer(ChannelId(2));
        queue.prefer(ChannelId(3));
        queue.settle(ChannelId(2));
        let [mut second, mut third] =
            [2, 3].map(|channel| Box::pin(queue.wait_for_turn(ChannelId(channel))));
        assert!((&mut second).now_or_never().is_none() && (&mut third).now_or_never().is_none());
        drop(turn);
        assert!((&mut second).now_or_never().is_none());
        assert!(third.now_or_never().flatten().is_some());
    }

    #[test]
    fn the_turn_of_who_waits_no_more_is_the_next_ones() {
        let queue = BackfillQueue::new(1);
        let turn = queue.wait_for_turn(ChannelId(1)).now_or_never().flatten();
        let [mut gone, mut told, mut next] =
            [2, 3, 4].map(|channel| Box::pin(queue.wait_for_turn(ChannelId(channel))));
        for wait in [&mut gone, &mut told, &mut next] {
            assert!(wait.now_or_never().is_none());
        }
        drop(gone);
        drop(turn);
        // It has its turn and does not know it yet.
        drop(told);
        assert!(next.now_or_never().flatten().is_some());
        assert!(
            queue
                .wait_for_turn(ChannelId(5))
                .now_or_never()
                .flatten()
                .is_some()
        );
    }
}
