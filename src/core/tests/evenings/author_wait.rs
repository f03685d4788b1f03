//! Its own conversation, and waiting for the author of a line to be done.

use kith_core::chat::{AuthorKind, ChannelId, SECOND};
use kith_core::event::Event;
use kith_core::persona::Language;
use kith_core::policy::ChannelPolicy;
use kith_core::report::Refusal;

use crate::evenings::ANSWER;
use crate::evenings::sim::{Sim, author, policy};

/// A companion that always answers.
fn companion(settings: ChannelPolicy) -> Sim {
    let mut sim = Sim::new(settings);
    sim.always = Some(ANSWER);
    sim
}

fn refused(sim: &Sim) -> Vec<Option<Refusal>> {
    sim.decisions
        .iter()
        .filter(|decision| decision.waits_until.is_none())
        .map(|decision| decision.refusal)
        .collect()
}

/// Whether it answers what somebody replies, without its name, to the question it put to them.
fn hears_the_answer(greeting: &str, question: &'static str, answer: &str) -> bool {
    let mut sim = companion(policy());
    sim.always = Some(question);
    sim.says("Anna", greeting);
    sim.wait(10 * SECOND);
    sim.wait(20 * SECOND);
    let before = sim.reports.len();
    sim.says("Anna", answer);
    sim.wait(60 * SECOND);
    sim.reports.len() > before
}

#[test]
fn what_answers_its_own_question_is_answered() {
    let asks = "<turn><send_message>morning. how did the exam go</send_message></turn>";
    assert!(hears_the_answer(
        "hey juno, good morning",
        asks,
        "pretty bad honestly"
    ));
    let asks = "<turn><send_message>早，考试怎么样</send_message></turn>";
    assert!(hears_the_answer("juno，早上好", asks, "不太好，感觉考砸了"));
}

#[test]
fn a_question_in_its_own_talk_is_answered_within_seconds_however_slow_the_room() {
    let mut sim = companion(policy());
    for who in ["Anna", "Ben"].repeat(6) {
        sim.says(who, "and then we took the late train home again");
        sim.wait(60 * SECOND);
    }
    sim.says("Anna", "juno, what should i cook tonight?");
    sim.wait(25 * SECOND);
    let line = sim.says("Anna", "with cheese or without?");
    sim.wait(6 * SECOND);
    let decided = sim.decisions.iter().rev().find(|it| it.message == line);
    assert!(decided.is_some_and(|it| it.speak && it.waits_until.is_none()));
}

#[test]
fn a_line_its_author_writes_past_hands_on_to_the_next() {
    let mut sim = companion(policy());
    sim.says("Anna", "so i went to the office today");
    sim.wait(3 * SECOND);
    sim.says("Anna", "and they had moved all the desks");
    sim.wait(60 * SECOND);
    assert_eq!(refused(&sim), [Some(Refusal::WroteOn), None]);
    let passed = sim.decisions.iter().find(|decision| !decision.is_weighed());
    let told = passed.map(|decision| {
        [Language::EN, Language::ZH]
            .map(|language| kith_core::willingness::explain_decision(decision, language))
    });
    let [english, chinese] = told.expect("the first line was passed over");
    assert_eq!(
        english,
        "not weighed: they wrote on, so their next line was"
    );
    assert!(
        chinese.starts_with("没有单独掂量") && !chinese.contains('%'),
        "{chinese}"
    );
}

#[test]
fn nothing_is_decided_while_the_author_may_write_on_and_typing_makes_it_longer() {
    let waits = |types: bool| {
        let mut sim = companion(policy());
        sim.says("Anna", "so i went to the office today");
        if types {
            sim.wait(5 * SECOND);
            let user = author("Anna", AuthorKind::Person).id;
            sim.event(Event::Typing {
                channel: ChannelId(1),
                user,
            });
        }
        assert!(
            sim.decisions
                .iter()
                .all(|decision| decision.waits_until.is_some() && !decision.speak)
        );
        let started = sim.now;
        while refused(&sim).is_empty() {
            assert!(sim.now - started < 60 * SECOND, "it decides in the end");
            sim.wait(SECOND);
        }
        sim.now - started + if types { 5 * SECOND } else { 0 }
    };
    assert!(waits(true) >= waits(false));
    assert!(waits(false) >= 8 * SECOND);
}

#[test]
fn a_line_that_still_waits_when_somebody_else_is_answered_is_told_as_looked_at_then() {
    let mut sim = companion(policy());
    let line = sim.says("Anna", "so i went to the office today");
    sim.wait(SECOND);
    sim.says("Ben", "@Juno hi there, how are you?");
    sim.wait(2 * SECOND);
    assert_eq!(sim.reports.len(), 1, "{}", sim.log);
    sim.wait(60 * SECOND);
    let decisions: Vec<_> = sim
        .decisions
        .iter()
        .filter(|decision| decision.message == line)
        .collect();
    let told: Vec<_> = decisions
        .iter()
        .map(|told| (told.waits_until.is_some(), told.refusal, told.speak))
        .collect();
    assert_eq!(
        told,
        [
            (true, None, false),
            (false, Some(Refusal::SeenInTurn), false)
        ]
    );
    let told = |language| kith_core::willingness::explain_decision(decisions[1], language);
    assert!(
        told(Language::EN)
            .starts_with("kept silent, it looked at this while it answered something else")
    );
    assert!(told(Language::ZH).starts_with("没有说话，回应别的消息时已一并看过"));
}

#[test]
fn a_line_that_still_waits_when_it_keeps_silent_to_somebody_else_is_decided_on_in_its_time() {
    let mut sim = companion(policy());
    sim.always = Some("<turn><stay_silent>not now</stay_silent></turn>");
    let line = sim.says("Anna", "so i went to the office today");
    sim.wait(SECOND);
    sim.says("Ben", "@Juno hi there, how are you?");
    sim.wait(60 * SECOND);
    let told: Vec<_> = sim
        .decisions
        .iter()
        .filter(|decision| decision.message == line)
        .collect();
    assert_eq!(told.len(), 2, "{told:#?}");
    assert_eq!((told[1].waits_until, told[1].refusal), (None, None));
}

#[test]
fn a_line_that_waited_when_the_process_ended_is_decided_on_after_the_restart() {
    let mut sim = companion(policy());
    sim.says("Anna", "does anybody here know a good dentist?");
    sim.restarts(policy());
    sim.wait(60 * SECOND);
    let state = sim
        .core
        .channel_state(ChannelId(1))
        .expect("the channel is known");
    assert_eq!(
        state
            .snapshot(sim.now, &kith_core::willingness::Weights::load_embedded())
            .unseen,
        0
    );
}
