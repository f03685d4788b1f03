//! What could not be delivered was not said, and the next prompt tells.

use crate::turn::HI;
use crate::turn::sim::{Answer, Sim, policy};
use kith_core::chat::{ChannelId, SECOND};
use kith_core::event::Event;
use kith_core::persona::{Language, Persona};
use kith_core::policy::ChannelPolicy;
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
