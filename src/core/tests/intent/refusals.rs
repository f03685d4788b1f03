//! What keeps it from waking for what it waited for, and what ends an intention.

use kith_core::chat::{ChannelId, HOUR, MINUTE, SECOND};
use kith_core::event::{BudgetState, Event};
use kith_core::intent::IntentEnd;
use kith_core::persona::{DailyRoutine, Persona, PersonaSchedule};
use kith_core::policy::{ChannelMode, ChannelPolicy, InitiativeSettings};

use crate::intent::sim::{Answer, Sim, author};
use crate::intent::{HI, SILENT, policy, waits};

fn waiting(policy: ChannelPolicy) -> Sim {
    let mut sim = Sim::new(policy).answer(waits!("minutes=\"30\"", "ask"));
    sim.says("Ben", "so");
    sim.wait(20 * SECOND);
    sim.says("Anna", "@Juno hi");
    sim.wait(5 * SECOND);
    assert_eq!(sim.intentions.len(), 1, "{}", sim.log);
    sim.answers.push_back(Answer::Says(HI));
    sim.log.clear();
    sim
}

/// What is told of it while `now` holds for an hour, and again after `then` holds.
fn held(now: ChannelPolicy, then: ChannelPolicy) -> (String, usize) {
    let mut sim = waiting(policy());
    sim.settle(now);
    sim.wait(HOUR);
    assert_eq!(sim.asked.len(), 1, "{}", sim.log);
    let log = std::mem::take(&mut sim.log);
    sim.settle(then);
    sim.wait(MINUTE);
    (log, sim.asked.len())
}

#[test]
fn where_it_may_not_speak_it_waits_and_says_why_and_wakes_when_it_may() {
    let paused = ChannelPolicy {
        paused_until: Some(i64::MAX),
        ..policy()
    };
    let observing = ChannelPolicy {
        mode: ChannelMode::Observe,
        ..policy()
    };
    let mute = ChannelPolicy {
        may_send: false,
        ..policy()
    };
    for (forbidden, told) in [
        (paused, "paused"),
        (observing, "observe"),
        (mute, "nopermission"),
    ] {
        let (log, asked) = held(forbidden, policy());
        assert_eq!(log.matches(&format!("refused({told})")).count(), 1, "{log}");
        assert_eq!(asked, 2, "{told}");
    }
}

#[test]
fn a_channel_that_is_switched_off_ends_what_was_waited_for() {
    let mut sim = waiting(policy());
    sim.settle(ChannelPolicy {
        mode: ChannelMode::Off,
        ..policy()
    });
    assert!(sim.log.contains("over: Kept(Off)"), "{}", sim.log);
    sim.settle(policy());
    sim.wait(5 * HOUR);
    assert_eq!(
        (sim.asked.len(), sim.intentions.len()),
        (1, 0),
        "{}",
        sim.log
    );
}

#[test]
fn in_quiet_hours_and_asleep_it_waits_until_they_are_over() {
    let quiet = ChannelPolicy {
        quiet_hours: "12:10-14:00".parse().ok(),
        ..policy()
    };
    let mut sim = waiting(quiet);
    sim.wait(3 * HOUR);
    assert!(sim.log.contains("refused(quiet)"), "{}", sim.log);
    assert!(sim.log.contains("7200.0 ask #1"), "{}", sim.log);

    let nap = DailyRoutine {
        from: "12:10".into(),
        to: "14:00".into(),
        doing: String::new(),
        asleep: true,
        opens: false,
    };
    let schedule = Some(PersonaSchedule {
        timezone: chrono_tz::Tz::UTC,
        day: vec![nap],
    });
    let persona = std::sync::Arc::new(Persona {
        schedule,
        ..(*policy().persona).clone()
    });
    let mut sim = waiting(ChannelPolicy {
        persona,
        ..policy()
    });
    sim.wait(3 * HOUR);
    assert!(
        sim.log.contains("refused(asleep)") && sim.log.contains("7200.0 ask #1"),
        "{}",
        sim.log
    );
    assert_eq!(sim.asked.len(), 2);
}

#[test]
fn after_a_request_for_quiet_it_wakes_when_that_is_over() {
    let mut sim = waiting(policy());
    sim.wait(10 * MINUTE);
    sim.says("Anna", "@Juno please be quiet");
    sim.wait(29 * MINUTE);
    assert_eq!(sim.asked.len(), 1, "{}", sim.log);
    sim.wait(5 * MINUTE);
    assert_eq!(sim.asked.len(), 2, "{}", sim.log);
}

#[test]
fn over_the_soft_budget_it_waits_and_an_open_one_wakes_it() {
    let mut sim = waiting(policy());
    sim.event(Event::Budget(BudgetState::Soft));
    sim.wait(HOUR);
    assert_eq!(
        (sim.asked.len(), sim.log.matches("refused(budget)").count()),
        (1, 1),
        "{}",
        sim.log
    );
    sim.event(Event::Budget(BudgetState::Open));
    sim.wait(MINUTE);
    assert_eq!(sim.asked.len(), 2, "{}", sim.log);
}

#[test]
fn what_is_kept_from_waking_it_until_its_time_is_over_lapses_with_the_reason() {
    let mut sim = waiting(policy());
    sim.event(Event::Budget(BudgetState::Soft));
    sim.wait(25 * HOUR);
    assert!(sim.log.contains("over: Kept(Budget)"), "{}", sim.log);
    assert_eq!((sim.asked.len(), sim.intentions.len()), (1, 0));
}

#[test]
fn the_quota_of_a_day_holds_until_midnight() {
    let limits = InitiativeSettings {
        wakes_a_day: 2,
        ..InitiativeSettings::default()
    };
    let mut sim = waiting(ChannelPolicy {
        initiative: limits,
        ..policy()
    });
    sim.answers.clear();
    for _ in 0..4 {
        sim.answers.push_back(waits!("minutes=\"60\"", "again"));
    }
    sim.wait(11 * HOUR);
    assert_eq!(
        sim.asked.len(),
        3,
        "spoken to once, woken twice\n{}",
        sim.log
    );
    assert_eq!(sim.log.matches("refused(quota)").count(), 1, "{}", sim.log);
    sim.wait(HOUR + MINUTE);
    assert_eq!(sim.asked.len(), 4, "a new day\n{}", sim.log);
}

#[test]
fn a_restart_keeps_what_is_waited_for_and_how_often_it_woke() {
    let limits = InitiativeSettings {
        wakes_a_day: 1,
        ..InitiativeSettings::default()
    };
    let one_a_day = || ChannelPolicy {
        initiative: limits.clone(),
        ..policy()
    };
    let mut sim = waiting(one_a_day());
    sim.restarts(one_a_day());
    sim.answers = [waits!("minutes=\"30\"", "again")].into();
    sim.wait(HOUR);
    assert_eq!(
        (sim.asked.len(), sim.intentions.len()),
        (2, 1),
        "{}",
        sim.log
    );
    sim.restarts(one_a_day());
    sim.wait(2 * HOUR);
    assert_eq!(sim.asked.len(), 2, "{}", sim.log);
    assert!(sim.log.contains("refused(quota)"), "{}", sim.log);
}

#[test]
fn a_word_that_came_while_it_was_held_is_not_lost_by_a_restart() {
    let mut sim = Sim::new(policy()).answer(waits!("word=\"cake\"", "want some"));
    sim.says("Anna", "@Juno hi");
    sim.wait(5 * SECOND);
    sim.event(Event::Budget(BudgetState::Soft));
    sim.says("Anna", "there is cake");
    sim.wait(MINUTE);
    sim.restarts(policy());
    sim.answers.push_back(Answer::Says(HI));
    sim.wait(MINUTE);
    assert_eq!(sim.asked.len(), 2, "{}", sim.log);
}

#[test]
fn a_turn_that_dies_before_it_did_anything_is_begun_again_and_one_that_spoke_is_not() {
    for (first, asked) in [
        ("<turn><thoughts>hm", 3),
        ("<turn><send_message>hey</send_message>", 2),
    ] {
        let mut sim = waiting(policy());
        sim.answers = [Answer::Starts(first), Answer::Says(SILENT)].into();
        sim.wait(31 * MINUTE);
        assert_eq!(sim.asked.len(), 2, "{}", sim.log);
        sim.restarts(policy());
        sim.wait(10 * HOUR);
        assert_eq!(sim.asked.len(), asked, "{}", sim.log);
    }
}

#[test]
fn forgetting_a_person_and_a_fresh_start_end_what_was_waited_for() {
    let ben = author("Ben", kith_core::chat::AuthorKind::Person).id;
    let after = kith_core::chat::MessageId(1_000);
    for event in [
        Event::PersonForgotten {
            user: ben,
            channels: None,
        },
        Event::ContextReset {
            channel: ChannelId(1),
            after,
        },
    ] {
        let mut sim = waiting(policy());
        sim.event(event);
        assert!(
            sim.log
                .contains(&format!("over: {:?}", IntentEnd::Forgotten)),
            "{}",
            sim.log
        );
        sim.wait(30 * HOUR);
        assert_eq!(
            (sim.asked.len(), sim.intentions.len()),
            (1, 0),
            "{}",
            sim.log
        );
    }
}

#[test]
fn what_somebody_takes_away_does_not_wake_it() {
    let mut sim = waiting(policy());
    let (channel, id) = *sim.intentions.keys().next().expect("one");
    sim.event(Event::IntentDropped { channel, id });
    sim.wait(30 * HOUR);
    assert_eq!(
        (sim.asked.len(), sim.intentions.len()),
        (1, 0),
        "{}",
        sim.log
    );
}

#[test]
fn an_idle_channel_wants_nothing_of_the_clock() {
    let mut sim = Sim::new(policy()).answer(Answer::Says(HI));
    sim.says("Anna", "@Juno hi");
    sim.wait(MINUTE);
    assert_eq!(sim.core.next_deadline(), None);
}
