//! Numbers, times and terms as people read them on a card, in both languages. Words in, no judgement.

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
            return language.pick("by what it waited for", "等的事来了");
        }
        (None, Some(SelfTrigger::Lull { .. })) => {
            return language.pick("by a long lull", "很久没人说话");
        }
        (None, Some(SelfTrigger::Opening)) => {
            return language.pick("by its own day", "到了它开口的时候");
        }
        _ => {}
    }
    match address {
        Some(DirectAddress::Direct) => language.pick("by a direct message", "收到私信"),
        Some(DirectAddress::Mention) => language.pick("by a mention", "被提及"),
        Some(DirectAddress::Reply) => language.pick("by a reply to it", "有人回复它"),
        Some(DirectAddress::Name) => language.pick("by its name", "有人叫它的名字"),
        Some(DirectAddress::Alone) => language.pick("by the only one here", "这里只有对方"),
        None => language.pick("because it wanted to speak", "它自己想说话"),
    }
}

/// What stands in the way of speaking.
pub fn describe_refusal(refusal: Refusal, language: Language) -> &'static str {
    match refusal {
        Refusal::Off => language.pick("the channel is off", "这个频道已关闭"),
        Refusal::Observe => language.pick("it only observes here", "这里只旁听"),
        Refusal::Asleep => language.pick("it is asleep", "正在睡觉"),
        Refusal::Budget => language.pick("the budget is spent", "预算已用完"),
        Refusal::Stale => language.pick("the message is too old to answer", "消息太旧了"),
        Refusal::NotAPerson => language.pick("a bot wrote this", "发言的是机器人"),
        Refusal::Paused => language.pick("it is paused here", "这里已暂停"),
        Refusal::Quiet => language.pick("it is to be quiet now", "现在要保持安静"),
        Refusal::NoPermission => language.pick("it may not write here", "没有发言权限"),
        Refusal::WroteOn => language.pick("they wrote on", "对方还在接着说"),
        Refusal::SeenInTurn => language.pick(
            "it looked at this while it answered something else",
            "回应别的消息时已一并看过",
        ),
        Refusal::BotLimit => language.pick("it has talked with bots enough", "和机器人说得够多了"),
        Refusal::Quota => language.pick(
            "it woke by itself often enough today",
            "今天自己醒来的次数已经够了",
        ),
        Refusal::Unanswered => language.pick(
            "nobody answered when it spoke first",
            "上次主动开口还没人回应",
        ),
    }
}

/// A mode's name.
pub fn mode(mode: ChannelMode, language: Language) -> &'static str {
    match mode {
        ChannelMode::Off => language.pick("off", "关闭"),
        ChannelMode::Observe => language.pick("observe", "旁听"),
        ChannelMode::On => language.pick("on", "开启"),
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
