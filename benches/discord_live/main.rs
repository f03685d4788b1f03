//! What living on Discord costs: the real `kith` against a fake Discord on the same machine, over real sockets. Prints a
//! table and judges nothing: `cargo bench --bench discord_live`, or one part of it by its name, as in
//! `cargo bench --bench discord_live -- flood`. Memory and processor time are those of `kith` alone (Linux only); the
//! fake and the model take about as much of the machine again. Each part runs once with its database in a file, and once on a
//! PostgreSQL server where one is installed. Without `--bench` it only shows that it still runs.

#[path = "../engines/mod.rs"]
mod engines;
mod flood;
mod guilds;
mod latency;
mod process;
mod restart;
mod takeover;

use std::time::Duration;

use engines::Engine;
use kith_testkit::{fake_discord, kith_process};
use takeover::Way;

/// How much is done.
struct Size {
    /// Mentions that are answered.
    mentions: usize,
    /// Messages of the flood.
    messages: usize,
    /// Guilds it is in.
    guilds: usize,
    /// How long it may rest there before the last look at its memory.
    rest: Duration,
    /// Times that another process takes over, in each way.
    takeovers: usize,
    /// Starts that are answered, after each way to end.
    restarts: usize,
    /// The ways in which a process ends.
    ways: &'static [Way],
}

#[tokio::main(worker_threads = 2)]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let size = if arguments.iter().any(|argument| argument == "--bench") {
        Size {
            mentions: 300,
            messages: 1_000_000,
            guilds: 1_000,
            rest: Duration::from_secs(5),
            takeovers: 5,
            restarts: 10,
            ways: &takeover::WAYS,
        }
    } else {
        Size {
            mentions: 3,
            messages: 500,
            guilds: 5,
            rest: Duration::ZERO,
            takeovers: 1,
            restarts: 1,
            // The others take a quarter of a minute each.
            ways: &takeover::WAYS[..1],
        }
    };
    let asked: Vec<&String> = arguments
        .iter()
        .filter(|argument| !argument.starts_with('-'))
        .collect();
    let is_asked =
        |part: &str| asked.is_empty() || asked.iter().any(|asked| part.contains(asked.as_str()));
    // Each part with a server of its own: their made-up messages have the same ids.
    if is_asked("latency") {
        for engine in Engine::find_all() {
            latency::measure(size.mentions, &engine).await;
        }
    }
    if is_asked("flood") {
        for engine in Engine::find_all() {
            flood::measure(size.messages, &engine).await;
        }
    }
    if is_asked("restart") {
        for engine in Engine::find_all() {
            restart::measure(size.restarts, &engine).await;
        }
    }
    if is_asked("takeover") {
        for engine in Engine::find_all() {
            takeover::measure(size.ways, size.takeovers, &engine).await;
        }
    }
    if is_asked("guilds") {
        for engine in Engine::find_all() {
            guilds::measure(size.guilds, size.rest, &engine).await;
        }
    }
}
