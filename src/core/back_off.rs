//! How long to wait before something that failed is tried again: twice as long each time, up to a limit, and a part of it
//! by chance where many would come back at once.

use std::time::Duration;

use rand::rngs::ChaCha8Rng;
use rand::{RngExt, SeedableRng};

/// The wait after so many doublings of the first one.
pub fn doubled(first: Duration, doublings: u32, most: Duration) -> Duration {
    first.saturating_mul(1 << doublings.min(16)).min(most)
}

/// Half of a wait and a part of the other half, by chance.
pub fn scattered(wait: Duration, seed: u64) -> Duration {
    wait.mul_f64(ChaCha8Rng::seed_from_u64(seed).random_range(0.5..1.0))
}
