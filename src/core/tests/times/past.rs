//! The time that a question speaks of.

use chrono::DateTime;
use chrono_tz::Tz;
use kith_core::chat::Millis;
use kith_core::recall::find_time_range;

/// Wednesday 15 May 2024, 12:00 in UTC.
const NOW: Millis = 1_715_774_400_000;

fn days(text: &str) -> Option<String> {
    let found = find_time_range(text, NOW, Tz::UTC)?;
    let day = |at: Millis| {
        let at = DateTime::from_timestamp_millis(at).expect("in range");
        at.format("%Y-%m-%d").to_string()
    };
    Some(format!("{} {}", day(found.from), day(found.to - 1)))
}

#[test]
fn a_time_that_is_spoken_of_is_found_in_both_languages() {
    for (text, wanted) in [
        ("what did we do yesterday?", "2024-05-14 2024-05-14"),
        ("昨天说好去哪来着", "2024-05-14 2024-05-14"),
        ("who won last night", "2024-05-14 2024-05-14"),
        ("what did tom say last week", "2024-05-06 2024-05-12"),
        ("上周谁说要搬家", "2024-05-06 2024-05-12"),
        ("where were you last weekend", "2024-05-11 2024-05-12"),
        ("上周末你们去哪了", "2024-05-11 2024-05-12"),
        ("上周四那家店叫什么", "2024-05-09 2024-05-09"),
        ("what was it last Thursday", "2024-05-09 2024-05-09"),
        ("what happened on wednesday", "2024-05-08 2024-05-08"),
        ("周一谁请的客", "2024-05-13 2024-05-13"),
        ("three days ago you said no", "2024-05-12 2024-05-12"),
        ("3天前吃的什么", "2024-05-12 2024-05-12"),
        ("a week ago or so", "2024-05-05 2024-05-11"),
        ("两周前那场雨", "2024-04-28 2024-05-04"),
        ("the trip in March", "2024-03-01 2024-03-31"),
        ("三月那次旅行", "2024-03-01 2024-03-31"),
        ("in november 2022", "2022-11-01 2022-11-30"),
        ("十一月谁生日", "2023-11-01 2023-11-30"),
        ("上个月的账单", "2024-04-01 2024-04-30"),
        ("the cat we lost last year", "2023-01-01 2023-12-31"),
        ("去年夏天", "2023-01-01 2023-12-31"),
    ] {
        assert_eq!(days(text).as_deref(), Some(wanted), "{text}");
    }
}

#[test]
fn what_only_looks_like_a_time_is_none() {
    for text in [
        "you may go",
        "march on",
        "see you tomorrow",
        "下周见",
        "the last one",
        "in 3 days",
        "room 2100",
    ] {
        assert_eq!(days(text), None, "{text}");
    }
}
