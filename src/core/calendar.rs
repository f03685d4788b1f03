//! The names of days and months, in small letters, for whoever looks for them in a text, and when a day begins.

use std::sync::LazyLock;

use chrono::{LocalResult, NaiveDate, NaiveDateTime, NaiveTime, Offset, TimeDelta, TimeZone};
use chrono_tz::Tz;
use kith_language::{word_lists, word_table};

use crate::chat::Millis;

word_table! {
    struct CalendarNames {
        weekdays: Vec<&'static str>,
        months: Vec<&'static str>,
        date_signs: Vec<char>,
    }
}

static NAMES: LazyLock<CalendarNames> =
    LazyLock::new(|| CalendarNames::from_lists(word_lists("calendar")));

fn names() -> impl Iterator<Item = &'static str> {
    NAMES.weekdays.iter().chain(&NAMES.months).copied()
}

pub fn is_name(word: &str) -> bool {
    names().any(|name| name == word)
}

/// Whether a word is one of these names, or its first three letters.
pub fn is_date_name(word: &str) -> bool {
    names().any(|name| word == name || name.get(..3) == Some(word))
}

/// Whether a text holds a sign of a date: 月.
pub fn has_date_sign(text: &str) -> bool {
    text.contains(&NAMES.date_signs[..])
}

pub fn find_midnight(day: NaiveDate, zone: Tz) -> Option<Millis> {
    find_instants(day.and_time(NaiveTime::MIN), zone)[0]
}

/// When clocks in a zone show a time: twice where they are set back; as much later where they skip it.
pub fn find_instants(time: NaiveDateTime, zone: Tz) -> [Option<Millis>; 2] {
    let found = time.and_local_timezone(zone);
    if found == LocalResult::None {
        // No clock is set twice in a day, or by more than one.
        let before = zone
            .offset_from_utc_datetime(&(time - TimeDelta::days(1)))
            .fix();
        let later = time.and_local_timezone(before).single();
        return [later.map(|at| at.timestamp_millis()), None];
    }
    let [first, again] = [found.earliest(), found.latest()].map(|at| Some(at?.timestamp_millis()));
    [first, again.filter(|_| again != first)]
}
