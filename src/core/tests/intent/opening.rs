//! Speaking first: off by default, within hours and quotas, never twice without an answer.

use kith_core::chat::{
    Author, AuthorKind, Channel, ChannelId, ChannelKind, HOUR, MINUTE, MessageId, SECOND,
};
use kith_core::event::{ChatEvent, Event};
use kith_core::persona::{DailyRoutine, Persona, PersonaSchedule};
use kith_core::policy::{BotPolicy, ChannelPolicy, InitiativeSettings};
use kith_core::report::SelfTrigger;

use crate::intent::sim::{Answer, ME, Sim, author, channel};
use crate::intent::{HI, SILENT, policy};

fn may_open(openings_a_day: u32) -> ChannelPolicy {
    ChannelPolicy {
        initiative: InitiativeSettings {
            openings_a_day,
            ..InitiativeSettings::default()
        },
        ..policy()
    }
}

/// A lively talk of two.
/// What it says the next time it speaks first: the same again would be held back.
const AGAIN: &str = "<turn><send_message>what a quiet evening</send_message></turn>";

fn talk(sim: &mut Sim) {
    for number in 0..14 {
        sim.says(
            if number % 2 == 0 { "Anna" } else { "Ben" },
            "and then he said it again",
        );
        sim.wait(MINUTE);
    }
}

fn lively(policy: ChannelPolicy) -> Sim {
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
    assert_eq!(
        (sim.asked.len(), sim.core.next_deadline()),
        (0, None),
        "{}",
        sim.log
    );
}

#[test]
fn a_long_lull_after_a_lively_talk_is_broken_once() {
    let mut sim = lively(may_open(3)).answer(Answer::Says(HI));
    sim.wait(48 * HOUR);
    assert_eq!(sim.reports.len(), 1, "{}", sim.log);
    assert!(
        matches!(
            sim.reports[0].wake.own,
            Some(SelfTrigger::Lull { minutes: 180 })
        ),
        "{:?}",
        sim.reports[0].wake
    );
    assert!(
        sim.asked[0]
            .1
            .contains("nobody has written for 180 minutes"),
        "{}",
        sim.asked[0].1
    );
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
    let initiative = InitiativeSettings {
        hours: "08:00-15:00".parse().unwrap(),
        ..may_open(3).initiative
    };
    let early = ChannelPolicy {
        initiative,
        ..may_open(3)
    };
    let quiet = ChannelPolicy {
        quiet_hours: "14:00-20:00".parse().ok(),
        ..may_open(3)
    };
    for policy in [early, quiet] {
        let mut sim = lively(policy);
        sim.wait(48 * HOUR);
        assert_eq!(
            (sim.asked.len(), sim.log.matches("refused(quiet)").count()),
            (0, 1),
            "{}",
            sim.log
        );
    }
}

#[test]
fn its_own_words_end_a_lull_and_begin_no_other() {
    let mut sim = lively(may_open(9))
        .answer(Answer::Says(HI))
        .answer(Answer::Says(HI));
    sim.wait(4 * HOUR);
    assert_eq!(sim.asked.len(), 1, "{}", sim.log);
    sim.restarts(may_open(9));
    sim.wait(30 * HOUR);
    assert_eq!(
        (sim.asked.len(), sim.log.matches("refused").count()),
        (1, 0),
        "{}",
        sim.log
    );
    let mut answering = lively(may_open(9))
        .answer(Answer::Says(HI))
        .answer(Answer::Says(HI));
    answering.says("Anna", "@Juno hi");
    answering.wait(3 * HOUR);
    assert_eq!(
        answering.asked.len(),
        1,
        "the lull is counted from its own words\n{}",
        answering.log
    );
    answering.wait(MINUTE);
    assert_eq!(answering.asked.len(), 2, "{}", answering.log);
}

#[test]
fn a_bot_that_posts_all_day_neither_ends_a_lull_nor_answers() {
    let posts = |bots: BotPolicy| {
        let policy = ChannelPolicy {
            bots,
            ..may_open(9)
        };
        let mut sim = lively(policy).answer(Answer::Says(HI));
        for _ in 0..20 {
            sim.hear(1, author("Feed", AuthorKind::Bot), "news", None);
            sim.hear(1, author("Hook", AuthorKind::Webhook), "build passed", None);
            sim.wait(30 * MINUTE);
        }
        sim.asked.len()
    };
    assert_eq!(
        (posts(BotPolicy::Ignored), posts(BotPolicy::Limited)),
        (1, 0),
        "who may be answered counts as somebody"
    );
}

/// It broke a lull, and a part of its day begins in which it could speak first again.
fn spoke_first() -> Sim {
    let mut sim = Sim::new(with_mornings(9))
        .answer(Answer::Says(HI))
        .answer(Answer::Says(HI));
    talk(&mut sim);
    sim.wait(4 * HOUR);
    assert_eq!(sim.asked.len(), 1, "{}", sim.log);
    sim
}

/// Whether it speaks first again, where it could more than once.
fn again(mut sim: Sim) -> bool {
    sim.wait(20 * HOUR);
    assert_eq!(
        sim.asked.len() == 1,
        sim.log.contains("refused(unanswered)"),
        "{}",
        sim.log
    );
    sim.asked.len() > 1
}

#[test]
fn it_never_speaks_first_twice_without_an_answer_and_a_restart_changes_nothing() {
    let mut sim = spoke_first();
    sim.restarts(with_mornings(9));
    assert!(!again(sim));
    let mut sim = spoke_first();
    sim.says("Anna", "oh hi");
    sim.restarts(with_mornings(9));
    sim.answers = [Answer::Says(AGAIN)].into();
    sim.wait(20 * HOUR);
    assert_eq!(sim.asked.len(), 2, "somebody has answered\n{}", sim.log);
}

#[test]
fn what_was_written_before_it_spoke_is_no_answer_however_late_it_comes_in() {
    let mut sim = spoke_first();
    let (before, late) = (sim.own_line().0 - 1, sim.now - 2 * HOUR);
    sim.core.handle_event(
        sim.now,
        Event::Chat(ChatEvent::Delete {
            channel: ChannelId(1),
            ids: vec![MessageId(before)],
            at: sim.now,
        }),
    );
    sim.hear_late(
        1,
        MessageId(before),
        late,
        author("Anna", AuthorKind::Person),
        "so it was",
        None,
    );
    assert!(!again(sim));
}

#[test]
fn who_writes_while_it_still_thinks_of_what_to_say_has_not_answered_it() {
    let mut sim = Sim::new(with_mornings(9)).answer(Answer::Starts("<turn>"));
    talk(&mut sim);
    sim.wait(3 * HOUR);
    assert_eq!(sim.asked.len(), 1, "{}", sim.log);
    sim.says("Anna", "what a quiet day");
    sim.model_ends("<send_message>hey</send_message></turn>");
    sim.answers.push_back(Answer::Says(HI));
    assert!(!again(sim));
}

#[test]
fn an_answer_that_comes_in_before_its_own_line_does_is_one() {
    let mut sim = Sim::new(with_mornings(9))
        .answer(Answer::Says(HI))
        .answer(Answer::Says(HI));
    talk(&mut sim);
    // Its line is sent, and known here only after Anna's.
    sim.unconfirmed = true;
    sim.wait(3 * HOUR);
    assert_eq!(sim.asked.len(), 1, "{}", sim.log);
    sim.hear_late(
        1,
        MessageId(901),
        sim.now,
        author("Anna", AuthorKind::Person),
        "oh hi",
        None,
    );
    let me = Author {
        id: ME,
        name: "Juno".into(),
        kind: AuthorKind::Companion,
    };
    sim.hear_late(1, MessageId(900), sim.now, me, "hey", None);
    sim.unconfirmed = false;
    sim.answers = [Answer::Says(AGAIN)].into();
    sim.wait(20 * HOUR);
    assert_eq!(sim.asked.len(), 2, "{}", sim.log);
}

#[test]
fn an_opening_it_left_unsaid_needs_no_answer() {
    let mut sim = lively(may_open(9))
        .answer(Answer::Says(SILENT))
        .answer(Answer::Says(HI));
    sim.wait(3 * HOUR);
    assert_eq!(sim.asked.len(), 1, "{}", sim.log);
    sim.wait(20 * HOUR);
    assert!(!sim.log.contains("unanswered"), "{}", sim.log);
}

#[test]
fn the_quota_of_a_day_is_kept() {
    let mut sim = lively(may_open(1))
        .answer(Answer::Says(HI))
        .answer(Answer::Says(HI));
    sim.wait(3 * HOUR + MINUTE);
    assert_eq!(sim.asked.len(), 1, "{}", sim.log);
    talk(&mut sim);
    sim.wait(4 * HOUR);
    assert_eq!(
        (sim.asked.len(), sim.log.matches("refused(quota)").count()),
        (1, 1),
        "{}",
        sim.log
    );
}

fn with_mornings(openings_a_day: u32) -> ChannelPolicy {
    let morning = DailyRoutine {
        from: "08:00".into(),
        to: "09:00".into(),
        doing: "tea".into(),
        asleep: false,
        opens: true,
    };
    let schedule = Some(PersonaSchedule {
        timezone: chrono_tz::Tz::UTC,
        day: vec![morning],
    });
    let persona = std::sync::Arc::new(Persona {
        schedule,
        ..(*policy().persona).clone()
    });
    ChannelPolicy {
        persona,
        ..may_open(openings_a_day)
    }
}

#[test]
fn a_part_of_its_day_that_says_so_is_opened_soon_after_it_begins() {
    let mut sim = Sim::new(with_mornings(1))
        .answer(Answer::Says(HI))
        .answer(Answer::Says(HI));
    sim.says("Anna", "night all");
    sim.wait(22 * HOUR);
    assert_eq!(sim.reports.len(), 1, "{}", sim.log);
    let at = (sim.reports[0].started - crate::intent::sim::START - 20 * HOUR) / SECOND;
    assert!((0..600).contains(&at), "{at} s after eight");
    assert_eq!(sim.reports[0].wake.own, Some(SelfTrigger::Opening));
    assert!(
        sim.asked[0].1.contains("you may say something first"),
        "{}",
        sim.asked[0].1
    );
    sim.wait(24 * HOUR);
    assert_eq!(sim.reports.len(), 1, "nobody has answered\n{}", sim.log);
    sim.says("Anna", "morning juno's fans");
    sim.wait(24 * HOUR);
    assert_eq!(sim.reports.len(), 2, "{}", sim.log);
}

#[test]
fn an_opening_is_found_again_by_a_change_of_settings_and_a_restart_and_comes_once() {
    let mut sim = Sim::new(with_mornings(9))
        .answer(Answer::Says(HI))
        .answer(Answer::Says(HI));
    sim.says("Anna", "night all");
    sim.wait(20 * HOUR);
    for minute in 0..15 {
        sim.settle(with_mornings(9));
        if minute % 3 == 0 {
            sim.restarts(with_mornings(9));
        }
        sim.says("Anna", "morning");
        sim.wait(MINUTE);
    }
    assert_eq!(sim.asked.len(), 1, "{}", sim.log);
    // The clock is set back over the beginning of that part of the day, and reaches it again.
    sim.now -= 20 * MINUTE;
    sim.settle(with_mornings(9));
    sim.wait(HOUR);
    assert_eq!(sim.asked.len(), 1, "{}", sim.log);
}

#[test]
fn an_opening_that_was_slept_through_is_not_made_up_for() {
    let mut sim = Sim::new(with_mornings(9)).answer(Answer::Says(HI));
    sim.says("Anna", "night all");
    sim.wait(19 * HOUR);
    sim.now += 4 * HOUR;
    sim.event(Event::Tick);
    sim.wait(HOUR);
    assert_eq!(sim.asked.len(), 0, "{}", sim.log);
}

#[test]
fn a_part_of_the_day_begins_by_the_clock_also_where_that_is_set() {
    let opens = |now: &str, from: &str| {
        let part = DailyRoutine {
            from: from.into(),
            to: "23:00".into(),
            doing: String::new(),
            asleep: false,
            opens: true,
        };
        let schedule = PersonaSchedule {
            timezone: chrono_tz::Tz::Europe__Berlin,
            day: vec![part],
        };
        let now = chrono::DateTime::parse_from_rfc3339(now)
            .unwrap()
            .timestamp_millis();
        let at = schedule
            .find_next_opening(now)
            .and_then(chrono::DateTime::from_timestamp_millis)
            .unwrap();
        at.to_rfc3339_opts(chrono::SecondsFormat::Secs, true)
    };
    // Set forward in the night to 2026-03-29, back in the night to 2026-10-25.
    assert_eq!(
        opens("2026-03-28T09:00:00+01:00", "08:00"),
        "2026-03-29T06:00:00Z"
    );
    assert_eq!(
        opens("2026-03-29T01:00:00+01:00", "02:30"),
        "2026-03-29T01:30:00Z",
        "left out: an hour later"
    );
    assert_eq!(
        opens("2026-10-24T09:00:00+02:00", "08:00"),
        "2026-10-25T07:00:00Z"
    );
    assert_eq!(
        opens("2026-10-25T01:00:00+02:00", "02:30"),
        "2026-10-25T00:30:00Z"
    );
    assert_eq!(
        opens("2026-10-25T02:30:00+02:00", "02:30"),
        "2026-10-26T01:30:00Z",
        "once, though shown twice"
    );
}

#[test]
fn where_nobody_has_been_for_days_nobody_is_greeted() {
    let mut sim = Sim::new(with_mornings(1));
    sim.wait(48 * HOUR);
    assert_eq!(sim.asked.len(), 0, "an empty channel\n{}", sim.log);
    let mut sim = Sim::new(ChannelPolicy {
        quiet_hours: "07:00-11:00".parse().ok(),
        ..with_mornings(1)
    });
    sim.says("Anna", "night all");
    sim.wait(12 * 24 * HOUR);
    assert_eq!(
        (sim.asked.len(), sim.log.matches("refused(quiet)").count()),
        (0, 3),
        "{}",
        sim.log
    );
}

#[test]
fn nobody_is_greeted_in_threads_and_direct_messages() {
    for kind in [ChannelKind::Thread, ChannelKind::Direct] {
        let mut sim = Sim::new(with_mornings(1));
        let there = Channel { kind, ..channel(9) };
        sim.event(Event::ChannelSeen {
            channel: there,
            policy: std::sync::Arc::new(with_mornings(1)),
        });
        sim.says_in(9, "Anna", "so that was it then, was it not");
        sim.answers.push_back(Answer::Says(SILENT));
        sim.wait(MINUTE);
        let asked = sim.asked.len();
        sim.wait(30 * HOUR);
        assert_eq!(sim.asked.len(), asked, "{kind:?}\n{}", sim.log);
    }
}
