//! How many requests may be sent in a second, whatever they are for. Discord counts them by the bot, so all that runs in
//! a process can share one: what an idle part does not need, a busy one has.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use super::request::RequestPriority;

const SECOND: Duration = Duration::from_secs(1);
/// With fewer, looking back would wait for ever: it has half of them.
const FEWEST: usize = 2;

/// So many requests in any second. All clones count together.
#[derive(Clone, Debug)]
pub struct RequestAllowance(Arc<Mutex<AllowanceState>>);

#[derive(Debug)]
struct AllowanceState {
    per_second: usize,
    sent_at: VecDeque<Instant>,
    closed_until: Option<Instant>,
}

impl RequestAllowance {
    /// At most `per_second` requests in any second, and two at least.
    pub fn new(per_second: usize) -> Self {
        Self(Arc::new(Mutex::new(AllowanceState {
            per_second: per_second.max(FEWEST),
            sent_at: VecDeque::new(),
            closed_until: None,
        })))
    }

    pub fn set_per_second(&self, per_second: usize) {
        self.lock().per_second = per_second.max(FEWEST);
    }

    /// Until when a request of this priority has to wait, if it has to.
    pub(super) fn find_wait_end(&self, priority: RequestPriority, now: Instant) -> Option<Instant> {
        self.lock().find_wait_end(priority, now)
    }

    /// A request leaves now.
    ///
    /// # Errors
    /// Until when it has to wait: others left meanwhile.
    pub(super) fn take(&self, priority: RequestPriority, now: Instant) -> Result<(), Instant> {
        let mut state = self.lock();
        match state.find_wait_end(priority, now) {
            Some(until) => Err(until),
            None => {
                state.sent_at.push_back(now);
                Ok(())
            }
        }
    }

    /// Discord wants nothing at all before this.
    pub(super) fn close_until(&self, until: Instant) {
        let mut state = self.lock();
        state.closed_until = state.closed_until.max(Some(until));
    }

    fn lock(&self) -> MutexGuard<'_, AllowanceState> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl AllowanceState {
    fn find_wait_end(&mut self, priority: RequestPriority, now: Instant) -> Option<Instant> {
        if let Some(until) = self.closed_until.filter(|until| *until > now) {
            return Some(until);
        }
        let is_over = |left: &Instant| *left + SECOND <= now;
        while self.sent_at.front().is_some_and(is_over) {
            self.sent_at.pop_front();
        }
        let most = match priority {
            RequestPriority::Background => self.per_second / 2,
            _ => self.per_second,
        };
        let first_in_the_way = self.sent_at.len().checked_sub(most)?;
        let left = self.sent_at.get(first_in_the_way)?;
        Some(*left + SECOND)
    }
}
