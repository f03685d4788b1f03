//! Two people of one name: what the model writes means the one it was shown, and nobody reads its numbers.

use kith_core::chat::{Author, AuthorKind, SECOND, UserId};

use crate::turn::sim::{Answer, Sim, policy};

fn anna(id: u64, name: &str) -> Author {
    Author {
        id: UserId(id),
        name: name.into(),
        kind: AuthorKind::Person,
    }
}

#[test]
fn the_second_anna_is_called_by_her_name_and_waited_for_by_her_number() {
    let mut sim = Sim::new(policy()).answer(Answer::Says(
        "<turn><send_message>@Anna 2 and @Anna, who is on call today</send_message>\
         <wait_for person=\"Anna 2\">whether she can</wait_for></turn>",
    ));
    sim.hear(1, anna(50, "Anna"), "i am here", None);
    sim.hear(1, anna(51, "\u{410}nna"), "@Juno who opens the shop?", None);
    sim.wait(5 * SECOND);
    assert!(
        sim.log
            .contains("say #1: @\u{410}nna and @Anna, who is on call today\n"),
        "{}",
        sim.log
    );
    let waited: Vec<_> = sim
        .intentions
        .values()
        .map(|intention| intention.person)
        .collect();
    assert_eq!(waited, [Some(UserId(51))]);
    assert!(
        sim.asked[0]
            .1
            .contains("Line 2: \u{410}nna 2 mentions you."),
        "{}",
        sim.asked[0].1
    );
}

#[test]
fn who_calls_itself_is_asked_once_for_other_words_and_then_said_without_its_name() {
    let greets = "<turn><send_message>good morning Juno!</send_message></turn>";
    let own = "<turn><send_message>morning anna</send_message></turn>";
    let mut sim = Sim::new(policy())
        .answer(Answer::Says(greets))
        .answer(Answer::Says(own));
    sim.says("Anna", "@Juno good morning");
    sim.wait(5 * SECOND);
    assert!(
        sim.asked[1].1.contains("calls you by your own name"),
        "{}",
        sim.asked[1].1
    );
    assert!(sim.log.contains("say #1: morning anna"), "{}", sim.log);

    let mut sim = Sim::new(policy());
    sim.always = Some(greets);
    sim.says("Anna", "@Juno good morning");
    sim.wait(5 * SECOND);
    assert!(sim.log.contains("say #1: good morning!"), "{}", sim.log);

    let mut sim = Sim::new(policy());
    sim.always = Some("<turn><send_message>Juno!</send_message></turn>");
    sim.says("Anna", "@Juno who asked?");
    sim.wait(5 * SECOND);
    assert!(
        !sim.log.contains("say #"),
        "nothing is left of it: {}",
        sim.log
    );

    for text in [
        "Juno here",
        "it's me, Juno's bike and i",
        "ask juno, she knows",
    ] {
        let answer = format!("<turn><send_message>{text}</send_message></turn>");
        let mut sim = Sim::new(policy()).answer(Answer::Says(answer.leak()));
        sim.says("Anna", "@Juno who is it");
        sim.wait(5 * SECOND);
        assert!(
            sim.log.contains(&format!("say #1: {text}")),
            "{text}: {}",
            sim.log
        );
    }
}
