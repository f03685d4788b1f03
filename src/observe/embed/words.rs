//! Numbers, times and terms as people read them on a card, in both languages. Words in, no judgement.

use kith_language::decisions;
use kith_core::chat::{DAY, HOUR, MINUTE, Millis, SECOND};
use kith_core::persona::Language;
use kith_core::policy::ChannelMode;
use kith_core::report::{DirectAddress, MessageDecision, Refusal, SelfTrigger};
pub use kith_core::truncate::truncate_line;
use kith_core::willingness::{format_signed, list_reasons};

/// `31 %` of a share of 0 … 1.
pub fn format_percent(share: f32, language: Language) -> String {
    let percent = (share * 100.0).round() as i64;
    language.pick(format!("{percent} %"), format!("{percent}%"))
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

/// A length of time in its largest unit and, where that says too little, the next: `3 h`, `1 h 30 min`, `25 min`. Less
/// than a second is one.
pub fn format_duration(time: Millis, language: Language) -> String {
    let units = [
        (DAY, "d", "天"),
        (HOUR, "h", "小时"),
        (MINUTE, "min", "分钟"),
        (SECOND, "s", "秒"),
    ];
    let count = |count: Millis, english: &str, chinese: &str| {
        language.pick(format!("{count} {english}"), format!("{count} {chinese}"))
    };
    for pair in units.windows(2) {
        let [
            (large, english, chinese),
            (small, small_english, small_chinese),
        ] = pair
        else {
            continue;
        };
        // Rounded first: 59 minutes and 50 seconds are an hour.
        let rounded = (time.max(SECOND) + small / 2) / small * small;
        if rounded < *large {
            continue;
        }
        let first = count(rounded / large, english, chinese);
        return match rounded % large / small {
            0 => first,
            rest => format!("{first} {}", count(rest, small_english, small_chinese)),
        };
    }
    count((time / SECOND).max(1), "s", "秒")
}

/// `1 message`, `1,204 messages`.
pub fn format_count(count: u64, one: &str, many: &str) -> String {
    format!(
        "{} {}",
        format_thousands(count),
        if count == 1 { one } else { many }
    )
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
) -> &'static str {
    match (address, own) {
        (None, Some(SelfTrigger::Waited { .. })) => {
            return &decisions::woken_by_wait().in_language(language);
        }
        (None, Some(SelfTrigger::Lull { .. })) => {
            return &decisions::woken_by_lull().in_language(language);
        }
        (None, Some(SelfTrigger::Opening)) => {
            return &decisions::woken_by_day().in_language(language);
        }
        _ => {}
    }
    match address {
        Some(DirectAddress::Direct) => &decisions::woken_by_direct_message().in_language(language),
        Some(DirectAddress::Mention) => &decisions::woken_by_mention().in_language(language),
        Some(DirectAddress::Reply) => &decisions::woken_by_reply().in_language(language),
        Some(DirectAddress::Name) => &decisions::woken_by_name().in_language(language),
        Some(DirectAddress::Alone) => &decisions::woken_by_only_one().in_language(language),
        None => &decisions::woken_by_itself().in_language(language),
    }
}

/// What stands in the way of speaking.
pub fn describe_refusal(refusal: Refusal, language: Language) -> &'static str {
    match refusal {
        Refusal::Off => &decisions::refused_off().in_language(language),
        Refusal::Observe => &decisions::refused_observing().in_language(language),
        Refusal::Asleep => &decisions::refused_asleep().in_language(language),
        Refusal::Budget => &decisions::refused_budget().in_language(language),
        Refusal::Stale => &decisions::refused_stale().in_language(language),
        Refusal::NotAPerson => &decisions::refused_bot().in_language(language),
        Refusal::Paused => &decisions::refused_paused().in_language(language),
        Refusal::Quiet => &decisions::refused_quiet().in_language(language),
        Refusal::NoPermission => &decisions::refused_no_permission().in_language(language),
        Refusal::WroteOn => &decisions::refused_writing_on().in_language(language),
        Refusal::SeenInTurn => &decisions::refused_looked_already().in_language(language),
        Refusal::BotLimit => &decisions::refused_bot_talk().in_language(language),
        Refusal::Quota => &decisions::refused_own_limit().in_language(language),
        Refusal::Unanswered => &decisions::refused_unanswered().in_language(language),
    }
}

/// A mode's name.
pub fn mode(mode: ChannelMode, language: Language) -> &'static str {
    match mode {
        ChannelMode::Off => &decisions::mode_off().in_language(language),
        ChannelMode::Observe => &decisions::mode_observe().in_language(language),
        ChannelMode::On => &decisions::mode_on().in_language(language),
    }
}

/// A sentence that begins as one.
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
