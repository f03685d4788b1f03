//! The moments people and models write: `in 20 minutes`, `friday 8pm`, 明天早上9点, `2026-03-01 18:30`. What is not understood
//! to its last word is no moment: a reminder that comes at another time is worse than one that is refused.

mod day_fact;
mod token;

use chrono::{DateTime, Days, FixedOffset, NaiveDate, NaiveDateTime, NaiveTime, Timelike};
use chrono_tz::Tz;
use kith_language::{LocalizedMessage, tools};

use crate::calendar::find_instants;
use crate::chat::{DAY, HOUR, MINUTE, Millis};
use day_fact::{DayFact, WEEKEND};
use token::{Token, split_tokens};

const FORM: &str = "%Y-%m-%d %H:%M";
/// The hour of a day that is named without one.
const DEFAULT_HOUR: u32 = 9;
/// A bare number from here on is a year.
const FIRST_YEAR: f64 = 1970.0;
const WEEK: Millis = 7 * DAY;
const MONTH: Millis = 30 * DAY;
/// How far ahead a day is looked for: two years hold every day of a month that is a certain weekday.
const DAYS_LOOKED_AT: usize = 800;
/// From this hour on twelve is midnight, and the hours past it are the same night.
const EVENING: u32 = 18;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    pub at: Millis,
    /// What was named, where clocks are set forward past it; then it is as much later.
    pub skipped: Option<NaiveDateTime>,
}

impl Moment {
    /// What was named, as `find_moment` reads it again.
    pub fn write_named(&self, zone: Tz) -> String {
        let named = self.skipped.or_else(|| read_clock(self.at, zone));
        named.unwrap_or_default().format(FORM).to_string()
    }

    /// What is answered to who named it.
    pub fn confirm(&self, zone: Tz) -> LocalizedMessage {
        let at = read_clock(self.at, zone).unwrap_or_default().format(FORM);
        match self.skipped {
            None => tools::noted_for(at.to_string()),
            Some(named) => {
                tools::noted_for_later(at.to_string(), named.format("%H:%M").to_string())
            }
        }
    }
}

fn read_clock(at: Millis, zone: Tz) -> Option<NaiveDateTime> {
    DateTime::from_timestamp_millis(at).map(|at| at.with_timezone(&zone).naive_local())
}

/// The moment a text means that is written now: so many minutes from now, the next time a clock shows it, or by its day.
/// It may be over. None where a word of it is not understood.
pub fn find_moment(text: &str, now: Millis, zone: Tz) -> Option<Moment> {
    let text = text.trim();
    let minutes = text.parse::<u32>().ok();
    let later = minutes.map(|minutes| now + Millis::from(minutes) * MINUTE);
    later
        .or_else(|| parse_with_offset(text))
        .map(|at| Moment { at, skipped: None })
        .or_else(|| SpokenMoment::from_tokens(&split_tokens(text)?)?.resolve(now, zone))
}

/// The moment that parameters of a call mean: in words, or in so many minutes and hours.
pub fn find_given_moment(
    [words, minutes, hours]: [&Option<String>; 3],
    now: Millis,
    zone: Tz,
) -> Option<Moment> {
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
    alone.delay.filter(|_| spoken == alone)
}

/// ISO 8601 with its offset from UTC.
fn parse_with_offset(text: &str) -> Option<Millis> {
    let text = text.replacen(' ', "T", 1);
    ["%Y-%m-%dT%H:%M:%S%.f%#z", "%Y-%m-%dT%H:%M%#z"]
        .into_iter()
        .find_map(|form| DateTime::<FixedOffset>::parse_from_str(&text, form).ok())
        .map(|at| at.timestamp_millis())
}

#[derive(Debug, Default, PartialEq)]
struct SpokenMoment {
    delay: Option<Millis>,
    /// All of it holds.
    day: Vec<DayFact>,
    clock: Option<(u32, u32)>,
    day_part: Option<u32>,
    /// The hour is one of a whole day.
    is_exact: bool,
    /// The hour stands there as a number only: without a day or a part of one it may be anything.
    is_bare_hour: bool,
}

impl SpokenMoment {
    /// None where a word says nothing where it stands.
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
        use Token::{Clock, Day, DayPart, Half, HourLead, HourSign, Number, Past, To};
        let led = tokens.strip_prefix(&[HourLead]);
        let (hour, minute, rest) = match led.unwrap_or(tokens) {
            [DayPart(hour), rest @ ..] => {
                let is_same = |known: u32| (known < 12) == (*hour < 12);
                let fits = self.day_part.is_none_or(is_same);
                self.day_part = Some(*hour);
                return fits.then_some(rest);
            }
            [Clock(hour, minute, is_exact), rest @ ..] => {
                self.is_exact |= is_exact;
                (*hour, *minute, rest)
            }
            [Half, Past, Number(hour), rest @ ..] => (*hour, 30.0, rest),
            [Number(minute), Past, Number(hour), rest @ ..] => (*hour, *minute, rest),
            [Number(minute), To, Number(hour), rest @ ..]
                if minute % 5.0 == 0.0 && !is_counted(rest) =>
            {
                let before = if *hour == 1.0 { 12.0 } else { hour - 1.0 };
                (before, 60.0 - minute, rest)
            }
            [Number(hour), HourSign, rest @ ..] => {
                let (minute, rest) = split_minutes(rest, true).unwrap_or((0.0, rest));
                (*hour, minute, rest)
            }
            [Number(hour), rest @ ..]
                if !is_counted(rest)
                    || led.is_some() && matches!(rest, [Day(DayFact::Month(_)), ..]) =>
            {
                let minutes = split_minutes(rest, false);
                let is_bare = led.is_none() && minutes.is_none();
                // `friday 13` may be a day.
                if is_bare && *hour > 12.0 {
                    return None;
                }
                self.is_bare_hour |= is_bare;
                let (minute, rest) = minutes.unwrap_or((0.0, rest));
                (*hour, minute, rest)
            }
            [Number(_) | Half, ..] => return led,
            _ => return None,
        };
        let is_time = (0.0..=24.0).contains(&hour) && (0.0..60.0).contains(&minute);
        let is_whole = hour.fract() == 0.0 && minute.fract() == 0.0;
        let is_first = self.clock.replace((hour as u32, minute as u32)).is_none();
        (is_time && is_whole && is_first).then_some(rest)
    }

    /// Takes what is said of a day off the front.
    fn take_day<'a>(&mut self, tokens: &'a [Token]) -> Option<&'a [Token]> {
        use DayFact::{LastDay, Month, Months, OnlyNextWeek, Weekday, Weeks, Year};
        use Token::{Day, DayLead, MonthSign, Next, NextOrComing, Number, Unit};
        let tokens = tokens.strip_prefix(&[DayLead]).unwrap_or(tokens);
        let has_day = self.day.iter().any(|fact| matches!(fact, DayFact::Day(_)));
        let (facts, taken) = match *tokens {
            [Next(ahead), Unit(WEEK), ..] => (vec![Weeks(ahead)], 2),
            [NextOrComing, Unit(WEEK), ..] => (vec![Weeks(1.0)], 2),
            [Next(ahead), Unit(MONTH) | MonthSign, ..] => (vec![Months(ahead)], 2),
            [NextOrComing, Unit(MONTH), ..] => (vec![Months(1.0)], 2),
            [Next(ahead), Day(LastDay), ..] => (vec![Months(ahead), LastDay], 2),
            [Next(ahead), Day(day @ Weekday(_)), ..] => (vec![Weeks(ahead), day], 2),
            [NextOrComing, Day(day @ Weekday(_)), ..] => (vec![OnlyNextWeek, day], 2),
            [Day(month @ Month(_)), Number(day), ..] | [Number(day), Day(month @ Month(_)), ..]
                if !has_day =>
            {
                (vec![month, DayFact::Day(day)], 2)
            }
            [Number(month), Day(LastDay), ..] => (vec![Month(month), LastDay], 2),
            [Day(fact), ..] => {
                self.is_exact |= matches!(fact, DayFact::Date(_));
                (vec![fact], 1)
            }
            [Number(year), ref behind @ ..]
                if year >= FIRST_YEAR && !matches!(behind, [Unit(_), ..]) =>
            {
                (vec![Year(year)], 1)
            }
            _ => return None,
        };
        self.day.extend(facts);
        tokens.get(taken..)
    }

    /// Takes a length of time off the front; several add up. Of two the shorter counts: who is reminded too early can wait.
    fn take_delay<'a>(&mut self, tokens: &'a [Token]) -> Option<&'a [Token]> {
        use Token::{Half, Number, Or, To, Unit};
        let (count, unit, rest) = match tokens {
            [Number(count), Half, Unit(unit), rest @ ..]
            | [Number(count), Unit(unit), Half, rest @ ..] => (count + 0.5, *unit, rest),
            [Half, Unit(unit), rest @ ..] => (0.5, *unit, rest),
            // An hour or two.
            [Number(count), Unit(unit), Or, Number(_), rest @ ..]
            | [Number(count), Or | To, Number(_), Unit(unit), rest @ ..]
            | [Number(count), Unit(unit), rest @ ..] => (*count, *unit, rest),
            // 两三天
            [Number(count), Number(more), Unit(unit), rest @ ..]
                if count < more && *more < 10.0 =>
            {
                (*count, *unit, rest)
            }
            _ => return None,
        };
        let length = (count * unit as f64).round() as Millis;
        self.delay = Some(self.delay.unwrap_or(0).saturating_add(length));
        Some(rest)
    }

    /// The moment, where it is now in a zone: the first to come, or one that is over where its day was named.
    fn resolve(mut self, now: Millis, zone: Tz) -> Option<Moment> {
        use DayFact::{Date, Day, Days, LastDay, Month, Months, Weekday, Year};
        let local = DateTime::from_timestamp_millis(now)?.with_timezone(&zone);
        let today = local.date_naive();
        let has_time = self.clock.is_some() || self.day_part.is_some();
        match self.delay {
            Some(delay) if !has_time && self.day.is_empty() => {
                let at = now.checked_add(delay)?;
                return Some(Moment { at, skipped: None });
            }
            Some(delay) if delay % DAY == 0 => self.day.push(Days((delay / DAY) as f64)),
            Some(_) => return None,
            None => self.complete_day(),
        }
        let kinds = |kind: fn(&DayFact) -> bool| self.day.iter().any(kind);
        let is_span = kinds(|fact| matches!(fact, Months(_) | Year(_) | Month(_)));
        let is_day = kinds(|fact| matches!(fact, Day(_) | LastDay));
        let is_named = !self.day.is_empty();
        if is_span && !is_day || self.is_bare_hour && !is_named && self.day_part.is_none() {
            return None;
        }
        let start = self.day.iter().find_map(|fact| match fact {
            Year(year) => Some(NaiveDate::from_ymd_opt(*year as i32, 1, 1)),
            Date(date) => Some(Some(*date)),
            _ => None,
        });
        // What is said without a day may belong to last night.
        let last_night = || {
            if is_named {
                Some(today)
            } else {
                today.pred_opt()
            }
        };
        let start = start.unwrap_or_else(last_night)?;
        let is_evening = local.hour() >= EVENING;
        let fits = |date: NaiveDate, beside_weekday: bool| {
            let is_beside = |fact: &&DayFact| beside_weekday && matches!(fact, Weekday(_));
            let mut facts = self.day.iter().filter(|fact| !is_beside(fact));
            facts.all(|fact| fact.is_true_of(date, today))
        };
        let mut over = None;
        for date in start
            .iter_days()
            .take(DAYS_LOOKED_AT)
            .filter(|date| fits(*date, is_day))
        {
            let hours = self.list_hours(date == today, is_named, is_evening);
            let moments = hours.iter().flatten();
            for moment in moments.flat_map(|hour| self.list_moments(date, *hour, zone)) {
                if moment.at > now {
                    // A date is not looked for until its weekday is right as well.
                    return fits(date, false).then_some(moment);
                }
                over = over.or(is_named.then_some(moment));
            }
        }
        over
    }

    /// `next week` is this day of it; a weekend is this week's and a last day this month's, unless another is named.
    fn complete_day(&mut self) {
        use DayFact::{Days, LastDay, Month, Months, OnlyNextWeek, Weekday, Weeks};
        if let [Weeks(ahead)] = self.day[..] {
            self.day = vec![Days(ahead * 7.0)];
        }
        let has = |kind: fn(&DayFact) -> bool| self.day.iter().any(kind);
        if has(|fact| *fact == Weekday(WEEKEND))
            && !has(|fact| matches!(fact, Weeks(_) | OnlyNextWeek))
        {
            self.day.push(Weeks(0.0));
        } else if has(|fact| *fact == LastDay) && !has(|fact| matches!(fact, Month(_) | Months(_)))
        {
            self.day.push(Months(0.0));
        }
    }

    /// The hours of a day that are meant; from 24 on they are of the next one. One that may be of either half of a day
    /// is the next to come of both, and on another day that between seven in the morning and seven in the evening. None
    /// where that is another day than the next to come: who says `at 3` in the evening may mean the night.
    fn list_hours(&self, is_today: bool, is_named: bool, is_evening: bool) -> [Option<u32>; 2] {
        let hour = match (self.clock, self.day_part) {
            (None, part) => part.unwrap_or(DEFAULT_HOUR),
            (Some((hour, _)), Some(part)) => match hour {
                12 if part < 12 => 0,
                12 if part >= EVENING => 24,
                0..5 if part >= EVENING => hour + 24,
                // 中午11点 comes before noon.
                10.. if part == 12 => hour,
                0..12 if part >= 12 => hour + 12,
                hour => hour,
            },
            (Some((hour @ 1..=12, _)), None) if !self.is_exact => match hour {
                12 if is_today => return [Some(12), is_evening.then_some(24)],
                _ if is_today => return [Some(hour), Some(hour + 12)],
                7..12 => hour,
                12 if is_named => hour,
                1..7 if is_named => hour + 12,
                _ => return [None; 2],
            },
            (Some((hour, _)), None) => hour,
        };
        [Some(hour), None]
    }

    fn list_moments(&self, date: NaiveDate, hour: u32, zone: Tz) -> impl Iterator<Item = Moment> {
        let minute = self.clock.map_or(0, |(_, minute)| minute);
        let date = date.checked_add_days(Days::new((hour / 24).into()));
        let time = NaiveTime::from_hms_opt(hour % 24, minute, 0);
        let named = date.zip(time).map(|(date, time)| date.and_time(time));
        named.into_iter().flat_map(move |named| {
            let moments = find_instants(named, zone).into_iter().flatten();
            moments.map(move |at| Moment {
                at,
                skipped: (read_clock(at, zone) != Some(named)).then_some(named),
            })
        })
    }
}

/// The minutes behind an hour: any number behind its sign, as in 点, else only what is said in full: `oh five`.
fn split_minutes(tokens: &[Token], has_sign: bool) -> Option<(f64, &[Token])> {
    use Token::{Half, Number, Unit};
    let (minute, rest) = match tokens {
        [Half, rest @ ..] if has_sign => (30.0, rest),
        [Number(nought), Number(minute), rest @ ..] if *nought == 0.0 && *minute < 10.0 => {
            (*minute, rest.strip_prefix(&[Unit(MINUTE)]).unwrap_or(rest))
        }
        [Number(count), Unit(unit), rest @ ..] if has_sign && *unit < HOUR => {
            (count * (*unit / MINUTE) as f64, rest)
        }
        [Number(minute), rest @ ..] if has_sign || *minute >= 10.0 => (*minute, rest),
        _ => return None,
    };
    (!is_counted(rest)).then_some((minute, rest))
}

/// Whether a number in front of it is no time of day.
fn is_counted(behind: &[Token]) -> bool {
    use DayFact::{LastDay, Month};
    use Token::{Day, Half, HourSign, Number, Or, Past, To, Unit};
    matches!(
        behind,
        [Number(_), Unit(_), ..]
            | [
                Unit(_) | Half | Day(Month(_) | LastDay) | HourSign | Or | To | Past,
                ..
            ]
    )
}
