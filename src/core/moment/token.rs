//! The words of a text that names a moment, as far as they matter.

use std::sync::LazyLock;

use chrono::NaiveDate;
use kith_language::{WordSections, word_lists};

use super::day_fact::DayFact;
use crate::chat::{Millis, SECOND};
use crate::word::is_unspaced;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Token {
    Number(f64),
    Half,
    /// How long it is, in milliseconds.
    Unit(Millis),
    Day(DayFact),
    /// 下 before a week, a weekday or a month.
    Next(f64),
    /// `next` before a weekday may mean the one to come.
    NextOrComing,
    /// Never stands before an hour.
    DayLead,
    /// What makes the number before it a day, a month or a year.
    DaySign,
    MonthSign,
    YearSign,
    DayPart(u32),
    HourLead,
    HourSign,
    /// Hours, minutes, and whether the hours are those of a whole day: `09:00`.
    Clock(f64, f64, bool),
    /// `half past nine`.
    Past,
    /// `ten to nine`, `two to three days`.
    To,
    Or,
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
            "days_ahead" => Self::Day(DayFact::Days(number.into())),
            "weekdays" => Self::Day(DayFact::Weekday(number.into())),
            "months" => Self::Day(DayFact::Month(number.into())),
            "month_ends" => Self::Day(DayFact::LastDay),
            "next" => Self::Next(number.into()),
            "next_or_coming" => Self::NextOrComing,
            "day_leads" => Self::DayLead,
            "day_signs" => Self::DaySign,
            "month_signs" => Self::MonthSign,
            "year_signs" => Self::YearSign,
            "day_parts" => Self::DayPart(number),
            "hour_leads" => Self::HourLead,
            "hour_signs" => Self::HourSign,
            "past" => Self::Past,
            "to" => Self::To,
            "or" => Self::Or,
            _ => {
                debug_assert_eq!(heading, "fillers", "no list is called so");
                Self::Filler
            }
        }
    }

    /// What a number and the sign behind it say of a day.
    fn make_fact(self, sign: Self) -> Option<DayFact> {
        match (self, sign) {
            (Self::Number(day), Self::DaySign) => Some(DayFact::Day(day)),
            (Self::Number(month), Self::MonthSign) => Some(DayFact::Month(month)),
            (Self::Number(year), Self::YearSign) => Some(DayFact::Year(year)),
            _ => None,
        }
    }
}

/// The words of a text; none where one is not known.
pub(super) fn split_tokens(text: &str) -> Option<Vec<Token>> {
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
            (Some(Token::Number(whole)), [Token::Number(next)])
                if is_word
                    && ends_in_word
                    && let Some(joined) =
                        join_number_words(*whole, *next, rest.starts_with(is_unspaced)) =>
            {
                *whole = joined;
            }
            (Some(before), [sign]) if let Some(fact) = before.make_fact(*sign) => {
                *before = Token::Day(fact);
            }
            _ => tokens.extend(found.into_iter().filter(|token| *token != Token::Filler)),
        }
        // `2-3 days`
        if !is_word && behind.starts_with(is_dash) {
            tokens.push(Token::Or);
        }
        ends_in_word = is_word;
        rest = behind.trim_start_matches(|c| is_space(c) || is_dash(c));
    }
    Some(tokens)
}

fn is_dash(c: char) -> bool {
    matches!(c, '-' | '–' | '~')
}

/// The number that two words make: `twenty five`, 二十五. `seven fifteen` and 两三 stay two numbers.
fn join_number_words(whole: f64, next: f64, is_unspaced: bool) -> Option<f64> {
    let is_digit = |number| (1.0..10.0).contains(&number);
    if is_unspaced && is_digit(whole) && next == 10.0 {
        return Some(whole * next);
    }
    let is_tens = whole % 10.0 == 0.0 && whole >= if is_unspaced { 10.0 } else { 20.0 };
    (is_tens && is_digit(next)).then_some(whole + next)
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
        return Some((Token::Day(DayFact::Date(date)), time.unwrap_or(rest)));
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
        let hour = digits.parse().ok()?;
        let is_exact = digits.starts_with('0') || hour > 12.0;
        let token = Token::Clock(hour, minutes.parse().ok()?, is_exact);
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
