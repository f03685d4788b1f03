//! A message that is deleted or edited while the companion thinks about it is not answered as it was.

use kith_core::chat::{ChannelId, SECOND};
use kith_core::report::TurnOutcome;

use crate::turn::HI;
use crate::turn::sim::{Answer, Sim, policy};

const CHANNEL: ChannelId = ChannelId(1);

#[test]
fn a_question_that_is_deleted_while_it_thinks_is_not_answered() {
    let mut sim = Sim::new(policy()).answer(Answer::Starts("<turn><thoughts>hm"));
    let id = sim.says("Anna", "@Juno what did Ben get me?");
    sim.wait(2 * SECOND);
    sim.delete(CHANNEL, vec![id]);
    sim.model_ends("</thoughts><send_message>a bike</send_message></turn>");
    sim.wait(20 * SECOND);
    assert!(
        !sim.log.contains("say #1") && !sim.log.contains('⚠'),
        "{}",
        sim.log
    );
    assert_eq!(
        sim.reports[0].outcome,
        TurnOutcome::Silent("the message it was about was deleted".into())
    );
    assert_eq!(sim.core.load(), (0, 0));
}

#[test]
fn who_else_asked_is_still_answered_without_it() {
    let mut sim = Sim::new(policy())
        .answer(Answer::Starts("<turn><thoughts>hm"))
        .answer(Answer::Says(
            "<turn><send_message>hi Ben</send_message></turn>",
        ));
    let anna = sim.says("Anna", "@Juno what did Ben get me…");
    sim.says("Ben", "@Juno hello");
    sim.wait(2 * SECOND);
    sim.delete(CHANNEL, vec![anna]);
    sim.wait(5 * SECOND);
    assert!(
        sim.log.contains("cut") && sim.log.contains("say #1: hi Ben"),
        "{}",
        sim.log
    );
    assert!(
        !sim.asked[1].1.contains("what did Ben get me"),
        "{}",
        sim.asked[1].1
    );
}

#[test]
fn a_question_that_is_edited_while_it_thinks_is_read_again_once() {
    let mut sim = Sim::new(policy())
        .answer(Answer::Starts("<turn><thoughts>hm"))
        .answer(Answer::Starts("<turn>"));
    let id = sim.says("Anna", "@Juno is it open on mondays?");
    sim.wait(2 * SECOND);
    sim.edit(CHANNEL, id, "@Juno is it open on mondays?");
    assert_eq!(sim.asked.len(), 1, "a preview of a link changes no word");
    sim.edit(CHANNEL, id, "@Juno is it open on sundays?");
    sim.edit(CHANNEL, id, "@Juno is it open on saturdays?");
    sim.model_ends("<send_message>till six</send_message></turn>");
    sim.wait(5 * SECOND);
    assert_eq!(sim.asked.len(), 2, "once is enough\n{}", sim.log);
    assert!(sim.asked[1].1.contains("sundays"), "{}", sim.asked[1].1);
    assert!(sim.log.contains("say #1: till six"), "{}", sim.log);
}

#[test]
fn what_was_said_already_stays_and_other_messages_change_nothing() {
    let mut sim =
        Sim::new(policy()).answer(Answer::Starts("<turn><send_message>hey</send_message>"));
    let other = sim.says("Ben", "morning all");
    let id = sim.says("Anna", "@Juno hi");
    sim.wait(2 * SECOND);
    sim.edit(CHANNEL, other, "evening all");
    sim.delete(CHANNEL, vec![other]);
    sim.edit(CHANNEL, id, "@Juno hello");
    sim.delete(CHANNEL, vec![id]);
    sim.model_ends("</turn>");
    sim.wait(5 * SECOND);
    assert_eq!(
        (sim.asked.len(), sim.log.matches("say #1").count()),
        (1, 1),
        "{}",
        sim.log
    );
    assert_eq!(sim.reports[0].outcome, TurnOutcome::Acted);
}

#[test]
fn before_the_prompt_is_made_nothing_has_to_start_over() {
    let mut sim = Sim::with_places(policy(), 0).answer(Answer::Says(HI));
    let id = sim.says("Anna", "@Juno hi");
    sim.wait(2 * SECOND);
    sim.delete(CHANNEL, vec![id]);
    sim.wait(5 * SECOND);
    assert_eq!(sim.asked.len(), 0, "{}", sim.log);
}
