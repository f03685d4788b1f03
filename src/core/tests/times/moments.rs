//! Moments to come and lengths of time, as people and models write them.

use chrono::{DateTime, NaiveDateTime, TimeZone};
use chrono_tz::Tz;
use kith_core::chat::{DAY, HOUR, MINUTE, Millis};
use kith_core::moment::{find_moment, parse_duration};
use kith_language::Language;

const ZONE: Tz = Tz::Europe__Berlin;

/// When each text is written, and the moment it means.
const MOMENTS: &str = include_str!("moments.txt");

fn read_time(text: &str) -> Millis {
    let local = NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M").expect("a time");
    let local = ZONE.from_local_datetime(&local).single();
    local.expect("one").timestamp_millis()
}

fn read(text: &str, now: Millis) -> Option<String> {
    let at = DateTime::from_timestamp_millis(find_moment(text, now, ZONE)?.at)?;
    Some(at.with_timezone(&ZONE).format("%m-%d %H:%M").to_string())
}

#[test]
fn a_moment_is_read_to_its_last_word_or_refused() {
    let (mut now, mut misread) = (0, Vec::new());
    for line in MOMENTS.lines() {
        if let Some(written) = line.strip_prefix('[') {
            now = read_time(written.trim_end_matches(']'));
        } else if let Some((text, wanted)) = line.split_once(" = ") {
            let found = read(text, now).unwrap_or_else(|| "-".to_owned());
            if found != wanted {
                misread.push(format!("{text}: {found}, not {wanted}"));
            }
        }
    }
    assert!(misread.is_empty(), "{}", misread.join("\n"));
}

#[test]
fn a_time_that_clocks_skip_is_kept_as_it_was_named_and_said_to_be_later() {
    let now = read_time("2024-03-30 12:30");
    let named = find_moment("tomorrow 2:30 am", now, ZONE).expect("a moment");
    let settled = named.write_named(ZONE);
    assert_eq!(settled, "2024-03-31 02:30");
    assert_eq!(find_moment(&settled, now, ZONE), Some(named));
    for (language, later) in [
        (Language::EN, "forward past 02:30"),
        (Language::ZH, "没有 02:30"),
    ] {
        let answer = named.confirm(ZONE).in_language(language);
        assert!(
            answer.contains("2024-03-31 03:30") && answer.contains(later),
            "{answer}"
        );
    }
}

#[test]
fn a_length_of_time_is_nothing_else_besides() {
    for (text, wanted) in [
        ("1h 30m", Some(90 * MINUTE)),
        (" 2 Hours ", Some(2 * HOUR)),
        ("2小时", Some(2 * HOUR)),
        ("半天", Some(DAY / 2)),
        ("30", None),
        ("tomorrow", None),
        ("2h tomorrow", None),
    ] {
        assert_eq!(parse_duration(text), wanted, "{text}");
    }
}

proptest::proptest! {
    #[test]
    fn whatever_is_written_is_read_without_a_panic(
        text in "([0-9:./T +-]|at|am|五月|点|半|next week|friday|month|[0-9]{1,20}|\\PC){0,12}",
    ) {
        let _ = (find_moment(&text, DAY, ZONE), parse_duration(&text));
    }
}
