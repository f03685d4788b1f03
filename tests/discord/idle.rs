//! What it takes while nothing happens. Every wake keeps a small machine's processor from sleeping.

use std::time::Duration;

use crate::fake_discord::{ANNA, GENERAL, World};
use crate::house::{House, model, settings};
use crate::town::{Town, on, say};

/// How long it is watched.
const WATCHED: Duration = Duration::from_secs(10);

/// How often each thread of a process went to sleep so far, by the thread's number, with its name.
fn sleeps(process: u32) -> Vec<(String, String, u64)> {
    let tasks = std::fs::read_dir(format!("/proc/{process}/task")).unwrap().flatten();
    let read = |task: std::fs::DirEntry| {
        let status = std::fs::read_to_string(task.path().join("status")).ok()?;
        let field = |name: &str| status.lines().find_map(|line| line.strip_prefix(name)).map(str::trim);
        let count = field("voluntary_ctxt_switches:")?.parse().ok()?;
        Some((field("Pid:")?.to_owned(), field("Name:")?.to_owned(), count))
    };
    tasks.filter_map(read).collect()
}

/// A process wakes less than once a second. Something may still be under way from what happened before, so that it is
/// watched up to three times.
async fn rests(process: u32) {
    let mut seen = Vec::new();
    for _ in 0..3 {
        let before = sleeps(process);
        tokio::time::sleep(WATCHED).await;
        let then = |number: &str| before.iter().find(|(other, ..)| other == number).map_or(0, |(.., count)| *count);
        let woke = sleeps(process).into_iter().map(|(number, name, count)| (name, count - then(&number)));
        let woke: Vec<_> = woke.filter(|(_, count)| *count > 0).collect();
        println!("in {WATCHED:?}: {woke:?}");
        if woke.iter().map(|(_, count)| count).sum::<u64>() < WATCHED.as_secs() {
            return;
        }
        seen.push(woke);
    }
    panic!("it woke so often in {WATCHED:?}: {seen:?}");
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connected_and_idle_it_wakes_less_than_once_a_second() {
    let town = Town::of(World::small(), "", &on(GENERAL), |_| say("hello")).await;
    town.fake.says(GENERAL, ANNA, "@Juno hello");
    town.post(GENERAL, 0).await;
    rests(town.house.process_id()).await;
}

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn so_it_does_in_the_room_where_nobody_is() {
    let house = House::open(&settings(&model(|_| say("hello")).await, "")).await;
    rests(house.process_id()).await;
}
