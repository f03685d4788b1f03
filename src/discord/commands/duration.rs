//! How long a pause is to last, as people write it: `30m`, `1h 30m`, `2 小时`, `0`.

use std::sync::LazyLock;

use kith_core::chat::{DAY, HOUR, MINUTE, Millis, SECOND};
use kith_core::persona::Language;
use kith_language::{PhraseList, commands, word_lists, word_table};

/// The longest pause: what is to last longer is switched off.
const LONGEST_PAUSE: Millis = 365 * DAY;

word_table! {
    /// The units, every spelling in lower case.
    struct UnitWords {
        seconds: PhraseList,
        minutes: PhraseList,
        hours: PhraseList,
        days: PhraseList,
    }
}

static UNITS: LazyLock<UnitWords> =
    LazyLock::new(|| UnitWords::from_lists(word_lists("pause_units")));

impl UnitWords {
    fn find_length(&self, name: &str) -> Option<Millis> {
        let units = [
            (SECOND, &self.seconds),
            (MINUTE, &self.minutes),
            (HOUR, &self.hours),
            (DAY, &self.days),
        ];
        let unit = units.into_iter().find(|(_, names)| names.contains(name))?;
        Some(unit.0)
    }
}

/// Reads a time; milliseconds, 0 for the end of a pause. The error is a sentence that says what to write.
pub(super) fn parse_pause(text: &str, language: Language) -> Result<Millis, String> {
    let Some(time) = parse_duration(text) else {
        return Err(commands::write_a_time().in_language(language));
    };
    if time > LONGEST_PAUSE {
        return Err(commands::pause_too_long().in_language(language));
    }
    Ok(time)
}

fn parse_duration(text: &str) -> Option<Millis> {
    let text = text.trim().to_lowercase();
    if text == "0" {
        return Some(0);
    }
    let (mut rest, mut time): (&str, Millis) = (&text, 0);
    while !rest.is_empty() {
        let (number, after) = split_prefix(rest, |c| c.is_ascii_digit());
        let (unit, after) = split_prefix(after.trim_start(), |c| c.is_alphabetic());
        let unit = UNITS.find_length(unit)?;
        time = time.saturating_add(unit.saturating_mul(number.parse().ok()?));
        rest = after.trim_start();
    }
    (!text.is_empty()).then_some(time)
}

/// The characters at the start that are of a kind, and the rest.
fn split_prefix(text: &str, kind: impl Fn(char) -> bool) -> (&str, &str) {
    text.split_at(text.find(|c| !kind(c)).unwrap_or(text.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_is_read_as_people_write_it() {
        for (text, time) in [
            ("0", 0),
            ("30m", 30 * MINUTE),
            (" 2H ", 2 * HOUR),
            ("1d", DAY),
            ("1h30m", 90 * MINUTE),
            ("1 h 30 min", 90 * MINUTE),
            ("45 seconds", 45 * SECOND),
            ("2小时", 2 * HOUR),
            ("30 分钟", 30 * MINUTE),
            ("365d", LONGEST_PAUSE),
        ] {
            assert_eq!(parse_pause(text, Language::EN), Ok(time), "{text}");
        }
    }

    #[test]
    fn what_is_no_time_is_told_how_to_write_one() {
        for text in [
            "",
            " ",
            "soon",
            "30",
            "m",
            "-5m",
            "1.5h",
            "5x",
            "30m!",
            "99999999999999999999d",
        ] {
            assert!(
                parse_pause(text, Language::EN).is_err_and(|told| told.contains("30m")),
                "{text}"
            );
        }
        assert!(parse_pause("366d", Language::EN).is_err_and(|told| told.contains("365 days")));
        assert!(
            parse_pause("9223372036854775807d", Language::ZH)
                .is_err_and(|told| told.contains("365"))
        );
    }
}
