//! The watchdog of a link: what must have been heard by when. Pure; time is handed in.

use std::time::Instant;

use super::GatewayTimeouts;

#[derive(Clone, Copy, Debug)]
pub struct ConnectionWatchdog {
    pub opened: Instant,
    pub last_received: Instant,
    waiting_since: Instant,
    /// When the oldest heartbeat was sent that is not acknowledged yet.
    pending_heartbeat: Option<Instant>,
}

impl ConnectionWatchdog {
    pub fn new(now: Instant) -> Self {
        Self {
            opened: now,
            last_received: now,
            waiting_since: now,
            pending_heartbeat: None,
        }
    }

    pub fn record_heartbeat(&mut self, now: Instant) {
        self.pending_heartbeat.get_or_insert(now);
    }

    pub fn record_acknowledgement(&mut self) {
        self.pending_heartbeat = None;
    }

    /// The gateway may have spoken, but it was not listened to until now: what is waited for may be there already.
    pub fn reset_timers(&mut self, now: Instant) {
        (
            self.last_received,
            self.waiting_since,
            self.pending_heartbeat,
        ) = (now, now, self.pending_heartbeat.map(|_| now));
    }

    /// When it is to be looked at next, and what did not come if it did not come by then; none while nothing is waited
    /// for. Without a heartbeat there is nothing to wait for: heartbeats are what a silent link is known by.
    pub fn next_deadline(
        &self,
        times: &GatewayTimeouts,
        is_up: bool,
    ) -> Option<(Instant, &'static str)> {
        let acknowledged = self
            .pending_heartbeat
            .map(|beat| (beat + times.ack, "frozen: a heartbeat was not acknowledged"));
        let ready = (!is_up).then_some((self.waiting_since + times.ready, "no session came up"));
        acknowledged
            .into_iter()
            .chain(ready)
            .min_by_key(|(at, _)| *at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kith_system::clock;

    #[test]
    fn a_heartbeat_must_be_acknowledged_whatever_else_is_heard() {
        let (now, times) = (clock::monotonic(), GatewayTimeouts::default());
        let mut watch = ConnectionWatchdog::new(now);
        watch.record_heartbeat(now);
        watch.record_heartbeat(now + times.ack);
        watch.last_received = now + times.ack;
        assert_eq!(
            watch.next_deadline(&times, true).map(|(at, _)| at),
            Some(now + times.ack)
        );
        watch.reset_timers(now + times.ack);
        assert_eq!(
            watch.next_deadline(&times, true).map(|(at, _)| at),
            Some(now + 2 * times.ack)
        );
        watch.record_acknowledgement();
        assert_eq!(watch.next_deadline(&times, true), None);
    }

    #[test]
    fn a_session_that_does_not_come_up_is_noticed() {
        let (now, times) = (clock::monotonic(), GatewayTimeouts::default());
        let mut watch = ConnectionWatchdog::new(now);
        assert_eq!(
            watch.next_deadline(&times, false).map(|(at, _)| at),
            Some(now + times.ready)
        );
        watch.record_heartbeat(now);
        assert_eq!(
            watch.next_deadline(&times, false).map(|(at, _)| at),
            Some(now + times.ack)
        );
    }
}
