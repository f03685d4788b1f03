//! How fast the console answers: the real `kith` on a fake Discord, with a year of turns in a real database of 10,000
//! channels. Each request goes over a real socket. Prints a table and judges nothing: `cargo bench --bench console`. Without
//! `--bench` it only shows that it still runs, on a two-hundredth of that.

#[path = "../scale/mod.rs"]
mod scale;
mod seed;

use std::process::{Child, Command, Stdio};
use std::time::Duration;

use kith_core::chat::{DAY, HOUR};
use kith_system::clock;
use kith_testkit::fake_discord::{FakeDiscord, TOKEN};
use kith_testkit::kith_process::build_kith_command;
use serde_json::{Value, json};
use tempfile::TempDir;

use scale::scale_down;
use seed::{BUSY, Seed, build_world};

/// Each request is asked so often, or as often as it takes so many milliseconds together.
const MOST_TIMES: u64 = 200;
const LONGEST: f64 = 4_000.0;

#[tokio::main(worker_threads = 2)]
async fn main() {
    let (world, channels) = build_world(scale_down(10_000));
    let seed = Seed {
        channels,
        turns: scale_down(100_000),
        messages_today: scale_down(5_000),
        facts: scale_down(20_000),
        now: clock::now(),
    };
    let folder = TempDir::new().expect("a folder");
    let data = folder.path().join("data");
    std::fs::create_dir_all(&data).expect("made");
    let (file, planned) = (data.join("kith.db"), seed.clone());
    let seeding = tokio::task::spawn_blocking(move || planned.write(&file));
    seeding.await.expect("written");
    let size = std::fs::metadata(data.join("kith.db")).map_or(0, |about| about.len());
    println!(
        "console: {} channels, {} turns in a year, {} MB",
        seed.channels.len(),
        seed.turns,
        size / 1_000_000
    );

    let fake = FakeDiscord::start(world);
    let console = Console::start(&fake, folder).await;
    // What the start has to read first is not the console's.
    console.ask(&json!({ "ask": "settings" })).await;
    // The first question of each kind finds the file's pages outside the cache, as after a start.
    println!("| request | first | p50 | p99 | kB |\n|---|---|---|---|---|");
    let most = scale_down(MOST_TIMES) as usize;
    for (name, request) in list_requests(&seed) {
        let (first, bytes) = console.ask(&request).await;
        let mut times = Vec::new();
        while times.len() < most.min(5)
            || (times.len() < most && times.iter().sum::<f64>() < LONGEST)
        {
            times.push(console.ask(&request).await.0);
        }
        times.sort_unstable_by(f64::total_cmp);
        let at = |share: f64| times[((times.len() - 1) as f64 * share).round() as usize];
        println!(
            "| {name} | {first:.1} ms | {:.1} ms | {:.1} ms | {:.1} |",
            at(0.5),
            at(0.99),
            bytes as f64 / 1e3
        );
    }
}

fn list_requests(seed: &Seed) -> Vec<(&'static str, Value)> {
    let (today, channels) = (seed.now - 23 * HOUR, seed.channels.len() as u64);
    let quiet = seed.channel(channels / 2).0.to_string();
    let guild = seed.channels[2].0.0.to_string();
    let day = |channel: &str, from: i64| json!({ "ask": "day", "channel": channel, "from": from, "until": from + DAY });
    let busy = seed.channel(BUSY).0.to_string();
    vec![
        ("overview", json!({ "ask": "overview" })),
        (
            "overview, last page",
            json!({ "ask": "overview", "page": channels / 50 - 1 }),
        ),
        (
            "overview, by name, one server",
            json!({ "ask": "overview", "order": "name", "text": "room 7", "guild": guild }),
        ),
        (
            "overview, by last spoken",
            json!({ "ask": "overview", "order": "spoke" }),
        ),
        (
            "overview, those that are on",
            json!({ "ask": "overview", "mode": "on" }),
        ),
        ("day of a busy channel", day(&busy, today)),
        ("day half a year ago", day(&busy, seed.now - 180 * DAY)),
        ("day of a quiet channel", day(&quiet, today)),
        ("turns", json!({ "ask": "turns" })),
        (
            "turns, half-way back",
            json!({ "ask": "turns", "before": (seed.turns / 2).to_string() }),
        ),
        (
            "turns of a channel",
            json!({ "ask": "turns", "channel": busy }),
        ),
        (
            "a turn with its prompts",
            json!({ "ask": "turn", "id": seed.turns.to_string() }),
        ),
        ("spending of 7 days", json!({ "ask": "spend", "days": 7 })),
        ("spending of a year", json!({ "ask": "spend", "days": 365 })),
        ("errors", json!({ "ask": "faults" })),
        ("settings", json!({ "ask": "settings" })),
        ("approvals", json!({ "ask": "approvals" })),
        ("personas", json!({ "ask": "personas" })),
        (
            "memory, where something is",
            json!({ "ask": "memory_places" }),
        ),
        ("memory of everything", json!({ "ask": "all_memories" })),
        (
            "memory of a server",
            json!({ "ask": "all_memories", "guild": guild }),
        ),
        (
            "memory of a channel",
            json!({ "ask": "all_memories", "channel": quiet }),
        ),
        (
            "memory, searched everywhere",
            json!({ "ask": "search_memory", "text": "which ladder is behind shed 42?" }),
        ),
        (
            "memory, searched in a channel",
            json!({ "ask": "search_memory", "channel": busy, "text": "where did the ladder go?" }),
        ),
        (
            "core memory",
            json!({ "ask": "core_memory", "channel": quiet }),
        ),
    ]
}

/// A running `kith` with its console open.
struct Console {
    process: Child,
    url: String,
    token: String,
    client: reqwest::Client,
    _folder: TempDir,
}

impl Drop for Console {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Console {
    async fn start(fake: &FakeDiscord, folder: TempDir) -> Self {
        let port = free_port();
        let settings = format!(
            "[model]\nprovider = \"none\"\n[log]\nlevel = \"error\"\n[store]\nkeep_days = 400\n\
             [discord]\napi_base = \"{}\"\n[console]\nlisten = \"{port}\"\n",
            fake.api()
        );
        std::fs::write(folder.path().join("kith.toml"), settings).expect("written");
        let mut command: Command = build_kith_command(folder.path());
        command
            .env("DISCORD_TOKEN", TOKEN)
            .stdout(Stdio::null())
            .stderr(Stdio::inherit());
        let process = command.spawn().expect("started");
        fake.until("a session", |world| {
            (!world.log.identifies.is_empty()).then_some(())
        })
        .await;
        let token = folder.path().join("data/room.token");
        let token = std::fs::read_to_string(token).expect("a token");
        Self {
            process,
            url: format!("http://127.0.0.1:{port}/api"),
            token: token.trim().to_owned(),
            client: kith_system::tls::loopback_client()
                .build()
                .expect("a client"),
            _folder: folder,
        }
    }

    /// How long an answer took, in milliseconds, and its size.
    async fn ask(&self, request: &Value) -> (f64, usize) {
        let from = clock::monotonic();
        let about_memory = request["ask"]
            .as_str()
            .is_some_and(|it| it.contains("memor"));
        let path = if about_memory { "memory" } else { "console" };
        let sent = self
            .client
            .post(format!("{}/{path}", self.url))
            .bearer_auth(&self.token)
            .timeout(Duration::from_secs(60))
            .json(request)
            .send();
        let response = sent.await.expect("answered");
        assert!(response.status().is_success(), "{request}");
        let bytes = response.bytes().await.expect("read").len();
        (from.elapsed().as_secs_f64() * 1e3, bytes)
    }
}

/// A free port of this machine.
fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("an address").port()
}
