//! In which order channels are looked back at. Discord lets a bot ask so seldom that a bot in very many servers needs
//! hours for all of them, so those go first in which somebody waits: something was missed, or something is held there.

use std::collections::{HashMap, HashSet, VecDeque};
use std::iter;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use kith_core::chat::ChannelId;

/// Channels that wait to be looked back at. Cheap to clone.
#[derive(Clone)]
pub(super) struct BackfillQueue(Arc<Mutex<QueueState>>);

struct QueueState {
    /// How many are looked back at.
    taken: usize,
    /// How many may be at once; as many again where somebody waits.
    at_once: usize,
    /// Where somebody waits.
    preferred: HashSet<ChannelId>,
    watchers: HashMap<ChannelId, oneshot::Sender<()>>,
    first: VecDeque<Waiting>,
    rest: VecDeque<Waiting>,
}

struct Waiting {
    channel: ChannelId,
    turn: oneshot::Sender<BackfillTurn>,
}

impl QueueState {
    /// Whether another channel may be looked back at now, in which somebody waits or nobody does.
    fn has_room(&self, is_preferred: bool) -> bool {
        self.taken < self.at_once * if is_preferred { 2 } else { 1 }
    }

    /// Who has their turn now, without those for which nobody waits any more.
    fn next(&mut self) -> Option<Waiting> {
        let (for_first, for_rest) = (self.has_room(true), self.has_room(false));
        let Self { first, rest, .. } = self;
        let next = iter::from_fn(|| {
            let first = first.pop_front_if(|_| for_first);
            first.or_else(|| rest.pop_front_if(|_| for_rest))
        })
        .find(|waiting| !waiting.turn.is_closed());
        self.taken += usize::from(next.is_some());
        next
    }
}

/// A channel's turn, until it is dropped.
pub(super) struct BackfillTurn(BackfillQueue);

impl BackfillQueue {
    pub fn new(at_once: usize) -> Self {
        Self(Arc::new(Mutex::new(QueueState {
            taken: 0,
            at_once,
            preferred: HashSet::new(),
            watchers: HashMap::new(),
            first: VecDeque::new(),
            rest: VecDeque::new(),
        })))
    }

    pub async fn wait_for_turn(&self, channel: ChannelId) -> Option<BackfillTurn> {
        let waiting = {
            let mut state = self.lock();
            let is_preferred = state.preferred.contains(&channel);
            if state.has_room(is_preferred) {
                state.taken += 1;
                return Some(BackfillTurn(self.clone()));
            }
            let (turn, waiting) = oneshot::channel();
            let queue = match is_preferred {
                true => &mut state.first,
                false => &mut state.rest,
            };
            queue.push_back(Waiting { channel, turn });
            waiting
        };
        waiting.await.ok()
    }

    pub async fn wait_until_preferred(&self, channel: ChannelId) {
        let told = {
            let mut state = self.lock();
            if state.preferred.contains(&channel) {
                return;
            }
            let (teller, told) = oneshot::channel();
            state.watchers.insert(channel, teller);
            told
        };
        // Whoever asked before for the same channel learns it too early, which does no harm.
        let _ = told.await;
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
        let _ = state.watchers.remove(&channel).map(|told| told.send(()));
        drop(state);
        self.pass_turns();
    }

    /// A channel was looked back at: nobody waits there any more.
    pub fn settle(&self, channel: ChannelId) {
        let mut state = self.lock();
        state.preferred.remove(&channel);
        state.watchers.remove(&channel);
    }

    /// Whoever may have their turn now has it. Where nobody waits for it any more it passes on its own.
    fn pass_turns(&self) {
        loop {
            let Some(next) = self.lock().next() else {
                return;
            };
            drop(next.turn.send(BackfillTurn(self.clone())));
        }
    }

    fn lock(&self) -> MutexGuard<'_, QueueState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for BackfillTurn {
    fn drop(&mut self) {
        self.0.lock().taken -= 1;
        self.0.pass_turns();
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
    fn where_somebody_waits_goes_before_where_nobody_does_and_finds_room_of_its_own() {
        let queue = BackfillQueue::new(1);
        let turn = queue.wait_for_turn(ChannelId(1)).now_or_never().flatten();
        queue.prefer(ChannelId(5));
        let [mut second, mut third, mut fourth, mut fifth] =
            [2, 3, 4, 5].map(|channel| Box::pin(queue.wait_for_turn(ChannelId(channel))));
        let at_once = (&mut fifth).now_or_never().flatten();
        assert!(at_once.is_some());
        for wait in [&mut second, &mut third, &mut fourth] {
            assert!(wait.now_or_never().is_none());
        }
        queue.prefer(ChannelId(4));
        queue.prefer(ChannelId(3));
        queue.settle(ChannelId(5));
        drop(at_once);
        let at_once = (&mut fourth).now_or_never().flatten();
        assert!(at_once.is_some() && (&mut third).now_or_never().is_none());
        drop(turn);
        let last = (&mut third).now_or_never().flatten();
        assert!(last.is_some() && (&mut second).now_or_never().is_none());
        drop((at_once, last));
        assert!(second.now_or_never().flatten().is_some());
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
