//! What is complete is answered at once; where a second line is likely it is waited for.

use kith_core::chat::{MINUTE, Millis, SECOND};
use kith_core::policy::{ChannelPolicy, PacingSettings};
use kith_core::talkativeness::Talkativeness;

use crate::turn::HI;
use crate::turn::sim::{Answer, Sim, policy};

fn quiet() -> ChannelPolicy {
    ChannelPolicy {
        talkativeness: Talkativeness::Level(0.0),
        ..policy()
    }
}

/// How many model calls there were once this was said, with no time passed.
fn asked_at_once(sim: &mut Sim, who: &str, text: &str) -> usize {
    let before = sim.asked.len();
    // Said again to the same person it would be asked for in other words.
    let answers = [
        HI,
        "<turn><send_message>ah</send_message></turn>",
        "<turn><send_message>so</send_message></turn>",
    ];
    sim.answers
        .push_back(Answer::Says(answers[before % answers.len()]));
    sim.says(who, text);
    sim.asked.len() - before
}

#[test]
fn a_complete_line_is_answered_in_the_very_moment_it_comes_in() {
    for text in [
        "@Juno what time is it?",
        "@Juno what time is it",
        "Juno, tell us about the shark.",
        "@Juno that was great!",
        "@Juno 几点了",
        "@Juno 讲个笑话吧。",
        "@Juno i am home",
    ] {
        assert_eq!(
            asked_at_once(&mut Sim::new(quiet()), "Anna", text),
            1,
            "{text}"
        );
    }
}

#[test]
fn what_only_calls_or_breaks_off_is_waited_for_and_answered_together_with_what_follows() {
    for text in [
        "@Juno",
        "hey Juno",
        "Juno?",
        "@Juno so i tried it and",
        "@Juno guess what…",
        "@Juno 你好",
        "@Juno 话说",
    ] {
        let mut sim = Sim::new(quiet());
        assert_eq!(asked_at_once(&mut sim, "Anna", text), 0, "{text}");
        sim.wait(500);
        sim.says("Anna", "what was that film called?");
        assert_eq!(sim.asked.len(), 1, "{text}: {}", sim.log);
        assert!(
            sim.asked[0].1.contains("what was that film called?"),
            "{}",
            sim.asked[0].1
        );
        let mut alone = Sim::new(quiet());
        asked_at_once(&mut alone, "Anna", text);
        alone.wait(2 * SECOND);
        assert_eq!(
            alone.asked.len(),
            1,
            "{text}: it is answered all the same: {}",
            alone.log
        );
    }
}

#[test]
fn who_calls_is_waited_for_whoever_speaks_meanwhile() {
    let mut sim = Sim::new(quiet());
    assert_eq!(asked_at_once(&mut sim, "Anna", "hey Juno"), 0);
    sim.wait(500);
    sim.says("Ben", "lol look at this.");
    assert_eq!(sim.asked.len(), 0, "{}", sim.log);
    sim.wait(400);
    assert_eq!(sim.asked.len(), 1, "and no longer: {}", sim.log);
}

#[test]
fn who_is_writing_several_lines_just_now_is_waited_for_unless_the_line_is_complete() {
    let mut sim = Sim::new(quiet());
    assert_eq!(asked_at_once(&mut sim, "Anna", "i tried the new place"), 0);
    sim.wait(500);
    assert_eq!(
        asked_at_once(&mut sim, "Anna", "@Juno the one by the harbour"),
        0
    );
    sim.wait(500);
    assert_eq!(
        asked_at_once(&mut sim, "Anna", "do you know it?"),
        1,
        "{}",
        sim.log
    );
}

#[test]
fn who_writes_in_bursts_is_waited_for_unless_the_line_is_complete() {
    let mut sim = Sim::new(quiet());
    for _ in 0..8 {
        sim.says("Anna", "so today");
        sim.wait(2 * SECOND);
        sim.says("Anna", "i went down to the harbour");
        sim.wait(2 * SECOND);
        sim.says("Anna", "and there it was");
        sim.wait(3 * MINUTE);
        sim.says("Ben", "i write one line at a time");
        sim.wait(3 * MINUTE);
    }
    assert_eq!(asked_at_once(&mut sim, "Ben", "@Juno i am home"), 1);
    sim.wait(MINUTE);
    sim.restarts(quiet());
    assert_eq!(
        asked_at_once(&mut sim, "Anna", "@Juno i am home"),
        0,
        "the habit outlives a restart\n{}",
        sim.log
    );
    sim.wait(MINUTE);
    assert_eq!(asked_at_once(&mut sim, "Anna", "@Juno what time is it?"), 1);
}

/// What is asked after a line of Anna's to Juno while the model still thinks.
fn thinking(text: &str) -> Sim {
    let thinks = || Answer::Starts("<turn><thoughts>hm");
    let mut sim = Sim::new(quiet())
        .answer(thinks())
        .answer(thinks())
        .answer(thinks());
    sim.says("Anna", text);
    assert_eq!(sim.asked.len(), 1, "{}", sim.log);
    sim
}

#[test]
fn the_other_half_of_what_somebody_says_is_answered_with_the_first() {
    for (first, second) in [
        ("@Juno want to come over?", "we have pizza"),
        ("@Juno 来我家玩吗？", "点了披萨"),
    ] {
        let mut sim = thinking(first);
        sim.wait(2 * SECOND);
        sim.says("Anna", second);
        assert_eq!(sim.asked.len(), 2, "it starts over: {}", sim.log);
        assert!(sim.asked[1].1.contains(second), "{}", sim.asked[1].1);
        sim.model_ends("</thoughts><send_message>on my way</send_message></turn>");
        sim.wait(2 * MINUTE);
        assert_eq!(
            (sim.reports.len(), sim.asked.len()),
            (1, 2),
            "nothing is left to be answered: {}",
            sim.log
        );
    }
}

#[test]
fn it_starts_over_twice_at_most_however_much_somebody_writes() {
    let mut sim = thinking("@Juno want to come over?");
    for more in ["we have pizza", "and the good chairs", "and a film", "and"] {
        sim.wait(SECOND);
        sim.says("Anna", more);
    }
    assert_eq!(sim.asked.len(), 3, "{}", sim.log);
}

#[test]
fn a_line_that_comes_while_a_slow_model_has_written_for_long_starts_nothing_over() {
    let mut sim = thinking("@Juno want to come over?");
    sim.wait(21 * SECOND);
    sim.says("Anna", "we have pizza");
    assert_eq!(sim.asked.len(), 1, "{}", sim.log);
}

#[test]
fn what_somebody_else_says_meanwhile_starts_nothing_over() {
    let mut sim = thinking("@Juno want to come over?");
    sim.wait(2 * SECOND);
    sim.says("Ben", "i am eating already");
    assert_eq!(sim.asked.len(), 1, "{}", sim.log);
}

/// What is decided on Anna's line so long after Juno has answered her.
fn after_its_answer(later: Millis, text: &str) -> Sim {
    let mut sim = Sim::new(quiet())
        .answer(Answer::Says(HI))
        .answer(Answer::Says(HI));
    for who in ["Ben", "Tom"] {
        sim.says(who, "evening all");
        sim.wait(MINUTE);
    }
    sim.says("Anna", "@Juno want to come over?");
    sim.wait(5 * SECOND);
    assert!(sim.log.contains("say #1: hey"), "{}", sim.log);
    sim.wait(later);
    sim.says("Anna", text);
    sim
}

#[test]
fn the_other_half_within_a_minute_after_its_answer_is_its_own_conversation() {
    for text in ["we have pizza", "点了披萨"] {
        for later in [10 * SECOND, 50 * SECOND] {
            let sim = after_its_answer(later, text);
            let said = sim.decisions.last().unwrap();
            assert!(
                said.address.is_none() && said.goes_on,
                "{text} after {later}: {said:?}"
            );
        }
    }
}

#[test]
fn two_who_ask_the_same_at_once_get_one_answer() {
    const NINE: &str = "<turn><send_message>nine o'clock sharp, i would say</send_message></turn>";
    let types = ChannelPolicy {
        pacing: PacingSettings {
            characters_per_second: 10.0,
            ..PacingSettings::default()
        },
        ..quiet()
    };
    // While it thinks, and while what it wrote is still being typed.
    for first in ["<turn><thoughts>hm", NINE] {
        for text in ["@Juno what time is it?", "@Juno 几点了？"] {
            let mut sim = Sim::new(types.clone())
                .answer(Answer::Starts(first))
                .answer(Answer::Says(NINE));
            sim.says("Anna", text);
            sim.wait(SECOND);
            sim.says("Ben", text);
            sim.wait(2 * MINUTE);
            assert_eq!(sim.log.matches("say #1").count(), 1, "{text}: {}", sim.log);
            assert_eq!(
                (sim.asked.len(), sim.reports.len()),
                (2, 1),
                "{text}: {}",
                sim.log
            );
        }
    }
}
