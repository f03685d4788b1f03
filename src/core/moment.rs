//! The moments people and models write: `in 20 minutes`, `friday 8pm`, 明天早上9点, `2026-03-01 18:30`. What is not understood
//! to its last word is no moment: a reminder that comes at another time is worse than one that is refused.

use std::sync::LazyLock;

use chrono::{DateTime, Datelike, Days, FixedOffset, NaiveDate, NaiveTime};
use chrono_tz::Tz;
use kith_language::{WordSections, word_lists};

use crate::chat::{DAY, HOUR, MINUTE, Millis, SECOND};
use crate::daily_hours::{find_next_time, resolve_local_time};
use crate::word::is_unspaced;

/// The hour of a day that is named without one.
const DEFAULT_HOUR: u32 = 9;
/// A bare number from here on is a year.
const FIRST_YEAR: f64 = 1970.0;

/// A word as far as it matters here.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Token {
    Number(f64),
    Half,
    /// How long it is, in milliseconds.
    Unit(Millis),
    DaysAhead(u32),
    WeeksAhead(u32),
    /// From Monday on.
    Weekday(u32),
    WeekdayNextWeek(u32),
    Month(u32),
    MonthSign,
    DaySign,
    YearSign,
    DayPart(u32),
    HourLead,
    HourSign,
    /// Hours and minutes.
    Clock(u32, u32),
    Date(NaiveDate),
    Filler,
}

/// What the phrases of all languages mean, the longest first; one may mean several things.
static PHRASES: LazyLock<Vec<(&'static str, Token)>> = LazyLock::new(|| {
    let mut sections = WordSections::from_lists(word_lists("moments"));
    let headings: Vec<&str> = sections.headings().collect();
    let mut phrases = Vec::new();
    for heading in headings {
        let entries: Vec<&str> = sections.take(heading);
        phrases.extend(entries.into_iter().map(|entry| {
            let (phrase, number) = entry.split_once('=').unwrap_or((entry, ""));
            (phrase, Token::new(heading, number.parse().unwrap_or(0)))
        }));
    }
    phrases.sort_by_key(|(phrase, _)| std::cmp::Reverse(phrase.len()));
    phrases
});

impl Token {
    /// What a phrase below a heading of the word lists means.
    fn new(heading: &str, number: u32) -> Self {
        match heading {
            "numbers" => Self::Number(number.into()),
            "halves" => Self::Half,
            "units" => Self::Unit(Millis::from(number) * SECOND),
            "days_ahead" => Self::DaysAhead(number),
            "weeks_ahead" => Self::WeeksAhead(number),
            "weekdays" => Self::Weekday(number),
            "weekdays_next_week" => Self::WeekdayNextWeek(number),
            "months" => Self::Month(number),
            "month_signs" => Self::MonthSign,
            "day_signs" => Self::DaySign,
            "year_signs" => Self::YearSign,
            "day_parts" => Self::DayPart(number),
            "hour_leads" => Self::HourLead,
            "hour_signs" => Self::HourSign,
            _ => {
                debug_assert_eq!(heading, "fillers", "no list is called so");
                Self::Filler
            }
        }
    }
}

/// The moment a text means that is written now: so many minutes from now, the next time a clock shows it, or by its day.
/// It may be over. None where a word of it is not understood.
pub fn find_moment(text: &str, now: Millis, zone: Tz) -> Option<Millis> {
    let text = text.trim();
    if let Ok(minutes) = text.parse::<u32>() {
        return Some(now + Millis::from(minutes) * MINUTE);
    }
    parse_with_offset(text)
        .or_else(|| SpokenMoment::from_tokens(&split_tokens(text)?)?.resolve(now, zone))
}

/// The moment that parameters of a call mean: in words, or in so many minutes and hours.
pub fn find_given_moment(
    [words, minutes, hours]: [&Option<String>; 3],
    now: Millis,
    zone: Tz,
) -> Option<Millis> {
    if let Some(words) = words {
        return find_moment(words, now, zone);
    }
    let count = |given: &Option<String>, unit| match given.as_deref().map(str::trim) {
        Some(given) if given.ends_with(|c: char| c.is_ascii_digit()) => given.to_owned() + unit,
        given => given.unwrap_or_default().to_owned(),
    };
    find_moment(
        &format!("{} {}", count(hours, "h"), count(minutes, "min")),
        now,
        zone,
    )
}

/// How long a text says that something lasts: `1h 30m`, 半小时.
pub fn parse_duration(text: &str) -> Option<Millis> {
    let spoken = SpokenMoment::from_tokens(&split_tokens(text)?)?;
    let alone = SpokenMoment {
        delay: spoken.delay,
        ..SpokenMoment::default()
    };
    spoken.delay.filter(|_| spoken == alone)
}

/// ISO 8601 with its offset from UTC.
fn parse_with_offset(text: &str) -> Option<Millis> {
    let text = text.replacen(' ', "T", 1);
    ["%Y-%m-%dT%H:%M:%S%.f%#z", "%Y-%m-%dT%H:%M%#z"]
        .into_iter()
        .find_map(|form| DateTime::<FixedOffset>::parse_from_str(&text, form).ok())
        .map(|at| at.timestamp_millis())
}

fn split_tokens(text: &str) -> Option<Vec<Token>> {
    let lower: String = text.to_lowercase().chars().map(to_half_width).collect();
    let is_space = |c: char| c.is_whitespace() || c == ',' || c == '、';
    let mut rest = lower.trim_matches(is_space);
    let (mut tokens, mut ends_in_word) = (Vec::new(), false);
    while !rest.is_empty() {
        let (found, behind) = match split_number(rest) {
            Some((token, behind)) => (vec![token], behind),
            None => split_phrase(rest)?,
        };
        let is_word = !rest.starts_with(|c: char| c.is_ascii_digit());
        match (tokens.last_mut(), &found[..]) {
            // 二十五
            (Some(Token::Number(whole)), [Token::Number(next)]) if is_word && ends_in_word => {
                let is_tens = *next == 10.0 && (1.0..10.0).contains(whole);
                *whole = if is_tens {
                    *whole * next
                } else {
                    *whole + next
                };
            }
            _ => tokens.extend(found.into_iter().filter(|token| *token != Token::Filler)),
        }
        ends_in_word = is_word;
        rest = behind.trim_start_matches(|c| is_space(c) || c == '-');
    }
    Some(tokens)
}

/// `９：００` is written with the wide forms of ASCII characters.
fn to_half_width(c: char) -> char {
    match c {
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(c as u32 - 0xfee0).unwrap_or(c),
        c => c,
    }
}

/// What begins with a digit: a date, a time of day, or a number.
fn split_number(text: &str) -> Option<(Token, &str)> {
    let (digits, rest) = split_digits(text)?;
    if let (4, Some(sign @ ('-' | '/'))) = (digits.len(), rest.chars().next()) {
        let (month, rest) = split_digits(&rest[1..])?;
        let (day, rest) = split_digits(rest.strip_prefix(sign)?)?;
        let date =
            NaiveDate::from_ymd_opt(digits.parse().ok()?, month.parse().ok()?, day.parse().ok()?)?;
        let time = rest.strip_prefix('t');
        let time = time.filter(|time| time.starts_with(|c: char| c.is_ascii_digit()));
        return Some((Token::Date(date), time.unwrap_or(rest)));
    }
    if let Some(rest) = rest.strip_prefix(':') {
        let (minutes, mut rest) = split_digits(rest)?;
        // Seconds say nothing here.
        for sign in [':', '.'] {
            rest = rest
                .strip_prefix(sign)
                .and_then(split_digits)
                .map_or(rest, |(_, rest)| rest);
        }
        let token = Token::Clock(digits.parse().ok()?, minutes.parse().ok()?);
        return (minutes.len() == 2).then_some((token, rest));
    }
    let fraction = rest.strip_prefix('.').and_then(split_digits);
    let behind = fraction.map_or(rest, |(_, behind)| behind);
    let number = text[..text.len() - behind.len()].parse().ok()?;
    Some((Token::Number(number), behind))
}

fn split_digits(text: &str) -> Option<(&str, &str)> {
    let end = text.find(|c: char| !c.is_ascii_digit());
    let (digits, rest) = text.split_at(end.unwrap_or(text.len()));
    (!digits.is_empty()).then_some((digits, rest))
}

/// The longest phrase a text begins with, as all that it means. Where words have spaces between them it is whole words.
fn split_phrase(text: &str) -> Option<(Vec<Token>, &str)> {
    let is_letter = |c: char| c.is_alphabetic() && !is_unspaced(c);
    let is_there = |phrase: &str| {
        let behind = text.strip_prefix(phrase);
        behind.is_some_and(|rest| !phrase.ends_with(is_letter) || !rest.starts_with(is_letter))
    };
    let (longest, _) = PHRASES.iter().find(|(phrase, _)| is_there(phrase))?;
    let same = PHRASES.iter().filter(|(phrase, _)| phrase == longest);
    Some((
        same.map(|(_, token)| *token).collect(),
        &text[longest.len()..],
    ))
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum SpokenDay {
    Ahead(u32),
    Weekday(u32),
    /// The month and its day, next or in a year.
    InMonth(u32, u32, Option<i32>),
    Date(NaiveDate),
}

/// What a text says of a moment.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct SpokenMoment {
    delay: Option<Millis>,
    day: Option<SpokenDay>,
    weeks_ahead: Option<u32>,
    clock: Option<(u32, u32)>,
    day_part: Option<u32>,
    /// The hour stands there as a number only: without a day or a part of one it may be anything.
    is_bare_hour: bool,
}

impl SpokenMoment {
    /// None where two of them contradict each other, or one says nothing where it stands.
    fn from_tokens(tokens: &[Token]) -> Option<Self> {
        let (mut said, mut left) = (Self::default(), tokens);
        while !left.is_empty() {
            left = said
                .take_clock(left)
                .or_else(|| said.take_day(left))
                .or_else(|| said.take_delay(left))?;
        }
        (said != Self::default()).then_some(said)
    }

    /// Takes a time of day off the front, if one stands there.
    fn take_clock<'a>(&mut self, tokens: &'a [Token]) -> Option<&'a [Token]> {
        use Token::{Clock, DayPart, Half, HourLead, HourSign, Number, Unit};
        let (hour, minute, rest) = match tokens {
            [HourLead, rest @ ..] if !matches!(rest, [Number(_), ..]) => return Some(rest),
            [DayPart(hour), rest @ ..] => {
                let is_same = |known: u32| (known < 12) == (*hour < 12);
                let fits = self.day_part.is_none_or(is_same);
                self.day_part = Some(*hour);
                return fits.then_some(rest);
            }
            [Clock(hour, minute), rest @ ..] => (f64::from(*hour), f64::from(*minute), rest),
            [Number(hour), HourSign, Half, rest @ ..] => (*hour, 30.0, rest),
            [Number(hour), HourSign, Number(count), Unit(unit), rest @ ..] if *unit < HOUR => {
                (*hour, count * (*unit / MINUTE) as f64, rest)
            }
            [Number(hour), HourSign, Number(minute), rest @ ..] => (*hour, *minute, rest),
            [Number(hour), HourSign, rest @ ..] | [HourLead, Number(hour), rest @ ..] => {
                (*hour, 0.0, rest)
            }
            [
                Number(_),
                Unit(_) | Half | Token::Month(_) | Token::MonthSign | Token::YearSign,
                ..,
            ] => return None,
            [Number(hour), rest @ ..] if *hour < FIRST_YEAR && self.clock.is_none() => {
                self.is_bare_hour = true;
                (*hour, 0.0, rest)
            }
            _ => return None,
        };
        let is_time = (0.0..=24.0).contains(&hour) && (0.0..60.0).contains(&minute);
        let is_whole = hour.fract() == 0.0 && minute.fract() == 0.0;
        let is_first = self.clock.replace((hour as u32, minute as u32)).is_none();
        (is_time && is_whole && is_first).then_some(rest)
    }

    /// Takes a day or a week off the front.
    fn take_day<'a>(&mut self, tokens: &'a [Token]) -> Option<&'a [Token]> {
        use Token::{
            Date, DaySign, DaysAhead, Month, MonthSign, Number, Weekday, WeekdayNextWeek,
            WeeksAhead, YearSign,
        };
        let (day, rest) = match tokens {
            [WeeksAhead(weeks), rest @ ..] => {
                return self.weeks_ahead.replace(*weeks).is_none().then_some(rest);
            }
            [WeekdayNextWeek(day), rest @ ..] => {
                self.weeks_ahead = Some(1);
                (SpokenDay::Weekday(*day), rest)
            }
            [Weekday(day), rest @ ..] => (SpokenDay::Weekday(*day), rest),
            [DaysAhead(days), rest @ ..] => (SpokenDay::Ahead(*days), rest),
            [Date(date), rest @ ..] => (SpokenDay::Date(*date), rest),
            [
                Number(year),
                YearSign,
                Number(month),
                MonthSign,
                Number(day),
                rest @ ..,
            ] => (
                SpokenDay::InMonth(*month as u32, *day as u32, Some(*year as i32)),
                rest,
            ),
            [Month(month), Number(day), Number(year), rest @ ..]
            | [Number(day), Month(month), Number(year), rest @ ..]
                if *year >= FIRST_YEAR =>
            {
                (
                    SpokenDay::InMonth(*month, *day as u32, Some(*year as i32)),
                    rest,
                )
            }
            [Month(month), Number(day), rest @ ..] | [Number(day), Month(month), rest @ ..] => {
                (SpokenDay::InMonth(*month, *day as u32, None), rest)
            }
            [Number(month), MonthSign, Number(day), rest @ ..] => {
                (SpokenDay::InMonth(*month as u32, *day as u32, None), rest)
            }
            _ => return None,
        };
        let rest = rest.strip_prefix(&[DaySign]).unwrap_or(rest);
        // A date may name its weekday as well.
        self.day = match (self.day, day) {
            (None | Some(SpokenDay::Weekday(_)), SpokenDay::InMonth(..) | SpokenDay::Date(_)) => {
                Some(day)
            }
            (Some(SpokenDay::InMonth(..) | SpokenDay::Date(_)), SpokenDay::Weekday(_)) => self.day,
            (None, _) => Some(day),
            _ => return None,
        };
        Some(rest)
    }

    /// Takes a length of time off the front; several add up.
    fn take_delay<'a>(&mut self, tokens: &'a [Token]) -> Option<&'a [Token]> {
        use Token::{Half, Number, Unit};
        let (count, unit, rest) = match tokens {
            [Number(count), Half, Unit(unit), rest @ ..]
            | [Number(count), Unit(unit), Half, rest @ ..] => (count + 0.5, *unit, rest),
            [Half, Unit(unit), rest @ ..] => (0.5, *unit, rest),
            [Number(count), Unit(unit), rest @ ..] => (*count, *unit, rest),
            _ => return None,
        };
        let length = (count * unit as f64).round() as Millis;
        self.delay = Some(self.delay.unwrap_or(0).saturating_add(length));
        Some(rest)
    }

    /// The moment, where it is now in a zone.
    fn resolve(&self, now: Millis, zone: Tz) -> Option<Millis> {
        let today = DateTime::from_timestamp_millis(now)?
            .with_timezone(&zone)
            .date_naive();
        let (days_over, time) = self.find_time_of_day()?;
        let has_time = self.clock.is_some() || self.day_part.is_some();
        let has_day = self.day.is_some() || self.weeks_ahead.is_some();
        if self.is_bare_hour && !has_day && self.day_part.is_none() {
            return None;
        }
        let on = |date: NaiveDate| {
            let date = date.checked_add_days(Days::new(days_over))?;
            resolve_local_time(date, time, zone)[0]
        };
        let after = |days: u32| on(today.checked_add_days(Days::new(days.into()))?);
        let to_come = |at: Option<Millis>| at.filter(|at| *at > now);
        let since_monday = today.weekday().num_days_from_monday();
        match (self.day, self.weeks_ahead, self.delay) {
            (None, None, Some(delay)) if !has_time => now.checked_add(delay),
            (None, None, Some(delay)) => after(
                u32::try_from(delay / DAY)
                    .ok()
                    .filter(|_| delay % DAY == 0)?,
            ),
            (_, _, Some(_)) => None,
            (None, None, None) => find_next_time(now, time, zone),
            (None, Some(weeks), None) => after(weeks * 7),
            (Some(SpokenDay::Weekday(day)), Some(weeks), None) => on(today
                .checked_sub_days(Days::new(since_monday.into()))?
                .checked_add_days(Days::new((weeks * 7 + day).into()))?),
            (Some(_), Some(_), None) => None,
            (Some(SpokenDay::Weekday(day)), None, None) => {
                let ahead = (day + 7 - since_monday) % 7;
                to_come(after(ahead)).or_else(|| after(ahead + 7))
            }
            (Some(SpokenDay::Ahead(days)), None, None) => after(days),
            (Some(SpokenDay::Date(date)), None, None) => on(date),
            (Some(SpokenDay::InMonth(month, day, year)), None, None) => {
                let in_year = |year| on(NaiveDate::from_ymd_opt(year, month, day)?);
                match year {
                    Some(year) => in_year(year),
                    None => to_come(in_year(today.year())).or_else(|| in_year(today.year() + 1)),
                }
            }
        }
    }

    /// The time of day, and how many days after the named one it is: 晚上12点 is the end of that day.
    fn find_time_of_day(&self) -> Option<(u64, NaiveTime)> {
        let (hour, minute) = match (self.clock, self.day_part) {
            (None, part) => (part.unwrap_or(DEFAULT_HOUR), 0),
            (Some(clock), None) => clock,
            (Some((hour, minute)), Some(part)) => {
                let hour = match hour {
                    12 if part < 12 => 0,
                    12 if part >= 18 => 24,
                    0..5 if part >= 18 => hour + 24,
                    // 中午11点 comes before noon.
                    10.. if part == 12 => hour,
                    0..12 if part >= 12 => hour + 12,
                    hour => hour,
                };
                (hour, minute)
            }
        };
        let time = NaiveTime::from_hms_opt(hour % 24, minute, 0)?;
        Some(((hour / 24).into(), time))
    }
}
