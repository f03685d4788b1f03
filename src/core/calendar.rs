//! The names of days and months, in small letters, for whoever looks for them in a text, and when a day begins.

use std::sync::LazyLock;

use chrono::{Duration, NaiveDate, NaiveDateTime, NaiveTime};
use chrono_tz::Tz;
use kith_language::{word_lists, word_table};

use crate::chat::Millis;

word_table! {
    /// The names in all languages.
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

/// Whether a word is the name of a day or month.
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

/// When a day begins in a zone.
pub fn find_midnight(day: NaiveDate, zone: Tz) -> Option<Millis> {
    find_instant(day.and_time(NaiveTime::MIN), zone)
}

/// When clocks in a zone show a time: the first of two moments where they are set back; where they are set forward past
/// it, an hour later.
pub fn find_instant(time: NaiveDateTime, zone: Tz) -> Option<Millis> {
    let later = time + Duration::hours(1);
    let at = time
        .and_local_timezone(zone)
        .earliest()
        .or_else(|| later.and_local_timezone(zone).earliest())?;
    Some(at.timestamp_millis())
}
