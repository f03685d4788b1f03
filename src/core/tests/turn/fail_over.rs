//! What a turn does when the model fails and another can be asked.

use kith_core::chat::SECOND;
use kith_core::report::TurnOutcome;

use crate::turn::HI;
use crate::turn::sim::{Answer, Sim, policy};

fn addressed(spares: usize, answers: impl IntoIterator<Item = Answer>) -> Sim {
    let mut sim = answers.into_iter().fold(Sim::new(policy()), Sim::answer);
    sim.spares = spares;
    sim.says("Anna", "@Juno hi");
    sim.wait(5 * SECOND);
    sim
}

#[test]
fn another_model_is_asked_the_same_and_never_sees_the_answer_that_failed() {
    let broken = "<turn><thoughts>a secret plan</thoughts><send_mess";
    let mut sim = addressed(
        1,
        [Answer::Breaks(broken, "it fell silent"), Answer::Says(HI)],
    );
    sim.expect(
        "0.8 beat #1: addressed
         0.8 typing #1
         0.8 ask #1 Normal
         0.8 next model
         0.8 ask #1 Normal
         0.8 say #1: hey
         0.8 end #1: Acted",
    );
    assert_eq!(sim.asked[0], sim.asked[1]);
    let report = &sim.reports[0];
    assert_eq!(
        report.rounds[0]
            .failure
            .as_ref()
            .map(|failure| failure.message.as_str()),
        Some("it fell silent")
    );
    assert_eq!(report.notes, ["another model was asked: it fell silent"]);
}

#[test]
fn without_another_model_the_turn_fails_as_ever() {
    let sim = addressed(0, [Answer::Fails("no connection"), Answer::Says(HI)]);
    assert_eq!(
        sim.reports[0].outcome,
        TurnOutcome::Failed("no connection".into())
    );
    assert_eq!(sim.asked.len(), 1);
}

#[test]
fn when_all_have_failed_the_last_failure_is_told() {
    let sim = addressed(2, ["one", "two", "three"].map(Answer::Fails));
    assert_eq!(sim.reports[0].outcome, TurnOutcome::Failed("three".into()));
    assert_eq!(sim.reports[0].rounds.len(), 3);
}

#[test]
fn what_was_sent_before_the_failure_is_never_said_again() {
    let broken = "<turn><send_message>hey</send_message><send_message>how ar";
    let mut sim = addressed(
        1,
        [
            Answer::Breaks(broken, "cut"),
            Answer::Says("<turn><send_message>hoi</send_message></turn>"),
        ],
    );
    sim.expect(
        "0.8 beat #1: addressed
         0.8 typing #1
         0.8 ask #1 Normal
         0.8 say #1: hey
         0.8 end #1: Acted",
    );
}

#[test]
fn another_model_goes_on_from_what_was_done() {
    let broken = "<turn><thoughts>the time first</thoughts><get_time/><core_mem";
    let mut sim = addressed(1, [Answer::Breaks(broken, "cut"), Answer::Says(HI)]);
    sim.expect(
        "0.8 beat #1: addressed
         0.8 typing #1
         0.8 ask #1 Normal
         0.8 run get_time
         0.8 next model
         0.8 ask #1 Normal
         0.8 say #1: hey
         0.8 end #1: Acted",
    );
    assert!(sim.asked[1].1.contains("12:00"), "it knows the result");
    assert!(!sim.asked[1].1.contains("the time first"));
}

#[test]
fn an_answer_that_cannot_be_read_is_repaired_once_and_then_asked_of_another() {
    let residue = "<|tool_calls_begin|>send_message";
    let mut sim = addressed(
        1,
        [
            Answer::Says(residue),
            Answer::Says(residue),
            Answer::Says(HI),
        ],
    );
    sim.expect(
        "0.8 beat #1: addressed
         0.8 typing #1
         0.8 ask #1 Normal
         0.8 ask #1 Repair
         0.8 next model
         0.8 ask #1 Normal
         0.8 say #1: hey
         0.8 end #1: Acted",
    );
    assert_eq!(
        sim.asked[0], sim.asked[2],
        "the first question, without a word of the answers"
    );
}

#[test]
fn an_answer_of_thoughts_alone_is_asked_for_once_more_and_then_of_another() {
    for only_thoughts in [
        "<think>she wants a greeting</think>",
        "<turn><thoughts>greet her</thoughts></turn>",
    ] {
        let mut sim = addressed(
            1,
            [
                Answer::Says(only_thoughts),
                Answer::Says(only_thoughts),
                Answer::Says(HI),
            ],
        );
        sim.expect(
            "0.8 beat #1: addressed
             0.8 typing #1
             0.8 ask #1 Normal
             0.8 ask #1 Repair
             0.8 next model
             0.8 ask #1 Normal
             0.8 say #1: hey
             0.8 end #1: Acted",
        );
        assert_eq!(
            sim.asked[0], sim.asked[2],
            "the first question, without a word of the thoughts"
        );
        assert_eq!(
            sim.reports[0].notes,
            ["another model was asked: it only thought"]
        );
    }
}
