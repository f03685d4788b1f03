//! A card that asks for a decision, and says afterwards who decided what; and one that says what was not done at all. The
//! first names whom it is about and who asked for it, for who decides must know; the second names nobody.

use super::words::{capital, duration, shortened};
use super::{Card, Telling, Tone};
use crate::core::moderation::{Act, Obstacle, REASON_CHARACTERS};
use crate::core::persona::Language;
use crate::core::proposal::{Proposal, State, Wanted};
use crate::core::proposed_call::ProposedCall;

/// The most characters of who asked, and of what a tool answered.
const BESIDES: usize = 300;

/// The card of a proposal as far as it is. Its reason and its parameters are the model's own words, and shown, those of a
/// call whole: nobody decides without.
pub fn of_proposal(proposal: &Proposal, telling: &Telling<'_>) -> Card {
    let language = telling.language;
    let (what, message) = match &proposal.wanted {
        Wanted::Deed(act) => (proposal.wanted.told(language), Some(act.message)),
        Wanted::Call(proposed) => {
            let name = &proposed.call.name;
            let line = proposed.line().map(|(message, _)| message);
            (language.pick(format!("call {name}"), format!("调用 {name}")), line)
        }
    };
    let what = capital(&what);
    let is_waiting = proposal.state == State::Waiting;
    let mut card = Card { tone: tone(proposal.state), about: telling.link(message), ..Card::default() };
    card.title = if is_waiting { what + language.pick("?", "？") } else { what };
    card.text = status(proposal, language);
    card.field(language.pick("Where", "地点"), telling.place());
    match &proposal.wanted {
        Wanted::Deed(act) => card.field(language.pick("Why", "理由"), shortened(&act.reason, REASON_CHARACTERS)),
        Wanted::Call(proposed) => of_call(&mut card, proposed, &proposal.answered, language),
    }
    let turn = proposal.asked.0;
    card.footer = language.pick(format!("turn {turn}"), format!("第 {turn} 回合"));
    card
}

/// What was answered stands before what it was given: that is what may be cut once it is decided.
fn of_call(card: &mut Card, proposed: &ProposedCall, answered: &str, language: Language) {
    let by: Vec<&str> = proposed.causes.iter().map(|author| &*author.name).collect();
    card.field(language.pick("Asked for by", "谁要的"), shortened(&by.join(", "), BESIDES));
    card.field(language.pick("Answered", "结果"), shortened(answered, BESIDES));
    if let Some((_, author)) = proposed.line() {
        card.field(language.pick("Whose line", "谁的消息"), &*author.name);
    }
    card.field(language.pick("What", "做什么"), &*proposed.preview);
    for (name, value) in &proposed.call.params {
        let plain = value.as_str().filter(|text| !text.trim().is_empty()).map(str::to_owned);
        card.field(name, plain.unwrap_or_else(|| value.to_string()));
    }
}

fn tone(state: State) -> Tone {
    match state {
        State::Waiting | State::Approved | State::Running => Tone::Warning,
        State::Done => Tone::Spoke,
        State::Denied | State::Expired => Tone::Quiet,
        State::Failed(_) => Tone::Failed,
    }
}

fn status(proposal: &Proposal, language: Language) -> String {
    let somebody = || language.pick("a moderator", "管理成员").to_owned();
    let by = proposal.decided_by.as_ref().map_or_else(somebody, |(_, name)| name.clone());
    match proposal.state {
        State::Waiting => {
            let long = duration(proposal.expires - proposal.made, language);
            let (english, chinese) = match proposal.wanted {
                Wanted::Deed(_) => ("somebody who could do it by hand", "能亲手这样操作的人"),
                Wanted::Call(_) => ("a moderator", "管理成员"),
            };
            language.pick(
                format!("The companion asks for this. Nothing is done unless {english} approves it within {long}."),
                format!("伙伴请求这样做。{long}内没有{chinese}批准，就不会执行。"),
            )
        }
        State::Approved | State::Running => {
            language.pick(format!("Approved by {by}; it is being done."), format!("{by} 已批准，正在执行。"))
        }
        State::Done => language.pick(format!("Approved by {by}: done."), format!("{by} 已批准：已执行。")),
        State::Denied => language.pick(format!("Denied by {by}: not done."), format!("{by} 已拒绝：没有执行。")),
        State::Expired => language.pick("Nobody decided in time: not done.", "没有人及时决定：没有执行。").to_owned(),
        State::Failed(obstacle) => {
            let why = obstacle.told(language);
            language
                .pick(format!("Approved by {by}, but not done: {why}."), format!("{by} 已批准，但没能执行：{why}。"))
        }
    }
}

/// A deed that the model asked for and that is not done.
pub fn not_done(act: &Act, obstacle: Obstacle, telling: &Telling<'_>) -> Card {
    let (place, deed) = (telling.place(), act.deed.name());
    Card {
        tone: Tone::Warning,
        title: telling.language.pick(format!("{deed} not done in {place}"), format!("没有执行 {deed}：{place}")),
        text: capital(&obstacle.told(telling.language)),
        about: telling.link(Some(act.message)),
        ..Card::default()
    }
}
