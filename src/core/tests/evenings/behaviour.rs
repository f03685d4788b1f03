//! What moves the threshold besides the room: what it said last, energy, waiting questions, chance; and what must not.

use kith_core::chat::{AuthorKind, ChannelId, HOUR, MINUTE, MessageId, SECOND};
use kith_core::persona::Language;
use kith_core::policy::{ChannelMode, ChannelPolicy, ReplayThreshold};
use kith_core::report::MessageDecision;
use kith_core::talkativeness::{LIVELY, Talkativeness};

use crate::evenings::people::NAMES;
use crate::evenings::sim::{Sim, author, policy};
use crate::evenings::{ANSWER, companion};

const TO_THE_ROOM: &str = "does anybody here know whether the shop is open on sundays at all?";

fn at(level: f32) -> Sim {
    companion(Talkativeness::Level(level))
}

fn log_odds(share: f32) -> f32 {
    (share / (1.0 - share)).ln()
}

fn bar(decision: &MessageDecision) -> f32 {
    log_odds(decision.bar)
}

fn last_bar(sim: &Sim) -> f32 {
    bar(sim.decisions.last().expect("something was decided"))
}

fn drift(sim: &Sim) -> f64 {
    let rate = sim
        .core
        .channel_state(ChannelId(1))
        .expect("there")
        .state()
        .rate;
    serde_json::to_value(rate).expect("numbers")["drift"]
        .as_f64()
        .expect("a number")
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

/// Friends talk for some minutes, a line every twenty seconds.
fn chatter(sim: &mut Sim, minutes: i64) {
    for line in 0..minutes * 3 {
        sim.wait(20 * SECOND);
        sim.says(
            ["Anna", "Ben", "Cleo"][line as usize % 3],
            "and then we took the late train home again",
        );
    }
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
fn after_answering_one_person_the_next_unrelated_message_is_not_grabbed() {
    let mut fresh = crowd(0.5);
    fresh.says("Ben", TO_THE_ROOM);
    let mut sim = crowd(0.5);
    sim.says("Anna", "@Juno how are you?");
    sim.wait(10 * SECOND);
    sim.log.clear();
    sim.says("Ben", TO_THE_ROOM);
    assert!(
        last_bar(&sim) > last_bar(&fresh) + 1.0,
        "whatever the score: {}",
        last_bar(&sim)
    );
    sim.wait(20 * SECOND);
    assert!(sim.log.contains("belowbar"), "{}", sim.log);
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
        assert!(stays + 0.4 < joins, "{stays} {joins}");
    }
}

#[test]
fn speaking_tires_and_an_hour_of_rest_restores() {
    let mut sim = crowd(0.5);
    let tired = |sim: &Sim| {
        sim.decisions
            .last()
            .expect("something was decided")
            .moved
            .tired
    };
    sim.says("Ben", "what a day");
    let rested = tired(&sim);
    for _ in 0..8 {
        sim.says("Anna", "@Juno say something");
        sim.wait(3 * SECOND);
    }
    sim.wait(3 * MINUTE);
    sim.says("Ben", "what a day");
    let after = tired(&sim);
    sim.wait(HOUR);
    sim.says("Ben", "what a day");
    let restored = tired(&sim);
    assert!(
        after > rested + 0.2 && restored < after,
        "{rested} {after} {restored}"
    );
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
    let mut sim = companion(Talkativeness::Hourly(0.05));
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
        let meant = sim.decisions[0].score >= sim.decisions[0].bar;
        sim.wait(20 * SECOND);
        assert_eq!(meant, sim.log.contains("say #1"), "{level}\n{}", sim.log);
    }
}

#[test]
fn chance_moves_the_bar_a_little_and_never_twice_for_one_message() {
    let decided = |id: u64| {
        let mut sim = companion(Talkativeness::Hourly(4.0));
        sim.hear_late(
            1,
            MessageId(id),
            sim.now,
            author("Anna", AuthorKind::Person),
            TO_THE_ROOM,
            None,
        );
        sim.decisions[0].clone()
    };
    let bars: Vec<f32> = (1..200).map(|id| bar(&decided(id * 7919))).collect();
    let (low, high) = bars.iter().fold((f32::MAX, f32::MIN), |(low, high), bar| {
        (low.min(*bar), high.max(*bar))
    });
    assert!((0.5..0.71).contains(&(high - low)), "{low} {high}");
    assert_eq!(decided(7).bar, decided(7).bar);
}

#[test]
fn a_recording_is_judged_by_a_bar_that_only_its_room_moves() {
    let steady = ChannelPolicy {
        talkativeness: Talkativeness::Level(0.5),
        replay_threshold: Some(ReplayThreshold::Chat),
        ..policy()
    };
    let mut sim = Sim::new(steady);
    sim.always = Some(ANSWER);
    sim.says("Anna", "@Juno hello");
    sim.wait(5 * SECOND);
    sim.says("Ben", "what a day");
    let before = last_bar(&sim);
    sim.hear_late(
        1,
        MessageId(9_999),
        sim.now,
        author("Cleo", AuthorKind::Person),
        "what a day",
        None,
    );
    assert!(
        (last_bar(&sim) - before).abs() < 0.1,
        "{before} {}",
        last_bar(&sim)
    );
    let untouched = drift(&sim);
    chatter(&mut sim, 60);
    assert_eq!(drift(&sim), untouched);
}

#[test]
fn a_silent_night_a_pause_and_a_restart_leave_the_rate_where_it_was() {
    let mut sim = at(0.5);
    chatter(&mut sim, 60);
    sim.wait(10 * MINUTE);
    let evening = drift(&sim);
    sim.wait(12 * HOUR);
    assert_eq!(drift(&sim), evening);
    let chatty = ChannelPolicy {
        talkativeness: Talkativeness::Level(0.5),
        near_duplicate: 2.0,
        ..policy()
    };
    for hindered in [
        ChannelPolicy {
            paused_until: Some(sim.now + 24 * HOUR),
            ..chatty.clone()
        },
        ChannelPolicy {
            mode: ChannelMode::Observe,
            ..chatty.clone()
        },
        ChannelPolicy {
            mode: ChannelMode::Off,
            ..chatty.clone()
        },
        ChannelPolicy {
            may_send: false,
            ..chatty.clone()
        },
    ] {
        sim.settle(hindered);
        chatter(&mut sim, 60);
        assert_eq!(drift(&sim), evening);
    }
    sim.restarts(chatty);
    assert_eq!(drift(&sim), evening);
}

#[test]
fn a_model_that_always_chooses_silence_is_asked_more_often_only_up_to_a_bound() {
    let mut sim = at(0.5);
    sim.always = Some("<turn><stay_silent>nothing to add</stay_silent></turn>");
    chatter(&mut sim, 20 * 60);
    assert!(drift(&sim) < 1.61, "{}", drift(&sim));
    let asked = sim.reports.len() as f32 / 20.0;
    assert!(asked < 0.6 * 180.0, "{asked} an hour");
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

#[test]
fn a_level_is_a_share_that_falls_with_the_root_of_a_fast_rooms_pace() {
    let hourly = |level: f32, pace: f32| Talkativeness::Level(level).compute_share(pace) * pace;
    assert!(
        (hourly(0.3, LIVELY) - 3.0).abs() < 0.1,
        "0.3 is about three an hour in a lively channel"
    );
    assert!((hourly(0.5, 50.0) * 2.0 - hourly(0.5, 100.0)).abs() < 1e-3);
    assert!((hourly(0.5, 100.0) * 2.0 - hourly(0.5, 400.0)).abs() < 1e-3);
    assert!((Talkativeness::Hourly(4.0).compute_share(80.0) * 80.0 - 4.0).abs() < 1e-3);
    assert!(
        Talkativeness::Hourly(40.0).compute_share(10.0) <= 0.25,
        "not every line of a slow room"
    );
}
