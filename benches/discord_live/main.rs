//! What living on Discord costs: the real `kith` against a fake Discord on the same machine, over real sockets. Prints a
//! table and judges nothing: `cargo bench --bench discord_live`, or one part of it by its name, as in
//! `cargo bench --bench discord_live -- flood`. Memory and processor time are those of `kith` alone (Linux only); the
//! fake and the model take about as much of the machine again. Without `--bench` it only shows that it still runs.

mod flood;
mod guilds;
mod latency;
mod process;

use kith_testkit::{fake_discord, kith_process};

/// How much is done.
struct Size {
    /// Mentions that are answered.
    mentions: usize,
    /// Messages of the flood.
    messages: usize,
    /// Guilds it is in.
    guilds: usize,
}

#[tokio::main(worker_threads = 2)]
async fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let size = if arguments.iter().any(|argument| argument == "--bench") {
        Size {
            mentions: 300,
            messages: 1_000_000,
            guilds: 1_000,
        }
    } else {
        Size {
            mentions: 3,
            messages: 2_000,
            guilds: 5,
        }
    };
    let asked: Vec<&String> = arguments
        .iter()
        .filter(|argument| !argument.starts_with('-'))
        .collect();
    let is_asked =
        |part: &str| asked.is_empty() || asked.iter().any(|asked| part.contains(asked.as_str()));
    if is_asked("latency") {
        latency::measure(size.mentions).await;
    }
    if is_asked("flood") {
        flood::measure(size.messages).await;
    }
    if is_asked("guilds") {
        guilds::measure(size.guilds).await;
    }
}
