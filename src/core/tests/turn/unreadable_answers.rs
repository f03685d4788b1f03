//! What cannot be read costs one repair round that shows the model its own words and what is wrong with them; calls
//! that a provider hands over run like those that were read.

use kith_core::chat::SECOND;
use kith_core::policy::{ChannelPolicy, OutputProtocol};
use kith_core::report::TurnOutcome;
use kith_core::talkativeness::Talkativeness;

use crate::turn::HI;
use crate::turn::sim::{Answer, Sim, policy};

fn native() -> ChannelPolicy {
    ChannelPolicy {
        protocol: OutputProtocol::Native,
        ..policy()
    }
}

#[test]
fn an_answer_that_broke_off_is_shown_with_its_error_and_asked_for_again() {
    let mut sim = Sim::new(policy())
        .answer(Answer::Cut("<turn><send_message>hi ther"))
        .answer(Answer::Says(HI));
    sim.says("Anna", "@Juno hi");
    sim.wait(5 * SECOND);
    sim.expect(
        "0.8 beat #1: addressed
         0.8 typing #1
         0.8 ask #1 Normal
         0.8 ask #1 Repair
         0.8 say #1: hey
         0.8 end #1: Acted",
    );
    let shown = &sim.asked[1].1;
    assert!(
        shown.contains("the answer broke off inside ‹send_message>") && shown.contains("hi ther"),
        "{shown}"
    );
    assert!(
        sim.reports[0].rounds[0]
            .repairs
            .contains(&"truncated_call".to_owned())
    );
}

#[test]
fn an_answer_without_its_end_tags_is_said_where_the_model_stopped_by_itself() {
    let mut sim = Sim::new(policy()).answer(Answer::Says("<turn><send_message>hi there"));
    sim.says("Anna", "@Juno hi");
    sim.wait(5 * SECOND);
    assert!(
        sim.log.contains("say #1: hi there\n") && sim.asked.len() == 1,
        "{}",
        sim.log
    );
}

#[test]
fn what_was_meant_as_an_action_is_asked_for_again_where_nobody_spoke_to_it_too_but_once() {
    let chatty = ChannelPolicy {
        talkativeness: Talkativeness::Level(1.0),
        ..policy()
    };
    let mut sim = Sim::new(chatty)
        .answer(Answer::Cut("<turn><send_message>hi ther"))
        .answer(Answer::Cut("{\"actions\": [{\"name\": \"send_mess"));
    for _ in 0..40 {
        sim.says(
            "Anna",
            "does anybody here know whether the shop is open on sundays at all?",
        );
        sim.wait(90 * SECOND);
        if sim.log.contains("ask #1") {
            break;
        }
    }
    let asked = sim.log.matches("ask #1").count();
    assert_eq!(
        (
            asked,
            sim.log.matches("Repair").count(),
            sim.log.matches("say #1").count()
        ),
        (2, 1, 0),
        "{}",
        sim.log
    );
    assert_eq!(
        sim.reports[0].outcome,
        TurnOutcome::Silent("its answer could not be read".into())
    );
}

/// What comes of an answer that nobody had asked for.
fn unasked(answers: [&'static str; 2]) -> Sim {
    let chatty = ChannelPolicy {
        talkativeness: Talkativeness::Level(1.0),
        ..policy()
    };
    let mut sim = answers.into_iter().fold(Sim::new(chatty), |sim, answer| {
        sim.answer(Answer::Says(answer))
    });
    for _ in 0..40 {
        sim.says(
            "Anna",
            "does anybody here know whether the shop is open on sundays at all?",
        );
        sim.wait(90 * SECOND);
        if sim.log.contains("end #1") {
            break;
        }
    }
    sim
}

#[test]
fn thoughts_alone_are_asked_for_again_where_nobody_spoke_to_it_unless_it_chose_to_do_nothing() {
    let sim = unasked([
        "<think>they are open till six</think>",
        "<turn><send_message>till six</send_message></turn>",
    ]);
    assert!(
        sim.log.contains("ask #1 Repair") && sim.log.contains("say #1: till six"),
        "{}",
        sim.log
    );
    let sim = unasked(["<turn><thoughts>not for me</thoughts></turn>", HI]);
    assert!(
        !sim.log.contains("Repair") && !sim.log.contains("say #1"),
        "{}",
        sim.log
    );
    assert_eq!(
        sim.reports[0].outcome,
        TurnOutcome::Silent("it asked for nothing".into())
    );
}

#[test]
fn beside_a_tools_result_the_model_is_told_what_was_not_done() {
    let mut sim = Sim::new(policy())
        .answer(Answer::Cut("<turn><get_time/><send_message>it is"))
        .answer(Answer::Says(HI));
    sim.says("Anna", "@Juno what time is it?");
    sim.wait(5 * SECOND);
    assert!(
        sim.asked[1].1.contains("broke off inside"),
        "{}",
        sim.asked[1].1
    );
    assert!(
        sim.log.contains("say #1: hey") && !sim.log.contains("Repair"),
        "{}",
        sim.log
    );
}

#[test]
fn what_was_said_before_the_answer_broke_off_is_not_asked_for_again() {
    let mut sim = Sim::new(policy()).answer(Answer::Cut(
        "<turn><send_message>hey</send_message><send_message>and by the w",
    ));
    sim.says("Anna", "@Juno hi");
    sim.wait(5 * SECOND);
    assert_eq!(
        (
            sim.log.matches("ask #1").count(),
            sim.log.matches("say #1").count()
        ),
        (1, 1),
        "{}",
        sim.log
    );
    assert!(
        sim.reports[0]
            .notes
            .iter()
            .any(|note| note.contains("broke off")),
        "{:?}",
        sim.reports[0].notes
    );
}

#[test]
fn native_calls_run_in_order_and_the_text_beside_them_is_thought() {
    let mut sim = Sim::new(native()).answer(Answer::Calls(
        "greet them both",
        &[
            ("react", "{\"to\": 1, \"emoji\": \"👋\"}"),
            ("send_message", "{\"text\": \"hey\", \"reply_to\": \"1\"}"),
        ],
    ));
    sim.says("Anna", "@Juno hi");
    sim.wait(5 * SECOND);
    sim.expect(
        "0.8 beat #1: addressed
         0.8 typing #1
         0.8 ask #1 Normal
         0.8 react 👋 on 101
         0.8 say #1 (to 101): hey
         0.8 end #1: Acted",
    );
    let round = &sim.reports[0].rounds[0];
    assert_eq!(round.thoughts, "greet them both");
    assert!(
        round.raw.contains("send_message {\"text\": \"hey\""),
        "{}",
        round.raw
    );
}

#[test]
fn of_a_tool_that_is_not_there_the_model_is_told_once_before_its_message_goes_out() {
    let hums = || {
        let calls = &[("hum", "{}"), ("send_message", "{\"text\": \"hey\"}")];
        Answer::Calls("", calls)
    };
    let mut sim = Sim::new(native())
        .answer(hums())
        .answer(hums())
        .answer(hums());
    sim.says("Anna", "@Juno hi");
    sim.wait(5 * SECOND);
    assert_eq!(sim.asked.len(), 2, "{}", sim.log);
    assert!(sim.log.contains("say #1: hey"), "{}", sim.log);
}

#[test]
fn unknown_tools_and_bad_arguments_come_back_as_errors_and_cut_calls_are_never_said() {
    let mut sim = Sim::new(native())
        .answer(Answer::Calls(
            "",
            &[
                ("hug", "{}"),
                ("react", "{\"to\": \"me\", \"emoji\": \"x\"}"),
            ],
        ))
        .answer(Answer::Calls(
            "",
            &[("send_message", "{\"text\": \"hey th")],
        ))
        .answer(Answer::Says(
            "{\"name\": \"send_message\", \"arguments\": {\"text\": \"hey th",
        ));
    sim.says("Anna", "@Juno hi");
    sim.wait(5 * SECOND);
    assert!(
        sim.asked[1].1.contains("there is no \\\"hug\\\" here"),
        "{}",
        sim.asked[1].1
    );
    assert!(
        sim.asked[1]
            .1
            .contains("parameter `to` must be a whole number"),
        "{}",
        sim.asked[1].1
    );
    assert!(
        sim.asked[2]
            .1
            .contains("broke off inside the arguments of send_message"),
        "{}",
        sim.asked[2].1
    );
    assert!(!sim.log.contains("say #1"), "{}", sim.log);
    assert!(matches!(sim.reports[0].outcome, TurnOutcome::Failed(_)));
}
