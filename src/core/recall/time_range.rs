//! The time a question speaks of: "last week", "three days ago", "in May", 上周末, 昨天, 五月. Only times that are over, or
//! going on: what was said can be found, what will be said cannot.

use std::sync::LazyLock;

use chrono::{DateTime, Datelike, Days, Months, NaiveDate};
use chrono_tz::Tz;
use kith_language::{FromEntries, PhraseList, word_lists, word_table};

use crate::calendar::find_midnight;
use crate::chat::{DAY, Millis};
use crate::word::is_unspaced;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeRange {
    pub from: Millis,
    /// The first moment after it.
    pub to: Millis,
}

impl TimeRange {
    pub fn contains(self, at: Millis) -> bool {
        (self.from..self.to).contains(&at)
    }

    /// Whether a moment follows it as closely as talk about it does: within its own length, a week at most.
    pub fn is_soon_after(self, at: Millis) -> bool {
        let while_after = (self.to - self.from).clamp(DAY, 7 * DAY);
        (self.to..self.to + while_after).contains(&at)
    }
}

/// Words that stand for numbers, one `word=number` a line.
#[derive(Debug, Default)]
struct NumberedWords(Vec<(&'static str, u32)>);

impl FromEntries for NumberedWords {
    /// The longest first, so that no word is found in a longer one.
    fn from_entries(entries: Vec<&'static str>) -> Self {
        let read = |entry: &'static str| {
            let (word, number) = entry.split_once('=')?;
            Some((word.trim(), number.trim().parse().ok()?))
        };
        let mut words: Vec<(&str, u32)> = entries.into_iter().filter_map(read).collect();
        words.sort_by_key(|(word, _)| std::cmp::Reverse(word.len()));
        Self(words)
    }
}

word_table! {
    struct TimePhrases {
        days_back: NumberedWords,
        weeks_back: NumberedWords,
        weekends_back: NumberedWords,
        months_back: NumberedWords,
        years_back: NumberedWords,
        weekdays: NumberedWords,
        before_weekday: PhraseList,
        weekdays_last_week: NumberedWords,
        months: NumberedWords,
        before_month: PhraseList,
        numbers: NumberedWords,
        units: NumberedWords,
        ago: PhraseList,
    }
}

static TIME_PHRASES: LazyLock<TimePhrases> =
    LazyLock::new(|| TimePhrases::from_lists(word_lists("time_phrases")));

pub fn find_time_range(text: &str, now: Millis, zone: Tz) -> Option<TimeRange> {
    let today = DateTime::from_timestamp_millis(now)?
        .with_timezone(&zone)
        .date_naive();
    let (first, last) = find_days(&SpokenText::new(text), today)?;
    Some(TimeRange {
        from: find_midnight(first, zone)?,
        to: find_midnight(last.succ_opt()?, zone)?,
    })
}

/// The first and the last day.
fn find_days(text: &SpokenText, today: NaiveDate) -> Option<(NaiveDate, NaiveDate)> {
    let phrases = &*TIME_PHRASES;
    let monday =
        today.checked_sub_days(Days::new(today.weekday().num_days_from_monday().into()))?;
    let week = |back: u32| monday.checked_sub_days(Days::new(7 * u64::from(back)));
    let days_after = |day: NaiveDate, days: u64| day.checked_add_days(Days::new(days));
    if let Some((days, unit)) = text.find_ago() {
        // Nobody counts to the day what is long ago.
        let slack = u64::from(unit / 2);
        let day = today.checked_sub_days(Days::new(days.into()))?;
        return Some((
            day.checked_sub_days(Days::new(slack))?,
            days_after(day, slack)?.min(today),
        ));
    }
    if let Some((_, day)) = text.find(&phrases.weekdays_last_week) {
        let day = days_after(week(1)?, day.into())?;
        return Some((day, day));
    }
    if let Some((_, back)) = text.find(&phrases.weekends_back) {
        // On a weekend itself, the one that is over is last week's.
        let is_weekend = today.weekday().num_days_from_monday() >= 5;
        let back = if back > 0 && is_weekend { 1 } else { back };
        let monday = week(back)?;
        return Some((days_after(monday, 5)?, days_after(monday, 6)?));
    }
    if let Some((_, back)) = text.find(&phrases.days_back) {
        let day = today.checked_sub_days(Days::new(back.into()))?;
        return Some((day, day));
    }
    if let Some((_, back)) = text.find(&phrases.weeks_back) {
        let monday = week(back)?;
        return Some((monday, days_after(monday, 6)?));
    }
    if let Some((at, day)) = text.find(&phrases.weekdays)
        && text.is_after(at, &phrases.before_weekday)
    {
        let back = (today.weekday().num_days_from_monday() + 6 - day) % 7 + 1;
        let day = today.checked_sub_days(Days::new(back.into()))?;
        return Some((day, day));
    }
    if let Some((_, back)) = text.find(&phrases.months_back) {
        return find_month(today.with_day(1)?.checked_sub_months(Months::new(back))?);
    }
    if let Some((at, month)) = text.find(&phrases.months)
        && (text.is_after(at, &phrases.before_month) || text.find_year().is_some())
    {
        let year = text.find_year().unwrap_or_else(|| {
            let is_over = month <= today.month();
            today.year() - i32::from(!is_over)
        });
        return find_month(NaiveDate::from_ymd_opt(year, month, 1)?);
    }
    let years_back = text.find(&phrases.years_back);
    let year = match years_back {
        Some((_, back)) => Some(today.year() - i32::try_from(back).ok()?),
        None => text.find_year(),
    };
    let year = year.filter(|year| *year <= today.year())?;
    Some((
        NaiveDate::from_ymd_opt(year, 1, 1)?,
        NaiveDate::from_ymd_opt(year, 12, 31)?,
    ))
}

fn find_month(first: NaiveDate) -> Option<(NaiveDate, NaiveDate)> {
    let next = first.checked_add_months(Months::new(1))?;
    Some((first, next.pred_opt()?))
}

/// A text as phrases are looked for in it: in small letters, with single spaces around each word.
struct SpokenText(String);

impl SpokenText {
    fn new(text: &str) -> Self {
        let lower = text.to_lowercase();
        let words = lower
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| !word.is_empty());
        let mut spoken = String::from(" ");
        for word in words {
            spoken.push_str(word);
            spoken.push(' ');
        }
        Self(spoken)
    }

    /// Where a phrase begins: a whole word where words have spaces between them.
    fn find_phrase(&self, phrase: &str) -> Option<usize> {
        if phrase.contains(is_unspaced) {
            return self.0.find(phrase);
        }
        self.0.find(&format!(" {phrase} ")).map(|at| at + 1)
    }

    /// The first of these words it holds, the longest first: where, and its number.
    fn find(&self, words: &NumberedWords) -> Option<(usize, u32)> {
        let mut words = words.0.iter();
        words.find_map(|(word, number)| Some((self.find_phrase(word)?, *number)))
    }

    /// Whether one of these stands right before a place. A word of a script without spaces needs none.
    fn is_after(&self, at: usize, leads: &PhraseList) -> bool {
        let (before, rest) = self.0.split_at(at);
        rest.starts_with(is_unspaced)
            || leads
                .iter()
                .any(|lead| before.ends_with(&format!(" {lead} ")))
            // 5月
            || rest.starts_with(|c: char| c.is_ascii_digit())
    }

    /// `3 days ago`, 三天前: how many days, and how many days the unit has.
    fn find_ago(&self) -> Option<(u32, u32)> {
        let phrases = &*TIME_PHRASES;
        for (unit, days) in &phrases.units.0 {
            for (at, _) in self.0.match_indices(unit) {
                let (before, behind) = (&self.0[..at], &self.0[at + unit.len()..]);
                let is_ago = |ago: &str| match ago.contains(is_unspaced) {
                    true => behind.starts_with(ago),
                    false => behind.starts_with(&format!(" {ago} ")),
                };
                if phrases.ago.iter().any(is_ago)
                    && let Some(count) = read_last_number(before)
                {
                    return Some((count.checked_mul(*days)?, *days));
                }
            }
        }
        None
    }

    /// A year of four digits.
    fn find_year(&self) -> Option<i32> {
        let mut numbers = self.0.split(|c: char| !c.is_ascii_digit());
        numbers.find_map(|digits| {
            let year = digits.parse().ok().filter(|_| digits.len() == 4)?;
            (1990..2100).contains(&year).then_some(year)
        })
    }
}

/// The number a text ends with, in digits or words.
fn read_last_number(before: &str) -> Option<u32> {
    let before = before.trim_end();
    let digits = before.trim_end_matches(|c: char| c.is_ascii_digit());
    if digits.len() < before.len() {
        return before[digits.len()..].parse().ok();
    }
    let mut words = TIME_PHRASES.numbers.0.iter();
    words
        .find(|(word, _)| match word.contains(is_unspaced) {
            true => before.ends_with(word),
            false => before.ends_with(&format!(" {word}")),
        })
        .map(|(_, number)| *number)
}
