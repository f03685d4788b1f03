//! A closing sentence that ended one of its last messages is not said again at the end of the next.

use kith_core::chat::{HOUR, SECOND};
use kith_core::policy::ChannelPolicy;

use crate::turn::sim::{Answer, Sim, policy};

fn says(text: &str) -> Answer {
    Answer::Says(format!("<turn><send_message>{text}</send_message></turn>").leak())
}

/// What it says in answer to Anna, whose lines these are.
fn said(policy: ChannelPolicy, talk: &[(&str, &str)]) -> Vec<String> {
    let mut sim = Sim::new(policy);
    for (line, answer) in talk {
        sim.answers.push_back(says(answer));
        sim.says("Anna", &format!("@Juno {line}"));
        sim.wait(60 * SECOND);
    }
    said_lines(&sim)
}

fn said_lines(sim: &Sim) -> Vec<String> {
    let lines = sim.log.lines();
    let said = lines.filter_map(|line| line.split_once("say #1: "));
    said.map(|(_, text)| text.to_owned()).collect()
}

#[test]
fn a_question_that_closed_one_message_does_not_close_the_next_in_either_language() {
    let chinese = [
        ("在吗", "在呢～有啥想聊的吗？"),
        ("今天好累", "抱抱你，早点睡。有啥想聊的吗？"),
        ("刚下班", "辛苦啦，有啥想聊的吗"),
    ];
    assert_eq!(
        said(policy(), &chinese),
        ["在呢～有啥想聊的吗？", "抱抱你，早点睡。", "辛苦啦"]
    );
    let english = [
        ("hi", "hey you! anything you want to talk about?"),
        (
            "so tired",
            "oh no, get some sleep. Anything you want to talk about?",
        ),
    ];
    assert_eq!(
        said(policy(), &english),
        [
            "hey you! anything you want to talk about?",
            "oh no, get some sleep."
        ]
    );
}

#[test]
fn a_closing_statement_is_cut_where_it_answers_no_question() {
    let talk = [
        ("i lost again", "ouch. there will be other games"),
        (
            "and my shoe broke",
            "of all days, there will be other games",
        ),
        (
            "will there be other games?",
            "sure there is hope! there will be other games",
        ),
    ];
    assert_eq!(
        said(policy(), &talk),
        [
            "ouch. there will be other games",
            "of all days",
            "sure there is hope! there will be other games"
        ]
    );
}

#[test]
fn the_only_sentence_a_short_one_and_one_that_was_long_ago_stay() {
    let talk = [
        ("hi", "hey you! anything you want to talk about?"),
        ("lunch was good", "mine too, lol"),
        ("rain again", "here as well, lol"),
    ];
    assert_eq!(
        said(policy(), &talk)[1..],
        ["mine too, lol", "here as well, lol"]
    );
    let mut sim = Sim::new(policy());
    for _ in 0..2 {
        sim.answers
            .push_back(says("look who is here! how was your day then?"));
        sim.says("Anna", "@Juno hi");
        sim.wait(4 * HOUR);
        sim.says("Ben", "hm");
    }
    assert!(
        said_lines(&sim)
            .iter()
            .all(|line| line.ends_with("how was your day then?")),
        "{}",
        sim.log
    );
}

#[test]
fn somebody_else_may_be_asked_the_same() {
    let mut sim = Sim::new(policy())
        .answer(says("hey Anna! how was your day then?"))
        .answer(says("oh, Ben too! how was your day then?"));
    sim.says("Anna", "@Juno hi");
    sim.wait(30 * SECOND);
    sim.says("Ben", "@Juno hi");
    sim.wait(30 * SECOND);
    assert_eq!(said_lines(&sim)[1], "oh, Ben too! how was your day then?");
}

#[test]
fn of_several_messages_the_last_one_is_cut_or_left_out() {
    for (answer, left) in [
        (
            "oh no, get some sleep\n\nyou need it. anything you want to talk about?",
            vec!["oh no, get some sleep", "you need it."],
        ),
        (
            "oh no, get some sleep\n\nanything you want to talk about?",
            vec!["oh no, get some sleep"],
        ),
        (
            "anything you want to talk about?",
            vec!["anything you want to talk about?"],
        ),
    ] {
        let talk = [
            (
                "hi",
                "hey you, there you are at last, i was waiting! anything you want to talk about?",
            ),
            ("so tired", answer),
        ];
        assert_eq!(said(policy(), &talk)[1..], left);
    }
}

#[test]
fn where_repetition_is_allowed_nothing_is_cut() {
    let free = ChannelPolicy {
        near_duplicate: 2.0,
        ..policy()
    };
    let talk = [
        ("hi", "hey you! anything you want to talk about?"),
        ("so tired", "oh no, sleep! anything you want to talk about?"),
    ];
    assert_eq!(
        said(free, &talk)[1],
        "oh no, sleep! anything you want to talk about?"
    );
}
