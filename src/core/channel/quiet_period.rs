//! The quiet that members ask for, and how long it lasts.

use serde::{Deserialize, Serialize};

use crate::chat::{MINUTE, Millis};

pub const QUIET_LASTS: Millis = 30 * MINUTE;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct QuietPeriod {
    /// Until when nothing unasked is said.
    pub(super) until: Millis,
    /// When somebody had the last word about it; older requests that come in again change nothing.
    asked: Millis,
}

impl QuietPeriod {
    pub fn until(&self, now: Millis) -> Option<Millis> {
        (self.until > now).then_some(self.until)
    }

    /// Whether quiet was asked for since then, and nobody asked for speech after it.
    pub fn is_requested_since(&self, then: Millis) -> bool {
        self.asked > then && self.until > self.asked
    }

    /// Quiet was asked for at `at`; answers whether that is news.
    pub(super) fn begin(&mut self, at: Millis, now: Millis) -> bool {
        let news = at > self.asked && at + QUIET_LASTS > now;
        if news {
            *self = Self {
                until: at + QUIET_LASTS,
                asked: at,
            };
        }
        news
    }

    pub(super) fn end(&mut self, at: Millis) {
        if at > self.asked {
            *self = Self {
                until: at,
                asked: at,
            };
        }
    }
}
