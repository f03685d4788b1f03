//! Numbers, times and terms as people read them on a card, without any judgement.

use kith_core::chat::{DAY, HOUR, MINUTE, Millis, SECOND};
use kith_core::persona::Language;
use kith_core::policy::ChannelMode;
use kith_core::report::{DirectAddress, MessageDecision, Refusal, SelfTrigger};
pub use kith_core::truncate::truncate_line;
use kith_core::willingness::{format_signed, list_reasons};
use kith_language::{decisions, durations, lists};

/// `31 %` of a share of 0 … 1.
pub fn format_percent(share: f32, language: Language) -> String {
    let percent = (share * 100.0).round() as i64;
    lists::percent(percent).in_language(language)
}

/// `1,234,567`.
pub fn format_thousands(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A sum in the money that prices are written in; a small one is not rounded away.
pub fn format_money(cost: f64) -> String {
    match cost {
        cost if cost < 0.01 => format!("{cost:.6}"),
        cost if cost < 1.0 => format!("{cost:.4}"),
        cost => format!("{cost:.2}"),
    }
}

/// Milliseconds as they are: `1,500 ms`. What is below nothing is nothing.
pub fn format_milliseconds(time: Millis) -> String {
    format!("{} ms", format_thousands(u64::try_from(time).unwrap_or(0)))
}

/// A length of time in its one or two largest units: `3 h`, `1 h 30 min`, `25 min`. Less than a second is one.
pub fn format_duration(time: Millis, language: Language) -> String {
    let count = |unit: Millis, count: Millis| {
        let text = match unit {
            DAY => durations::days(count),
            HOUR => durations::hours(count),
            MINUTE => durations::minutes(count),
            _ => durations::seconds(count),
        };
        text.in_language(language)
    };
    for (large, small) in [(DAY, HOUR), (HOUR, MINUTE), (MINUTE, SECOND)] {
        // Rounded first: 59 minutes and 50 seconds are an hour.
        let rounded = (time.max(SECOND) + small / 2) / small * small;
        if rounded < large {
            continue;
        }
        let first = count(large, rounded / large);
        return match rounded % large / small {
            0 => first,
            rest => format!("{first} {}", count(small, rest)),
        };
    }
    count(SECOND, (time / SECOND).max(1))
}

/// The strongest reasons, each on its line: `+2.1 they mention it`.
pub fn format_strongest_reasons(
    decision: &MessageDecision,
    most: usize,
    language: Language,
) -> String {
    let line = |(reason, adds): (String, f32)| format!("{} {reason}", format_signed(adds));
    list_reasons(decision, most, language)
        .into_iter()
        .map(line)
        .collect::<Vec<_>>()
        .join("\n")
}

/// Why it was woken, to go on with.
pub fn describe_wake(
    address: Option<DirectAddress>,
    own: Option<SelfTrigger>,
    language: Language,
) -> String {
    let message = match (address, own) {
        (None, Some(SelfTrigger::Waited { .. })) => decisions::woken_by_wait(),
        (None, Some(SelfTrigger::Lull { .. })) => decisions::woken_by_lull(),
        (None, Some(SelfTrigger::Opening)) => decisions::woken_by_day(),
        (None, None) => decisions::woken_by_itself(),
        (Some(DirectAddress::Direct), _) => decisions::woken_by_direct_message(),
        (Some(DirectAddress::Mention), _) => decisions::woken_by_mention(),
        (Some(DirectAddress::Reply), _) => decisions::woken_by_reply(),
        (Some(DirectAddress::Name), _) => decisions::woken_by_name(),
        (Some(DirectAddress::Alone), _) => decisions::woken_by_only_one(),
    };
    message.in_language(language)
}

pub fn describe_refusal(refusal: Refusal, language: Language) -> String {
    let message = match refusal {
        Refusal::Off => decisions::refused_off(),
        Refusal::Observe => decisions::refused_observing(),
        Refusal::Asleep => decisions::refused_asleep(),
        Refusal::Budget => decisions::refused_budget(),
        Refusal::Stale => decisions::refused_stale(),
        Refusal::NotAPerson => decisions::refused_bot(),
        Refusal::Paused => decisions::refused_paused(),
        Refusal::Quiet => decisions::refused_quiet(),
        Refusal::NoPermission => decisions::refused_no_permission(),
        Refusal::WroteOn => decisions::refused_writing_on(),
        Refusal::SeenInTurn => decisions::refused_looked_already(),
        Refusal::BotLimit => decisions::refused_bot_talk(),
        Refusal::Quota => decisions::refused_own_limit(),
        Refusal::Unanswered => decisions::refused_unanswered(),
    };
    message.in_language(language)
}

pub fn mode(mode: ChannelMode, language: Language) -> String {
    let message = match mode {
        ChannelMode::Off => decisions::mode_off(),
        ChannelMode::Observe => decisions::mode_observe(),
        ChannelMode::On => decisions::mode_on(),
    };
    message.in_language(language)
}

pub fn capitalize(text: &str) -> String {
    let mut characters = text.chars();
    characters
        .next()
        .map(|first| first.to_uppercase().chain(characters).collect())
        .unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_read_as_people_write_them() {
        assert_eq!(
            [0, 999, 1_000, 1_234_567].map(format_thousands),
            ["0", "999", "1,000", "1,234,567"]
        );
        assert_eq!(
            (
                format_percent(0.306, Language::EN),
                format_percent(0.306, Language::ZH)
            ),
            ("31 %".into(), "31%".into())
        );
        assert_eq!(
            [0.001_234, 0.25, 3.0].map(format_money),
            ["0.001234", "0.2500", "3.00"]
        );
        assert_eq!([-5, 1_500].map(format_milliseconds), ["0 ms", "1,500 ms"]);
    }

    #[test]
    fn a_length_of_time_is_told_in_its_largest_units() {
        let told = |time| format_duration(time, Language::EN);
        assert_eq!(
            [-1, 400, 1_900, 59 * SECOND].map(told),
            ["1 s", "1 s", "1 s", "59 s"]
        );
        assert_eq!(
            [30 * MINUTE, 90 * SECOND, 59 * MINUTE + 50 * SECOND].map(told),
            ["30 min", "1 min 30 s", "1 h"]
        );
        assert_eq!(
            [HOUR + 30 * SECOND, 90 * MINUTE, DAY - 1, 60 * HOUR].map(told),
            ["1 h 1 min", "1 h 30 min", "1 d", "2 d 12 h"]
        );
        assert_eq!(format_duration(60 * HOUR, Language::ZH), "2 天 12 小时");
    }

    #[test]
    fn a_text_is_cut_between_characters_and_put_on_one_line() {
        assert_eq!(truncate_line("a\n  b", 9), "a b");
        assert_eq!(truncate_line("说了很多很多话", 4), "说了很…");
    }
}
