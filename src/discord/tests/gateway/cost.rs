//! What a message costs on its way through the gateway. Only measured when asked for:
//! `cargo test --test discord_tests --release -- --ignored --nocapture gateway::cost`.

use std::collections::BTreeMap;

use crate::gateway::fake_discord::{ANNA, FakeDiscord, GENERAL, World};
use crate::gateway::gateway_test::GatewayTest;

/// How many messages are said.
const MANY: u32 = 50_000;
/// Microseconds a tick of /proc has.
const TICK: f64 = 10_000.0;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a measurement, not a judgement"]
async fn cost_of_a_message() {
    let fake = FakeDiscord::start(World::small());
    let mut rig = GatewayTest::connected(&fake).await;
    let before = ticks();
    let started = kith_system::clock::monotonic();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            (0..MANY).for_each(|_| {
                _ = fake.says(GENERAL, ANNA, "so?? how did it go with the exam today")
            })
        });
    });
    for _ in 0..MANY {
        rig.message().await;
    }
    println!(
        "{:.0} messages a second",
        f64::from(MANY) / started.elapsed().as_secs_f64()
    );
    for (thread, ticks) in ticks() {
        let spent = ticks - before.get(&thread).copied().unwrap_or_default();
        println!(
            "{thread}: {:.1} µs a message",
            spent * TICK / f64::from(MANY)
        );
    }
}

/// Processor time of all threads of this process, by name.
fn ticks() -> BTreeMap<String, f64> {
    let mut ticks = BTreeMap::new();
    for task in std::fs::read_dir("/proc/self/task").unwrap().flatten() {
        let stat = std::fs::read_to_string(task.path().join("stat")).unwrap_or_default();
        let Some((name, rest)) = stat
            .split_once('(')
            .and_then(|(_, rest)| rest.rsplit_once(')'))
        else {
            continue;
        };
        let spent: f64 = rest
            .split_whitespace()
            .skip(11)
            .take(2)
            .filter_map(|ticks| ticks.parse::<f64>().ok())
            .sum();
        *ticks.entry(name.to_owned()).or_default() += spent;
    }
    ticks
}
