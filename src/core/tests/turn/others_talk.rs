//! People turn to each other while the companion is about to speak unasked: it does not break in, and is not led to answer
//! what was said to somebody else.

use kith_core::chat::SECOND;
use kith_core::policy::{ChannelPolicy, PacingSettings};
use kith_core::report::TurnOutcome;
use kith_core::talkativeness::Talkativeness;

use crate::turn::HI;
use crate::turn::sim::{Answer, Sim, policy};

/// What is asked of the room, and answered unasked.
const LINE: &str = "does anybody here know whether the shop is open on sundays at all?";
const OVERTAKEN: &str = "others talk with each other about it by now";

fn eager() -> ChannelPolicy {
    ChannelPolicy {
        talkativeness: Talkativeness::Level(1.0),
        ..policy()
    }
}

/// Everybody has said something, so that their names are known.
fn sim(policy: ChannelPolicy) -> Sim {
    let mut sim = Sim::new(policy);
    for who in ["Anna", "Ben", "Cleo"] {
        sim.says(who, "hm");
    }
    sim.wait(120 * SECOND);
    (sim.log, sim.reports, sim.asked) = (String::new(), Vec::new(), Vec::new());
    sim
}

fn outcomes(sim: &Sim) -> Vec<TurnOutcome> {
    sim.reports
        .iter()
        .map(|report| report.outcome.clone())
        .collect()
}

#[test]
fn a_line_to_its_author_before_the_decision_ends_the_turn_before_a_model_is_asked() {
    for to_anna in [
        "anna did you call them?",
        "@Anna no",
        "Anna，你给他们打过电话吗",
    ] {
        let mut sim = sim(eager());
        sim.says("Anna", LINE);
        sim.wait(3 * SECOND);
        sim.says("Ben", to_anna);
        sim.wait(17 * SECOND);
        assert!(sim.log.contains("willing"), "{to_anna}: {}", sim.log);
        assert_eq!(
            outcomes(&sim),
            [TurnOutcome::Silent(OVERTAKEN.into())],
            "{to_anna}: {}",
            sim.log
        );
        assert_eq!(sim.asked.len(), 0, "{to_anna}: it costs no call");
    }
}

#[test]
fn a_line_to_its_author_while_the_model_writes_or_it_types_ends_the_turn_too() {
    let slow = ChannelPolicy {
        pacing: PacingSettings {
            characters_per_second: 0.5,
            ..PacingSettings::default()
        },
        ..eager()
    };
    for (policy, answer) in [
        (eager(), Answer::Starts("<turn>")),
        (slow, Answer::Says(HI)),
    ] {
        let mut sim = sim(policy).answer(answer);
        sim.says("Anna", LINE);
        sim.wait(20 * SECOND);
        assert_eq!((sim.asked.len(), sim.reports.len()), (1, 0), "{}", sim.log);
        sim.says("Ben", "anna did you call them?");
        assert_eq!(outcomes(&sim), [TurnOutcome::Silent(OVERTAKEN.into())]);
        assert!(
            sim.log.contains("cut") && !sim.log.contains("say"),
            "{}",
            sim.log
        );
    }
}

#[test]
fn its_author_who_turns_to_somebody_else_is_left_to_them() {
    let mut sim = sim(eager()).answer(Answer::Starts("<turn>"));
    sim.says("Anna", LINE);
    sim.wait(20 * SECOND);
    sim.says("Anna", "ben you live there, don't you?");
    assert_eq!(outcomes(&sim), [TurnOutcome::Silent(OVERTAKEN.into())]);
}

#[test]
fn another_talk_of_others_does_not_keep_it_from_speaking_but_is_told_apart() {
    let mut sim = sim(eager()).answer(Answer::Says(HI));
    sim.says("Anna", LINE);
    sim.wait(3 * SECOND);
    sim.says("Ben", "cleo can you bring the blue chairs tomorrow");
    sim.wait(17 * SECOND);
    assert_eq!(outcomes(&sim), [TurnOutcome::Acted], "{}", sim.log);
    let told = "The newest line, 5, is Ben talking to Cleo: that one is not yours to answer.";
    assert!(sim.asked[0].1.contains(told), "{}", sim.asked[0].1);
}

#[test]
fn who_speaks_to_it_is_answered_whoever_talks_with_whom() {
    let mut sim = sim(eager()).answer(Answer::Says(HI));
    sim.says("Anna", LINE);
    sim.says("Cleo", "@Juno is it?");
    sim.says("Ben", "anna did you call them?");
    sim.wait(20 * SECOND);
    assert!(
        outcomes(&sim).contains(&TurnOutcome::Acted) && sim.log.contains("say #1: hey"),
        "{}",
        sim.log
    );
}

#[test]
fn what_it_has_begun_to_say_is_said_to_the_end() {
    let two = "<turn><send_message>sundays too</send_message><send_message>till noon</send_message></turn>";
    let typist = ChannelPolicy {
        pacing: PacingSettings {
            characters_per_second: 10.0,
            ..PacingSettings::default()
        },
        ..eager()
    };
    let mut sim = sim(typist).answer(Answer::Says(two));
    sim.says("Anna", LINE);
    while !sim.log.contains("sundays too") {
        sim.wait(SECOND / 5);
    }
    sim.says("Ben", "anna did you call them?");
    sim.wait(5 * SECOND);
    assert!(sim.log.contains("till noon"), "{}", sim.log);
}
