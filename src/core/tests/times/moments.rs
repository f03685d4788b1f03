//! Moments to come and lengths of time, as people and models write them.

use chrono::{DateTime, TimeZone};
use chrono_tz::Tz;
use kith_core::chat::{DAY, HOUR, MINUTE, Millis};
use kith_core::moment::{find_moment, parse_duration};

const ZONE: Tz = Tz::Europe__Berlin;

/// Wednesday 15 May 2024, 12:30 in Berlin.
fn now() -> Millis {
    let local = ZONE.with_ymd_and_hms(2024, 5, 15, 12, 30, 0);
    local.single().expect("one").timestamp_millis()
}

fn read(text: &str) -> Option<String> {
    let at = DateTime::from_timestamp_millis(find_moment(text, now(), ZONE)?)?;
    Some(at.with_timezone(&ZONE).format("%m-%d %H:%M").to_string())
}

#[test]
fn a_moment_is_read_as_people_and_models_write_it() {
    for (text, wanted) in [
        ("90", "05-15 14:00"),
        ("2h", "05-15 14:30"),
        ("90 min", "05-15 14:00"),
        ("in 20 minutes", "05-15 12:50"),
        ("In twenty-five minutes", "05-15 12:55"),
        ("20 minutes from now", "05-15 12:50"),
        ("in an hour and a half", "05-15 14:00"),
        ("half an hour", "05-15 13:00"),
        ("1h30m", "05-15 14:00"),
        ("1.5 hours", "05-15 14:00"),
        ("in a week", "05-22 12:30"),
        ("in 3 days at 9", "05-18 09:00"),
        ("tomorrow", "05-16 09:00"),
        ("tomorrow 9am", "05-16 09:00"),
        ("tomorrow at 9:30 p.m.", "05-16 21:30"),
        ("9 o'clock tomorrow", "05-16 09:00"),
        ("tomorrow morning", "05-16 09:00"),
        ("the day after tomorrow, noon", "05-17 12:00"),
        ("today at 18:30", "05-15 18:30"),
        ("tonight", "05-15 20:00"),
        ("tonight at 9", "05-15 21:00"),
        ("12 am", "05-16 00:00"),
        ("friday 8pm", "05-17 20:00"),
        ("on Friday", "05-17 09:00"),
        ("wednesday 12:00", "05-22 12:00"),
        ("wed 13:00", "05-15 13:00"),
        ("monday next week", "05-20 09:00"),
        ("next week", "05-22 09:00"),
        ("9:00", "05-16 09:00"),
        ("at 18:30", "05-15 18:30"),
        ("8pm", "05-15 20:00"),
        ("midnight", "05-16 00:00"),
        ("Sunday, June 2, 8pm", "06-02 20:00"),
        ("December 25", "12-25 09:00"),
        ("3rd of May at 18:00", "05-03 18:00"),
        ("2024-06-01", "06-01 09:00"),
        ("2024/6/1 8pm", "06-01 20:00"),
        ("2024-06-01 18:30", "06-01 18:30"),
        ("2024-06-01T18:30:00", "06-01 18:30"),
        ("2024-06-01T18:30:00.250", "06-01 18:30"),
        ("2024-06-01T18:30:00Z", "06-01 20:30"),
        ("2024-06-01T18:30Z", "06-01 20:30"),
        ("2024-06-01 18:30+01:00", "06-01 19:30"),
        ("2024-06-01T18:30:00.000+0800", "06-01 12:30"),
        ("30分钟后", "05-15 13:00"),
        ("两小时后", "05-15 14:30"),
        ("一个半小时后", "05-15 14:00"),
        ("半小时后", "05-15 13:00"),
        ("二十五分钟后", "05-15 12:55"),
        ("一刻钟后", "05-15 12:45"),
        ("明天", "05-16 09:00"),
        ("明天早上9点", "05-16 09:00"),
        ("明早8点半", "05-16 08:30"),
        ("明天9时30分", "05-16 09:30"),
        ("今晚十点一刻", "05-15 22:15"),
        ("今晚12点", "05-16 00:00"),
        ("下周五晚上八点", "05-24 20:00"),
        ("周五下午", "05-17 15:00"),
        ("这周日中午", "05-19 12:00"),
        ("三天后早上九点", "05-18 09:00"),
        ("后天", "05-17 09:00"),
        ("下午三点二十", "05-15 15:20"),
        ("6月1号上午10点", "06-01 10:00"),
        ("2024年6月1日下午一点半", "06-01 13:30"),
        ("９：００", "05-16 09:00"),
    ] {
        assert_eq!(read(text).as_deref(), Some(wanted), "{text}");
    }
}

#[test]
fn what_is_not_understood_to_its_last_word_is_no_moment() {
    for text in [
        "",
        " ",
        "soon",
        "later",
        "when Ben is back",
        "every day at 9",
        "before 9:00",
        "-5",
        "25:00",
        "9:75",
        "tomorrow or friday",
        "mon-fri 9am",
        "-5 minutes",
        "tomorrow 9am 10am",
        "at 9am and at 9pm",
        "3 days ago",
        "may",
        "9点9点",
        "每天早上9点",
        "等会儿",
        "2024-13-01",
        "february 30",
        "2 hours tomorrow",
    ] {
        assert_eq!(read(text), None, "{text}");
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
        let _ = (find_moment(&text, now(), ZONE), parse_duration(&text));
    }
}
