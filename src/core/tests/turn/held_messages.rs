//! What is held back of what the model wrote: repetitions, and what only an assistant would say.

use kith_core::chat::SECOND;
use kith_core::policy::ChannelPolicy;

use crate::turn::sim::{Answer, Sim, policy};

const HELP: &str = "<turn><send_message>How can I help you today?</send_message></turn>";

#[test]
fn an_assistants_phrase_is_left_out_and_noted() {
    let mut sim = Sim::new(policy()).answer(Answer::Says(
        "<turn><send_message>it opens at nine. Let me know if you need anything else!</send_message></turn>",
    ));
    sim.says("Anna", "@Juno when does it open?");
    sim.wait(5 * SECOND);
    assert!(
        sim.log.contains("say #1: it opens at nine.\n"),
        "{}",
        sim.log
    );
    let note = "left out \"Let me know if you need anything else!\": an assistant would say it";
    assert_eq!(sim.reports[0].notes, [note]);
}

#[test]
fn what_was_nothing_else_is_asked_for_in_other_words() {
    let friendly = "<turn><send_message>hey you</send_message></turn>";
    let mut sim = Sim::new(policy())
        .answer(Answer::Says(HELP))
        .answer(Answer::Says(friendly));
    sim.says("Anna", "@Juno hello");
    sim.wait(9 * SECOND);
    assert!(sim.log.contains("say #1: hey you"), "{}", sim.log);
    assert!(!sim.log.contains("say #1: How can"), "{}", sim.log);
    assert!(
        sim.asked[1].1.contains("only an assistant would say this"),
        "{}",
        sim.asked[1].1
    );
}

#[test]
fn a_model_that_knows_no_other_words_still_answers() {
    let mut sim = Sim::new(policy())
        .answer(Answer::Says(HELP))
        .answer(Answer::Says(HELP));
    sim.says("Anna", "@Juno hello");
    sim.wait(9 * SECOND);
    assert!(
        sim.log.contains("say #1: How can I help you today?"),
        "{}",
        sim.log
    );
    assert_eq!(sim.asked.len(), 2, "{}", sim.log);
}

#[test]
fn once_something_else_was_said_a_stilted_line_is_left_out() {
    let both = "<turn><send_message>Great question! at nine</send_message><send_message>Glad to help!</send_message></turn>";
    let mut sim = Sim::new(policy())
        .answer(Answer::Says(HELP))
        .answer(Answer::Says(both));
    sim.says("Anna", "@Juno hello");
    sim.wait(9 * SECOND);
    assert!(
        sim.log.contains("say #1: at nine\n"),
        "what can be left out still is\n{}",
        sim.log
    );
    assert!(
        !sim.log.contains("Glad to help") && sim.asked.len() == 2,
        "{}",
        sim.log
    );
}

#[test]
fn after_two_questions_in_a_row_the_next_one_is_left_out_where_something_else_is_said() {
    let says = [
        "<turn><send_message>where to?</send_message></turn>",
        "<turn><send_message>by train, or on foot then?</send_message></turn>",
        "<turn><send_message>lovely walk. when are you back?</send_message></turn>",
        "<turn><send_message>what is for dinner tonight?</send_message></turn>",
    ];
    let mut sim = Sim::new(policy());
    sim.answers.extend(says.map(Answer::Says));
    for text in [
        "@Juno i am going out",
        "@Juno to the harbour",
        "@Juno on foot",
        "@Juno back by eight",
    ] {
        sim.says("Anna", text);
        sim.wait(9 * SECOND);
    }
    assert!(
        sim.log.contains("say #1: by train, or on foot then?\n"),
        "a second may be: {}",
        sim.log
    );
    assert!(sim.log.contains("say #1: lovely walk.\n"), "{}", sim.log);
    let note = "left out \"when are you back?\": its last messages ended in questions, too";
    assert_eq!(sim.reports[2].notes, [note]);
    assert!(
        sim.log.contains("say #1: what is for dinner tonight?\n"),
        "the row is broken: {}",
        sim.log
    );
}

#[test]
fn a_third_question_that_is_all_it_says_is_asked_and_one_behind_another_message_is_not() {
    let ask = |last| {
        let mut sim = Sim::new(policy());
        let says = [
            "<turn><send_message>去哪？</send_message></turn>",
            "<turn><send_message>那怎么去呢</send_message></turn>",
            last,
        ];
        sim.answers.extend(says.map(Answer::Says));
        for text in ["@Juno 我出门了", "@Juno 去海边", "@Juno 走路去"] {
            sim.says("小安", text);
            sim.wait(9 * SECOND);
        }
        sim.log
    };
    let alone = ask("<turn><send_message>什么时候回来？</send_message></turn>");
    assert!(alone.contains("say #1: 什么时候回来？"), "{alone}");
    let behind = ask("<turn><send_message>走路好\n\n什么时候回来？</send_message></turn>");
    assert!(
        behind.contains("say #1: 走路好") && !behind.contains("什么时候回来"),
        "{behind}"
    );
}

#[test]
fn a_persona_that_is_an_assistant_may_talk_like_one() {
    let mut sim = Sim::new(ChannelPolicy {
        assistant_phrases: true,
        ..policy()
    })
    .answer(Answer::Says(HELP));
    sim.says("Anna", "@Juno hello");
    sim.wait(9 * SECOND);
    assert!(
        sim.log.contains("say #1: How can I help you today?"),
        "{}",
        sim.log
    );
    assert_eq!(sim.asked.len(), 1);
}
