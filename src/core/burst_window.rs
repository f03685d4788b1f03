//! When the heartbeat looks at a channel next: people often say one thing in three messages, so it waits until the
//! speaker seems done.

use super::chat::{Millis, UserId};
use super::typing_time::TYPING_LASTS;

crate::setting_table! {
    /// How long it waits until the speaker seems done.
    pub struct HeartbeatSettings {
        /// The least quiet after somebody's last message before it looks: people send one thought in several messages. How
        /// long exactly goes by how long that person usually pauses.
        #[setting(Range(0.0, 60.0), Unit("seconds"))]
        pub burst_wait_seconds: f32 = 8.0,
        /// The same when it is spoken to directly and more is likely to come: a bare name or greeting, a line that breaks
        /// off, somebody who writes in bursts. What is complete is answered at once.
        #[setting(Range(0.0, 60.0), Unit("seconds"))]
        pub address_wait_seconds: f32 = 0.8,
        /// The most quiet it waits for where it is spoken to; who is typing is waited for up to twice as long.
        #[setting(Range(0.0, 300.0), Unit("seconds"))]
        pub burst_cap_seconds: f32 = 20.0,
    }
}
#[derive(Clone, Copy, Debug)]
pub(crate) struct BurstWindow {
    started: Millis,
    last: Millis,
    speaker: UserId,
    typing_until: Option<Millis>,
    expects_more: bool,
}

impl BurstWindow {
    pub fn new(speaker: UserId, now: Millis, expects_more: bool) -> Self {
        Self {
            started: now,
            last: now,
            speaker,
            typing_until: None,
            expects_more,
        }
    }

    /// Another message: the wait starts over, and whoever sent it is no longer typing.
    pub fn add_message(&mut self, speaker: UserId, now: Millis, expects_more: bool) {
        *self = Self {
            last: now,
            speaker,
            typing_until: None,
            expects_more,
            ..*self
        };
    }

    pub fn speaker(&self) -> UserId {
        self.speaker
    }

    pub fn last_message_at(&self) -> Millis {
        self.last
    }

    /// Somebody types; only the last speaker is waited for.
    pub fn record_typing(&mut self, user: UserId, now: Millis) {
        if user == self.speaker {
            self.typing_until = Some(now + TYPING_LASTS);
        }
    }

    /// When it is over: some quiet after the last message, later while the speaker types, but not for ever. Less where
    /// the companion was addressed, for then somebody waits, and no quiet where no second line is likely.
    pub fn compute_end(&self, addressed: bool, waits: &HeartbeatSettings) -> Millis {
        let (wait, most) = match addressed {
            true if self.expects_more => (waits.address_wait_seconds, waits.burst_wait_seconds),
            true => (0.0, waits.burst_wait_seconds),
            false => (waits.burst_wait_seconds, waits.burst_cap_seconds),
        };
        let quiet = self.last + to_millis(wait);
        let end = self.typing_until.map_or(quiet, |until| quiet.max(until));
        end.min(self.started + to_millis(most)).max(self.started)
    }
}

pub(crate) fn to_millis(seconds: f32) -> Millis {
    (f64::from(seconds) * 1_000.0) as Millis
}
