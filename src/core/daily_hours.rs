//! Some hours of the day, such as those in which the companion says nothing unasked: read, written, and held against the
//! clock.

use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, Days, NaiveDate, NaiveTime};
use chrono_tz::Tz;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::calendar::find_instants;
use super::chat::Millis;

/// Reads `HH:MM`; none if it is no time of day. `24:00` is midnight.
pub fn parse_clock(text: &str) -> Option<NaiveTime> {
    let text = if text == "24:00" { "00:00" } else { text };
    NaiveTime::parse_from_str(text, "%H:%M").ok()
}

/// Whether a time of day lies from one time until before another; one that ends before it begins goes past midnight.
pub fn is_between(time: NaiveTime, from: NaiveTime, to: NaiveTime) -> bool {
    let (after, before) = (from <= time, time < to);
    if from <= to {
        after && before
    } else {
        after || before
    }
}

/// Some hours of each day. Written `23:00-08:00` or `23:00-08:00 Europe/Berlin`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DailyHours {
    pub from: NaiveTime,
    /// Until when; earlier than `from` means past midnight.
    pub to: NaiveTime,
    /// By whose clock; none for the clock the companion lives by.
    pub timezone: Option<Tz>,
}

impl DailyHours {
    /// From one full hour until another, by the clock the companion lives by.
    pub fn between_hours(from: u32, to: u32) -> Self {
        let [from, to] =
            [from, to].map(|hour| NaiveTime::from_hms_opt(hour, 0, 0).unwrap_or_default());
        Self {
            from,
            to,
            timezone: None,
        }
    }

    /// Whether they hold at `now`, for a companion that lives by the clock of `own`.
    pub fn is_active(&self, now: Millis, default_zone: Tz) -> bool {
        let zone = self.timezone.unwrap_or(default_zone);
        let Some(time) =
            DateTime::from_timestamp_millis(now).map(|time| time.with_timezone(&zone).time())
        else {
            return false;
        };
        is_between(time, self.from, self.to)
    }

    pub fn find_end(&self, now: Millis, default_zone: Tz) -> Millis {
        find_next_time(now, self.to, self.timezone.unwrap_or(default_zone)).unwrap_or(now)
    }
}

/// The next moment after `now` at which clocks show a time: twice a day where set back, as much later where set forward.
pub fn find_next_time(now: Millis, time: NaiveTime, zone: Tz) -> Option<Millis> {
    list_dates(now, zone)
        .flat_map(|date| find_instants(date.and_time(time), zone))
        .flatten()
        .find(|at| *at > now)
}

/// The same, but only the first time on each day.
pub(super) fn find_next_start(now: Millis, time: NaiveTime, zone: Tz) -> Option<Millis> {
    list_dates(now, zone)
        .filter_map(|date| find_instants(date.and_time(time), zone)[0])
        .find(|at| *at > now)
}

fn list_dates(now: Millis, zone: Tz) -> impl Iterator<Item = NaiveDate> {
    let today =
        DateTime::from_timestamp_millis(now).map(|time| time.with_timezone(&zone).date_naive());
    today
        .into_iter()
        .flat_map(|today| (0..3).filter_map(move |days| today.checked_add_days(Days::new(days))))
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HoursError {
    /// It is not two times of day with a dash between.
    Times,
    /// Both times are the same.
    Empty,
    /// What follows the times is no time zone.
    Zone,
}

impl fmt::Display for HoursError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Times => "hours: these are not two times of day",
            Self::Empty => "hours: they end when they begin",
            Self::Zone => "hours: there is no such time zone",
        })
    }
}

impl FromStr for DailyHours {
    type Err = HoursError;

    fn from_str(text: &str) -> Result<Self, HoursError> {
        let text = text.trim();
        let (times, zone) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let (from, to) = times.split_once('-').ok_or(HoursError::Times)?;
        let (from, to) = parse_clock(from)
            .zip(parse_clock(to))
            .ok_or(HoursError::Times)?;
        if from == to {
            return Err(HoursError::Empty);
        }
        let timezone = match zone.trim() {
            "" => None,
            zone => Some(zone.parse().map_err(|_| HoursError::Zone)?),
        };
        Ok(Self { from, to, timezone })
    }
}

impl fmt::Display for DailyHours {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}-{}",
            self.from.format("%H:%M"),
            self.to.format("%H:%M")
        )?;
        self.timezone.map_or(Ok(()), |zone| write!(f, " {zone}"))
    }
}

impl Serialize for DailyHours {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for DailyHours {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?
            .parse()
            .map_err(de::Error::custom)
    }
}
