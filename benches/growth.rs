//! What grows with what is stored: `cargo bench --bench growth`. People's lines of 53 to 99 characters in a file. Prints how
//! many lines are stored in a second at the beginning and at the end, and how much memory that
//! takes, and how long a deletion and a turn take without kept turns, with 700 of them, and after 50 deletions.

mod made_up;
mod made_up_turns;
mod scale;

use std::time::Duration;

use kith_core::chat::{Author, AuthorKind, ChannelId, MessageId, TurnId, UserId};
use kith_core::event::ChatEvent;
use kith_store::Store;
use kith_system::clock::monotonic;

use made_up::{mix, said, words};
use made_up_turns::{guild_channel, silent_turn};
use scale::scale_down;

const CHANNELS: u64 = 20;
/// Lines stored between two looks at the clock.
const PART: u64 = 10_000;
const PARTS: u64 = 10;
const TURNS: u64 = 700;
const DELETED: u64 = 50;
/// Lines that a prompt shows.
const SHOWN: u64 = 80;

/// What people write is 53 to 99 characters long.
fn line(n: u64) -> String {
    let mut text = words("w", n, 40);
    text.truncate(53 + (mix(n) % 47) as usize);
    text
}

fn channel(n: u64) -> ChannelId {
    ChannelId(1 + mix(n) % CHANNELS)
}

fn message(n: u64) -> ChatEvent {
    let person = 1 + mix(n + 1) % 200;
    let (id, name, kind) = match n % 20 {
        0 => (99_999, "Mira".into(), AuthorKind::Companion),
        _ => (
            person,
            format!("Person{person}x").into(),
            AuthorKind::Person,
        ),
    };
    let author = Author {
        id: UserId(id),
        name,
        kind,
    };
    said(n, n as i64 * 1_000, channel(n), author, line(n))
}

/// Stores lines one by one, as they come from a platform; answers how many a second.
fn store_lines(store: &Store, from: u64, count: u64) -> f64 {
    let begun = monotonic();
    let pending: Vec<_> = (from..from + count)
        .map(|n| store.append(vec![message(n)]))
        .collect();
    for stored in pending {
        stored.wait().expect("stored");
    }
    count as f64 / begun.elapsed().as_secs_f64()
}

/// Saves a turn that a line woke and whose prompt shows those before it; answers how long that took.
fn save_turn(store: &Store, id: u64, n: u64) -> Duration {
    let shown = n.saturating_sub(SHOWN)..n;
    let prompt: String = shown
        .map(|n| format!("[{n}] Person: {}\n", line(n)))
        .collect();
    let (report, prompts) = silent_turn(
        TurnId(id),
        MessageId(n + 1),
        channel(n),
        n as i64 * 1_000,
        line(n),
        prompt,
    );
    let begun = monotonic();
    store.save_turn(report, prompts).wait().expect("saved");
    begun.elapsed()
}

fn delete(store: &Store, n: u64) -> Duration {
    let gone = ChatEvent::Delete {
        channel: channel(n),
        ids: vec![MessageId(n + 1)],
        at: n as i64 * 1_000,
    };
    let begun = monotonic();
    store.append(vec![gone]).wait().expect("deleted");
    begun.elapsed()
}

/// What is resident and no page of a file, in MB; nothing where the system does not tell.
fn own_memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status
        .lines()
        .find_map(|line| line.strip_prefix("RssAnon:"));
    let kib = line.and_then(|line| line.trim().strip_suffix(" kB")?.parse::<f64>().ok());
    kib.map_or(f64::NAN, |kib| kib * 1024.0 / 1e6)
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort();
    times[times.len() / 2]
}

fn main() {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(&folder.path().join("kith.db")).expect("opened");
    drop(store.append((1..=CHANNELS).map(guild_channel).collect()));
    let (part, turns) = (scale_down(PART), scale_down(TURNS));
    let (mut rates, mut resident) = (Vec::new(), vec![own_memory()]);
    for n in 0..PARTS {
        rates.push(store_lines(&store, n * part, part));
        resident.push(own_memory());
    }
    let end = part * PARTS;
    println!("lines stored a second, of each {part} to {end}: {rates:.0?}");
    println!("memory of its own in MB before and after each: {resident:.0?}");

    let deletions = |before_end: u64, count: u64| {
        let lines = (end - before_end.min(end / 2)..).filter(|n| n % 20 != 0);
        median(
            lines
                .take(count as usize)
                .map(|n| delete(&store, n))
                .collect(),
        )
    };
    let before = deletions(3_000, 11);
    let saved = (0..turns).map(|id| save_turn(&store, id + 1, end - turns + id));
    let turn = median(saved.collect());
    let (unseen, seen) = (deletions(2_500, 11), deletions(turns / 2, 11));
    println!(
        "a deletion: {before:.2?} without turns; with {turns} of them {unseen:.2?} of a line that none shows, {seen:.2?} of \
         one that {SHOWN} show"
    );
    deletions(2_000, DELETED);
    let later = (1..=20).map(|n| save_turn(&store, turns + n, end - 1));
    let later = median(later.collect());
    println!("a turn: {turn:.2?} before these deletions, {later:.2?} after {DELETED} more");
}
