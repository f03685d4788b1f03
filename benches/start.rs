//! How long a start takes on a database of years: the real `kith`, from its process' begin until the room answers. Three
//! million messages over two thousand channels, in a file and on a PostgreSQL server where one is installed. Prints medians
//! and judges nothing: `cargo bench --bench start`. Without `--bench` it only shows that it still runs, on a two-hundredth of
//! that.

mod engines;
mod made_up;
mod scale;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use kith_core::chat::{Author, AuthorKind, ChannelId, UserId};
use kith_core::event::ChatEvent;
use kith_store::Store;
use kith_system::clock::{monotonic, now};
use kith_testkit::kith_process::build_kith_command;

use engines::Engine;
use made_up::{mix, said, words};
use scale::scale_down;

const MESSAGES: u64 = 3_000_000;
const CHANNELS: u64 = 2_000;
const PEOPLE: u64 = 5_000;
/// Starts that are timed; the first of them finds a cold cache of the store, and counts like the others.
const STARTS: u64 = 7;
/// The time between two messages, so that all lie within the 90 days that are kept.
const APART: i64 = 2_000;

fn message(n: u64, first: i64) -> ChatEvent {
    let author = Author {
        id: UserId(1_000_000 + n % PEOPLE),
        name: format!("person {}", n % PEOPLE).into(),
        kind: AuthorKind::Person,
    };
    let channel = ChannelId(1_000 + mix(n) % CHANNELS);
    let text = words("w", n, 5 + mix(n) % 9);
    said(n, first + n.cast_signed() * APART, channel, author, text)
}

fn fill(engine: &Engine, folder: &Path, messages: u64) {
    let store = match engine.url() {
        Some(url) => Store::open_server(&url.parse().expect("an address")),
        None => Store::open(&folder.join("data/kith.db")),
    }
    .expect("opened");
    let first = now() - messages.cast_signed() * APART;
    for start in (0..messages).step_by(1_000) {
        let end = messages.min(start + 1_000);
        let pending = store.append((start..end).map(|n| message(n, first)).collect());
        if start % 50_000 == 0 {
            pending.wait().expect("appended");
        }
    }
    store.scrub().wait().expect("done");
}

/// From the process' begin until the address of the room is printed, which is when it takes requests.
fn time_start(folder: &Path) -> Duration {
    let printed = folder.join("printed");
    let output = fs::File::create(&printed).expect("a file");
    let from = monotonic();
    let mut kith = build_kith_command(folder)
        .stdout(output)
        .stderr(Stdio::inherit())
        .spawn()
        .expect("started");
    while !fs::read_to_string(&printed).is_ok_and(|text| text.contains("/?token=")) {
        assert!(
            kith.try_wait().expect("asked").is_none(),
            "kith ended before the room was there"
        );
        std::thread::sleep(Duration::from_millis(1));
    }
    let took = from.elapsed();
    let told = Command::new("kill").arg(kith.id().to_string()).status();
    assert!(told.is_ok_and(|told| told.success()), "kith is told to end");
    kith.wait().expect("ended");
    took
}

fn main() {
    let messages = scale_down(MESSAGES);
    let starts = scale_down(STARTS).max(1) as usize;
    for engine in Engine::find_all() {
        let folder = tempfile::tempdir().expect("a folder");
        fill(&engine, folder.path(), messages);
        let place = engine
            .url()
            .map_or_else(String::new, |url| format!("[store]\nurl = \"{url}\"\n"));
        let settings = format!("[room]\nlisten = \"127.0.0.1:0\"\n{place}");
        fs::write(folder.path().join("kith.toml"), settings).expect("written");
        let mut times: Vec<Duration> = (0..starts).map(|_| time_start(folder.path())).collect();
        let cold = times[0];
        let held = engine.read_number(
            &folder.path().join("data/kith.db"),
            "SELECT count(*) FROM messages",
        );
        times.sort();
        println!(
            "start on {} with {held} messages: {:.0?} median of {starts}, {cold:.0?} the first, {:.0?} the slowest",
            engine.name,
            times[starts / 2],
            times[starts - 1]
        );
    }
}
