//! What moves the threshold besides the room: what it said last, energy, waiting questions, chance; and what must not.

use kith_core::chat::{AuthorKind, ChannelId, MINUTE, SECOND};
use kith_core::persona::Language;
use kith_core::policy::ChannelPolicy;
use kith_core::report::MessageDecision;
use kith_core::talkativeness::Talkativeness;

use crate::evenings::companion;
use crate::evenings::people::NAMES;
use crate::evenings::sim::{Sim, author, policy};

const TO_THE_ROOM: &str = "does anybody here know whether the shop is open on sundays at all?";

fn at(level: f32) -> Sim {
    companion(Talkativeness::Level(level))
}

fn log_odds(share: f32) -> f32 {
    (share / (1.0 - share)).ln()
}

fn bar(decision: &MessageDecision) -> f32 {
    log_odds(decision.threshold)
}

fn last_bar(sim: &Sim) -> f32 {
    bar(sim.decisions.last().expect("something was decided"))
}

/// A channel of many who know each other little, where a level is a share of what is said.
fn crowd(level: f32) -> Sim {
    let mut sim = at(level);
    for name in NAMES {
        sim.says(name, "and then we took the late train home again");
        sim.wait(20 * SECOND);
    }
    sim.log.clear();
    sim
}

/// All levels of talkativeness in small steps.
fn levels() -> impl Iterator<Item = f32> {
    (0..=100).map(|step| step as f32 / 100.0)
}

/// The chattiest level at which a question to the room is not answered at once.
fn just_too_shy() -> f32 {
    let answers_at_once = |level: &f32| {
        let mut sim = at(*level);
        sim.says("Anna", TO_THE_ROOM);
        sim.wait(20 * SECOND);
        sim.log.contains("say #1")
    };
    let shy: Vec<f32> = levels()
        .take_while(|level| !answers_at_once(level))
        .collect();
    *shy.last()
        .expect("the shyest does not answer everything at once")
}

#[test]
fn going_on_takes_less_than_coming_in() {
    for room in [at, crowd] {
        let next = |who: &str, text: &str| {
            let mut sim = room(0.1);
            sim.says("Anna", "@Juno how do i get to the harbour?");
            sim.wait(10 * SECOND);
            sim.says(who, text);
            last_bar(&sim)
        };
        let (stays, joins) = (
            next("Anna", "and is it far from there"),
            next("Ben", TO_THE_ROOM),
        );
        assert!(stays + 0.3 < joins, "{stays} {joins}");
    }
}

#[test]
fn a_question_nobody_answers_is_taken_up_after_a_while_by_one_turn() {
    let mut sim = at(just_too_shy() - 0.2);
    sim.says("Anna", TO_THE_ROOM);
    sim.wait(20 * SECOND);
    assert!(!sim.log.contains("ask"), "{}", sim.log);
    sim.wait(30 * MINUTE);
    assert_eq!(sim.log.matches("ask #1").count(), 1, "{}", sim.log);
    assert_eq!(
        sim.core.next_deadline(),
        None,
        "then nothing is looked at any more"
    );
}

#[test]
fn a_question_that_somebody_answered_is_let_be() {
    let mut sim = at(just_too_shy());
    let asked = sim.says("Anna", TO_THE_ROOM);
    sim.wait(20 * SECOND);
    sim.hear(
        1,
        author("Ben", AuthorKind::Person),
        "yes, until noon",
        Some(asked),
    );
    sim.wait(30 * MINUTE);
    assert!(!sim.log.contains("ask"), "{}", sim.log);
}

#[test]
fn a_question_waits_ten_minutes_at_most_and_costs_no_call() {
    let mut sim = companion(Talkativeness::Hourly(0.0));
    sim.says("Anna", TO_THE_ROOM);
    sim.wait(10 * MINUTE);
    assert!(!sim.log.contains("ask"), "{}", sim.log);
    assert!(
        (2..8).contains(&sim.log.matches("beat").count()),
        "{}",
        sim.log
    );
    assert_eq!(sim.core.next_deadline(), None);
}

#[test]
fn a_waiting_question_outlives_a_restart_and_not_its_deletion() {
    let settings = || ChannelPolicy {
        talkativeness: Talkativeness::Level(just_too_shy()),
        near_duplicate: 2.0,
        ..policy()
    };
    let mut sim = at(just_too_shy());
    sim.says("Anna", TO_THE_ROOM);
    sim.wait(20 * SECOND);
    sim.restarts(settings());
    sim.wait(30 * MINUTE);
    assert!(sim.log.contains("ask #1"), "{}", sim.log);
    let mut sim = at(just_too_shy());
    let id = sim.says("Anna", TO_THE_ROOM);
    sim.wait(20 * SECOND);
    sim.delete(ChannelId(1), vec![id]);
    sim.wait(30 * MINUTE);
    assert!(!sim.log.contains("ask"), "{}", sim.log);
}

#[test]
fn what_it_means_to_answer_when_it_comes_in_is_not_dropped_at_the_beat() {
    for level in levels() {
        let mut sim = at(level);
        sim.says("Anna", TO_THE_ROOM);
        let meant = sim.decisions[0].score >= sim.decisions[0].threshold;
        sim.wait(20 * SECOND);
        assert_eq!(meant, sim.log.contains("say #1"), "{level}\n{}", sim.log);
    }
}

#[test]
fn zero_an_hour_is_never_and_who_speaks_to_it_is_still_answered() {
    let mut sim = companion(Talkativeness::Hourly(0.0));
    for _ in 0..50 {
        sim.says("Anna", TO_THE_ROOM);
        sim.wait(2 * MINUTE);
    }
    assert!(!sim.log.contains("say"), "{}", sim.log);
    sim.says("Anna", "@Juno you there?");
    sim.wait(5 * SECOND);
    assert!(sim.log.contains("say #1"), "{}", sim.log);
}

#[test]
fn a_rate_is_read_from_what_people_write_in_both_languages() {
    for (text, hourly) in [
        ("about 4 an hour", 4.0),
        ("4 an hour", 4.0),
        ("About 2.5 messages an hour", 2.5),
        ("~ 3/h", 3.0),
        ("around 12 unasked messages per hour", 12.0),
        ("once an hour", 1.0),
        ("twice an hour", 2.0),
        ("每小时约4条", 4.0),
        ("每小时大约 4 条", 4.0),
        ("每小時 3 次", 3.0),
    ] {
        assert_eq!(
            Talkativeness::parse(text),
            Some(Talkativeness::Hourly(hourly)),
            "{text}"
        );
    }
    for text in [
        "",
        "4",
        "about 4",
        "4 a day",
        "some an hour",
        "4 5 an hour",
        "-4 an hour",
        "4..5 an hour",
        "每天4条",
        "1e9 an hour",
    ] {
        assert_eq!(Talkativeness::parse(text), None, "{text}");
    }
    let hourly = Talkativeness::Hourly(4.0);
    assert_eq!(
        serde_json::to_string(&hourly).unwrap(),
        "\"about 4 an hour\""
    );
    assert_eq!(
        serde_json::from_str::<Talkativeness>("\"about 4 an hour\"").unwrap(),
        hourly
    );
    assert_eq!(
        serde_json::from_str::<Talkativeness>("1").unwrap(),
        Talkativeness::Level(1.0)
    );
    assert_eq!(
        Talkativeness::parse(&hourly.describe(Language::ZH)),
        Some(hourly)
    );
}

/// Two people talk about their errands, a line every `gap` seconds, and nobody ever turns to the companion, which says
/// something whenever it would. Answers how often.
fn remarks_among_two(level: f32, gap: i64, lines: usize) -> usize {
    let mut sim = at(level);
    let said = [
        "did you pay the electric yet",
        "not yet, i thought that was on your list this month",
        "i did the last two, the letter is on the fridge",
        "ok i will do it tonight when i get in",
        "and your mother rang about the big tablecloth",
        "anyone seen it? it should be in the attic somewhere",
    ];
    for line in 0..lines {
        sim.wait(gap * SECOND);
        sim.says(["Anna", "Ben"][line % 2], said[line % said.len()]);
    }
    let unasked = sim.reports.iter();
    unasked.filter(|report| report.has_sent_message()).count()
}

#[test]
fn whom_nobody_turns_to_says_little_more_with_each_level_and_then_nothing() {
    for gap in [6, 60, 3_600] {
        assert_eq!(remarks_among_two(0.0, gap, 60), 0, "{gap} s");
        assert!(remarks_among_two(0.3, gap, 60) <= 3, "{gap} s");
        assert!(remarks_among_two(1.0, gap, 120) <= 12, "{gap} s");
    }
}

#[test]
fn the_same_talk_at_another_pace_is_judged_nearly_alike() {
    let scores = |pace: i64| {
        let mut sim = at(0.3);
        for name in ["Anna", "Ben", "Cleo", "Anna", "Ben", "Cleo"].repeat(4) {
            sim.wait(9 * pace * SECOND);
            sim.says(name, "and then we took the late train home again");
        }
        sim.wait(15 * pace * SECOND);
        sim.says("Anna", TO_THE_ROOM);
        log_odds(sim.decisions.last().expect("decided").score)
    };
    let usual = scores(1);
    for pace in [3, 10, 30] {
        assert!(
            (scores(pace) - usual).abs() < 0.5,
            "{pace}: {} {usual}",
            scores(pace)
        );
    }
}
