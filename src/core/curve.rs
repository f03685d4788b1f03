//! How values fade with time and grow with length, and the logistic that makes a probability of a sum.

use super::chat::{Millis, SECOND};

pub(crate) const HOUR_SECONDS: f32 = 3_600.0;

/// 0 at no time, 1 at `full` seconds or more.
pub(crate) fn scale_logarithmically(time: Millis, full: f32) -> f32 {
    let seconds = time.max(0) as f32 / SECOND as f32;
    ((1.0 + seconds).ln() / (1.0 + full).ln()).min(1.0)
}

/// e to the minus time over `lasts`.
pub(crate) fn exponential_decay(time: Millis, lasts: Millis) -> f32 {
    // Where it is as good as nothing, exp takes its slow way through the smallest numbers.
    (-(time.max(0) as f32 / lasts as f32).min(80.0)).exp()
}

/// The probability of log-odds.
pub fn logistic(logit: f32) -> f32 {
    1.0 / (1.0 + (-logit).exp())
}
