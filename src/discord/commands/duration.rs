//! How long a pause is to last, as people write it: `30m`, `1h 30m`, `2 小时`, `0`.

use kith_core::chat::{DAY, Millis};
use kith_core::moment::parse_duration;
use kith_core::persona::Language;
use kith_language::commands;

/// The longest pause: what is to last longer is switched off.
const LONGEST_PAUSE: Millis = 365 * DAY;

/// Reads a time; milliseconds, 0 for the end of a pause. The error is a sentence that says what to write.
pub(super) fn parse_pause(text: &str, language: Language) -> Result<Millis, String> {
    let length = if text.trim() == "0" {
        Some(0)
    } else {
        parse_duration(text)
    };
    match length {
        None => Err(commands::write_a_time().in_language(language)),
        Some(length) if length > LONGEST_PAUSE => {
            Err(commands::pause_too_long().in_language(language))
        }
        Some(length) => Ok(length),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kith_core::chat::{HOUR, MINUTE, SECOND};

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
        for text in ["", " ", "soon", "30", "m", "-5m", "5x", "30m!"] {
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
