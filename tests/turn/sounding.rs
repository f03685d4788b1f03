//! What is held back of what the model wrote: repetitions, and what only an assistant would say.

use kith::core::chat::SECOND;
use kith::core::policy::Policy;

use crate::sim::{Answer, Sim, policy};

const HELP: &str = "<turn><send_message>How can I help you today?</send_message></turn>";

#[test]
fn an_assistants_phrase_is_left_out_and_noted() {
    let mut sim = Sim::new(policy()).answer(Answer::Says(
        "<turn><send_message>it opens at nine. Let me know if you need anything else!</send_message></turn>",
    ));
    sim.says("Anna", "@Juno when does it open?");
    sim.wait(5 * SECOND);
    assert!(sim.log.contains("say #1: it opens at nine.\n"), "{}", sim.log);
    let note = "left out \"Let me know if you need anything else!\": an assistant would say it";
    assert_eq!(sim.reports[0].notes, [note]);
}

#[test]
fn what_was_nothing_else_is_asked_for_in_other_words() {
    let friendly = "<turn><send_message>hey you</send_message></turn>";
    let mut sim = Sim::new(policy()).answer(Answer::Says(HELP)).answer(Answer::Says(friendly));
    sim.says("Anna", "@Juno hello");
    sim.wait(9 * SECOND);
    assert!(sim.log.contains("say #1: hey you"), "{}", sim.log);
    assert!(!sim.log.contains("say #1: How can"), "{}", sim.log);
    assert!(sim.asked[1].1.contains("only an assistant would say this"), "{}", sim.asked[1].1);
}

#[test]
fn a_model_that_knows_no_other_words_still_answers() {
    let mut sim = Sim::new(policy()).answer(Answer::Says(HELP)).answer(Answer::Says(HELP));
    sim.says("Anna", "@Juno hello");
    sim.wait(9 * SECOND);
    assert!(sim.log.contains("say #1: How can I help you today?"), "{}", sim.log);
    assert_eq!(sim.asked.len(), 2, "{}", sim.log);
}

#[test]
fn once_something_else_was_said_a_stilted_line_is_left_out() {
    let both =
        "<turn><send_message>Great question! at nine</send_message><send_message>Glad to help!</send_message></turn>";
    let mut sim = Sim::new(policy()).answer(Answer::Says(HELP)).answer(Answer::Says(both));
    sim.says("Anna", "@Juno hello");
    sim.wait(9 * SECOND);
    assert!(sim.log.contains("say #1: at nine\n"), "what can be left out still is\n{}", sim.log);
    assert!(!sim.log.contains("Glad to help") && sim.asked.len() == 2, "{}", sim.log);
}

#[test]
fn a_persona_that_is_an_assistant_may_talk_like_one() {
    let mut sim = Sim::new(Policy { assistant_phrases: true, ..policy() }).answer(Answer::Says(HELP));
    sim.says("Anna", "@Juno hello");
    sim.wait(9 * SECOND);
    assert!(sim.log.contains("say #1: How can I help you today?"), "{}", sim.log);
    assert_eq!(sim.asked.len(), 1);
}
