//! When the heartbeat looks at a channel next: people often say one thing in three messages, so it waits until the
//! speaker seems done. Its seconds are `HeartbeatSettings` in `policy.rs`.

use crate::chat::{Millis, UserId};
use crate::policy::{HeartbeatSettings, TYPING_LASTS};

/// A burst that is being waited out.
#[derive(Clone, Copy, Debug)]
pub(super) struct BurstWindow {
    started: Millis,
    last: Millis,
    speaker: UserId,
    typing_until: Option<Millis>,
    /// Whether the speaker is likely to say more.
    expects_more: bool,
}

impl BurstWindow {
    /// A burst that begins with a message of `speaker`, who may be expected to say more.
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

    /// Who is waited for.
    pub fn speaker(&self) -> UserId {
        self.speaker
    }

    /// When its last message came.
    pub fn last_message_at(&self) -> Millis {
        self.last
    }

    /// Somebody types; only the last speaker is waited for.
    pub fn record_typing(&mut self, user: UserId, now: Millis) {
        if user == self.speaker {
            self.typing_until = Some(now + TYPING_LASTS);
        }
    }

    /// When it is taken to be over: some quiet after the last message, later while the speaker types, and in the end in
    /// any case. Who addressed the companion is waiting, so of both it is less then, and no quiet is needed where no
    /// second line is likely.
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

pub(super) fn to_millis(seconds: f32) -> Millis {
    (f64::from(seconds) * 1_000.0) as Millis
}
