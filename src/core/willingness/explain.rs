//! One sentence for people: why it would speak or kept silent, from a decision's terms. The same for cards, the room,
//! replays and the log; words in, no judgement.

use kith_language::{LocalizedMessage, durations, lists, reasons, signals};

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
    Called,
    Others,
    /// The message belongs to a conversation with it.
    Conversation,
    Author,
    Spoke,
    Room,
    /// Whose turn it is among few people.
    Turn,
    Question,
    Message,
    Topic,
    Since,
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
        "my_conversation" | "hold" | "my_part" | "long_talk" | "continues_to_me" => {
            Kind::Conversation
        }
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
    let opening = choose_opening(decision);
    if !decision.is_weighed() {
        return opening.in_language(language);
    }
    write_sentence(opening, decision, language)
}

/// Who a decision is about, as far as their names may be told.
#[derive(Clone, Copy, Debug, Default)]
pub struct DecisionNames<'a> {
    pub author: Option<&'a str>,
    /// Whom the author speaks to, where that is somebody else than the companion.
    pub other: Option<&'a str>,
}

/// What weighs most, in a few words: "Anna asked it". None where something stands in the way, or nothing weighs anything.
pub fn describe_main_reason(
    decision: &MessageDecision,
    names: DecisionNames<'_>,
    language: Language,
) -> Option<String> {
    if decision.refusal.is_some() {
        return None;
    }
    if decision.waits_until.is_some() && !decision.speak {
        let author = names.author?;
        return Some(reasons::may_write_on(author).in_language(language));
    }
    if let (Some(address), Some(author), true) = (decision.address, names.author, decision.speak) {
        let message = match address {
            _ if asks_something(decision) => reasons::asked_it(author),
            DirectAddress::Direct => reasons::wrote_to_it_alone(author),
            DirectAddress::Mention => reasons::mentioned_it(author),
            DirectAddress::Reply => reasons::replied_to_it(author),
            DirectAddress::Name => reasons::called_it(author),
            DirectAddress::Alone => reasons::alone_with_it(author),
        };
        return Some(message.in_language(language));
    }
    let sign = if decision.speak { 1.0 } else { -1.0 };
    let (kind, sum) = sum_kinds(decision)
        .into_iter()
        .find(|(_, sum)| sum * sign > 0.0)?;
    match (kind, names.author, names.other) {
        (Kind::Others, Some(author), Some(other)) if !decision.speak => {
            Some(reasons::between(author, other).in_language(language))
        }
        _ => {
            let signal = find_main_signal(decision, kind, sum)?;
            Some(describe_reason(signal, sum, decision, language))
        }
    }
}

fn asks_something(decision: &MessageDecision) -> bool {
    let asks = |name: &str| matches!(name, "question" | "called_question" | "talk_question");
    let mut terms = decision.terms.iter();
    terms.any(|term| asks(&term.name) && term.value > 0.0)
}

/// The strongest reasons, each with what it adds in log-odds.
pub fn list_reasons(
    decision: &MessageDecision,
    most: usize,
    language: Language,
) -> Vec<(String, f32)> {
    sum_reasons(decision)
        .take(most)
        .map(|(signal, sum)| (describe_reason(signal, sum, decision, language), sum))
        .collect()
}

/// All that reasons are told by, the strongest first: the addends of one kind summed up, under the signal that says most for
/// the sum. A decision with these as its terms has the same reasons.
pub fn sum_reasons(decision: &MessageDecision) -> impl Iterator<Item = (Signal, f32)> {
    sum_kinds(decision)
        .into_iter()
        .filter_map(|(kind, sum)| Some((find_main_signal(decision, kind, sum)?, sum)))
}

/// What each kind of signal adds up to, the weightiest first; small ones left out.
fn sum_kinds(decision: &MessageDecision) -> Vec<(Kind, f32)> {
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
    sums
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

/// A reason in a few words, with its fact. No addressee: a decision is kept longer than a name may be.
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
            .phrase(language),
        (Kind::Spoke, Some(silent)) => {
            reasons::spoke_before(format_duration(silent)).in_language(language)
        }
        (Kind::Itself(Signal::Welcome), _) if adds > 0.0 => {
            reasons::people_like_it().in_language(language)
        }
        (Kind::Itself(Signal::Welcome), _) => reasons::people_want_quiet().in_language(language),
        _ => signal.phrase(language),
    }
}

fn find_address_signal(address: DirectAddress) -> Signal {
    match address {
        DirectAddress::Direct | DirectAddress::Alone => Signal::Direct,
        DirectAddress::Mention => Signal::Mention,
        DirectAddress::Reply => Signal::Reply,
        DirectAddress::Name => Signal::Vocative,
    }
}

/// A time in one unit, which is enough for a reason.
fn format_duration(time: Millis) -> LocalizedMessage {
    if time >= 2 * DAY {
        durations::days(time / DAY)
    } else if time >= 2 * HOUR {
        durations::hours(time / HOUR)
    } else if time >= 2 * MINUTE {
        durations::minutes(time / MINUTE)
    } else {
        durations::seconds(time / SECOND)
    }
}

fn write_sentence(
    opening: LocalizedMessage,
    decision: &MessageDecision,
    language: Language,
) -> String {
    let terms: Vec<String> = list_reasons(decision, TOLD, language)
        .into_iter()
        .map(|(reason, adds)| reasons::term(format_signed(adds), reason).in_language(language))
        .collect();
    // Who calls it is answered whatever the threshold.
    let shift = if decision.address.is_some() {
        ThresholdShift::default()
    } else {
        decision.shift
    };
    let threshold = describe_threshold(decision.score, decision.threshold, shift, language);
    let sentence = if terms.is_empty() {
        reasons::sentence_without_reasons(opening, threshold)
    } else {
        let terms = terms.join(&lists::comma().in_language(language));
        reasons::sentence(opening, terms, threshold)
    };
    sentence.in_language(language)
}

/// What a willingness is held against, and what moved that: "6 % against a threshold of 31 % (usually 22 %; higher because it
/// spoke a moment ago)".
pub fn describe_threshold(
    score: f32,
    threshold: f32,
    shift: ThresholdShift,
    language: Language,
) -> String {
    let rounds_to = |share: f32, digits: i32| (share * 100.0 * 10f32.powi(digits)).round();
    // Who is just below the threshold wants to see that.
    let digits = usize::from(rounds_to(score, 0) == rounds_to(threshold, 0) && score != threshold);
    let percent = |share: f32| lists::percent(format!("{:.digits$}", share * 100.0));
    let usual = logistic((threshold / (1.0 - threshold)).ln() - shift.sum());
    let why = match describe_shift(shift, language) {
        _ if threshold >= 1.0 && shift.unheeded > 0.0 => {
            reasons::not_taken_up(u64::from(shift.unheeded_remarks))
        }
        _ if threshold >= 1.0 => reasons::nothing_unasked(),
        Some(movers) if percent(usual) != percent(threshold) && threshold > usual => {
            reasons::threshold_higher(movers, percent(usual))
        }
        Some(movers) if percent(usual) != percent(threshold) => {
            reasons::threshold_lower(movers, percent(usual))
        }
        _ => {
            return reasons::against_threshold(percent(score), percent(threshold))
                .in_language(language);
        }
    };
    reasons::against_moved_threshold(percent(score), percent(threshold), why).in_language(language)
}

/// What moved a threshold most in the direction it moved, the strongest first.
pub fn describe_shift(shift: ThresholdShift, language: Language) -> Option<String> {
    let ThresholdShift {
        restraint,
        allowance,
        unheeded,
        unheeded_remarks,
        meant,
    } = shift;
    let either = |adds: f32, higher, lower| (adds, if adds > 0.0 { higher } else { lower });
    let mut movers = [
        (restraint, signals::tired()),
        either(allowance, reasons::said_enough(), reasons::said_little()),
        (unheeded, reasons::not_taken_up(u64::from(unheeded_remarks))),
        (meant, reasons::meant_to_answer()),
    ];
    movers.sort_by(|a, b| b.0.abs().total_cmp(&a.0.abs()));
    let counts = |adds: f32| adds * shift.sum().signum() >= LEAST;
    let told: Vec<String> = movers
        .iter()
        .filter(|(adds, _)| counts(*adds))
        .map(|(_, told)| told.in_language(language))
        .take(MOVERS_TOLD)
        .collect();
    (!told.is_empty()).then(|| told.join(&reasons::join_movers().in_language(language)))
}

fn choose_opening(decision: &MessageDecision) -> LocalizedMessage {
    match (decision.refusal, decision.speak, decision.address) {
        (Some(Refusal::Off), ..) => reasons::silent_off(),
        (Some(Refusal::Observe), ..) => reasons::silent_observe(),
        (Some(Refusal::Asleep), ..) => reasons::silent_asleep(),
        (Some(Refusal::Budget), ..) => reasons::silent_budget(),
        (Some(Refusal::Stale), ..) => reasons::silent_stale(),
        (Some(Refusal::NotAPerson), ..) => reasons::silent_not_a_person(),
        (Some(Refusal::Paused), ..) => reasons::silent_paused(),
        (Some(Refusal::Quiet), ..) => reasons::silent_quiet(),
        (Some(Refusal::NoPermission), ..) => reasons::silent_no_permission(),
        (Some(Refusal::WroteOn), ..) => reasons::not_weighed(),
        (Some(Refusal::SeenInTurn), ..) => reasons::silent_seen_in_turn(),
        (Some(Refusal::BotLimit), ..) => reasons::silent_bot_limit(),
        (Some(Refusal::Quota), ..) => reasons::silent_quota(),
        (Some(Refusal::Unanswered), ..) => reasons::silent_unanswered(),
        (None, true, Some(DirectAddress::Direct)) => reasons::answers_direct(),
        (None, true, Some(DirectAddress::Mention)) => reasons::answers_mention(),
        (None, true, Some(DirectAddress::Reply)) => reasons::answers_reply(),
        (None, true, Some(DirectAddress::Name)) => reasons::answers_name(),
        (None, true, Some(DirectAddress::Alone)) => reasons::answers_alone(),
        (None, false, _) if decision.waits_until.is_some() => {
            reasons::waits_whether_they_write_on()
        }
        (None, true, None) => reasons::speaks(),
        (None, false, _) => reasons::silent(),
    }
}
