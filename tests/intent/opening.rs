//! Speaking first: off by default, within hours and quotas, never twice without an answer.

use kith::core::chat::{Channel, ChannelKind, HOUR, MINUTE, SECOND};
use kith::core::event::Event;
use kith::core::persona::{Persona, Routine, Schedule};
use kith::core::policy::{Initiative, Policy};
use kith::core::report::Own;

use crate::sim::{Answer, Sim, channel};
use crate::{HI, SILENT, policy};

fn may_open(openings_a_day: u32) -> Policy {
    Policy { initiative: Initiative { openings_a_day, ..Initiative::default() }, ..policy() }
}

/// A lively talk of two.
fn talk(sim: &mut Sim) {
    for number in 0..14 {
        sim.says(if number % 2 == 0 { "Anna" } else { "Ben" }, "and then he said it again");
        sim.wait(MINUTE);
    }
}

fn lively(policy: Policy) -> Sim {
    let mut sim = Sim::new(policy);
    talk(&mut sim);
    assert_eq!(sim.asked.len(), 0, "{}", sim.log);
    sim.log.clear();
    sim
}

#[test]
fn a_night_of_silence_asks_no_model_where_nobody_allowed_it() {
    let mut sim = lively(policy());
    sim.wait(48 * HOUR);
    assert_eq!((sim.asked.len(), sim.core.next_deadline()), (0, None), "{}", sim.log);
}

#[test]
fn a_long_lull_after_a_lively_talk_is_broken_once() {
    let mut sim = lively(may_open(3)).answer(Answer::Says(HI));
    sim.wait(48 * HOUR);
    assert_eq!(sim.reports.len(), 1, "{}", sim.log);
    assert!(matches!(sim.reports[0].wake.own, Some(Own::Lull { minutes: 180 })), "{:?}", sim.reports[0].wake);
    assert!(sim.asked[0].1.contains("nobody has written for 180 minutes"), "{}", sim.asked[0].1);
}

#[test]
fn a_few_words_are_no_lively_talk_and_one_person_alone_is_none() {
    let mut sim = Sim::new(may_open(3));
    for _ in 0..20 {
        sim.says("Anna", "notes to myself");
        sim.wait(MINUTE);
    }
    for _ in 0..5 {
        sim.says("Ben", "hm");
        sim.wait(2 * HOUR);
    }
    sim.wait(24 * HOUR);
    assert_eq!(sim.asked.len(), 0, "{}", sim.log);
}

#[test]
fn outside_fitting_hours_and_in_quiet_hours_a_lull_is_left_alone_for_good() {
    let initiative = Initiative { hours: "08:00-15:00".parse().unwrap(), ..may_open(3).initiative };
    let early = Policy { initiative, ..may_open(3) };
    let quiet = Policy { quiet_hours: "14:00-20:00".parse().ok(), ..may_open(3) };
    for policy in [early, quiet] {
        let mut sim = lively(policy);
        sim.wait(48 * HOUR);
        assert_eq!((sim.asked.len(), sim.log.matches("refused(quiet)").count()), (0, 1), "{}", sim.log);
    }
}

#[test]
fn it_never_speaks_first_twice_without_an_answer_and_a_restart_changes_nothing() {
    let mut sim = lively(may_open(9)).answer(Answer::Says(HI)).answer(Answer::Says(HI));
    sim.wait(4 * HOUR);
    assert_eq!(sim.asked.len(), 1, "{}", sim.log);
    sim.restarts(may_open(9));
    sim.wait(3 * HOUR);
    assert_eq!((sim.asked.len(), sim.log.matches("refused(unanswered)").count()), (1, 1), "{}", sim.log);
    sim.wait(16 * HOUR);
    talk(&mut sim);
    sim.wait(4 * HOUR);
    assert_eq!(sim.asked.len(), 2, "somebody has answered\n{}", sim.log);
}

#[test]
fn an_opening_it_left_unsaid_needs_no_answer() {
    let mut sim = lively(may_open(9)).answer(Answer::Says(SILENT)).answer(Answer::Says(HI));
    sim.wait(3 * HOUR);
    assert_eq!(sim.asked.len(), 1, "{}", sim.log);
    sim.wait(20 * HOUR);
    assert!(!sim.log.contains("unanswered"), "{}", sim.log);
}

#[test]
fn the_quota_of_a_day_is_kept() {
    let mut sim = lively(may_open(1)).answer(Answer::Says(HI)).answer(Answer::Says(HI));
    sim.wait(3 * HOUR + MINUTE);
    assert_eq!(sim.asked.len(), 1, "{}", sim.log);
    talk(&mut sim);
    sim.wait(4 * HOUR);
    assert_eq!((sim.asked.len(), sim.log.matches("refused(quota)").count()), (1, 1), "{}", sim.log);
}

fn with_mornings(openings_a_day: u32) -> Policy {
    let morning = Routine { from: "08:00".into(), to: "09:00".into(), doing: "tea".into(), asleep: false, opens: true };
    let schedule = Some(Schedule { timezone: chrono_tz::Tz::UTC, day: vec![morning] });
    let persona = std::sync::Arc::new(Persona { schedule, ..(*policy().persona).clone() });
    Policy { persona, ..may_open(openings_a_day) }
}

#[test]
fn a_part_of_its_day_that_says_so_is_opened_soon_after_it_begins() {
    let mut sim = Sim::new(with_mornings(1)).answer(Answer::Says(HI)).answer(Answer::Says(HI));
    sim.says("Anna", "night all");
    sim.wait(22 * HOUR);
    assert_eq!(sim.reports.len(), 1, "{}", sim.log);
    let at = (sim.reports[0].started - crate::sim::START - 20 * HOUR) / SECOND;
    assert!((0..600).contains(&at), "{at} s after eight");
    assert_eq!(sim.reports[0].wake.own, Some(Own::Opening));
    assert!(sim.asked[0].1.contains("you may say something first"), "{}", sim.asked[0].1);
    sim.wait(24 * HOUR);
    assert_eq!(sim.reports.len(), 1, "nobody has answered\n{}", sim.log);
    sim.says("Anna", "morning juno's fans");
    sim.wait(24 * HOUR);
    assert_eq!(sim.reports.len(), 2, "{}", sim.log);
}

#[test]
fn where_nobody_has_been_for_days_nobody_is_greeted() {
    let mut sim = Sim::new(with_mornings(1));
    sim.wait(48 * HOUR);
    assert_eq!(sim.asked.len(), 0, "an empty channel\n{}", sim.log);
    let mut sim = Sim::new(Policy { quiet_hours: "07:00-11:00".parse().ok(), ..with_mornings(1) });
    sim.says("Anna", "night all");
    sim.wait(12 * 24 * HOUR);
    assert_eq!((sim.asked.len(), sim.log.matches("refused(quiet)").count()), (0, 3), "{}", sim.log);
}

#[test]
fn nobody_is_greeted_in_threads_and_direct_messages() {
    for kind in [ChannelKind::Thread, ChannelKind::Direct] {
        let mut sim = Sim::new(with_mornings(1));
        let there = Channel { kind, ..channel(9) };
        sim.event(Event::ChannelSeen { channel: there, policy: std::sync::Arc::new(with_mornings(1)) });
        sim.says_in(9, "Anna", "so that was it then, was it not");
        sim.answers.push_back(Answer::Says(SILENT));
        sim.wait(MINUTE);
        let asked = sim.asked.len();
        sim.wait(30 * HOUR);
        assert_eq!(sim.asked.len(), asked, "{kind:?}\n{}", sim.log);
    }
}
