//! Simulated evenings: rooms full of people who talk, ask, call and fall silent, with a companion whose model always
//! answers with one message. How often it speaks unasked is held against what its talkativeness asks for.

#[path = "evenings/behaviour.rs"]
mod behaviour;
#[path = "evenings/people.rs"]
mod people;
#[expect(dead_code, reason = "most of it serves the tests of the turn machine")]
#[path = "support/sim.rs"]
mod sim;
#[path = "evenings/waiting.rs"]
mod waiting;

use std::thread;

use kith::core::chat::{AuthorKind, ChannelId, HOUR, MINUTE, Millis};
use kith::core::policy::{ContextBudget, Policy};
use kith::core::talkativeness::Talkativeness;
use people::{BUSY, FRIENDS, People, Room};
use sim::{Sim, author, policy};

const SEEDS: u64 = 30;
const ANSWER: &str = "<turn><send_message>that reminds me of something</send_message></turn>";

/// What came of an evening, an hour.
#[derive(Clone, Copy, Default)]
struct Evening {
    messages: f64,
    asked_for: f64,
    unasked: f64,
    addressed: f64,
}

fn companion(wanted: Talkativeness) -> Sim {
    let context = ContextBudget { history_tokens: 200, ..ContextBudget::default() };
    let mut sim = Sim::new(Policy { talkativeness: wanted, near_duplicate: 2.0, context, ..policy() });
    sim.always = Some(ANSWER);
    sim
}

/// An evening in channel 1. What was asked for: the share the talkativeness means at the evening's own pace, long
/// pauses counted as ten minutes, of all that was said to nobody in particular.
fn evening(sim: &mut Sim, people: &mut People, room: Room, wanted: Talkativeness) -> Evening {
    let (start, end) = (sim.now, sim.now + room.hours * HOUR);
    let (mut messages, mut unaddressed, mut talking) = (0u32, 0u32, 0 as Millis);
    let reports = sim.reports.len();
    let mut own = None;
    while sim.now < end {
        let line = people.next();
        let before = sim.now;
        sim.wait(line.after);
        let spoken =
            sim.core.lane(ChannelId(1)).and_then(|lane| lane.timeline().own().next()).map(|said| said.message.id);
        if spoken != own
            && let Some(id) = spoken
        {
            own = spoken;
            people.heard(id);
        }
        talking += (sim.now - before).min(10 * MINUTE);
        let id = sim.hear(1, author(line.who, AuthorKind::Person), &line.text, line.reply_to);
        people.said(id);
        messages += 1;
        unaddressed += u32::from(sim.decisions.last().is_some_and(|decision| decision.address.is_none()));
    }
    sim.wait(MINUTE);
    sim.log.clear();
    let hours = (sim.now - start) as f64 / HOUR as f64;
    let pace = f64::from(messages) / (talking as f64 / HOUR as f64);
    let said = sim.reports[reports..].iter().filter(|report| report.said_something());
    let (unasked, addressed): (Vec<_>, Vec<_>) = said.partition(|report| report.is_unasked());
    Evening {
        messages: f64::from(messages) / hours,
        asked_for: f64::from(wanted.share(pace as f32)) * f64::from(unaddressed) / hours,
        unasked: unasked.len() as f64 / hours,
        addressed: addressed.len() as f64 / hours,
    }
}

/// The averages of the first and of the next evening over some seeds.
fn evenings(room: Room, wanted: Talkativeness, seeds: u64) -> [Evening; 2] {
    let mut sums = [Evening::default(); 2];
    for seed in 0..seeds {
        let (mut sim, mut people) = (companion(wanted), People::new(room, seed));
        for sum in &mut sums {
            let Evening { messages, asked_for, unasked, addressed } = evening(&mut sim, &mut people, room, wanted);
            sum.messages += messages / seeds as f64;
            sum.asked_for += asked_for / seeds as f64;
            sum.unasked += unasked / seeds as f64;
            sum.addressed += addressed / seeds as f64;
            sim.wait(20 * HOUR);
        }
    }
    sums
}

/// Runs these evenings, prints what came of them, and names those that are further off than a quarter.
fn too_far_off(cases: &[(Room, Talkativeness)], seeds: u64) -> String {
    let run = |&(room, wanted): &(Room, Talkativeness)| thread::spawn(move || evenings(room, wanted, seeds));
    let runs: Vec<_> = cases.iter().map(run).collect();
    println!("room          talkativeness      evening  messages/h  asked for/h  unasked/h  ratio  addressed/h");
    let mut wrong = Vec::new();
    for ((room, wanted), run) in cases.iter().zip(runs) {
        let (mut unasked, mut asked_for) = (0.0, 0.0);
        for (evening, number) in run.join().unwrap().into_iter().zip(1..) {
            let Evening { messages, asked_for: wish, unasked: did, addressed } = evening;
            let (name, ratio) = (room.name, did / wish);
            let wanted = wanted.to_string();
            println!(
                "{name:<13} {wanted:<18} {number:>7} {messages:>11.0} {wish:>12.2} {did:>10.2} {ratio:>6.2} {addressed:>12.1}"
            );
            unasked += did / 2.0;
            asked_for += wish / 2.0;
        }
        if (unasked / asked_for - 1.0).abs() > 0.25 {
            wrong.push(format!("{} at {wanted}: {unasked:.2} an hour instead of {asked_for:.2}", room.name));
        }
    }
    wrong.join("\n")
}

#[test]
fn unasked_messages_land_near_what_was_asked_for_in_small_and_in_busy_rooms() {
    let cases: Vec<_> = [FRIENDS, BUSY]
        .into_iter()
        .flat_map(|room| [0.2, 0.5, 0.8].map(|level| (room, Talkativeness::Level(level))))
        .collect();
    assert_eq!(too_far_off(&cases, SEEDS), "");
}

#[test]
fn about_four_an_hour_is_about_four_an_hour_in_any_room() {
    assert_eq!(too_far_off(&[FRIENDS, BUSY].map(|room| (room, Talkativeness::Hourly(4.0))), SEEDS / 3), "");
}
