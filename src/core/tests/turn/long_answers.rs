//! A long answer is typed part by part, each with its own pause and its own typing notice, which ends with the turn.

use kith_core::chat::SECOND;
use kith_core::policy::{ChannelPolicy, PacingSettings};

use crate::turn::sim::{Answer, Sim, policy};

fn typist() -> ChannelPolicy {
    ChannelPolicy {
        pacing: PacingSettings {
            characters_per_second: 500.0,
            ..PacingSettings::default()
        },
        ..policy()
    }
}

/// A thousand characters, none of them said twice.
fn words(from: usize) -> String {
    (from..from + 100)
        .map(|n| format!("w{n:07} a "))
        .collect::<String>()[..1_000]
        .trim()
        .to_owned()
}

/// When each line of the log with this in it was written, in seconds.
fn times(log: &str, what: &str) -> Vec<f64> {
    let lines = log.lines().filter(|line| line.contains(what));
    lines
        .map(|line| line.split_whitespace().next().unwrap().parse().unwrap())
        .collect()
}

#[test]
fn a_long_answer_is_typed_in_parts_with_a_pause_before_each() {
    let long: String = (100..250)
        .map(|n| format!("A sentence {n} of some length. "))
        .collect();
    let long = format!("<turn><send_message>{long}</send_message></turn>");
    let mut sim = Sim::new(typist()).answer(Answer::Says(long.leak()));
    sim.says("Anna", "@Juno tell me everything");
    sim.wait(60 * SECOND);
    let said = times(&sim.log, "say #1: A sentence");
    assert_eq!(said.len(), 3, "{}", sim.log);
    assert!(said[1] - said[0] > 3.0 && said[2] > said[1], "{said:?}");
    assert!(
        sim.log
            .lines()
            .filter(|line| line.contains("say #1"))
            .all(|line| line.ends_with("length."))
    );
}

#[test]
fn typing_is_shown_again_before_each_message_and_never_after_the_last() {
    let two = format!(
        "<turn><send_message>{}\n\n{}</send_message></turn>",
        words(0),
        words(1_000)
    );
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
    assert_eq!(
        times(&sim.log, "typing #1"),
        [0.0, 8.0, 16.0, 24.0],
        "{}",
        sim.log
    );
    sim.model_ends("no</thoughts><stay_silent>better not</stay_silent></turn>");
    sim.log.clear();
    sim.wait(60 * SECOND);
    assert!(!sim.log.contains("typing"), "{}", sim.log);
}

#[test]
fn a_model_that_writes_the_same_again_and_again_is_hung_up_on_and_asked_once_more() {
    let circles = format!(
        "<turn><thoughts>{}",
        "Juno is saying she is in Cork. Tom asks if she is happy with it. ".repeat(40)
    );
    let mut sim = Sim::new(policy()).answer(Answer::Starts(circles.leak()));
    sim.answers.push_back(Answer::Says(
        "<turn><send_message>in cork</send_message></turn>",
    ));
    sim.says("Anna", "@Juno where are you?");
    assert!(sim.log.contains("hang up"), "{}", sim.log);
    sim.wait(5 * SECOND);
    assert!(sim.log.contains("say #1: in cork"), "{}", sim.log);
    let notes = &sim.reports[0].notes;
    assert!(
        notes
            .iter()
            .any(|note| note.contains("the same words again and again")),
        "{notes:?}"
    );
}

#[test]
fn a_list_whose_lines_begin_alike_is_no_circle() {
    let lines: String = (1..60)
        .map(|n| format!("<react to=\"1\" emoji=\"x\"/><remember about=\"me\">the number of today is {n}</remember>"))
        .collect();
    let text = format!("<turn>{lines}<send_message>ok</send_message></turn>");
    let mut sim = Sim::new(policy()).answer(Answer::Says(text.leak()));
    sim.says("Anna", "@Juno hi");
    sim.wait(60 * SECOND);
    assert!(!sim.log.contains("hang up"), "{}", sim.log);
}
