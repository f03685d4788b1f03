//! Simulated evenings: rooms full of people who talk, ask, call and fall silent, with a companion whose model always
//! answers with one message. How often it speaks unasked is held against what its talkativeness asks for.

mod behaviour;
mod people;
mod questions;
use crate::sim;
mod author_wait;

use std::thread;

use kith_core::chat::{AuthorKind, ChannelId, HOUR, MINUTE, Millis};
use kith_core::policy::{ChannelPolicy, ContextBudget};
use kith_core::report::MessageDecision;
use kith_core::talkativeness::{Talkativeness, compute_hourly_share};
use people::{BUSY, FRIENDS, People, Room};
use sim::{Sim, author, policy};

/// With one less no ratio below moves by more than .07.
const SEEDS: u64 = 4;
const ANSWER: &str = "<turn><send_message>that reminds me of something</send_message></turn>";

/// What came of an evening, an hour.
#[derive(Clone, Copy, Default)]
struct Evening {
    messages: f64,
    asked_for: f64,
    /// How often it joined in, and how often it went on in its own conversation.
    joined: f64,
    own: f64,
    addressed: f64,
}

fn companion(wanted: Talkativeness) -> Sim {
    let context = ContextBudget {
        history_tokens: 200,
        ..ContextBudget::default()
    };
    let mut sim = Sim::new(ChannelPolicy {
        talkativeness: wanted,
        near_duplicate: 2.0,
        context,
        ..policy()
    });
    sim.always = Some(ANSWER);
    sim
}

/// An evening in channel 1. What was asked for: the share the talkativeness means at the evening's own pace, long
/// pauses counted as ten minutes, of all that was said to nobody in particular and not to go on with the companion.
fn evening(sim: &mut Sim, people: &mut People, room: Room, wanted: Talkativeness) -> Evening {
    let (start, end) = (sim.now, sim.now + room.hours * HOUR);
    let (mut messages, mut to_nobody, mut talking) = (0u32, 0u32, 0 as Millis);
    let reports = sim.reports.len();
    let mut own = None;
    while sim.now < end {
        let line = people.next();
        let before = sim.now;
        sim.wait(line.after);
        let spoken = sim
            .core
            .channel_state(ChannelId(1))
            .and_then(|state| state.timeline().own().next())
            .map(|said| said.message.id);
        if spoken != own
            && let Some(id) = spoken
        {
            own = spoken;
            people.heard(id);
        }
        talking += (sim.now - before).min(10 * MINUTE);
        let id = sim.hear(
            1,
            author(line.who, AuthorKind::Person),
            &line.text,
            line.reply_to,
        );
        people.said(id);
        messages += 1;
        let to_companion =
            |decision: &MessageDecision| decision.address.is_some() || decision.goes_on;
        to_nobody += u32::from(!sim.decisions.last().is_some_and(to_companion));
    }
    sim.wait(MINUTE);
    sim.log.clear();
    let hours = (sim.now - start) as f64 / HOUR as f64;
    let pace = f64::from(to_nobody) / (talking as f64 / HOUR as f64);
    let said = sim.reports[reports..]
        .iter()
        .filter(|report| report.has_sent_message());
    let (unasked, addressed): (Vec<_>, Vec<_>) = said.partition(|report| report.is_unasked());
    let (own, joined): (Vec<_>, Vec<_>) =
        unasked.into_iter().partition(|report| report.wake.goes_on);
    Evening {
        messages: f64::from(messages) / hours,
        asked_for: f64::from(share(wanted, pace as f32)) * f64::from(to_nobody) / hours,
        joined: joined.len() as f64 / hours,
        own: own.len() as f64 / hours,
        addressed: addressed.len() as f64 / hours,
    }
}

/// The share of what is said to nobody that the talkativeness asks for, at a pace.
fn share(wanted: Talkativeness, pace: f32) -> f32 {
    match wanted {
        Talkativeness::Hourly(hourly) => compute_hourly_share(hourly, pace),
        Talkativeness::Level(_) => f32::NAN,
    }
}

/// The averages of the first and of the next evening over some seeds.
fn evenings(room: Room, wanted: Talkativeness, seeds: u64) -> [Evening; 2] {
    let mut sums = [Evening::default(); 2];
    for seed in 0..seeds {
        let (mut sim, mut people) = (companion(wanted), People::new(room, seed));
        for sum in &mut sums {
            let Evening {
                messages,
                asked_for,
                joined,
                own,
                addressed,
            } = evening(&mut sim, &mut people, room, wanted);
            sum.messages += messages / seeds as f64;
            sum.asked_for += asked_for / seeds as f64;
            sum.joined += joined / seeds as f64;
            sum.own += own / seeds as f64;
            sum.addressed += addressed / seeds as f64;
            sim.wait(20 * HOUR);
        }
    }
    sums
}

/// Runs these evenings, prints what came of them, and names those that are further off than a quarter.
fn too_far_off(cases: &[(Room, Talkativeness)], seeds: u64) -> String {
    let run = |&(room, wanted): &(Room, Talkativeness)| {
        thread::spawn(move || evenings(room, wanted, seeds))
    };
    let runs: Vec<_> = cases.iter().map(run).collect();
    println!(
        "room          talkativeness      evening  messages/h  asked for/h   joined/h  ratio  own talk/h  addressed/h"
    );
    let mut wrong = Vec::new();
    for ((room, wanted), run) in cases.iter().zip(runs) {
        let (mut all_joined, mut all_asked_for) = (0.0, 0.0);
        for (evening, number) in run.join().unwrap().into_iter().zip(1..) {
            let Evening {
                messages,
                asked_for,
                joined,
                own,
                addressed,
            } = evening;
            let (name, ratio) = (room.name, joined / asked_for);
            let wanted = wanted.to_string();
            println!(
                "{name:<13} {wanted:<18} {number:>7} {messages:>11.0} {asked_for:>12.2} {joined:>10.2} {ratio:>6.2} {own:>11.1} {addressed:>12.1}"
            );
            all_joined += joined / 2.0;
            all_asked_for += asked_for / 2.0;
        }
        if (all_joined / all_asked_for - 1.0).abs() > 0.25 {
            wrong.push(format!(
                "{} at {wanted}: {all_joined:.2} an hour instead of {all_asked_for:.2}",
                room.name
            ));
        }
    }
    wrong.join("\n")
}

#[test]
fn in_a_busy_channel_it_joins_in_more_with_each_level_and_less_than_a_member_writes() {
    let joined = |level: f32| {
        let Evening {
            messages, joined, ..
        } = evenings(BUSY, Talkativeness::Level(level), SEEDS / 3)[1];
        joined / messages
    };
    let [shy, usual, chatty] = [0.1, 0.3, 0.8].map(joined);
    println!("busy channel: {shy:.4} {usual:.4} {chatty:.4} of the lines");
    assert!(shy < usual && usual < chatty, "{shy} {usual} {chatty}");
    assert!(usual < 1.0 / 24.0, "{usual}");
}

#[test]
fn among_friends_it_speaks_more_often_the_more_talkative_it_is_and_never_at_every_line() {
    let spoken = |level: f32| {
        let Evening {
            messages,
            joined,
            own,
            ..
        } = evenings(FRIENDS, Talkativeness::Level(level), SEEDS / 2)[1];
        (joined + own) / messages
    };
    let [shy, usual, chatty] = [0.1, 0.3, 0.8].map(spoken);
    assert!(shy < usual && usual < chatty, "{shy} {usual} {chatty}");
    assert!(shy < 0.3 && chatty < 0.5, "{shy} {chatty}");
}

#[test]
fn about_four_an_hour_is_about_four_an_hour_in_any_room() {
    assert_eq!(
        too_far_off(
            &[FRIENDS, BUSY].map(|room| (room, Talkativeness::Hourly(4.0))),
            SEEDS
        ),
        ""
    );
}
