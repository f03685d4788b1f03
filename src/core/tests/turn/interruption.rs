//! Somebody speaks to the companion between two messages of an answer: what is for others is still said, and whoever was
//! owed an answer gets it from this turn or the next.

use kith_core::chat::{MessageId, SECOND};
use kith_core::policy::{ChannelPolicy, PacingSettings};

use crate::turn::sim::{Answer, Sim, policy};

/// Two seconds for twenty characters.
fn typist() -> ChannelPolicy {
    ChannelPolicy {
        pacing: PacingSettings {
            characters_per_second: 10.0,
            ..PacingSettings::default()
        },
        ..policy()
    }
}

/// An answer of these messages, each with the line it replies to, or 0.
fn answer(messages: &[(u32, &str)]) -> Answer {
    let one = |(line, text): &(u32, &str)| match line {
        0 => format!("<send_message>{text}</send_message>"),
        line => format!("<send_message reply_to=\"{line}\">{text}</send_message>"),
    };
    let messages: String = messages.iter().map(one).collect();
    Answer::Says(format!("<turn>{messages}</turn>").leak())
}

/// What was said so far, in order.
fn said(sim: &Sim) -> Vec<String> {
    let lines = sim
        .log
        .lines()
        .filter_map(|line| line.split_once("say #1")?.1.split_once(": "));
    lines.map(|(_, text)| text.to_owned()).collect()
}

/// Lets it type until so many messages were said.
fn until_said(sim: &mut Sim, count: usize) {
    while said(sim).len() < count {
        sim.wait(SECOND / 5);
        assert!(
            sim.now < crate::turn::sim::START + 600 * SECOND,
            "{}",
            sim.log
        );
    }
}

fn addressed(sim: &Sim, turn: usize) -> Vec<MessageId> {
    sim.reports[turn].wake.addressed.clone()
}

#[test]
fn what_is_for_others_is_said_to_the_end_and_who_spoke_into_it_gets_the_next_turn() {
    let mut sim = Sim::new(typist())
        .answer(answer(&[
            (1, "yes, Anna, that is so"),
            (2, "and no, Ben, it is not"),
            (0, "all clear to all of you"),
        ]))
        .answer(answer(&[(0, "hi Cleo")]));
    sim.says("Anna", "@Juno is it so…");
    sim.says("Ben", "@Juno is it not?");
    until_said(&mut sim, 1);
    let cleo = sim.says("Cleo", "@Juno hi");
    sim.wait(60 * SECOND);
    let all = [
        "yes, Anna, that is so",
        "and no, Ben, it is not",
        "all clear to all of you",
        "hi Cleo",
    ];
    assert_eq!(said(&sim), all, "{}", sim.log);
    assert_eq!(addressed(&sim, 1), [cleo]);
}

#[test]
fn who_speaks_into_what_is_for_them_alone_stops_it_as_before() {
    let mut sim = Sim::new(typist())
        .answer(answer(&[
            (0, "well, first of all"),
            (0, "and then the second thing"),
        ]))
        .answer(answer(&[(0, "okay, never mind")]));
    sim.says("Anna", "@Juno how do I do it?");
    until_said(&mut sim, 1);
    let second = sim.says("Anna", "@Juno I found it");
    sim.wait(60 * SECOND);
    assert_eq!(
        said(&sim),
        ["well, first of all", "okay, never mind"],
        "{}",
        sim.log
    );
    assert!(
        sim.asked[1].1.contains("and then the second thing"),
        "what was left unsaid is told"
    );
    assert_eq!(
        addressed(&sim, 1),
        [second],
        "what was answered is not owed again"
    );
}

#[test]
fn what_somebody_asked_before_they_spoke_into_the_answer_is_owed_by_the_next_turn() {
    let mut sim = Sim::new(typist())
        .answer(answer(&[
            (1, "one is one, I think"),
            (2, "two is two, I think"),
        ]))
        .answer(answer(&[(0, "so, two and three")]));
    sim.says("Anna", "@Juno what is one…");
    let two = sim.says("Anna", "@Juno and what is two?");
    until_said(&mut sim, 1);
    let three = sim.says("Anna", "@Juno and three?");
    sim.wait(60 * SECOND);
    assert_eq!(addressed(&sim, 1), [two, three], "{}", sim.log);
    assert_eq!(
        said(&sim),
        ["one is one, I think", "so, two and three"],
        "{}",
        sim.log
    );
}

/// Anna asks one and two, hears of one, and speaks into the answer: two is put off. Answers with it and with what she said,
/// which the next turn waits for the rest of.
fn puts_off_two(sim: &mut Sim) -> [MessageId; 2] {
    sim.answers.push_back(answer(&[
        (1, "one is one, I think"),
        (2, "two is two, I think"),
    ]));
    sim.says("Anna", "@Juno what is one…");
    let two = sim.says("Anna", "@Juno and what is two?");
    until_said(sim, 1);
    [two, sim.says("Anna", "@Juno and three…")]
}

#[test]
fn who_was_put_off_is_answered_though_the_process_dies_before_or_in_the_next_turn() {
    for dies_in_it in [false, true] {
        let mut sim = Sim::new(typist());
        let owed = puts_off_two(&mut sim);
        if dies_in_it {
            sim.answers.push_back(Answer::Starts("<turn>"));
            sim.wait(10 * SECOND);
        }
        assert_eq!(
            sim.asked.len(),
            if dies_in_it { 2 } else { 1 },
            "{}",
            sim.log
        );
        sim.restarts(typist());
        sim.answers.push_back(answer(&[(0, "so, two and three")]));
        sim.wait(60 * SECOND);
        assert_eq!(
            sim.reports
                .last()
                .map(|report| report.wake.addressed.clone()),
            Some(owed.to_vec()),
            "{}",
            sim.log
        );
        let asked = sim.asked.len();
        sim.restarts(typist());
        sim.wait(60 * SECOND);
        assert_eq!(
            sim.asked.len(),
            asked,
            "what is answered is owed no more\n{}",
            sim.log
        );
    }
}

#[test]
fn of_two_who_were_put_off_the_one_whose_answer_is_still_typed_is_answered_though_the_process_dies()
{
    let three = "three is three, and more of it is said than anybody types in a moment";
    let mut sim = Sim::new(typist())
        .answer(answer(&[(1, "one is one, I think"), (3, three)]))
        .answer(answer(&[(2, "two is two, I think"), (3, three)]));
    sim.says("Anna", "@Juno what is one…");
    sim.says("Anna", "@Juno what is two…");
    let asked = sim.says("Anna", "@Juno and what is three?");
    until_said(&mut sim, 1);
    let four = sim.says("Anna", "@Juno and four?");
    until_said(&mut sim, 2);
    sim.restarts(typist());
    sim.answers
        .push_back(answer(&[(0, "three, as I said, and four")]));
    sim.wait(60 * SECOND);
    let last = sim.reports.last();
    assert_eq!(
        last.map(|report| report.wake.addressed.clone()),
        Some(vec![asked, four]),
        "{}",
        sim.log
    );
}

#[test]
fn who_was_put_off_to_a_turn_that_ends_the_process_is_given_up_after_two_and_told() {
    let mut sim = Sim::new(typist());
    let [two, _] = puts_off_two(&mut sim);
    sim.answers.extend((0..4).map(|_| Answer::Starts("<turn>")));
    for _ in 1..=2 {
        sim.wait(20 * SECOND);
        sim.restarts(typist());
    }
    sim.wait(60 * SECOND);
    assert_eq!(sim.asked.len(), 3, "{}", sim.log);
    assert!(
        sim.log.contains(&format!("react ⚠️ on {two}")),
        "{}",
        sim.log
    );
}

#[test]
fn who_was_put_off_and_leaves_is_owed_nothing_after_a_restart() {
    let mut sim = Sim::new(typist());
    let [_, three] = puts_off_two(&mut sim);
    let state = |sim: &Sim| {
        serde_json::to_string(
            sim.core
                .channel_state(kith_core::chat::ChannelId(1))
                .unwrap()
                .state(),
        )
        .unwrap()
    };
    assert!(state(&sim).contains("put_off"), "{}", state(&sim));
    let user = crate::turn::sim::author("Anna", kith_core::chat::AuthorKind::Person).id;
    sim.event(kith_core::event::Event::PersonForgotten {
        user,
        channels: None,
    });
    assert!(!state(&sim).contains("put_off"), "{three}: {}", state(&sim));
}

#[test]
fn nobody_is_put_off_twice() {
    let mut sim = Sim::new(typist())
        .answer(answer(&[
            (1, "one is one, I think"),
            (2, "two is two, I think"),
        ]))
        .answer(answer(&[
            (2, "again: two is just two"),
            (4, "and three is just three"),
        ]))
        .answer(answer(&[(0, "and four is four")]));
    sim.says("Anna", "@Juno what is one…");
    sim.says("Anna", "@Juno and what is two?");
    until_said(&mut sim, 1);
    sim.says("Anna", "@Juno and three?");
    until_said(&mut sim, 2);
    sim.says("Anna", "@Juno and four?");
    sim.wait(60 * SECOND);
    let all = [
        "one is one, I think",
        "again: two is just two",
        "and three is just three",
        "and four is four",
    ];
    assert_eq!(said(&sim), all, "{}", sim.log);
}

#[test]
fn who_is_put_off_and_takes_it_back_or_leaves_is_owed_nothing() {
    let mut sim = Sim::new(typist())
        .answer(answer(&[
            (1, "one is one, I think"),
            (2, "two is two, I think"),
        ]))
        .answer(answer(&[(0, "three is three")]));
    sim.says("Anna", "@Juno what is one…");
    let two = sim.says("Anna", "@Juno and what is two?");
    until_said(&mut sim, 1);
    let three = sim.says("Anna", "@Juno and three?");
    sim.delete(kith_core::chat::ChannelId(1), vec![two]);
    sim.wait(60 * SECOND);
    assert_eq!(addressed(&sim, 1), [three], "{}", sim.log);
}

#[test]
fn after_a_message_that_could_not_be_delivered_the_rest_of_it_is_not_said() {
    let mut sim = Sim::new(typist())
        .answer(answer(&[
            (0, "the beginning of it"),
            (0, "and the end of it"),
        ]))
        .answer(answer(&[(0, "where was I")]));
    sim.undeliverable = Some("Discord could not be reached");
    sim.says("Anna", "@Juno tell me");
    sim.wait(60 * SECOND);
    assert_eq!(said(&sim), ["the beginning of it"], "{}", sim.log);
    sim.undeliverable = None;
    sim.says("Anna", "@Juno and?");
    sim.wait(60 * SECOND);
    assert!(
        sim.asked[1].1.contains("and the end of it"),
        "what was left unsaid is told"
    );
}

#[test]
fn more_direct_addresses_than_are_kept_apart_are_answered_or_told() {
    let mut sim = Sim::new(typist()).answer(Answer::Starts(
        "<turn><send_message>one moment</send_message><thoughts>",
    ));
    sim.says("Zoe", "@Juno hi");
    until_said(&mut sim, 1);
    let names: Vec<String> = (0..140).map(|number| format!("P{number}")).collect();
    let asked: Vec<MessageId> = names
        .iter()
        .map(|name| sim.says(name, "@Juno hello"))
        .collect();
    sim.always = Some("<turn><send_message>hello all</send_message></turn>");
    sim.model_ends("</thoughts></turn>");
    sim.wait(60 * SECOND);
    let answered = addressed(&sim, 1);
    let told = |id: &MessageId| sim.log.contains(&format!("react ⚠️ on {id}\n"));
    let lost: Vec<&MessageId> = asked
        .iter()
        .filter(|id| !answered.contains(id) && !told(id))
        .collect();
    assert_eq!(lost, Vec::<&MessageId>::new(), "{}", sim.log);
    assert_eq!(answered.len(), 128);
}

/// Anna asks, somebody else says `other`, and both are shown to a model that answers this. Answers with how often it
/// was asked.
fn asked_for_both(other: &str, first: &[(u32, &str)]) -> (Sim, usize, MessageId) {
    let mut sim = Sim::new(policy())
        .answer(answer(first))
        .answer(answer(&[(0, "you got me, I am one")]));
    sim.says("Anna", "@Juno what is one…");
    let ben = sim.says("Ben", other);
    sim.wait(60 * SECOND);
    let asked = sim.asked.len();
    (sim, asked, ben)
}

#[test]
fn a_question_of_somebody_else_that_an_answer_leaves_out_is_answered_by_the_next_turn() {
    for question in ["@Juno are you a bot", "@Juno 你是机器人吗"] {
        let (sim, asked, ben) = asked_for_both(question, &[(1, "one is one, I think")]);
        assert_eq!(asked, 2, "{}", sim.log);
        assert_eq!(addressed(&sim, 1), [ben], "{}", sim.log);
        let both = ["one is one, I think", "you got me, I am one"];
        assert_eq!(said(&sim), both, "{}", sim.log);
    }
}

#[test]
fn who_asks_nothing_or_may_be_answered_with_the_others_gets_no_turn_of_their_own() {
    let question = "@Juno are you a bot";
    for (other, first) in [
        ("@Juno haha nice one", &[(1, "one is one, I think")][..]),
        (question, &[(0, "one is one, and yes, I am")]),
        (question, &[(1, "one is one, and yes, Ben, I am")]),
        (
            question,
            &[(1, "one is one, I think"), (2, "and yes, I am")],
        ),
        (question, &[(2, "yes, I am"), (0, "and one is one")]),
    ] {
        let (sim, asked, _) = asked_for_both(other, first);
        assert_eq!(asked, 1, "{other}: {}", sim.log);
    }
}

#[test]
fn what_a_small_model_says_without_a_mark_is_for_whom_its_prompt_ends_with() {
    for (first, left_out) in [
        ("you got me", true),
        ("margherita", true),
        ("a bot, and margherita pizza", false),
        ("yes, Anna, both", false),
    ] {
        let mut small = policy();
        small.context.prompt_tokens = 1_500;
        let mut sim = Sim::new(small)
            .answer(answer(&[(0, first)]))
            .answer(answer(&[(0, "the one with basil")]));
        let anna = sim.says("Anna", "@Juno which pizza do you like…");
        sim.says("Ben", "@Juno are you a bot");
        sim.wait(60 * SECOND);
        let later: Vec<_> = (1..sim.asked.len())
            .map(|turn| addressed(&sim, turn))
            .collect();
        let expected = if left_out { vec![vec![anna]] } else { vec![] };
        assert_eq!(later, expected, "{first}: {}", sim.log);
    }
}
