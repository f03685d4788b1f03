//! Some hours of each day.

use chrono_tz::Tz;
use kith_core::chat::{HOUR, Millis};
use kith_core::daily_hours::{DailyHours, HoursError};

/// 2026-01-05 00:00 UTC.
const MIDNIGHT: Millis = 1_767_571_200_000;

#[test]
fn they_are_written_as_they_are_read() {
    for text in [
        "23:00-08:00",
        "12:30-14:00 Europe/Berlin",
        "00:00-07:15 Asia/Shanghai",
    ] {
        assert_eq!(
            text.parse::<DailyHours>().map(|hours| hours.to_string()),
            Ok(text.to_owned())
        );
    }
    assert_eq!(
        "23:00-8:00"
            .parse::<DailyHours>()
            .map(|hours| hours.to_string()),
        Ok("23:00-08:00".to_owned())
    );
    assert_eq!("23-8".parse::<DailyHours>(), Err(HoursError::Times));
    assert_eq!(
        "23:00 to 08:00".parse::<DailyHours>(),
        Err(HoursError::Times)
    );
    assert_eq!("08:00-08:00".parse::<DailyHours>(), Err(HoursError::Empty));
    assert_eq!(
        "23:00-08:00 Mars/Base".parse::<DailyHours>(),
        Err(HoursError::Zone)
    );
}

#[test]
fn they_hold_past_midnight_and_by_their_own_clock() {
    let holds = |text: &str, hour: i64, own: Tz| {
        text.parse::<DailyHours>()
            .is_ok_and(|hours| hours.is_active(MIDNIGHT + hour * HOUR, own))
    };
    let night = |hour| holds("23:00-08:00", hour, Tz::UTC);
    assert_eq!(
        [22, 23, 24, 31, 32].map(night),
        [false, true, true, true, false]
    );
    // Berlin is an hour ahead in winter.
    assert!(holds("23:00-08:00", 22, Tz::Europe__Berlin));
    assert!(holds("12:00-14:00 Europe/Berlin", 11, Tz::UTC));
    assert!(!holds("12:00-14:00 Europe/Berlin", 13, Tz::Europe__Berlin));
}
