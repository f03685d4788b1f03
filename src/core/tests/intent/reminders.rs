//! Reminders: what somebody asked for comes whatever the hour and whatever the quota, once, and as late as it must; what it
//! set itself waits like everything of its own.

use kith_core::chat::{AuthorKind, ChannelId, HOUR, IntentionId, MINUTE};
use kith_core::event::{BudgetState, Event};
use kith_core::intent::{REMINDER_KEPT, Reminder, ScheduledIntent};
use kith_core::policy::{ChannelPolicy, InitiativeSettings};

use crate::intent::sim::{Answer, Sim, author};
use crate::intent::{HI, policy};

/// Nothing unasked, ever, and no wakes of its own.
fn quiet() -> ChannelPolicy {
    let initiative = InitiativeSettings {
        wakes_a_day: 0,
        ..policy().initiative
    };
    ChannelPolicy {
        quiet_hours: "00:00-23:59 UTC".parse().ok(),
        initiative,
        ..policy()
    }
}

fn reminds(sim: &mut Sim, minutes: i64, asked: bool) {
    let anna = author("Anna", AuthorKind::Person);
    let time = sim.now + minutes * MINUTE;
    let intention = ScheduledIntent {
        id: IntentionId(u64::try_from(sim.now).unwrap()),
        made: sim.now,
        expires: time + REMINDER_KEPT,
        name: "Anna".into(),
        time: Some(time),
        note: "take the cake out".into(),
        reminder: Some(Reminder {
            whom: Some(anna.id),
            asked_by: asked.then_some(anna.id),
        }),
        ..ScheduledIntent::default()
    };
    sim.event(Event::IntentScheduled {
        channel: ChannelId(1),
        intention: Box::new(intention),
    });
}

#[test]
fn what_somebody_asked_for_comes_in_quiet_hours_and_beyond_the_quota_once() {
    let mut sim = Sim::new(quiet()).answer(Answer::Says(HI));
    reminds(&mut sim, 30, true);
    sim.wait(29 * MINUTE);
    assert!(sim.asked.is_empty(), "{}", sim.log);
    sim.wait(3 * HOUR);
    assert!(
        sim.log.contains("1800.0 ask #1") && sim.log.contains("say #1: hey"),
        "{}",
        sim.log
    );
    let prompt = &sim.asked[0].1;
    let words = [
        "It is time for the reminder for Anna:",
        "take the cake out",
        "Give it now, in your own words",
    ];
    assert!(
        words.iter().all(|words| prompt.contains(words)) && !prompt.contains("Nobody expects it"),
        "{prompt}"
    );
    assert_eq!(sim.asked.len(), 1);
    assert!(sim.intentions.is_empty(), "it is kept no longer");
}

#[test]
fn what_it_set_itself_waits_for_the_hour_and_the_quota() {
    let mut sim = Sim::new(quiet()).answer(Answer::Says(HI));
    reminds(&mut sim, 30, false);
    sim.wait(3 * HOUR);
    assert!(sim.asked.is_empty(), "{}", sim.log);
    sim.settle(policy());
    sim.wait(MINUTE);
    assert_eq!(sim.asked.len(), 1, "{}", sim.log);
}

#[test]
fn what_it_owes_is_not_held_up_by_what_it_may_not_wake_for() {
    let mut sim = Sim::new(quiet()).answer(Answer::Says(HI));
    reminds(&mut sim, 10, false);
    sim.wait(MINUTE);
    reminds(&mut sim, 30, true);
    sim.wait(HOUR);
    assert!(sim.log.contains("1860.0 ask #1"), "{}", sim.log);
    assert_eq!(sim.intentions.len(), 1, "the other still waits");
}

#[test]
fn a_pause_and_a_spent_budget_hold_it_back_until_they_are_over() {
    let mut sim = Sim::new(quiet())
        .answer(Answer::Says(HI))
        .answer(Answer::Says(HI));
    reminds(&mut sim, 10, true);
    sim.event(Event::Budget(BudgetState::Hard));
    sim.wait(HOUR);
    assert!(sim.asked.is_empty(), "{}", sim.log);
    sim.event(Event::Budget(BudgetState::Open));
    sim.wait(MINUTE);
    assert_eq!(sim.asked.len(), 1, "{}", sim.log);
    reminds(&mut sim, 10, true);
    sim.settle(ChannelPolicy {
        paused_until: Some(sim.now + 2 * HOUR),
        ..quiet()
    });
    sim.wait(HOUR);
    assert_eq!(sim.asked.len(), 1, "{}", sim.log);
    sim.wait(2 * HOUR);
    assert_eq!(sim.asked.len(), 2, "{}", sim.log);
}

#[test]
fn one_that_can_never_be_given_lapses_and_takes_no_place_of_what_it_waits_for() {
    let mut sim = Sim::new(ChannelPolicy {
        paused_until: Some(i64::MAX),
        ..quiet()
    });
    reminds(&mut sim, 10, true);
    sim.wait(25 * HOUR);
    assert!(
        sim.intentions.is_empty() && sim.asked.is_empty(),
        "{}",
        sim.log
    );
}

#[test]
fn the_prompt_lists_what_it_will_remind_of() {
    let mut sim = Sim::new(policy()).answer(Answer::Says(HI));
    reminds(&mut sim, 30, true);
    sim.says("Anna", "@Juno hi");
    sim.wait(MINUTE);
    let listed = [
        "- you remind Anna at 2026-01-05 12:30:",
        "take the cake out",
    ];
    assert!(
        listed.iter().all(|words| sim.asked[0].1.contains(words)),
        "{}",
        sim.asked[0].1
    );
}
