//! A model that is asked whether to speak, where the score leaves it in doubt.

use kith_core::chat::{SECOND, TurnId};
use kith_core::event::{Event, TurnEvent};
use kith_core::policy::ChannelPolicy;
use kith_core::report::TurnOutcome;
use kith_core::talkativeness::Talkativeness;

use crate::turn::HI;
use crate::turn::sim::{Answer, Sim, policy};

/// What is asked of the room: below the threshold of level 0.1 and above that of 0.4, near both, and far above that of 1.
const LINE: &str = "does anybody here know whether the shop is open on sundays at all?";

fn judged(level: f32, is_judged: bool) -> Sim {
    Sim::new(ChannelPolicy {
        talkativeness: Talkativeness::Level(level),
        is_judged,
        ..policy()
    })
}

#[test]
fn near_the_bar_a_turn_asks_first_whether_to_speak_and_far_from_it_the_score_decides() {
    for (level, is_judged, outcome) in [
        (0.1, false, "unwilling"),
        (0.1, true, "doubtful"),
        (0.4, false, "willing"),
        (0.4, true, "doubtful"),
        (1.0, true, "willing"),
    ] {
        let mut sim = judged(level, is_judged).answer(Answer::Says(HI));
        sim.says("Anna", LINE);
        sim.wait(22 * SECOND);
        assert!(
            sim.log.contains(&format!(": {outcome}")),
            "{level} {is_judged}: {}",
            sim.log
        );
        let is_doubtful = sim
            .reports
            .first()
            .is_some_and(|report| report.wake.is_doubtful);
        assert_eq!(is_doubtful, outcome == "doubtful", "{level} {is_judged}");
    }
}

#[test]
fn who_speaks_to_it_is_answered_whatever_a_judge_would_say() {
    let mut sim = judged(0.1, true).answer(Answer::Says(HI));
    sim.says(
        "Anna",
        "@Juno does anybody here know whether the shop is open?",
    );
    sim.wait(22 * SECOND);
    assert!(
        !sim.reports[0].wake.is_doubtful && sim.log.contains("addressed"),
        "{}",
        sim.log
    );
}

#[test]
fn a_turn_that_a_judge_declines_ends_in_silence_with_the_reason() {
    let mut sim = judged(0.4, true)
        .answer(Answer::Starts(""))
        .answer(Answer::Says(HI));
    sim.says("Anna", LINE);
    sim.wait(22 * SECOND);
    let why = "it was in doubt and asked".to_owned();
    sim.event(Event::Turn {
        turn: TurnId(1),
        event: TurnEvent::JudgeDeclined { why: why.clone() },
    });
    assert_eq!(sim.reports[0].outcome, TurnOutcome::Silent(why));
    sim.wait(60 * SECOND);
    assert_eq!(
        sim.reports.len(),
        1,
        "it is not asked about the same line again: {}",
        sim.log
    );
    sim.says("Anna", "@Juno do you know?");
    sim.wait(5 * SECOND);
    assert_eq!(sim.reports.len(), 2, "{}", sim.log);
}
