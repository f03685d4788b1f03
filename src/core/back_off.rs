//! How long to wait before something that failed is tried again: twice as long each time, up to a limit, and a part of it
//! by chance where many would come back at once.

use std::time::Duration;

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

pub fn compute_back_off(first: Duration, doublings: u32, most: Duration) -> Duration {
    first.saturating_mul(1 << doublings.min(16)).min(most)
}

/// Waits one after the other, each twice as long as the one before, up to a limit.
#[derive(Clone, Copy, Debug)]
pub struct BackOffSchedule {
    next: Duration,
    most: Duration,
}

impl BackOffSchedule {
    pub fn new(first: Duration, most: Duration) -> Self {
        Self { next: first, most }
    }

    pub fn next_wait(&mut self) -> Duration {
        let wait = self.next;
        self.next = compute_back_off(wait, 1, self.most);
        wait
    }
}

/// Half of a wait and a part of the other half, by chance.
pub fn apply_jitter(wait: Duration, seed: u64) -> Duration {
    wait.mul_f64(ChaCha8Rng::seed_from_u64(seed).random_range(0.5..1.0))
}
