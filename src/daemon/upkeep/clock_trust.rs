//! Whether the machine's clock is believed where something would be deleted for its age.
//!
//! A clock that is wrong by a year for a minute must not cost a year of history: what is deleted never comes back, and
//! what stays for a day longer harms nobody. So a time that is days later than the one last believed is doubted, until
//! Kith has *run* for a day while the clock stood by it: whatever sets clocks right does so within hours, and a machine
//! that lies switched off with a wrong clock proves nothing. Nobody has to do anything. That a machine slept or was off
//! for days looks the same and costs the same day; telling the two apart would need another source of time. On Discord
//! there is one, the times of its messages, and where they agree with the clock nothing is doubted.

use std::time::Instant;

use chrono::{DateTime, SecondsFormat};
use serde::{Deserialize, Serialize};

use kith_core::chat::{DAY, HOUR, Millis};
use kith_store::{Store, StoreError, StoreReply};

const KEY: &str = "clock";
/// How far ahead of the time last believed the clock may be, so that a weekend without power is none of it. Less than
/// this can be deleted too early.
const LEAP: Millis = 3 * DAY;
/// How long Kith runs before a doubted time is believed.
const PROVEN_AFTER: Millis = DAY;

/// What is believed of the clock, as it is kept over a restart.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct ClockTrust {
    /// The newest time that was believed; in doubt, what it would be now if the clock had not leapt.
    believed: Millis,
    doubt: Option<ClockDoubt>,
    /// When it was looked at last in this life of the process.
    #[serde(skip)]
    looked: Option<Instant>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct ClockDoubt {
    /// The time the clock showed when it was looked at last.
    shown: Millis,
    /// How long Kith ran since it leapt.
    ran: Millis,
}

#[derive(Clone, Debug, PartialEq)]
pub(in crate::daemon) enum ClockFinding {
    /// It leapt, in a sentence.
    Leapt { text: String },
    /// It is not in doubt any more.
    Believed,
}

impl ClockTrust {
    /// As it was kept; where nothing was, the newest message is the newest time known.
    pub(super) async fn load(store: &Store, now: Millis) -> Result<Self, StoreError> {
        let kept = store
            .load_meta(KEY)
            .await?
            .and_then(|json| serde_json::from_str(&json).ok());
        Ok(match kept {
            Some(kept) => kept,
            None => Self::new(store.find_newest_time().await?.unwrap_or(now)),
        })
    }

    fn new(believed: Millis) -> Self {
        Self {
            believed,
            doubt: None,
            looked: None,
        }
    }

    pub(super) fn save(&self, store: &Store) -> StoreReply<()> {
        store.set_meta(KEY, serde_json::to_string(self).unwrap_or_default())
    }

    pub(super) fn is_sure(&self) -> bool {
        self.doubt.is_none()
    }

    pub(super) fn record_external_time(&mut self, at: Option<Millis>) {
        self.believed = self.believed.max(at.unwrap_or(Millis::MIN));
    }

    /// What the clock shows, and the same moment by one that never leaps.
    pub(super) fn check(&mut self, now: Millis, moment: Instant) -> Option<ClockFinding> {
        let ran = self.looked.map_or(0, |last| {
            moment.saturating_duration_since(last).as_millis() as Millis
        });
        self.looked = Some(moment);
        if self.doubt.is_some() {
            self.believed += ran;
        }
        // A clock that is behind deletes too little and is believed.
        let is_far = now - self.believed > LEAP;
        let before = self.doubt;
        self.doubt = is_far.then(|| match before {
            Some(doubt) if now - doubt.shown <= ran + LEAP => ClockDoubt {
                shown: now,
                ran: doubt.ran + ran,
            },
            _ => ClockDoubt { shown: now, ran: 0 },
        });
        self.doubt = self.doubt.filter(|doubt| doubt.ran < PROVEN_AFTER);
        match (before, self.doubt) {
            (_, None) => {
                self.believed = now;
                before.map(|_| ClockFinding::Believed)
            }
            (None, Some(_)) => Some(ClockFinding::Leapt {
                text: self.describe_leap(now),
            }),
            (Some(_), Some(_)) => None,
        }
    }

    fn describe_leap(&self, now: Millis) -> String {
        let written = |at| {
            DateTime::from_timestamp_millis(at)
                .unwrap_or_default()
                .to_rfc3339_opts(SecondsFormat::Secs, true)
        };
        format!(
            "The clock shows {}, {} days after the last time known, {}. If it is wrong, set it. Until Kith has run for {} \
             hours at this time nothing is deleted for its age; if the clock is right, there is nothing to do.",
            written(now),
            (now - self.believed) / DAY,
            written(self.believed),
            PROVEN_AFTER / HOUR,
        )
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    const NOW: Millis = 20_000 * DAY;
    const YEAR: Millis = 400 * DAY;

    /// A clock that is looked at every quarter of an hour.
    struct TestMachine {
        trust: ClockTrust,
        moment: Instant,
        shows: Millis,
    }

    impl TestMachine {
        fn right() -> Self {
            let mut machine = Self {
                trust: ClockTrust::new(NOW),
                moment: kith_system::clock::monotonic(),
                shows: NOW,
            };
            assert_eq!(machine.runs(48), []);
            machine
        }

        /// What is found while it runs for some hours.
        fn runs(&mut self, hours: u32) -> Vec<ClockFinding> {
            let quarter = HOUR / 4;
            let mut found = Vec::new();
            for _ in 0..hours * 4 {
                self.moment += Duration::from_millis(quarter.unsigned_abs());
                self.shows += quarter;
                found.extend(self.trust.check(self.shows, self.moment));
            }
            found
        }

        fn leaps(&mut self, by: Millis) -> Option<ClockFinding> {
            self.shows += by;
            self.trust.check(self.shows, self.moment)
        }

        /// Off for so long, by the clock.
        fn restarts(&mut self, off: Millis) -> Option<ClockFinding> {
            let kept = serde_json::to_string(&self.trust).expect("kept");
            self.trust = serde_json::from_str(&kept).expect("read");
            self.leaps(off)
        }
    }

    #[test]
    fn a_leap_is_told_once_and_believed_after_a_day_of_running() {
        let mut machine = TestMachine::right();
        let Some(ClockFinding::Leapt { text }) = machine.leaps(YEAR) else {
            panic!("not told")
        };
        assert!(
            text.contains("400 days") && text.contains("24 hours"),
            "{text}"
        );
        assert_eq!(machine.runs(23), []);
        assert!(!machine.trust.is_sure());
        assert_eq!(machine.runs(1), [ClockFinding::Believed]);
        assert!(machine.trust.is_sure());
        assert_eq!(machine.runs(48), []);
    }

    #[test]
    fn a_clock_that_is_mended_is_believed_at_once_and_doubted_again_when_it_leaps_again() {
        let mut machine = TestMachine::right();
        machine.leaps(YEAR);
        machine.runs(10);
        assert_eq!(machine.leaps(-YEAR), Some(ClockFinding::Believed));
        assert!(matches!(
            machine.leaps(YEAR),
            Some(ClockFinding::Leapt { .. })
        ));
        assert_eq!(machine.runs(23), [], "what it ran before does not count");
        assert_eq!(machine.leaps(YEAR), None);
        assert_eq!(machine.runs(23), [], "nor at another time");
        assert_eq!(machine.runs(1), [ClockFinding::Believed]);
    }

    #[test]
    fn while_it_is_off_nothing_is_proven_and_restarts_do_not_begin_the_day_anew() {
        let mut machine = TestMachine::right();
        assert!(matches!(
            machine.restarts(YEAR),
            Some(ClockFinding::Leapt { .. })
        ));
        machine.runs(20);
        assert_eq!(
            machine.restarts(2 * DAY),
            None,
            "two days in which the clock was not looked at"
        );
        assert!(!machine.trust.is_sure());
        assert_eq!(machine.runs(4), [ClockFinding::Believed]);
    }

    #[test]
    fn a_weekend_off_is_no_leap_and_a_clock_set_back_is_believed() {
        let mut machine = TestMachine::right();
        assert_eq!(machine.restarts(LEAP - HOUR), None);
        assert_eq!(machine.restarts(-YEAR), None);
        assert!(machine.trust.is_sure());
        assert!(
            matches!(machine.leaps(YEAR), Some(ClockFinding::Leapt { .. })),
            "a time it showed before is no proof"
        );
    }

    #[test]
    fn where_somebody_elses_clock_agrees_nothing_is_doubted() {
        let mut machine = TestMachine::right();
        machine.restarts(YEAR);
        machine.trust.record_external_time(None);
        machine
            .trust
            .record_external_time(Some(machine.shows - DAY));
        assert_eq!(machine.runs(1), [ClockFinding::Believed]);
    }
}
