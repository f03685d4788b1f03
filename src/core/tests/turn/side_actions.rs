//! Once something visible was said and nobody is owed an answer, only a question for information earns a round.

use kith_core::call::ToolResult;
use kith_core::chat::SECOND;
use kith_core::report::TurnOutcome;

use crate::turn::sim::{Answer, Sim, policy};

#[test]
fn a_side_action_that_fails_behind_a_message_costs_no_round() {
    for side in [
        "<react to=\"99\">👍</react>",
        "<react to=\"1\">hahaha</react>",
        "<compact/>",
        "<core_memory_append/>",
        "<react/>",
    ] {
        let text: &'static str =
            format!("<turn><send_message>hey Ben</send_message>{side}</turn>").leak();
        let mut sim = Sim::new(policy())
            .answer(Answer::Says(text))
            .answer(Answer::Says(text));
        sim.says("Ben", "@Juno hi");
        sim.wait(5 * SECOND);
        assert_eq!(
            (sim.log.matches("say #1").count(), sim.asked.len()),
            (1, 1),
            "{side}: {}",
            sim.log
        );
        assert_eq!(sim.reports[0].outcome, TurnOutcome::Acted, "{side}");
        let told = sim.reports[0].rounds[0]
            .calls
            .get(1)
            .and_then(|done| done.result.as_ref());
        let noted = sim.reports[0]
            .notes
            .iter()
            .any(|note| note.contains("was not done"));
        assert!(
            noted || told.is_some_and(|result| result.is_error),
            "{side}: the report tells of it"
        );
    }
}

#[test]
fn a_quiet_action_that_fails_behind_a_message_costs_no_round_either() {
    let text = "<turn><send_message>noted</send_message><core_memory_append>Ben has a dog</core_memory_append></turn>";
    let mut sim = Sim::new(policy()).answer(Answer::Says(text));
    sim.results
        .insert("core_memory_append", ToolResult::error("the block is full"));
    sim.says("Ben", "@Juno i have a dog");
    sim.wait(5 * SECOND);
    assert_eq!(sim.asked.len(), 1, "{}", sim.log);
}

#[test]
fn a_question_for_information_behind_a_message_earns_its_round() {
    let mut sim = Sim::new(policy())
        .answer(Answer::Says(
            "<turn><send_message>one moment</send_message><get_time/></turn>",
        ))
        .answer(Answer::Says(
            "<turn><send_message>noon</send_message></turn>",
        ));
    sim.says("Ben", "@Juno what time is it?");
    sim.wait(5 * SECOND);
    assert!(
        sim.log.contains("say #1: noon") && sim.asked.len() == 2,
        "{}",
        sim.log
    );
}

#[test]
fn while_somebody_is_owed_an_answer_a_failure_is_told_to_the_model() {
    let mut sim = Sim::new(policy())
        .answer(Answer::Says("<turn><react to=\"99\">👍</react></turn>"))
        .answer(Answer::Says(
            "<turn><send_message>hey</send_message></turn>",
        ));
    sim.says("Ben", "@Juno hi");
    sim.wait(5 * SECOND);
    assert!(
        sim.asked[1].1.contains("there is no such line"),
        "{}",
        sim.asked[1].1
    );
    assert!(sim.log.contains("say #1: hey"), "{}", sim.log);
}

#[test]
fn a_tool_called_in_the_last_round_is_told_as_the_reason() {
    let mut sim = Sim::new(kith_core::policy::ChannelPolicy {
        rounds: 1,
        ..policy()
    });
    sim.always = Some("<turn><get_time/></turn>");
    sim.says("Ben", "@Juno what time is it?");
    sim.wait(5 * SECOND);
    let reason = "its rounds were used up, and in the last one it called get_time once more";
    assert_eq!(
        sim.reports[0].outcome,
        TurnOutcome::Failed(reason.into()),
        "{}",
        sim.log
    );
}
