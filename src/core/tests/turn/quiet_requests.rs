//! "Be quiet": understood by one reaction, kept for half an hour, and never mistaken for talk between others.

use kith_core::chat::{AuthorKind, ChannelId, ChannelKind, MINUTE, MessageId, SECOND};
use kith_core::event::{ChatEvent, Event};
use kith_core::policy::{ChannelMode, ChannelPolicy};
use kith_core::report::{Refusal, TurnOutcome};
use kith_core::talkativeness::Talkativeness;

use crate::turn::HI;
use crate::turn::sim::{Answer, Sim, author, channel, policy};

const TO_THE_ROOM: &str = "does anybody here know whether the shop is open on sundays at all?";

fn chatty() -> Sim {
    Sim::new(ChannelPolicy {
        talkativeness: Talkativeness::Level(1.0),
        near_duplicate: 2.0,
        ..policy()
    })
}

fn quiet(sim: &Sim) -> bool {
    sim.core
        .channel_snapshot(sim.now, ChannelId(1))
        .is_some_and(|mood| mood.quiet_until.is_some())
}

#[test]
fn a_request_for_quiet_is_answered_by_a_reaction_and_kept_for_half_an_hour() {
    let mut sim = chatty().answer(Answer::Says(HI)).answer(Answer::Says(HI));
    let asked = sim.says("Anna", "@Juno please be quiet for a bit");
    sim.wait(5 * SECOND);
    sim.expect(&format!("0.0 react 🤐 on {asked}"));
    assert_eq!(sim.decisions[0].refusal, Some(Refusal::Quiet));
    sim.says("Ben", TO_THE_ROOM);
    sim.wait(22 * SECOND);
    sim.expect("25.0 beat #1: refused(quiet)");
    sim.says("Ben", "@Juno do you know?");
    sim.wait(5 * SECOND);
    assert!(
        sim.log.contains("say #1: hey"),
        "who speaks to it is still answered\n{}",
        sim.log
    );
    sim.wait(30 * MINUTE);
    sim.says("Ben", TO_THE_ROOM);
    sim.wait(40 * SECOND);
    assert!(sim.log.contains("willing"), "{}", sim.log);
}

#[test]
fn talk_between_others_is_no_request() {
    for text in [
        "be quiet guys",
        "shut up",
        "Anna shut up",
        "@Ben be quiet",
        "be quiet Anna",
        "安静",
    ] {
        let mut sim = chatty();
        sim.says(
            "Ben",
            "and then i told him that the whole thing was his own idea",
        );
        sim.says("Anna", "no way, what did he say");
        sim.says("Ben", text);
        assert!(!quiet(&sim), "{text}");
    }
}

#[test]
fn in_a_running_conversation_with_it_plain_words_are_enough() {
    for text in [
        "be quiet",
        "shut up",
        "ok be quiet now please",
        "闭嘴",
        "bot be quiet",
        "be quiet Juno",
    ] {
        let mut sim = chatty().answer(Answer::Says(HI));
        sim.says("Anna", "@Juno what do you think of it?");
        sim.wait(5 * SECOND);
        sim.says("Anna", text);
        assert!(quiet(&sim), "{text}: {:?}", sim.decisions.last());
        sim.wait(5 * SECOND);
        assert_eq!(sim.asked.len(), 1, "{text}");
    }
}

#[test]
fn laughter_and_long_sentences_are_no_request() {
    for text in [
        "shut up 😂",
        "be quiet, i want to tell you about my day first",
        "shut up lol",
        "how can you be quiet?",
    ] {
        let mut sim = chatty().answer(Answer::Says(HI)).answer(Answer::Says(HI));
        sim.says("Anna", "@Juno what do you think of it?");
        sim.wait(5 * SECOND);
        sim.says("Anna", text);
        assert!(!quiet(&sim), "{text}");
    }
}

#[test]
fn a_hushing_reaction_on_its_own_line_asks_for_quiet_and_is_understood_once_a_person() {
    let mut sim = chatty().answer(Answer::Says(HI));
    let hers = sim.says("Anna", "@Juno hi");
    sim.wait(5 * SECOND);
    let line = sim.own_line();
    sim.log.clear();
    sim.reacts("Ben", hers, "🤫");
    assert!(!quiet(&sim), "that one is for Anna");
    sim.reacts("Ben", line, "👍");
    sim.event(Event::Chat(ChatEvent::Reaction {
        channel: ChannelId(1),
        message: line,
        author: author("Robo", AuthorKind::Bot),
        emoji: "🤫".into(),
        added: true,
        at: sim.now,
    }));
    assert!(!quiet(&sim));
    sim.reacts("Ben", line, "🤫");
    assert!(quiet(&sim));
    sim.wait(SECOND);
    sim.reacts("Cleo", line, "🤫");
    sim.reacts("Ben", line, "🤫");
    sim.expect(&format!("5.0 react 🤐 on {line}\n6.0 react 🤐 on {line}"));
}

#[test]
fn quiet_survives_a_restart_and_is_not_asked_for_again_by_what_is_stored() {
    let mut sim = chatty();
    sim.says("Anna", "@Juno be quiet");
    sim.wait(MINUTE);
    sim.log.clear();
    sim.restarts(ChannelPolicy {
        talkativeness: Talkativeness::Level(1.0),
        ..policy()
    });
    assert!(quiet(&sim));
    sim.expect("");
    sim.says("Anna", "Juno you can talk again");
    assert!(!quiet(&sim));
    sim.restarts(ChannelPolicy {
        talkativeness: Talkativeness::Level(1.0),
        ..policy()
    });
    assert!(!quiet(&sim), "the last word counts");
}

#[test]
fn it_may_talk_again_when_somebody_says_so() {
    for text in [
        "you can talk again",
        "@Juno ok you can speak now",
        "可以说话了",
    ] {
        let shy = ChannelPolicy {
            talkativeness: Talkativeness::Level(0.0),
            ..policy()
        };
        let mut sim = Sim::new(shy).answer(Answer::Says(HI));
        sim.says("Anna", "@Juno be quiet");
        sim.wait(MINUTE);
        sim.says("Ben", text);
        assert!(!quiet(&sim), "{text}");
        sim.wait(5 * SECOND);
        assert_eq!(
            sim.asked.len(),
            usize::from(text.contains('@')),
            "{text}\n{}",
            sim.log
        );
    }
}

#[test]
fn a_request_from_hours_ago_changes_nothing_and_is_not_answered() {
    let mut sim = chatty();
    sim.wait(120 * MINUTE);
    let at = sim.now - 60 * MINUTE;
    sim.hear_late(
        1,
        MessageId(50),
        at,
        author("Anna", AuthorKind::Person),
        "@Juno be quiet",
        None,
    );
    sim.wait(5 * SECOND);
    assert!(!quiet(&sim));
    sim.expect("");
}

#[test]
fn what_nobody_asked_for_stops_in_the_middle_and_an_answer_does_not() {
    let mut sim = chatty().answer(Answer::Starts("<turn><thoughts>hm"));
    sim.says("Anna", TO_THE_ROOM);
    sim.wait(22 * SECOND);
    assert!(sim.log.contains("ask #1"), "{}", sim.log);
    sim.says("Ben", "Juno be quiet");
    assert_eq!(
        sim.reports[0].outcome,
        TurnOutcome::Silent("somebody asked for quiet".into())
    );

    let mut sim = chatty().answer(Answer::Starts("<turn><thoughts>hm"));
    sim.says("Anna", "@Juno is the shop open?");
    sim.wait(3 * SECOND);
    sim.says("Ben", "Juno be quiet");
    sim.model_ends("</thoughts><send_message>yes</send_message></turn>");
    assert!(sim.log.contains("say #1: yes"), "Anna asked\n{}", sim.log);
}

#[test]
fn who_asks_for_quiet_takes_back_what_they_said_right_before() {
    let mut sim = chatty();
    sim.says("Anna", "@Juno");
    sim.wait(300);
    sim.says("Anna", "@Juno be quiet");
    sim.wait(5 * SECOND);
    assert_eq!(sim.asked.len(), 0, "{}", sim.log);
}

#[test]
fn who_asks_for_quiet_gets_no_answer_that_is_still_thought_about() {
    let mut sim = chatty().answer(Answer::Starts("<turn><thoughts>hm"));
    sim.says("Ben", "@Juno is the shop open?");
    sim.wait(3 * SECOND);
    assert!(sim.log.contains("ask #1"), "{}", sim.log);
    sim.says("Ben", "Juno be quiet");
    assert_eq!(
        sim.reports[0].outcome,
        TurnOutcome::Silent("somebody asked for quiet".into())
    );

    let mut sim = chatty()
        .answer(Answer::Starts("<turn><thoughts>hm"))
        .answer(Answer::Starts("<turn><thoughts>hm"));
    sim.says("Ben", "@Juno is the shop open?");
    sim.says("Anna", "@Juno and who has the grill?");
    sim.wait(3 * SECOND);
    sim.says("Ben", "Juno be quiet");
    sim.model_ends("</thoughts><send_message>Cleo has it</send_message></turn>");
    sim.wait(MINUTE);
    assert!(sim.log.contains(": Cleo has it"), "Anna asked\n{}", sim.log);
    assert_eq!(sim.reports.len(), 1, "Ben is owed nothing\n{}", sim.log);
}

#[test]
fn one_persons_many_requests_get_one_reaction() {
    let mut sim = chatty();
    for _ in 0..5 {
        sim.says("Anna", "@Juno be quiet");
        sim.wait(10 * SECOND);
    }
    assert_eq!(sim.log.matches("react").count(), 1, "{}", sim.log);
}

#[test]
fn where_it_only_reads_along_nothing_is_shown() {
    let mut sim = Sim::new(ChannelPolicy {
        mode: ChannelMode::Observe,
        ..policy()
    });
    sim.says("Anna", "@Juno be quiet");
    sim.wait(5 * SECOND);
    sim.expect("");
}

#[test]
fn in_a_direct_message_a_plain_request_gets_the_reaction_and_no_words() {
    let mut direct = channel(9);
    direct.kind = ChannelKind::Direct;
    let mut sim = chatty();
    sim.event(Event::ChannelSeen {
        channel: direct,
        policy: std::sync::Arc::new(policy()),
    });
    let id = sim.says_in(9, "Anna", "shut up");
    sim.wait(5 * SECOND);
    sim.expect(&format!("0.0 react 🤐 on {id}"));
}

proptest::proptest! {
    #![proptest_config(proptest::prelude::ProptestConfig::with_cases(256))]

    #[test]
    fn whatever_stands_around_a_request_it_is_read_in_one_go(
        before in "[ -~<@>小雨别请吧你🤫\u{fe0f}\n]{0,40}",
        after in "[ -~<@>小雨别请吧你🤫\u{fe0f}\n]{0,40}",
    ) {
        let names = kith_core::address::CompanionNames::new(&["Juno".into(), "小雨".into(), "<@".into(), "a".into()]);
        for words in ["be quiet", "闭嘴", "you can talk again"] {
            let text = format!("{before} {words} {after}");
            let request = kith_core::quiet_request::request(&text, &names);
            let letters = |text: &str| text.chars().filter(|c| c.is_alphanumeric()).count();
            proptest::prop_assert!(request.is_none() || letters(&text) <= 120);
        }
    }
}

#[test]
fn enough_asks_for_quiet_unless_it_answers_the_companions_question() {
    for (own, is_asked) in [
        ("that is a lot of soup", true),
        ("is it enough soup?", false),
    ] {
        let answer = format!("<turn><send_message>{own}</send_message></turn>");
        let mut sim = chatty().answer(Answer::Says(answer.leak()));
        sim.says("Anna", "@Juno look at my soup");
        sim.wait(5 * SECOND);
        sim.says("Anna", "enough, Juno");
        assert_eq!(quiet(&sim), is_asked, "{}", sim.log);
    }
}
