//! The watchdog of a link: what must have been heard by when. Pure; time is handed in.

use std::time::Instant;

use super::Times;

/// What was heard of a link, and when.
#[derive(Clone, Copy, Debug)]
pub struct Watch {
    /// When the link was opened.
    pub opened: Instant,
    /// When anything was heard last.
    pub heard: Instant,
    /// When the oldest heartbeat was sent that is not acknowledged yet.
    beat: Option<Instant>,
}

impl Watch {
    /// Over a link that was opened now.
    pub fn new(now: Instant) -> Self {
        Self { opened: now, heard: now, beat: None }
    }

    /// A heartbeat was sent.
    pub fn beat(&mut self, now: Instant) {
        self.beat.get_or_insert(now);
    }

    /// It was acknowledged.
    pub fn acknowledged(&mut self) {
        self.beat = None;
    }

    /// The gateway may have spoken, but it is not listened to for the moment.
    pub fn look_away(&mut self, now: Instant) {
        (self.heard, self.beat) = (now, self.beat.map(|_| now));
    }

    /// What should have come by now and did not.
    pub fn overdue(&self, now: Instant, times: &Times, is_up: bool) -> Option<&'static str> {
        let since = |then: Instant| now.saturating_duration_since(then);
        if self.beat.is_some_and(|beat| since(beat) >= times.ack) {
            Some("frozen: a heartbeat was not acknowledged")
        } else if since(self.heard) >= times.silence {
            Some("frozen: nothing was heard")
        } else if !is_up && since(self.opened) >= times.ready {
            Some("no session came up")
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clock;

    #[test]
    fn a_heartbeat_must_be_acknowledged_whatever_else_is_heard() {
        let (now, times) = (clock::monotonic(), Times::default());
        let mut watch = Watch::new(now);
        watch.beat(now);
        watch.beat(now + times.ack);
        watch.heard = now + times.ack;
        assert!(watch.overdue(now + times.ack, &times, true).is_some());
        watch.acknowledged();
        assert_eq!(watch.overdue(now + times.ack, &times, true), None);
    }

    #[test]
    fn silence_and_a_session_that_does_not_come_up_are_noticed() {
        let (now, times) = (clock::monotonic(), Times::default());
        let mut watch = Watch::new(now);
        assert!(watch.overdue(now + times.ready, &times, false).is_some());
        assert_eq!(watch.overdue(now + times.ready, &times, true), None);
        assert!(watch.overdue(now + times.silence, &times, true).is_some());
        watch.look_away(now + times.silence);
        assert_eq!(watch.overdue(now + times.silence, &times, true), None);
    }
}
