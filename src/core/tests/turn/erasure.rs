//! A person who wants to be forgotten is in no prompt, no report and no saved state any more.

use kith_core::chat::{AuthorKind, ChannelId, MINUTE, SECOND, UserId};
use kith_core::event::Event;
use kith_core::policy::{BotPolicy, ChannelPolicy, PacingSettings};
use kith_core::report::TurnOutcome;

use crate::turn::HI;
use crate::turn::sim::{Answer, Sim, author, policy};

const DEN: ChannelId = ChannelId(1);

fn id(who: &str) -> UserId {
    author(who, AuthorKind::Person).id
}

fn forget(sim: &mut Sim, who: &str) {
    sim.event(Event::PersonForgotten {
        user: id(who),
        channels: None,
    });
}

/// What would be written to disk of channel 1.
fn saved(sim: &Sim) -> String {
    sim.core
        .channel_state(DEN)
        .map(|state| serde_json::to_string(state.state()).expect("numbers"))
        .unwrap_or_default()
}

#[track_caller]
fn knows_nothing(what: &str, of: &str, text: &str) {
    for trace in [
        format!("\"{}\"", id(of).0),
        id(of).0.to_string(),
        of.to_owned(),
        text.to_owned(),
    ] {
        assert!(!what.contains(&trace), "{trace} is in {what}");
    }
}

#[test]
fn neither_prompt_nor_saved_state_holds_anything_of_them() {
    let mut sim = Sim::new(ChannelPolicy {
        near_duplicate: 2.0,
        ..policy()
    });
    sim.answers.extend([Answer::Says(HI), Answer::Says(HI)]);
    let hers = sim.says("Anastasia", "@Juno my cat is called Waffles");
    sim.wait(5 * SECOND);
    let reply = sim.hear(1, author("Ben", AuthorKind::Person), "lovely", Some(hers));
    sim.reacts("Anastasia", reply, "🐈");
    sim.reacts("Ben", hers, "😍");
    sim.says("Anastasia", "Juno, she sleeps all day");
    sim.says("Ben", "Anastasia: mine too");
    sim.says("Ben", "@Juno tell us");
    assert!(
        saved(&sim).contains(&id("Anastasia").0.to_string()),
        "else this test shows nothing"
    );
    forget(&mut sim, "Anastasia");
    knows_nothing(&saved(&sim), "Anastasia", "Waffles");
    let latest = format!("{:?}", sim.core.channel_state(DEN));
    assert!(
        !latest.contains(&format!("UserId({})", id("Anastasia").0)),
        "{latest}"
    );
    sim.wait(5 * SECOND);
    let prompt = sim
        .asked
        .last()
        .map(|(_, prompt)| prompt.replace("Anastasia: mine too", ""))
        .unwrap_or_default();
    assert!(prompt.contains("lovely"), "{prompt}");
    knows_nothing(&prompt, "Anastasia", "Waffles");
    sim.restarts(policy());
    knows_nothing(&saved(&sim), "Anastasia", "Waffles");
}

#[test]
fn only_the_named_channels_forget() {
    let mut sim = Sim::new(policy());
    sim.says_in(1, "Anna", "here");
    sim.says_in(2, "Anna", "there");
    sim.event(Event::PersonForgotten {
        user: id("Anna"),
        channels: Some(vec![ChannelId(2)]),
    });
    let lines = |channel| {
        sim.core
            .channel_state(ChannelId(channel))
            .map(|state| state.timeline().len())
    };
    assert_eq!((lines(1), lines(2)), (Some(1), Some(0)));
    assert!(
        sim.core
            .take_changed_states()
            .iter()
            .any(|(channel, _)| *channel == ChannelId(2)),
        "the state is saved again"
    );
}

#[test]
fn where_somebody_never_was_nothing_is_saved_again_when_they_are_forgotten() {
    let mut sim = Sim::new(policy());
    sim.says_in(1, "Anna", "here");
    sim.says_in(2, "Ben", "there");
    sim.wait(MINUTE);
    sim.core.take_changed_states();
    forget(&mut sim, "Anna");
    let changed = sim.core.take_changed_states();
    let channels: Vec<ChannelId> = changed.iter().map(|(channel, _)| *channel).collect();
    assert_eq!(channels, [ChannelId(1)]);
}

#[test]
fn a_turn_for_them_ends_and_its_report_holds_no_word() {
    let mut sim = Sim::new(policy()).answer(Answer::Starts(
        "<turn><thoughts>Anna has a cat, Waffles</thoughts>",
    ));
    sim.says("Anna", "@Juno my cat is called Waffles");
    sim.wait(2 * SECOND);
    forget(&mut sim, "Anna");
    assert!(matches!(sim.reports[0].outcome, TurnOutcome::Silent(_)));
    knows_nothing(&format!("{:?}", sim.reports[0]), "Anna", "Waffles");
    sim.wait(MINUTE);
    assert_eq!(sim.asked.len(), 1);
    assert_eq!(sim.core.load(), (0, 0), "no place is lost");
}

#[test]
fn who_else_is_owed_an_answer_gets_it_from_a_prompt_without_them() {
    let mut sim = Sim::new(policy())
        .answer(Answer::Starts("<turn><thoughts>Anna has a cat</thoughts>"))
        .answer(Answer::Says(
            "<turn><send_message>hi Ben</send_message></turn>",
        ));
    sim.says("Anna", "@Juno my cat is called Waffles…");
    let ben = sim.says("Ben", "@Juno hello");
    sim.wait(2 * SECOND);
    forget(&mut sim, "Anna");
    sim.wait(5 * SECOND);
    assert!(sim.log.contains("say #1: hi Ben"), "{}", sim.log);
    knows_nothing(&sim.asked[1].1, "Anna", "Waffles");
    assert_eq!(sim.reports[0].wake.addressed, [ben]);
    knows_nothing(&format!("{:?}", sim.reports[0]), "Anna", "Waffles");
}

#[test]
fn a_turn_that_has_spoken_ends_where_it_is() {
    let slow = ChannelPolicy {
        pacing: PacingSettings {
            characters_per_second: 10.0,
            ..PacingSettings::default()
        },
        ..policy()
    };
    let mut sim = Sim::new(slow)
        .answer(Answer::Says(
            "<turn><send_message>first of two\n\nWaffles is a good name</send_message></turn>",
        ))
        .answer(Answer::Says(HI));
    sim.says("Anna", "@Juno my cat is called Waffles");
    sim.wait(2_500);
    forget(&mut sim, "Anna");
    assert_eq!(sim.reports[0].outcome, TurnOutcome::Acted);
    sim.says("Ben", "@Juno hi");
    sim.wait(10 * SECOND);
    knows_nothing(
        &format!("{}{:?}", sim.log, sim.asked[1].1),
        "Anna",
        "Waffles",
    );
}

#[test]
fn a_burst_of_theirs_is_not_waited_for() {
    let mut sim = Sim::new(policy()).answer(Answer::Says(HI));
    sim.says("Ben", "@Juno hi");
    sim.says("Anna", "me too");
    forget(&mut sim, "Anna");
    sim.wait(5 * SECOND);
    assert!(sim.log.contains("say #1"), "{}", sim.log);
    sim.says("Anna", "@Juno hm");
    forget(&mut sim, "Anna");
    sim.log.clear();
    sim.wait(5 * SECOND);
    sim.expect("");
}

#[test]
fn a_bot_can_be_forgotten_too() {
    let mut sim = Sim::new(ChannelPolicy {
        bots: BotPolicy::Limited,
        ..policy()
    })
    .answer(Answer::Says(HI));
    sim.hear(1, author("Robo", AuthorKind::Bot), "@Juno hi", None);
    sim.wait(5 * SECOND);
    forget(&mut sim, "Robo");
    let state = format!("{:?}", sim.core.channel_state(DEN));
    assert!(
        !state.contains(&format!("UserId({})", id("Robo").0)),
        "{state}"
    );
}
