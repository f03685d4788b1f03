//! What could not be delivered was not said, and the next prompt tells.

use crate::turn::HI;
use crate::turn::sim::{Answer, Sim, channel, policy};
use kith_core::chat::{Channel, ChannelId, ChannelKind, MessageId, SECOND};
use kith_core::event::Event;
use kith_core::persona::{Language, Persona};
use kith_core::policy::{ChannelPolicy, PacingSettings};
use kith_core::quotes::ErasedMessage;
use kith_core::report::TurnOutcome;
use std::sync::Arc;

#[test]
fn what_could_not_be_delivered_was_not_said_and_the_next_prompt_tells() {
    let mut sim = Sim::new(policy())
        .answer(Answer::Says(HI))
        .answer(Answer::Says(HI));
    sim.undeliverable = Some("the disk is full");
    let id = sim.says("Anna", "@Juno hi");
    sim.wait(5 * SECOND);
    assert_eq!(
        sim.reports[0].outcome,
        TurnOutcome::Failed("not delivered: the disk is full".into())
    );
    assert!(
        sim.log.contains(&format!("react ⚠️ on {id}")),
        "{}",
        sim.log
    );
    sim.undeliverable = None;
    sim.says("Anna", "@Juno you there?");
    sim.wait(5 * SECOND);
    assert!(
        sim.asked[1].1.contains("the disk is full"),
        "{}",
        sim.asked[1].1
    );
}

#[test]
fn what_nobody_knows_to_be_delivered_counts_as_said_and_a_failure_known_later_is_told_in_the_next_prompt()
 {
    let mut sim = Sim::new(policy())
        .answer(Answer::Says(HI))
        .answer(Answer::Says(HI));
    sim.unconfirmed = true;
    sim.says("Anna", "@Juno hi");
    sim.wait(5 * SECOND);
    assert_eq!(sim.reports[0].outcome, TurnOutcome::Acted);
    assert!(
        sim.reports[0]
            .notes
            .iter()
            .any(|note| note.contains("not confirmed")),
        "{:?}",
        sim.reports[0].notes
    );
    sim.event(Event::DeliveryFailed {
        channel: ChannelId(1),
        why: "the guild is gone".into(),
    });
    sim.says("Anna", "@Juno you there?");
    sim.wait(5 * SECOND);
    assert!(
        sim.asked[1].1.contains("the guild is gone"),
        "{}",
        sim.asked[1].1
    );
}

#[test]
fn what_could_not_be_delivered_is_told_in_the_language_of_the_prompt() {
    let persona = Arc::new(Persona {
        language: Language::ZH,
        ..Persona::clone(&policy().persona)
    });
    let mut sim = Sim::new(ChannelPolicy {
        persona,
        ..policy()
    })
    .answer(Answer::Says(HI))
    .answer(Answer::Says(HI));
    sim.undeliverable = Some("the disk is full");
    sim.says("Anna", "@Juno 在吗");
    sim.wait(5 * SECOND);
    sim.undeliverable = None;
    sim.event(Event::DeliveryFailed {
        channel: ChannelId(1),
        why: "the guild is gone".into(),
    });
    sim.says("Anna", "@Juno 还在吗");
    sim.wait(5 * SECOND);
    let prompt = &sim.asked[1].1;
    assert!(
        prompt.contains("”没能送达：") && prompt.contains("你之前写的一条消息没能送达："),
        "{prompt}"
    );
    assert!(
        !prompt.contains("could not") && !prompt.contains("is full") && !prompt.contains("is gone"),
        "{prompt}"
    );
    let noted = format!("{:?}", sim.reports[0].notes);
    assert!(
        noted.contains("the disk is full"),
        "people read what the platform said: {noted}"
    );
}

/// Ben's word stands in an answer to Anna that is on its way and cannot be delivered; the first is Ben's message.
fn quotes_ben() -> (Sim, MessageId) {
    let mut sim = Sim::new(ChannelPolicy {
        pacing: PacingSettings {
            characters_per_second: 10.0,
            ..PacingSettings::default()
        },
        ..policy()
    });
    sim.answers.extend([
        Answer::Says(
            "<turn><send_message>Ben said xylophone</send_message><send_message>xylophone!</send_message></turn>",
        ),
        Answer::Says(HI),
    ]);
    sim.undeliverable = Some("the disk is full");
    let bens = sim.says("Ben", "xylophone");
    sim.says("Anna", "@Juno hi");
    sim.wait(SECOND);
    assert!(sim.reports.is_empty(), "it is on its way");
    (sim, bens)
}

/// What the next prompt shows besides the talk.
fn next_prompt(mut sim: Sim) -> String {
    sim.wait(10 * SECOND);
    assert_eq!(sim.reports.len(), 1, "{}", sim.log);
    sim.undeliverable = None;
    sim.says("Anna", "@Juno you there?");
    sim.wait(10 * SECOND);
    sim.asked[1].1.replace("Ben: xylophone", "")
}

fn tells_without_the_word(sim: Sim) {
    let prompt = next_prompt(sim);
    assert!(
        !prompt.contains("xylophone") && prompt.contains("the disk is full"),
        "{prompt}"
    );
}

#[test]
fn what_was_deleted_before_the_delivery_failed_is_quoted_in_no_later_prompt() {
    let (mut sim, bens) = quotes_ben();
    sim.delete(ChannelId(1), vec![bens]);
    tells_without_the_word(sim);
}

#[test]
fn what_was_deleted_after_the_delivery_failed_is_quoted_in_no_later_prompt() {
    let (mut sim, bens) = quotes_ben();
    sim.wait(10 * SECOND);
    sim.delete(ChannelId(1), vec![bens]);
    tells_without_the_word(sim);
}

#[test]
fn a_word_that_was_edited_away_is_quoted_in_no_later_prompt() {
    let (mut sim, bens) = quotes_ben();
    sim.edit(ChannelId(1), bens, "a drum");
    tells_without_the_word(sim);
}

#[test]
fn what_was_deleted_elsewhere_is_quoted_in_no_prompt_that_may_have_shown_it() {
    let (mut sim, _) = quotes_ben();
    let elsewhere = sim.says_in(2, "Ben", "xylophone");
    sim.delete(ChannelId(2), vec![elsewhere]);
    tells_without_the_word(sim);

    let (mut sim, _) = quotes_ben();
    sim.event(Event::ChannelSeen {
        channel: Channel {
            kind: ChannelKind::Direct,
            ..channel(3)
        },
        policy: Arc::new(policy()),
    });
    sim.event(Event::MessageErased(ErasedMessage {
        channel: ChannelId(3),
        text: "xylophone".into(),
        remaining_text: "".into(),
    }));
    let prompt = next_prompt(sim);
    assert!(
        prompt.contains("xylophone"),
        "nothing else is shown of direct messages: {prompt}"
    );
}
