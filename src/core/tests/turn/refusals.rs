//! What stands in the way of speech: a pause, quiet hours, a missing permission, bots; and what happens when it passes.

use std::sync::Arc;

use kith_core::chat::{AuthorKind, HOUR, MINUTE, MessageId, SECOND};
use kith_core::event::{BudgetState, Event};
use kith_core::persona::{DailyRoutine, Persona, PersonaSchedule};
use kith_core::policy::{BotPolicy, ChannelPolicy, PacingSettings};
use kith_core::report::{Refusal, TurnOutcome};
use kith_core::talkativeness::Talkativeness;

use crate::turn::HI;
use crate::turn::sim::{Answer, START, Sim, author, policy};

const TO_THE_ROOM: &str = "does anybody here know whether the shop is open on sundays at all?";

/// A companion that sleeps between these times of a day.
fn sleeper(hours: &[(&str, &str)]) -> ChannelPolicy {
    let asleep = |(from, to): &(&str, &str)| DailyRoutine {
        from: (*from).into(),
        to: (*to).into(),
        doing: String::new(),
        asleep: true,
        opens: false,
    };
    let schedule = Some(PersonaSchedule {
        timezone: chrono_tz::Tz::UTC,
        day: hours.iter().map(asleep).collect(),
    });
    let persona = Arc::new(Persona {
        schedule,
        ..(*policy().persona).clone()
    });
    ChannelPolicy {
        persona,
        ..policy()
    }
}

fn chatty() -> ChannelPolicy {
    ChannelPolicy {
        talkativeness: Talkativeness::Level(1.0),
        ..policy()
    }
}

#[test]
fn a_pause_is_shown_once_and_what_is_still_fresh_when_it_ends_gets_one_turn() {
    let mut sim = Sim::new(ChannelPolicy {
        paused_until: Some(START + 15 * MINUTE),
        ..policy()
    })
    .answer(Answer::Says(HI));
    let early = sim.says("Anna", "@Juno hi");
    sim.wait(8 * MINUTE);
    let late = sim.says("Ben", "@Juno are you there?");
    sim.wait(MINUTE);
    sim.says("Cleo", "it seems to be away");
    sim.wait(20 * MINUTE);
    sim.expect(&format!(
        "0.8 react ⏸️ on {early}
         0.8 beat #1: refused(paused)
         480.8 react ⏸️ on {late}
         480.8 beat #1: refused(paused)
         560.0 beat #1: refused(paused)
         900.0 beat #1: addressed
         900.0 typing #1
         900.0 ask #1 Normal
         900.0 say #1: hey
         900.0 end #1: Acted"
    ));
    assert_eq!(
        sim.reports[0].wake.addressed,
        [late],
        "what has gone stale obliges nobody"
    );
    assert!(
        sim.asked[0].1.contains("it seems to be away"),
        "the turn sees all that was missed"
    );
}

#[test]
fn a_pause_that_is_lifted_early_counts_at_once_and_one_that_begins_ends_the_turn() {
    let paused = ChannelPolicy {
        paused_until: Some(START + HOUR),
        ..policy()
    };
    let mut sim = Sim::new(paused.clone())
        .answer(Answer::Starts("<turn><thoughts>hm"))
        .answer(Answer::Says(HI));
    sim.says("Anna", "@Juno hi");
    sim.wait(2 * SECOND);
    sim.settle(policy());
    assert!(sim.log.contains("ask #1"), "{}", sim.log);
    sim.settle(paused);
    assert_eq!(
        sim.reports[0].outcome,
        TurnOutcome::Silent("a moderator paused it".into())
    );
}

#[test]
fn what_it_was_asked_in_its_sleep_is_answered_when_it_wakes_while_it_is_fresh() {
    let mut sim = Sim::new(sleeper(&[("11:00", "12:05")])).answer(Answer::Says(HI));
    sim.says("Anna", "@Juno good morning");
    sim.wait(4 * MINUTE);
    sim.says("Anna", "still asleep i guess");
    sim.wait(5 * MINUTE);
    assert!(sim.log.contains("300.0 say #1: hey"), "{}", sim.log);
    assert_eq!(sim.log.matches('💤').count(), 1, "{}", sim.log);
}

#[test]
fn sleep_keeps_what_it_was_asked_fresh_and_one_turn_at_waking_answers_all_of_it() {
    // It sleeps until 13:00, in two parts.
    let policy = sleeper(&[("09:00", "12:30"), ("12:30", "13:00")]);
    let mut sim = Sim::new(policy.clone()).answer(Answer::Says(HI));
    sim.says("Anna", "@Juno are you up?");
    sim.wait(15 * MINUTE);
    sim.says("Ben", "she sleeps in on sundays");
    let asked = sim.says("Ben", "@Juno tell us when you are");
    sim.wait(5 * MINUTE);
    sim.restarts(policy.clone());
    sim.wait(30 * MINUTE);
    assert!(!sim.log.contains("say"), "{}", sim.log);
    sim.wait(20 * MINUTE);
    assert!(sim.log.contains("3600.0 say #1: hey"), "{}", sim.log);
    assert_eq!(sim.reports.len(), 1, "{}", sim.log);
    assert_eq!(
        sim.reports[0].wake.addressed.len(),
        2,
        "both are answered in one turn"
    );
    assert_eq!(sim.reports[0].wake.message, Some(asked));
    sim.restarts(policy);
    sim.wait(HOUR);
    assert_eq!(sim.reports.len(), 1, "and once: {}", sim.log);
}

#[test]
fn what_was_said_before_an_outage_that_outlasts_the_night_is_stale() {
    let mut sim = Sim::new(sleeper(&[("09:00", "13:00")]));
    let asked = sim.now;
    sim.wait(HOUR + 11 * MINUTE);
    sim.hear_late(
        1,
        MessageId(50),
        asked,
        author("Anna", AuthorKind::Person),
        "@Juno are you up?",
        None,
    );
    sim.wait(MINUTE);
    assert_eq!(sim.decisions[0].refusal, Some(Refusal::Stale));
    assert!(sim.asked.is_empty(), "{}", sim.log);
}

#[test]
fn a_budget_that_opens_again_lets_fresh_address_be_answered() {
    let mut sim = Sim::new(policy()).answer(Answer::Says(HI));
    sim.event(Event::Budget(BudgetState::Hard));
    sim.says("Anna", "@Juno hi");
    sim.wait(5 * MINUTE);
    assert!(!sim.log.contains("ask"), "{}", sim.log);
    sim.event(Event::Budget(BudgetState::Open));
    assert!(sim.log.contains("say #1: hey"), "{}", sim.log);
}

#[test]
fn one_sign_of_a_failure_does_not_swallow_another() {
    let mut sim = Sim::new(policy())
        .answer(Answer::Fails("the server is down"))
        .answer(Answer::Fails("the server is down"));
    sim.event(Event::Budget(BudgetState::Hard));
    sim.says("Anna", "@Juno hi");
    sim.wait(MINUTE);
    sim.event(Event::Budget(BudgetState::Open));
    sim.wait(MINUTE);
    sim.says("Anna", "@Juno hello?");
    sim.wait(MINUTE);
    let shown = ["💤", "⚠️"].map(|sign| sim.log.matches(&format!("react {sign}")).count());
    assert_eq!(shown, [1, 1], "{}", sim.log);
}

#[test]
fn held_address_survives_a_restart() {
    let paused = ChannelPolicy {
        paused_until: Some(START + 5 * MINUTE),
        ..policy()
    };
    let mut sim = Sim::new(paused.clone()).answer(Answer::Says(HI));
    sim.says("Anna", "@Juno hi");
    sim.wait(MINUTE);
    sim.restarts(paused);
    sim.wait(10 * MINUTE);
    assert!(sim.log.contains("300.0 say #1: hey"), "{}", sim.log);
}

#[test]
fn in_quiet_hours_only_who_speaks_to_it_is_answered() {
    let quiet_hours = "11:30-13:30 Europe/London".parse().ok();
    let mut sim = Sim::new(ChannelPolicy {
        quiet_hours,
        ..chatty()
    })
    .answer(Answer::Says(HI))
    .answer(Answer::Says(HI));
    sim.says("Anna", TO_THE_ROOM);
    sim.wait(22 * SECOND);
    assert!(sim.log.contains("refused(quiet)"), "{}", sim.log);
    sim.says("Anna", "@Juno do you?");
    sim.wait(5 * SECOND);
    assert!(sim.log.contains("say #1: hey"), "{}", sim.log);
    sim.wait(2 * HOUR);
    assert_eq!(
        sim.asked.len(),
        1,
        "an hour that ends wakes nobody\n{}",
        sim.log
    );
}

#[test]
fn where_it_may_not_write_it_reacts_if_it_may_and_answers_when_it_may() {
    let shut = ChannelPolicy {
        may_send: false,
        may_react: false,
        ..policy()
    };
    let mut sim = Sim::new(shut.clone());
    sim.says("Anna", "@Juno hi");
    sim.wait(MINUTE);
    sim.expect("0.8 beat #1: refused(nopermission)");

    let mut sim = Sim::new(ChannelPolicy {
        may_react: true,
        ..shut
    })
    .answer(Answer::Says(HI));
    let asked = sim.says("Anna", "@Juno hi");
    sim.wait(MINUTE);
    sim.expect(&format!(
        "0.8 react ⚠️ on {asked}\n0.8 beat #1: refused(nopermission)"
    ));
    assert_eq!(sim.decisions[0].refusal, Some(Refusal::NoPermission));
    sim.settle(policy());
    assert!(sim.log.contains("say #1: hey"), "{}", sim.log);
}

#[test]
fn a_turn_that_loses_its_permission_ends() {
    let slow = ChannelPolicy {
        pacing: PacingSettings {
            characters_per_second: 1.0,
            ..PacingSettings::default()
        },
        ..policy()
    };
    let mut sim = Sim::new(slow.clone()).answer(Answer::Says(HI));
    sim.says("Anna", "@Juno hi");
    sim.wait(SECOND);
    sim.settle(ChannelPolicy {
        may_send: false,
        ..slow
    });
    sim.wait(MINUTE);
    assert!(!sim.log.contains("say #1"), "{}", sim.log);
}

#[test]
fn webhooks_and_other_bots_are_not_answered_unless_bots_are_allowed() {
    for (kind, bots, answered) in [
        (AuthorKind::Bot, BotPolicy::Ignored, false),
        (AuthorKind::Bot, BotPolicy::Limited, true),
        (AuthorKind::Webhook, BotPolicy::Limited, false),
    ] {
        let mut sim = Sim::new(ChannelPolicy { bots, ..policy() }).answer(Answer::Says(HI));
        sim.hear(1, author("Robo", kind), "@Juno hi", None);
        sim.wait(5 * SECOND);
        assert_eq!(
            sim.log.contains("say #1"),
            answered,
            "{kind:?} {bots:?}\n{}",
            sim.log
        );
    }
}

/// How often each bot of a sequence is answered; "Anna" is a person.
fn answers(who: &[&str]) -> Vec<bool> {
    let mut sim = Sim::new(ChannelPolicy {
        bots: BotPolicy::Limited,
        near_duplicate: 2.0,
        ..policy()
    });
    let speak = |name: &&str| {
        let before = sim.asked.len();
        sim.answers.push_back(Answer::Says(HI));
        if *name == "Anna" {
            sim.says("Anna", "what are they talking about, i wonder");
        } else {
            sim.hear(1, author(name, AuthorKind::Bot), "@Juno and you?", None);
        }
        sim.wait(20 * SECOND);
        sim.asked.len() > before
    };
    who.iter().map(speak).collect()
}

#[test]
fn two_bots_never_talk_for_ever() {
    assert_eq!(
        answers(&["R", "R", "R", "R", "R"]),
        [true, true, true, false, false]
    );
    assert!(
        answers(&["R", "R", "R", "R", "Anna", "R"])[5],
        "a person has spoken between"
    );
    let many = answers(&["R", "S", "T", "R", "S", "T", "R", "S", "U"]);
    assert_eq!(
        many,
        [true, true, true, true, true, true, false, false, false],
        "so much for the channel"
    );
}

#[test]
fn a_restart_does_not_begin_to_count_answers_to_bots_anew() {
    let limited = ChannelPolicy {
        bots: BotPolicy::Limited,
        ..policy()
    };
    let mut sim = Sim::new(limited.clone());
    for _ in 0..3 {
        sim.answers
            .push_back(Answer::Says("<turn><stay_silent>no</stay_silent></turn>"));
        sim.hear(1, author("Robo", AuthorKind::Bot), "@Juno hi", None);
        sim.wait(5 * SECOND);
    }
    sim.restarts(limited);
    sim.hear(1, author("Robo", AuthorKind::Bot), "@Juno hi", None);
    assert_eq!(
        sim.decisions.last().unwrap().refusal,
        Some(Refusal::BotLimit)
    );
}

#[test]
fn a_bot_may_be_answered_again_after_a_while() {
    let mut sim = Sim::new(ChannelPolicy {
        bots: BotPolicy::Limited,
        ..policy()
    });
    for _ in 0..4 {
        sim.answers
            .push_back(Answer::Says("<turn><stay_silent>no</stay_silent></turn>"));
        sim.hear(1, author("Robo", AuthorKind::Bot), "@Juno hi", None);
        sim.wait(5 * SECOND);
    }
    assert_eq!(sim.decisions[3].refusal, Some(Refusal::BotLimit));
    sim.wait(10 * MINUTE);
    sim.hear(1, author("Robo", AuthorKind::Bot), "@Juno hi", None);
    assert_eq!(sim.decisions[4].refusal, None);
}
