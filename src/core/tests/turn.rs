//! The turn machine and the heartbeat, through the core's public face, in simulated time with a scripted model.

mod attempts;
mod closings;
mod dictated_calls;
mod emoji;
mod erased_messages;
mod erasure;
mod fail_over;
mod friends_evenings;
mod interruption;
mod judge;
mod late_answers;
mod lenient_calls;
mod limits;
mod long_answers;
mod message_changes;
mod message_guard;
mod missed_messages;
mod moderation;
mod modes;
mod namesakes;
mod non_speech;
mod obligations;
mod one_person;
mod others_talk;
mod quiet_requests;
mod rapport;
mod reception;
mod repetition;
mod second_line;
mod side_actions;
use crate::sim;
mod failed_actions;
mod failed_deliveries;
mod held_messages;
mod refusals;
mod streaming;
mod tools;
mod unreadable_answers;

use std::sync::Arc;

use kith_core::chat::{ChannelId, ChannelKind, MessageId, SECOND};
use kith_core::event::{ChatEvent, Event};
use kith_core::policy::{ChannelPolicy, PacingSettings};
use kith_core::report::TurnOutcome;
use sim::{Answer, ME, Sim, channel, policy};

const HI: &str = "<turn><thoughts>greet</thoughts><send_message>hey</send_message></turn>";

#[test]
fn a_mention_is_answered_after_a_short_wait() {
    let mut sim = Sim::new(policy()).answer(Answer::Says(HI));
    sim.says("Anna", "@Juno hi");
    sim.wait(5 * SECOND);
    sim.expect(
        "0.8 beat #1: addressed
         0.8 typing #1
         0.8 ask #1 Normal
         0.8 say #1: hey
         0.8 end #1: Acted",
    );
    assert_eq!(sim.reports[0].rounds[0].thoughts, "greet");
}

#[test]
fn a_burst_of_three_messages_becomes_one_turn_that_sees_all_of_them() {
    let mut sim = Sim::new(policy()).answer(Answer::Says(HI));
    sim.says("Anna", "@Juno");
    sim.wait(500);
    sim.says("Anna", "guess what");
    sim.wait(500);
    sim.says("Anna", "i passed!!");
    sim.wait(10 * SECOND);
    sim.expect(
        "1.0 beat #1: addressed
         1.0 typing #1
         1.0 ask #1 Normal
         1.0 say #1: hey
         1.0 end #1: Acted",
    );
    assert!(sim.asked[0].1.contains("i passed!!"));
}

#[test]
fn typing_extends_the_wait_and_the_cap_ends_it() {
    let mut sim = Sim::new(policy()).answer(Answer::Says(HI));
    sim.says("Anna", "@Juno so");
    for _ in 0..4 {
        sim.event(Event::Typing {
            channel: ChannelId(1),
            user: anna(),
        });
        sim.wait(2 * SECOND);
    }
    sim.wait(2 * SECOND);
    assert!(
        sim.log.starts_with("  8.0 beat #1: addressed"),
        "{}",
        sim.log
    );
}

fn anna() -> kith_core::chat::UserId {
    kith_core::chat::UserId(u64::from(
        "Anna"
            .bytes()
            .fold(7u32, |sum, byte| sum * 31 + u32::from(byte)),
    ))
}

#[test]
fn a_tool_costs_a_second_round_and_a_message_beside_it_is_held_back() {
    let mut sim = Sim::new(policy())
        .answer(Answer::Says(
            "<turn><get_time/><send_message>it is noon i guess</send_message></turn>",
        ))
        .answer(Answer::Says(
            "<turn><send_message>12:00 on the dot</send_message></turn>",
        ));
    sim.says("Anna", "@Juno what time is it?");
    sim.wait(5 * SECOND);
    sim.expect(
        "0.0 beat #1: addressed
         0.0 typing #1
         0.0 ask #1 Normal
         0.0 run get_time
         0.0 ask #1 Normal
         0.0 say #1: 12:00 on the dot
         0.0 end #1: Acted",
    );
    let held = sim.reports[0].rounds[0].calls[1]
        .result
        .as_ref()
        .map(|result| result.content.clone());
    assert!(held.is_some_and(|text| text.contains("before the result was known")));
    assert!(
        sim.asked[1].1.contains("before the result was known"),
        "the model must be told"
    );
}

#[test]
fn the_round_limit_ends_in_one_wrap_up_round_without_tools() {
    let mut sim = Sim::new(ChannelPolicy {
        rounds: 2,
        ..policy()
    });
    for _ in 0..3 {
        sim = sim.answer(Answer::Says("<turn><get_time/></turn>"));
    }
    sim.says("Anna", "@Juno what time is it?");
    sim.wait(5 * SECOND);
    sim.expect(
        "0.0 beat #1: addressed
         0.0 typing #1
         0.0 ask #1 Normal
         0.0 run get_time
         0.0 ask #1 Normal
         0.0 run get_time
         0.0 ask #1 WrapUp
         0.0 react ⚠️ on 101
         0.0 end #1: Failed(\"its rounds were used up, and in the last one it called get_time once more\")",
    );
}

#[test]
fn plain_text_gets_one_repair_round_and_is_sent_the_second_time() {
    let mut sim = Sim::new(policy())
        .answer(Answer::Says("Sure thing!"))
        .answer(Answer::Says("sure, why not"));
    sim.says("Anna", "@Juno coming?");
    sim.wait(5 * SECOND);
    sim.expect(
        "0.0 beat #1: addressed
         0.0 typing #1
         0.0 ask #1 Normal
         0.0 ask #1 Repair
         0.0 say #1: sure, why not
         0.0 end #1: Acted",
    );
}

#[test]
fn residue_of_a_protocol_is_never_posted() {
    let mut sim = Sim::new(policy())
        .answer(Answer::Says("<tool_call>{\"name\": </tool_call"))
        .answer(Answer::Says("<|tool_call_begin|>send"));
    sim.says("Anna", "@Juno coming?");
    sim.wait(5 * SECOND);
    assert!(!sim.log.contains("say #1"), "{}", sim.log);
    assert!(matches!(sim.reports[0].outcome, TurnOutcome::Failed(_)));
}

#[test]
fn a_small_model_may_simply_write_text() {
    let plain = ChannelPolicy {
        plain_text_is_speech: true,
        ..policy()
    };
    let mut sim = Sim::new(plain).answer(Answer::Says("on my way"));
    sim.says("Anna", "@Juno coming?");
    sim.wait(5 * SECOND);
    sim.expect(
        "0.0 beat #1: addressed
         0.0 typing #1
         0.0 ask #1 Normal
         0.0 say #1: on my way
         0.0 end #1: Acted",
    );
}

#[test]
fn silence_is_a_result_with_its_reason() {
    let mut sim = Sim::new(policy()).answer(Answer::Says(
        "<turn><stay_silent>they only told each other about me</stay_silent></turn>",
    ));
    sim.says("Anna", "@Juno said so yesterday");
    sim.wait(5 * SECOND);
    assert_eq!(
        sim.reports[0].outcome,
        TurnOutcome::Silent("they only told each other about me".into())
    );
}

#[test]
fn only_a_quiet_action_after_direct_address_gets_one_repair_round() {
    let mut sim = Sim::new(policy())
        .answer(Answer::Says(
            "<turn><core_memory_append>Anna has a cat</core_memory_append></turn>",
        ))
        .answer(Answer::Says(HI));
    sim.says("Anna", "@Juno i have a cat");
    sim.wait(5 * SECOND);
    sim.expect(
        "0.0 beat #1: addressed
         0.0 typing #1
         0.0 ask #1 Normal
         0.0 run core_memory_append
         0.0 ask #1 Repair
         0.0 say #1: hey
         0.0 end #1: Acted",
    );
}

#[test]
fn an_unknown_tool_and_a_missing_parameter_are_explained_to_the_model() {
    let mut sim = Sim::new(policy())
        .answer(Answer::Says("<turn><order_pizza/><react to=\"1\"/></turn>"))
        .answer(Answer::Says(HI));
    sim.says("Anna", "@Juno hungry");
    sim.wait(5 * SECOND);
    let shown = &sim.asked[1].1;
    assert!(
        shown.contains("order_pizza") && shown.contains("emoji"),
        "{shown}"
    );
    assert!(sim.log.contains("say #1: hey"));
}

#[test]
fn what_arrives_while_the_model_writes_is_looked_at_after_the_turn() {
    let mut sim = Sim::new(policy())
        .answer(Answer::Starts("<turn><send_message>hey</send_message>"))
        .answer(Answer::Says(
            "<turn><send_message reply_to=\"3\">you too, Ben</send_message></turn>",
        ));
    sim.says("Anna", "@Juno hi");
    sim.wait(2 * SECOND);
    let ben = sim.says("Ben", "@Juno and me?");
    sim.model_ends("</turn>");
    sim.wait(5 * SECOND);
    let log = sim.log.clone();
    assert!(
        log.contains(&format!("say #1 (to {ben}): you too, Ben")),
        "{log}"
    );
    assert_eq!(log.matches("ask #1").count(), 2, "{log}");
}

#[test]
fn a_new_address_before_anything_was_said_starts_the_turn_over_once() {
    let mut sim = Sim::new(policy())
        .answer(Answer::Starts("<turn><thoughts>hm"))
        .answer(Answer::Starts("<turn><thoughts>hm"))
        .answer(Answer::Says(HI));
    sim.says("Anna", "@Juno hi");
    sim.wait(2 * SECOND);
    sim.says("Ben", "@Juno me too");
    sim.says("Cleo", "@Juno me three");
    sim.model_ends("</thoughts><send_message>hello you three</send_message></turn>");
    sim.wait(10 * SECOND);
    sim.expect(
        "0.8 beat #1: addressed
         0.8 typing #1
         0.8 ask #1 Normal
         2.0 cut
         2.0 ask #1 Normal
         2.0 say #1: hello you three
         2.0 end #1: Acted
         2.0 beat #1: addressed
         2.0 typing #1
         2.0 ask #1 Normal
         2.0 say #1: hey
         2.0 end #1: Acted",
    );
}

#[test]
fn several_messages_are_typed_one_after_the_other_and_who_they_are_for_cuts_them_short() {
    let typing = PacingSettings {
        characters_per_second: 10.0,
        ..PacingSettings::default()
    };
    let mut sim = Sim::new(ChannelPolicy { pacing: typing, ..policy() })
        .answer(Answer::Says(
            "<turn><send_message>twenty characters ok\n\nthirty characters, more or less</send_message></turn>",
        ))
        .answer(Answer::Says("<turn><stay_silent>done</stay_silent></turn>"));
    sim.says("Anna", "@Juno tell me");
    sim.wait(4 * SECOND);
    sim.says("Anna", "@Juno wait");
    sim.wait(10 * SECOND);
    sim.expect(
        "0.0 beat #1: addressed
         0.0 typing #1
         0.0 ask #1 Normal
         2.0 say #1: twenty characters ok
         2.0 typing #1
         4.0 cut
         4.0 end #1: Acted
         4.8 beat #1: addressed
         4.8 typing #1
         4.8 ask #1 Normal
         4.8 end #1: Silent(\"done\")",
    );
    assert!(
        sim.asked[1].1.contains("thirty characters"),
        "the next prompt tells what it was kept from saying"
    );
}

#[test]
fn a_failed_model_call_leaves_one_small_reaction_a_person() {
    let mut sim = Sim::new(policy())
        .answer(Answer::Fails("no route"))
        .answer(Answer::Fails("no route"));
    let first = sim.says("Anna", "@Juno hi");
    sim.wait(5 * SECOND);
    sim.says("Anna", "@Juno hello?");
    sim.wait(5 * SECOND);
    assert_eq!(sim.log.matches("react").count(), 1, "{}", sim.log);
    assert!(sim.log.contains(&format!("react ⚠️ on {first}")));
}

#[test]
fn address_older_than_ten_minutes_obliges_to_nothing() {
    let mut sim = Sim::new(policy());
    sim.now -= 11 * 60 * SECOND;
    let author = kith_core::chat::Author {
        id: anna(),
        name: "Anna".into(),
        kind: kith_core::chat::AuthorKind::Person,
    };
    let message = kith_core::chat::Message {
        id: MessageId(50),
        channel: ChannelId(1),
        arrival: 1,
        at: sim.now,
        author,
        text: "@Juno hi".into(),
        reply_to: None,
        mentions: vec![ME],
    };
    sim.now += 11 * 60 * SECOND;
    sim.event(Event::Chat(ChatEvent::Message(message)));
    sim.wait(10 * SECOND);
    sim.expect("8.0 beat #1: refused(stale)");
}

#[test]
fn every_message_in_a_direct_channel_is_address() {
    let mut direct = channel(9);
    direct.kind = ChannelKind::Direct;
    let mut sim = Sim::new(policy()).answer(Answer::Says(HI));
    sim.event(Event::ChannelSeen {
        channel: direct,
        policy: Arc::new(policy()),
    });
    sim.says_in(9, "Anna", "you there?");
    sim.wait(5 * SECOND);
    assert!(sim.log.contains("say #9: hey"), "{}", sim.log);
}

#[test]
fn one_place_for_turns_is_shared_in_order_and_address_goes_first() {
    let mut sim = Sim::with_places(policy(), 1)
        .answer(Answer::Starts("<turn>"))
        .answer(Answer::Says(HI))
        .answer(Answer::Says(HI));
    sim.says_in(1, "Anna", "@Juno hi");
    sim.wait(SECOND);
    sim.says_in(2, "Ben", "@Juno hi");
    sim.wait(SECOND);
    sim.says_in(3, "Cleo", "@Juno hi");
    sim.wait(SECOND);
    sim.model_ends("<send_message>first</send_message></turn>");
    let asked: Vec<u64> = sim.asked.iter().map(|(channel, _)| channel.0).collect();
    assert_eq!(asked, [1, 2, 3], "{}", sim.log);
}

#[test]
fn a_deleted_message_is_never_answered() {
    let mut sim = Sim::new(policy());
    let id = sim.says("Anna", "@Juno hi");
    sim.delete(ChannelId(1), vec![id]);
    sim.wait(5 * SECOND);
    assert!(!sim.log.contains("ask"), "{}", sim.log);
}

#[test]
fn the_same_message_twice_changes_nothing() {
    let mut sim = Sim::new(policy()).answer(Answer::Says(HI));
    sim.says("Anna", "@Juno hi");
    sim.wait(5 * SECOND);
    let again = sim
        .core
        .channel_state(ChannelId(1))
        .and_then(|state| state.timeline().messages().next().cloned());
    sim.event(Event::Chat(ChatEvent::Message(
        again
            .map(|said| said.message)
            .unwrap_or_else(|| unreachable!("it is there")),
    )));
    sim.wait(5 * SECOND);
    assert_eq!(sim.asked.len(), 1, "{}", sim.log);
}
