//! One sentence for people: why it would speak or kept silent, from a decision's terms. The same for cards, the room,
//! replays and the log; words in, no judgement.

use std::fmt::Write;

use super::{Signal, logistic};
use crate::chat::{DAY, HOUR, MINUTE, Millis, SECOND};
use crate::persona::Language;
use crate::report::{DirectAddress, MessageDecision, Refusal, ThresholdShift};

/// How many reasons the sentence tells.
const TOLD: usize = 3;
/// A reason that adds less is not worth telling, log-odds.
const LEAST: f32 = 0.1;
/// How many of the things that moved the threshold are told.
const MOVERS_TOLD: usize = 2;

/// What signals look at. Those of one kind are told as one reason: among themselves they weigh the same thing up.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Kind {
    /// It is called.
    Called,
    /// Others talk with each other.
    Others,
    /// The message belongs to a conversation with it.
    Conversation,
    /// It knows the author.
    Author,
    /// When and how much it spoke.
    Spoke,
    /// The room's rhythm.
    Room,
    /// Whose turn it is among few people.
    Turn,
    /// Something is asked.
    Question,
    /// How the message is written.
    Message,
    /// What it is about.
    Topic,
    /// What happened since.
    Since,
    /// A signal that stands for itself.
    Itself(Signal),
}

/// The kind, by the signal's name; of those that look at one thing in several ways the names say so.
fn classify_signal(signal: Signal) -> Kind {
    match signal.name() {
        "mention" | "reply" | "vocative" | "first_call" | "direct" => Kind::Called,
        "other_addressed" | "you_other" | "others_talk" | "continues_to_other" | "small_other"
        | "names_other" | "names_other_you" | "before_to_author" | "before_other" | "pair" => {
            Kind::Others
        }
        "my_conversation" | "my_part" | "long_talk" | "continues_to_me" => Kind::Conversation,
        "partner" | "acquainted" | "spoke_to" | "called_before" => Kind::Author,
        "recent" | "lately" | "of_late" | "stranger" | "share" | "next_line" | "tired"
        | "share_now" | "since_own" => Kind::Spoke,
        "lull" | "crowd" | "pace" | "long_lull" | "around" | "author_alone" => Kind::Room,
        "question" | "open_question" | "steps_in_question" | "request" | "room"
        | "room_question" | "lull_question" | "cold_question" | "before_asks" => Kind::Question,
        "greeting" | "length" | "brief" | "agrees" | "personal" | "run" | "newcomer" | "slight"
        | "closing" | "trailing" | "loud" | "leave_be" | "distress" | "alone_distress"
        | "good_news" | "burst_length" | "burst_lines" => Kind::Message,
        "topic" | "known" | "interest" | "dislike" => Kind::Topic,
        "age" | "answered" | "spoke_since" => Kind::Since,
        "talk" | "burst_names" => Kind::Conversation,
        name if name.starts_with("talk_") => Kind::Conversation,
        name if name.starts_with("called_") => Kind::Called,
        name if name.starts_with("answers_") => Kind::Conversation,
        name if name.starts_with("silent_") => Kind::Spoke,
        name if name.starts_with("small_") => Kind::Turn,
        _ => Kind::Itself(signal),
    }
}

/// "Kept silent: two others are talking to each other (−2.1), it spoke 40 s ago (−0.8), they ask a question (+0.3):
/// 6 % against a threshold of 31 %".
pub fn explain_decision(decision: &MessageDecision, language: Language) -> String {
    write_sentence(choose_opening(decision, language), decision, language)
}

/// The same of the present, about a decision whose score and threshold are those of now.
pub fn explain_current_decision(decision: &MessageDecision, language: Language) -> String {
    let opening = match (decision.refusal, decision.speak) {
        (None, false) => language.pick("would keep silent", "现在不会说话"),
        (None, true) => language.pick("would speak now", "现在想说话"),
        _ => choose_opening(decision, language),
    };
    write_sentence(opening, decision, language)
}

/// The strongest reasons, each with what it adds in log-odds: the addends of one kind summed up, told by the one that
/// says most for the sum.
pub fn list_reasons(
    decision: &MessageDecision,
    most: usize,
    language: Language,
) -> Vec<(String, f32)> {
    let mut sums: Vec<(Kind, f32)> = Vec::new();
    for (signal, adds) in list_known_terms(decision) {
        match sums
            .iter_mut()
            .find(|(known, _)| *known == classify_signal(signal))
        {
            Some((_, sum)) => *sum += adds,
            None => sums.push((classify_signal(signal), adds)),
        }
    }
    sums.retain(|(_, sum)| sum.abs() >= LEAST);
    sums.sort_by(|a, b| b.1.abs().total_cmp(&a.1.abs()));
    sums.truncate(most);
    sums.into_iter()
        .filter_map(|(of, sum)| {
            Some((
                describe_reason(
                    find_main_signal(decision, of, sum)?,
                    sum,
                    decision,
                    language,
                ),
                sum,
            ))
        })
        .collect()
}

/// Where two decisions on one message are furthest apart: the reason, and what it adds on either side, in log-odds. It
/// is told as the side tells it for which it weighs more.
pub fn list_differences(
    sides: &[MessageDecision; 2],
    most: usize,
    language: Language,
) -> Vec<(String, [f32; 2])> {
    let mut sums: Vec<(Kind, [f32; 2])> = Vec::new();
    for (side, decision) in sides.iter().enumerate() {
        for (signal, adds) in list_known_terms(decision) {
            let known = sums
                .iter()
                .position(|(known, _)| *known == classify_signal(signal))
                .unwrap_or(sums.len());
            if known == sums.len() {
                sums.push((classify_signal(signal), [0.0; 2]));
            }
            sums[known].1[side] += adds;
        }
    }
    let apart = |[one, two]: [f32; 2]| (two - one).abs();
    sums.retain(|(_, sums)| apart(*sums) >= LEAST / 2.0);
    sums.sort_by(|a, b| apart(b.1).total_cmp(&apart(a.1)));
    sums.truncate(most);
    let tell = |(of, sums): (Kind, [f32; 2])| {
        let side = usize::from(sums[1].abs() > sums[0].abs());
        let (decision, sum) = (&sides[side], sums[side]);
        Some((
            describe_reason(
                find_main_signal(decision, of, sum)?,
                sum,
                decision,
                language,
            ),
            sums,
        ))
    };
    sums.into_iter().filter_map(tell).collect()
}

/// The addends of a decision, those of signals this build does not know left out.
fn list_known_terms(decision: &MessageDecision) -> impl Iterator<Item = (Signal, f32)> {
    let named = |name: &str| Signal::ALL.into_iter().find(|signal| signal.name() == name);
    decision
        .terms
        .iter()
        .filter_map(move |term| Some((named(&term.name)?, term.adds)))
}

/// The signal of a kind that says most for the kind's sum.
fn find_main_signal(decision: &MessageDecision, of: Kind, sum: f32) -> Option<Signal> {
    let of_kind = list_known_terms(decision).filter(|(signal, _)| classify_signal(*signal) == of);
    of_kind
        .max_by(|a, b| (a.1 * sum.signum()).total_cmp(&(b.1 * sum.signum())))
        .map(|(signal, _)| signal)
}

/// `+0.3`, with a minus as wide as a plus.
pub fn format_signed(adds: f32) -> String {
    format!("{}{:.1}", if adds < 0.0 { '−' } else { '+' }, adds.abs())
}

/// A reason in a few words, with its fact where there is one. Who is addressed is not told: a decision is kept longer
/// than a name may be.
fn describe_reason(
    signal: Signal,
    adds: f32,
    decision: &MessageDecision,
    language: Language,
) -> String {
    match (classify_signal(signal), decision.silent_for) {
        (Kind::Called, _) if adds > 0.0 => decision
            .address
            .map_or(signal, find_address_signal)
            .phrase(language)
            .to_owned(),
        (Kind::Spoke, Some(silent)) => {
            let time = format_duration(silent, language);
            language.pick(format!("it spoke {time} ago"), format!("它{time}前说过话"))
        }
        (Kind::Itself(Signal::Welcome), _) if adds > 0.0 => language
            .pick("people like it here", "这里的人喜欢它")
            .to_owned(),
        (Kind::Itself(Signal::Welcome), _) => language
            .pick("people would rather it kept quiet", "大家希望它安静些")
            .to_owned(),
        _ => signal.phrase(language).to_owned(),
    }
}

/// The signal that says how it is called.
fn find_address_signal(address: DirectAddress) -> Signal {
    match address {
        DirectAddress::Direct | DirectAddress::Alone => Signal::Direct,
        DirectAddress::Mention => Signal::Mention,
        DirectAddress::Reply => Signal::Reply,
        DirectAddress::Name => Signal::Vocative,
    }
}

/// A time in one unit, which is enough for a reason.
fn format_duration(time: Millis, language: Language) -> String {
    let units = [
        (DAY, "d", "天"),
        (HOUR, "h", "小时"),
        (MINUTE, "min", "分钟"),
    ];
    let fitting = units.into_iter().find(|(unit, ..)| time >= 2 * unit);
    let (unit, english, chinese) = fitting.unwrap_or((SECOND, "s", "秒"));
    let count = time / unit;
    language.pick(format!("{count} {english}"), format!(" {count} {chinese}"))
}

fn write_sentence(opening: &str, decision: &MessageDecision, language: Language) -> String {
    let mut text = opening.to_owned();
    for (place, (reason, adds)) in list_reasons(decision, TOLD, language)
        .into_iter()
        .enumerate()
    {
        let between = if place == 0 {
            language.pick(": ", "：")
        } else {
            language.pick(", ", "，")
        };
        let (open, close) = language.pick((" (", ")"), ("（", "）"));
        // Writing to a String cannot fail.
        let _ = write!(
            text,
            "{between}{reason}{open}{}{close}",
            format_signed(adds)
        );
    }
    // Who calls it is answered whatever the threshold.
    let moved = if decision.address.is_some() {
        ThresholdShift::default()
    } else {
        decision.moved
    };
    text + language.pick(": ", "：意愿 ")
        + &describe_threshold(decision.score, decision.bar, moved, language)
}

/// What a willingness is held against, and what moved that: "6 % against a threshold of 31 % (usually 22 %; higher because it
/// spoke a moment ago)".
pub fn describe_threshold(
    score: f32,
    threshold: f32,
    moved: ThresholdShift,
    language: Language,
) -> String {
    let rounds_to = |share: f32, digits: i32| (share * 100.0 * 10f32.powi(digits)).round();
    // Who is just below the threshold wants to see that.
    let digits = usize::from(rounds_to(score, 0) == rounds_to(threshold, 0) && score != threshold);
    let percent = |share: f32| {
        let share = share * 100.0;
        language.pick(format!("{share:.digits$} %"), format!("{share:.digits$}%"))
    };
    let usual = logistic((threshold / (1.0 - threshold)).ln() - moved.sum());
    let told = language.pick(
        format!(
            "{} against a threshold of {}",
            percent(score),
            percent(threshold)
        ),
        format!("{}，门槛 {}", percent(score), percent(threshold)),
    );
    let (open, close) = language.pick((" (", ")"), ("（", "）"));
    let why = match describe_shift(moved, language) {
        _ if threshold >= 1.0 => language
            .pick("nothing unasked is wanted here", "这里不主动说话")
            .to_owned(),
        Some(movers) if percent(usual) != percent(threshold) => language.pick(
            format!(
                "usually {}; {} because {movers}",
                percent(usual),
                if threshold > usual { "higher" } else { "lower" }
            ),
            format!(
                "平时 {}，因为{movers}而{}",
                percent(usual),
                if threshold > usual {
                    "偏高"
                } else {
                    "偏低"
                }
            ),
        ),
        _ => return told,
    };
    told + open + &why + close
}

/// What moved a threshold most in the direction it moved, the strongest first.
fn describe_shift(moved: ThresholdShift, language: Language) -> Option<String> {
    let say = |en, zh| language.pick(en, zh);
    let ThresholdShift {
        spoke,
        tired,
        strange,
        meant,
        rate,
        chance,
    } = moved;
    let either = |adds: f32, higher, lower| (adds, if adds > 0.0 { higher } else { lower });
    let mut movers = [
        either(
            spoke,
            say("it spoke a moment ago", "刚说过话"),
            say("it is part of this talk", "正在聊这个"),
        ),
        (tired, say("its energy is low", "精力不足")),
        (
            strange,
            say("it hardly knows this room yet", "还不熟悉这里"),
        ),
        (meant, say("it meant to answer this", "本来就想回应")),
        either(
            rate,
            say("it has said enough for now", "最近说得够多了"),
            say("it has said little lately", "最近说得少"),
        ),
        either(
            chance,
            say("luck is against it", "运气差些"),
            say("luck is with it", "运气好些"),
        ),
    ];
    movers.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
    let counts = |adds: f32| adds * moved.sum().signum() >= LEAST;
    let told: Vec<&str> = movers
        .iter()
        .filter(|(adds, _)| counts(*adds))
        .map(|(_, told)| *told)
        .take(MOVERS_TOLD)
        .collect();
    (!told.is_empty()).then(|| told.join(say(" and ", "、")))
}

fn choose_opening(decision: &MessageDecision, language: Language) -> &'static str {
    let words = |en, zh| language.pick(en, zh);
    match (decision.refusal, decision.speak, decision.address) {
        (Some(Refusal::Off), ..) => words(
            "kept silent, the channel is off",
            "没有说话，这个频道已关闭",
        ),
        (Some(Refusal::Observe), ..) => {
            words("kept silent, it only observes here", "没有说话，这里只旁听")
        }
        (Some(Refusal::Asleep), ..) => words("kept silent, it is asleep", "没有说话，正在睡觉"),
        (Some(Refusal::Budget), ..) => {
            words("kept silent, the budget is spent", "没有说话，预算已用完")
        }
        (Some(Refusal::Stale), ..) => words(
            "kept silent, the message is too old to answer",
            "没有说话，消息太旧了",
        ),
        (Some(Refusal::NotAPerson), ..) => {
            words("kept silent, a bot wrote this", "没有说话，发言的是机器人")
        }
        (Some(Refusal::Paused), ..) => {
            words("kept silent, it is paused here", "没有说话，这里已暂停")
        }
        (Some(Refusal::Quiet), ..) => words(
            "kept silent, it is to be quiet now",
            "没有说话，现在要保持安静",
        ),
        (Some(Refusal::NoPermission), ..) => words(
            "kept silent, it may not write here",
            "没有说话，没有发言权限",
        ),
        (Some(Refusal::WroteOn), ..) => {
            words("kept silent, they wrote on", "没有说话，对方还在接着说")
        }
        (Some(Refusal::SeenInTurn), ..) => words(
            "kept silent, it looked at this while it answered something else",
            "没有说话，回应别的消息时已一并看过",
        ),
        (Some(Refusal::BotLimit), ..) => words(
            "kept silent, enough talk with bots",
            "没有说话，和机器人说得够多了",
        ),
        (Some(Refusal::Quota), ..) => words(
            "kept silent, it woke often enough today",
            "没有说话，今天自己醒来的次数已经够了",
        ),
        (Some(Refusal::Unanswered), ..) => words(
            "kept silent, nobody answered it before",
            "没有说话，上次主动开口还没人回应",
        ),
        (None, true, Some(DirectAddress::Direct)) => words("answers a direct message", "回应私信"),
        (None, true, Some(DirectAddress::Mention)) => words("answers a mention", "回应提及"),
        (None, true, Some(DirectAddress::Reply)) => {
            words("answers a reply to it", "回应对它的回复")
        }
        (None, true, Some(DirectAddress::Name)) => words("answers to its name", "有人叫它的名字"),
        (None, true, Some(DirectAddress::Alone)) => {
            words("answers the only one here", "这里只有对方，所以回应")
        }
        (None, false, _) if decision.waits_until.is_some() => {
            words("waits whether they write on", "先等等，看对方是否接着说")
        }
        (None, true, None) => words("would speak", "想说话"),
        (None, false, _) => words("kept silent", "没有说话"),
    }
}
