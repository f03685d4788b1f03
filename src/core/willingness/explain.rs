//! One sentence for people: why it would speak or kept silent, from a decision's terms. Words in, no judgement.

use std::fmt::Write;

use super::Signal;
use crate::core::persona::Language;
use crate::core::report::{Address, Decision, Refusal};

/// How many terms are told.
const TOLD: usize = 4;
/// A term that adds less is not worth telling, log-odds.
const LEAST: f32 = 0.1;

/// "Kept silent: two others are talking to each other (−2.1), … : 6 % against a bar of 31 %".
pub fn explain(decision: &Decision, language: Language) -> String {
    let mut told: Vec<_> = decision.terms.iter().filter(|term| term.adds.abs() >= LEAST).collect();
    told.sort_by(|a, b| b.adds.abs().total_cmp(&a.adds.abs()));
    let mut text = String::from(opening(decision, language));
    for (place, term) in told.iter().take(TOLD).enumerate() {
        let what =
            Signal::ALL.into_iter().find(|signal| signal.name() == term.name).map(|signal| signal.phrase(language));
        let between = if place == 0 { language.pick(": ", "：") } else { language.pick(", ", "，") };
        let sign = if term.adds < 0.0 { '−' } else { '+' };
        // Writing to a String cannot fail.
        let _ = write!(text, "{between}{} ({sign}{:.1})", what.unwrap_or(&term.name), term.adds.abs());
    }
    let percent = |share: f32| (share * 100.0).round() as i32;
    let (score, bar) = (percent(decision.score), percent(decision.bar));
    text + &language.pick(format!(": {score} % against a bar of {bar} %"), format!("：意愿 {score}%，门槛 {bar}%"))
}

fn opening(decision: &Decision, language: Language) -> &'static str {
    let words = |en, zh| language.pick(en, zh);
    match (decision.refusal, decision.speak, decision.address) {
        (Some(Refusal::Off), ..) => words("kept silent, the channel is off", "没有说话，这个频道已关闭"),
        (Some(Refusal::Observe), ..) => words("kept silent, it only observes here", "没有说话，这里只旁听"),
        (Some(Refusal::Asleep), ..) => words("kept silent, it is asleep", "没有说话，正在睡觉"),
        (Some(Refusal::Budget), ..) => words("kept silent, the budget is spent", "没有说话，预算已用完"),
        (Some(Refusal::Stale), ..) => words("kept silent, the message is too old to answer", "没有说话，消息太旧了"),
        (Some(Refusal::NotAPerson), ..) => words("kept silent, a bot wrote this", "没有说话，发言的是机器人"),
        (None, true, Some(Address::Direct)) => words("answers a direct message", "回应私信"),
        (None, true, Some(Address::Mention)) => words("answers a mention", "回应提及"),
        (None, true, Some(Address::Reply)) => words("answers a reply to it", "回应对它的回复"),
        (None, true, Some(Address::Name)) => words("answers to its name", "有人叫它的名字"),
        (None, true, None) => words("would speak", "想说话"),
        (None, false, _) => words("kept silent", "没有说话"),
    }
}
