//! Direct address that grows old before anybody looks at it is on record, and an answer that comes too late is not said.

use kith_core::chat::{MINUTE, MessageId, SECOND, TurnId};
use kith_core::event::{BudgetState, Event, TurnEvent};
use kith_core::policy::{ChannelPolicy, PacingSettings};
use kith_core::report::{ModelFailure, Refusal, TurnOutcome};
use kith_core::talkativeness::Talkativeness;

use crate::turn::HI;
use crate::turn::sim::{Answer, Sim, policy};

const TOO_LATE: &str = "what it would answer was said too long ago";

/// Why each of these messages was refused, by what was told last.
fn refusals(sim: &Sim, messages: &[MessageId]) -> Vec<Option<Refusal>> {
    let refusal = |id: &MessageId| {
        let mut told = sim.decisions.iter().rev();
        told.find(|decision| decision.message == *id)?.refusal
    };
    messages.iter().map(refusal).collect()
}

/// The turn said nothing, because all it would answer was stale.
fn expect_given_up(sim: &Sim) {
    assert!(!sim.log.contains("say #1"), "{}", sim.log);
    assert_eq!(
        sim.reports[0].outcome,
        TurnOutcome::Silent(TOO_LATE.into()),
        "{}",
        sim.log
    );
}

/// The machine sleeps: time passes and nothing is looked at.
fn sleeps(sim: &mut Sim) {
    sim.now += 11 * MINUTE;
}

#[test]
fn who_speaks_to_it_during_a_turn_that_fails_for_the_budget_is_on_record_when_that_took_long() {
    let mut sim = Sim::new(policy())
        .answer(Answer::Starts("<turn><thoughts>hm"))
        .answer(Answer::Starts("<turn><thoughts>hm"));
    let anna = sim.says("Anna", "@Juno hi");
    sim.wait(5 * SECOND);
    let ben = sim.says("Ben", "@Juno and me?");
    sim.wait(5 * SECOND);
    let late = [
        sim.says("Cleo", "@Juno what of me?"),
        sim.says("Dan", "@Juno me too"),
    ];
    sleeps(&mut sim);
    sim.event(Event::Budget(BudgetState::Hard));
    let end = Err(ModelFailure {
        budget: true,
        ..ModelFailure::new("the budget is spent")
    });
    sim.event(Event::Turn {
        turn: TurnId(1),
        event: TurnEvent::AnswerEnded { ask: 2, end },
    });
    sim.wait(5 * SECOND);
    assert_eq!(sim.reports[0].wake.addressed, [anna, ben], "{}", sim.log);
    assert_eq!(
        sim.reports[0].outcome,
        TurnOutcome::Failed("the budget is spent".into()),
        "a failure is told as such, however late"
    );
    assert_eq!(sim.log.matches("react 💤").count(), 2, "{}", sim.log);
    assert_eq!(refusals(&sim, &late), [Some(Refusal::Stale); 2]);
}

#[test]
fn every_message_of_one_person_is_on_record_though_only_one_gets_a_reaction() {
    let mut sim = Sim::new(policy());
    let said = ["@Juno hi", "@Juno i am back"].map(|text| sim.says("Anna", text));
    sim.event(Event::Budget(BudgetState::Hard));
    sim.wait(MINUTE);
    assert_eq!(sim.log.matches("react 💤").count(), 1, "{}", sim.log);
    assert_eq!(refusals(&sim, &said), [Some(Refusal::Budget); 2]);
    let told = sim.decisions.len();
    sim.wait(11 * MINUTE);
    sim.event(Event::Budget(BudgetState::Open));
    sim.wait(MINUTE);
    assert_eq!(sim.decisions.len(), told, "each was told of before");
}

#[test]
fn what_was_stale_when_a_later_round_showed_it_is_on_record() {
    let mut sim = Sim::new(policy())
        .answer(Answer::Says(
            "<turn><send_message>let me look</send_message><get_time/></turn>",
        ))
        .answer(Answer::Says(HI));
    sim.slow.push("get_time");
    sim.says("Anna", "@Juno what time is it?");
    sim.wait(5 * SECOND);
    let ben = sim.says("Ben", "@Juno hi");
    sleeps(&mut sim);
    sim.comes("get_time");
    sim.wait(5 * SECOND);
    assert_eq!(sim.asked.len(), 2, "{}", sim.log);
    assert_eq!(refusals(&sim, &[ben]), [Some(Refusal::Stale)]);
}

#[test]
fn an_answer_that_comes_when_nobody_is_owed_it_any_more_is_not_said() {
    let mut sim = Sim::new(policy())
        .answer(Answer::Starts("<turn><thoughts>hm"))
        .answer(Answer::Says(HI));
    sim.says("Anna", "@Juno hi");
    sim.wait(5 * SECOND);
    sleeps(&mut sim);
    sim.model_ends("</thoughts><send_message>good morning</send_message></turn>");
    sim.wait(5 * SECOND);
    expect_given_up(&sim);
    sim.says("Anna", "@Juno are you there?");
    sim.wait(5 * SECOND);
    assert!(sim.log.contains("say #1: hey"), "{}", sim.log);
}

#[test]
fn a_message_that_was_being_typed_when_the_machine_fell_asleep_is_not_sent() {
    let mut sim = Sim::new(ChannelPolicy {
        pacing: PacingSettings {
            characters_per_second: 1.0,
            ..PacingSettings::default()
        },
        ..policy()
    })
    .answer(Answer::Says(HI));
    sim.says("Anna", "@Juno hi");
    sim.wait(2 * SECOND);
    sleeps(&mut sim);
    sim.wait(MINUTE);
    expect_given_up(&sim);
}

#[test]
fn an_answer_to_somebody_whose_address_is_fresh_is_said_to_all() {
    let mut sim = Sim::new(policy())
        .answer(Answer::Starts("<turn><thoughts>hm"))
        .answer(Answer::Starts("<turn><thoughts>hm"));
    sim.says("Anna", "@Juno hi");
    sim.wait(5 * MINUTE);
    sim.says("Ben", "@Juno and me?");
    sim.wait(6 * MINUTE);
    sim.model_ends("</thoughts><send_message>hey you two</send_message></turn>");
    sim.wait(5 * SECOND);
    assert!(sim.log.contains("say #1: hey you two"), "{}", sim.log);
}

#[test]
fn what_nobody_asked_for_is_not_said_in_quiet_hours_that_began_meanwhile() {
    let mut sim = Sim::new(ChannelPolicy {
        talkativeness: Talkativeness::Level(1.0),
        quiet_hours: "12:05-13:00 UTC".parse().ok(),
        ..policy()
    })
    .answer(Answer::Starts("<turn><thoughts>hm"));
    sim.says(
        "Anna",
        "does anybody here know whether the shop is open on sundays at all?",
    );
    sim.wait(MINUTE);
    assert!(sim.log.contains("ask #1"), "{}", sim.log);
    sleeps(&mut sim);
    sim.model_ends("</thoughts><send_message>it is</send_message></turn>");
    sim.wait(5 * SECOND);
    assert!(!sim.log.contains("say #1"), "{}", sim.log);
}

#[test]
fn an_answer_that_others_talked_past_is_marked_as_the_reply_it_is() {
    for (lines, marked) in [(2, false), (7, true)] {
        let mut sim = Sim::new(policy()).answer(Answer::Starts("<turn><thoughts>hm"));
        let anna = sim.says("Anna", "@Juno good evening!");
        sim.wait(60 * SECOND);
        for line in 0..lines {
            sim.says("Ben", &format!("and then the {line}th thing happened"));
            sim.wait(10 * SECOND);
        }
        sim.model_ends(
            "</thoughts><send_message>evening Anna</send_message><send_message>how are you</send_message></turn>",
        );
        sim.wait(10 * SECOND);
        let first = format!("say #1 (to {anna}): evening Anna");
        assert_eq!(sim.log.contains(&first), marked, "{}", sim.log);
        assert!(sim.log.contains("say #1: how are you"), "{}", sim.log);
    }
}

#[test]
fn what_it_said_and_nobody_can_read_yet_stands_in_the_next_prompt_as_on_its_way() {
    let mut sim = Sim::new(policy())
        .answer(Answer::Says(HI))
        .answer(Answer::Says(HI));
    sim.unconfirmed = true;
    sim.says("Anna", "@Juno hi");
    sim.wait(MINUTE);
    sim.lines_on_their_way.push("hey".into());
    sim.says("Anna", "@Juno are you there?");
    sim.wait(5 * SECOND);
    let told = "it is on its way and will be read, so do not say it again:\\n| hey";
    assert!(sim.asked[1].1.contains(told), "{}", sim.asked[1].1);
}
