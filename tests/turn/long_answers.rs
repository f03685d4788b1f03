//! A long answer is typed part by part, each with its own pause and its own typing notice, which ends with the turn.

use kith::core::chat::SECOND;
use kith::core::policy::{Pacing, Policy};

use crate::sim::{Answer, Sim, policy};

fn typist() -> Policy {
    Policy { pacing: Pacing { characters_per_second: 500.0, ..Pacing::default() }, ..policy() }
}

/// When each line of the log with this in it was written, in seconds.
fn times(log: &str, what: &str) -> Vec<f64> {
    let lines = log.lines().filter(|line| line.contains(what));
    lines.map(|line| line.split_whitespace().next().unwrap().parse().unwrap()).collect()
}

#[test]
fn a_long_answer_is_typed_in_parts_with_a_pause_before_each() {
    let long = format!("<turn><send_message>{}</send_message></turn>", "A sentence of some length. ".repeat(150));
    let mut sim = Sim::new(typist()).answer(Answer::Says(long.leak()));
    sim.says("Anna", "@Juno tell me everything");
    sim.wait(60 * SECOND);
    let said = times(&sim.log, "say #1: A sentence");
    assert_eq!(said.len(), 3, "{}", sim.log);
    assert!(said[1] - said[0] > 3.0 && said[2] > said[1], "{said:?}");
    assert!(sim.log.lines().filter(|line| line.contains("say #1")).all(|line| line.ends_with("length.")));
}

#[test]
fn typing_is_shown_again_before_each_message_and_never_after_the_last() {
    let two = format!("<turn><send_message>{}\n\n{}</send_message></turn>", "a".repeat(1_000), "b".repeat(1_000));
    let mut sim = Sim::new(typist()).answer(Answer::Says(two.leak()));
    sim.says("Anna", "@Juno tell me");
    sim.wait(60 * SECOND);
    let (typing, said) = (times(&sim.log, "typing #1"), times(&sim.log, "say #1"));
    assert_eq!(said.len(), 2, "{}", sim.log);
    // The message takes the notice away: it is shown again at once.
    assert_eq!(typing, [0.0, said[0]], "{}", sim.log);
}

#[test]
fn while_the_model_writes_long_typing_is_renewed_and_ends_with_the_turn() {
    let mut sim = Sim::new(policy()).answer(Answer::Starts("<turn><thoughts>hm, "));
    sim.says("Anna", "@Juno tell me");
    sim.wait(30 * SECOND);
    assert_eq!(times(&sim.log, "typing #1"), [0.0, 8.0, 16.0, 24.0], "{}", sim.log);
    sim.model_ends("no</thoughts><stay_silent>better not</stay_silent></turn>");
    sim.log.clear();
    sim.wait(60 * SECOND);
    assert!(!sim.log.contains("typing"), "{}", sim.log);
}
