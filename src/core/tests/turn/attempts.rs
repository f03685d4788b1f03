//! A message whose answer ends the process is tried twice, then given up and told; every other end of a turn counts as
//! none of these attempts.

use kith_core::chat::{ChannelId, IntentionId, MINUTE, SECOND};
use kith_core::event::{ChatEvent, Event};
use kith_core::intent::{REMINDER_KEPT, Reminder, ScheduledIntent};
use kith_core::policy::ChannelPolicy;
use kith_core::talkativeness::Talkativeness;

use crate::turn::HI;
use crate::turn::sim::{Answer, Sim, author, policy};

const DEN: ChannelId = ChannelId(1);

fn quiet() -> ChannelPolicy {
    ChannelPolicy {
        talkativeness: Talkativeness::Level(0.0),
        ..policy()
    }
}

/// A companion whose model never gets to its end.
fn doomed() -> Sim {
    let mut sim = Sim::new(quiet());
    sim.answers.extend((0..8).map(|_| Answer::Starts("<turn>")));
    sim
}

/// What is saved of the channel.
fn saved(sim: &Sim) -> String {
    serde_json::to_string(sim.core.channel_state(DEN).expect("there").state()).expect("numbers")
}

#[test]
fn an_answer_that_ends_the_process_is_tried_twice_then_given_up_and_told_once() {
    let mut sim = doomed();
    let fatal = sim.says("Anna", "@Juno do the fatal thing");
    for life in 1..=2 {
        sim.wait(SECOND);
        assert_eq!(sim.asked.len(), life, "{}", sim.log);
        assert!(!sim.log.contains('⚠'), "{}", sim.log);
        sim.restarts(quiet());
    }
    sim.wait(5 * SECOND);
    assert_eq!(sim.asked.len(), 2, "{}", sim.log);
    assert!(
        sim.log.contains(&format!("react ⚠️ on {fatal}")),
        "{}",
        sim.log
    );
    sim.restarts(quiet());
    sim.wait(MINUTE);
    assert_eq!(
        (sim.asked.len(), sim.log.matches('⚠').count()),
        (2, 1),
        "{}",
        sim.log
    );

    sim.answers.clear();
    sim.answers.push_back(Answer::Says(HI));
    let next = sim.says("Ben", "@Juno and how are you?");
    assert!(sim.log.contains("say #1: hey"), "{}", sim.log);
    assert_eq!(
        sim.reports[0].wake.addressed,
        [next],
        "what was given up is owed no more"
    );
    assert!(!saved(&sim).contains("attempts"), "{}", saved(&sim));
    sim.restarts(quiet());
    sim.wait(MINUTE);
    assert_eq!(sim.asked.len(), 3, "{}", sim.log);
}

#[test]
fn the_next_prompt_tells_what_was_given_up() {
    let mut sim = doomed();
    sim.says("Anna", "@Juno do the fatal thing");
    sim.restarts(quiet());
    sim.wait(SECOND);
    sim.restarts(quiet());
    sim.says("Ben", "@Juno and how are you?");
    let prompt = &sim.asked[2].1;
    assert!(
        prompt.contains("twice the program ended while you were answering 1; it was given up"),
        "{prompt}"
    );
}

#[test]
fn who_asked_beside_it_is_tried_as_often_and_who_asks_later_is_answered() {
    let mut sim = doomed();
    sim.says("Anna", "@Juno do the fatal thing");
    sim.restarts(quiet());
    let ben = sim.says("Ben", "@Juno and how are you?");
    sim.wait(SECOND);
    sim.restarts(quiet());
    sim.answers.clear();
    sim.answers.push_back(Answer::Says(HI));
    sim.wait(SECOND);
    assert_eq!(sim.log.matches('⚠').count(), 1, "{}", sim.log);
    assert_eq!(sim.reports[0].wake.addressed, [ben], "{}", sim.log);
}

#[test]
fn turns_that_end_in_any_other_way_are_no_such_attempts() {
    for ends in [HI, "<turn><stay_silent>better not</stay_silent></turn>", ""] {
        let mut sim = Sim::new(quiet());
        sim.answers.push_back(if ends.is_empty() {
            Answer::Fails("no route")
        } else {
            Answer::Says(ends)
        });
        sim.says("Anna", "@Juno how are you?");
        sim.wait(SECOND);
        assert_eq!(sim.reports.len(), 1, "{}", sim.log);
        assert!(!saved(&sim).contains("attempts"), "{}", saved(&sim));
    }
}

#[test]
fn a_daemon_that_is_told_to_end_has_not_failed_to_answer() {
    let mut sim = doomed();
    sim.says("Anna", "@Juno how are you?");
    for life in 1..=5 {
        sim.wait(SECOND);
        assert_eq!(sim.asked.len(), life, "{}", sim.log);
        sim.core.cancel_attempts();
        assert!(
            sim.core
                .take_changed_states()
                .iter()
                .any(|(channel, _)| *channel == DEN),
            "it is saved"
        );
        sim.restarts(quiet());
    }
    assert!(!sim.log.contains('⚠'), "{}", sim.log);
}

#[test]
fn who_is_forgotten_or_takes_it_back_stands_in_no_count() {
    let id = author("Anna", kith_core::chat::AuthorKind::Person).id;
    for forgotten in [true, false] {
        let mut sim = doomed();
        let fatal = sim.says("Anna", "@Juno do the fatal thing");
        sim.restarts(quiet());
        assert!(
            saved(&sim).contains(&format!("{{\"message\":\"{fatal}\",\"author\":\"{id}\"")),
            "{}",
            saved(&sim)
        );
        sim.event(match forgotten {
            true => Event::PersonForgotten {
                user: id,
                channels: None,
            },
            false => Event::Chat(ChatEvent::Delete {
                channel: DEN,
                ids: vec![fatal],
                at: sim.now,
            }),
        });
        assert!(!saved(&sim).contains("attempts"), "{}", saved(&sim));
    }
}

/// Anna asks to be reminded in half an hour, and says something else. Answers with the line she asked with.
fn asks_for_a_reminder(sim: &mut Sim) -> kith_core::chat::MessageId {
    let anna = author("Anna", kith_core::chat::AuthorKind::Person);
    let asked = sim.says("Anna", "take the cake out in half an hour");
    let time = sim.now + 30 * MINUTE;
    let intention = ScheduledIntent {
        id: IntentionId(7),
        made: sim.now,
        after: 1,
        expires: time + REMINDER_KEPT,
        name: "Anna".into(),
        time: Some(time),
        note: "the cake".into(),
        reminder: Some(Reminder {
            whom: Some(anna.id),
            asked_by: Some(anna.id),
        }),
        ..ScheduledIntent::default()
    };
    sim.event(Event::IntentScheduled {
        channel: DEN,
        intention: Box::new(intention),
    });
    sim.says("Anna", "now for the dishes");
    asked
}

#[test]
fn a_reminder_that_ends_the_process_is_tried_twice_then_given_up_and_told_once() {
    let mut sim = doomed();
    let asked = asks_for_a_reminder(&mut sim);
    sim.wait(31 * MINUTE);
    for life in 1..=2 {
        assert_eq!(sim.asked.len(), life, "{}", sim.log);
        assert!(!sim.log.contains('⚠'), "{}", sim.log);
        sim.restarts(quiet());
        sim.wait(MINUTE);
    }
    assert_eq!(sim.asked.len(), 2, "{}", sim.log);
    assert!(
        sim.intentions.is_empty() && sim.log.contains("over: GivenUp"),
        "{}",
        sim.log
    );
    assert!(
        sim.log.contains(&format!("react ⚠️ on {asked}")),
        "{}",
        sim.log
    );

    sim.answers.clear();
    sim.answers.push_back(Answer::Says(HI));
    sim.says("Ben", "@Juno and how are you?");
    let told = "twice the program ended while you were reminding Anna; the reminder was given up";
    assert!(sim.asked[2].1.contains(told), "{}", sim.asked[2].1);
    assert!(!saved(&sim).contains("attempts"), "{}", saved(&sim));
    sim.restarts(quiet());
    sim.wait(60 * MINUTE);
    assert_eq!(
        (sim.asked.len(), sim.log.matches('⚠').count()),
        (3, 1),
        "{}",
        sim.log
    );
}

#[test]
fn a_daemon_that_is_told_to_end_has_not_failed_to_remind() {
    let mut sim = doomed();
    asks_for_a_reminder(&mut sim);
    sim.wait(31 * MINUTE);
    for life in 1..=5 {
        assert_eq!(sim.asked.len(), life, "{}", sim.log);
        sim.core.cancel_attempts();
        sim.restarts(quiet());
        sim.wait(SECOND);
    }
    assert!(!sim.log.contains("over:"), "{}", sim.log);
}
