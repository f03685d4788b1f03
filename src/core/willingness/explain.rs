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
            Signal::ALL.into_iter().find(|signal| signal.name() == term.name).map(|signal| phrase(signal, language));
        let between = match (place, language) {
            (0, Language::En) => ": ",
            (0, Language::Zh) => "：",
            (_, Language::En) => ", ",
            (_, Language::Zh) => "，",
        };
        let sign = if term.adds < 0.0 { '−' } else { '+' };
        // Writing to a String cannot fail.
        let _ = write!(text, "{between}{} ({sign}{:.1})", what.unwrap_or(&term.name), term.adds.abs());
    }
    let percent = |share: f32| (share * 100.0).round() as i32;
    let _ = match language {
        Language::En => write!(text, ": {} % against a bar of {} %", percent(decision.score), percent(decision.bar)),
        Language::Zh => write!(text, "：意愿 {}%，门槛 {}%", percent(decision.score), percent(decision.bar)),
    };
    text
}

fn opening(decision: &Decision, language: Language) -> &'static str {
    let words = |en, zh| match language {
        Language::En => en,
        Language::Zh => zh,
    };
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

/// What a signal is called, for people.
pub fn phrase(signal: Signal, language: Language) -> &'static str {
    let (en, zh) = match signal {
        Signal::Mention => ("they mention it", "提到了它"),
        Signal::Reply => ("they reply to its message", "回复了它的消息"),
        Signal::Vocative => ("they call it by name", "叫了它的名字"),
        Signal::Named => ("its name comes up", "说到了它的名字"),
        Signal::Direct => ("it is a direct message", "这是私信"),
        Signal::OtherAddressed => ("somebody else is addressed", "在对别人说"),
        Signal::Partner => ("it just talked with this person", "刚和这个人聊过"),
        Signal::Acquainted => ("it talked with this person a while ago", "不久前和这个人聊过"),
        Signal::CalledBefore => ("this person addressed it before", "这个人之前找过它"),
        Signal::AnswersMe => ("it seems to answer what it said", "像是在接它的话"),
        Signal::MyConversation => ("it belongs to a conversation it takes part in", "属于它参与的对话"),
        Signal::OthersTalk => ("two others are talking to each other", "另外两个人在对话"),
        Signal::ContinuesToMe => ("they go on talking to it", "还在继续对它说"),
        Signal::ContinuesToOther => ("they go on talking to somebody else", "还在继续对别人说"),
        Signal::Pending => ("somebody else waits for its answer", "还有别人在等它回答"),
        Signal::Recent => ("it spoke a short while ago", "不久前刚说过话"),
        Signal::Lately => ("it spoke a few messages ago", "几条消息前说过话"),
        Signal::Stranger => ("it has not spoken here yet", "还没在这里说过话"),
        Signal::Share => ("its share of the last lines", "最近几条里它说话的比例"),
        Signal::NextLine => ("it follows right on its own line", "紧接在它的话后面"),
        Signal::Lull => ("the pause before it", "之前的停顿"),
        Signal::Crowd => ("many people are talking", "说话的人很多"),
        Signal::Pace => ("the chat moves fast", "聊得很快"),
        Signal::SmallTurn => ("among few people it is its turn", "人少，该轮到它了"),
        Signal::SmallRecent => ("among few people, it just spoke", "人少，它刚说过"),
        Signal::SmallRun => ("among few people, they are still writing", "人少，对方还在写"),
        Signal::Question => ("they ask a question", "提了问题"),
        Signal::OpenQuestion => ("a question to the room", "向大家提问"),
        Signal::Greeting => ("they greet or thank", "打招呼或道谢"),
        Signal::Length => ("the message's length", "消息的长短"),
        Signal::Run => ("they write several lines in a row", "连着发了几条"),
        Signal::Newcomer => ("somebody new writes", "新来的人发言"),
        Signal::Topic => ("it is about what it talked about", "和它刚聊的有关"),
        Signal::Interest => ("it touches its interests", "是它感兴趣的"),
        Signal::Dislike => ("it is about what it does not like", "是它不爱聊的"),
        Signal::Tired => ("it has talked a lot", "它说得有点累了"),
        Signal::Age => ("the message's age", "消息过了一会儿"),
        Signal::Answered => ("somebody else has answered", "别人已经回答了"),
        Signal::SpokeSince => ("it has spoken since", "之后它说过话了"),
    };
    match language {
        Language::En => en,
        Language::Zh => zh,
    }
}
