//! How long Kith is down while its database moves: `cargo bench --bench migration`, or with another number of messages
//! `cargo bench --bench migration -- 200000`. A million messages over fifty channels, a third of them Chinese, each with the
//! decision on it, every hundredth with a turn, go from a file to a server of this machine and back. The server writes
//! nothing through to the disk at once. Run as a test it moves a few thousand, to see that it works.

mod made_up;
mod made_up_turns;
mod scale;

use std::path::Path;
use std::time::Duration;

use kith_core::chat::{Author, AuthorKind, ChannelId, MessageId, TurnId, UserId};
use kith_core::event::ChatEvent;
use kith_core::report::{MessageDecision, ScoreTerm, ThresholdShift, TurnReport};
use kith_core::willingness::Signal;
use kith_store::{DatabasePlace, MigrationStep, Store, StoredPrompt, migrate};
use kith_system::clock::monotonic;
use kith_testkit::postgres::PostgresServer;

use made_up::{mix, said, words};
use made_up_turns::{guild_channel, silent_turn};
use scale::scale_down;

const CHANNELS: u64 = 50;
const PEOPLE: u64 = 2_000;
/// One message in so many woke a turn.
const TURN_SHARE: u64 = 100;
/// One line in so many is Chinese.
const CHINESE_SHARE: u64 = 3;
/// What is stored at once.
const BATCH: u64 = 1_000;
/// Terms of a score.
const TERMS: u64 = 8;

fn channel_of(n: u64) -> ChannelId {
    ChannelId(1 + mix(n) % CHANNELS)
}

/// So many characters, of which some are common and most are not.
fn chinese(n: u64, count: u64) -> String {
    let character = |place: u64| {
        let draw = (mix(n * 37 + place) % 100_000) as f64 / 100_000.0;
        char::from_u32(0x4E00 + 3_000_f64.powf(draw) as u32).unwrap_or('?')
    };
    (0..count).map(character).collect()
}

fn message(n: u64) -> ChatEvent {
    let person = 1 + mix(n + 1) % PEOPLE;
    let author = Author {
        id: UserId(person),
        name: format!("Person {person}").into(),
        kind: AuthorKind::Person,
    };
    let text = match n.is_multiple_of(CHINESE_SHARE) {
        true => chinese(n, 8 + mix(n) % 20),
        false => words("", n, 5 + mix(n) % 9),
    };
    said(n, n as i64 * 1_000, channel_of(n), author, text)
}

fn decision(n: u64) -> MessageDecision {
    let term = |term: u64| ScoreTerm {
        name: Signal::ALL[term as usize].name().into(),
        value: (mix(n + term) % 100) as f32 / 100.0,
        adds: (mix(n * term) % 100) as f32 / 50.0,
    };
    MessageDecision {
        channel: channel_of(n),
        message: MessageId(n + 1),
        author: UserId(1),
        at: n as i64 * 1_000,
        score: 0.25,
        threshold: 0.5,
        shift: ThresholdShift::default(),
        address: None,
        refusal: None,
        speak: false,
        energy: 1.0,
        silent_for: None,
        terms: (0..TERMS).map(term).collect(),
        bias: -3.0,
        waits_until: None,
        goes_on: false,
    }
}

fn turn(n: u64) -> (TurnReport, Vec<StoredPrompt>) {
    let (why, prompt) = (words("", n, 9), words("", n, 1_000));
    let (turn, woke) = (TurnId(n + 1), MessageId(n + 1));
    silent_turn(turn, woke, channel_of(n), n as i64 * 1_000, why, prompt)
}

fn fill_store(path: &Path, messages: u64) {
    let store = Store::open(path).expect("opened");
    drop(store.append((1..=CHANNELS).map(guild_channel).collect()));
    for start in (0..messages).step_by(BATCH as usize) {
        let batch = start..(start + BATCH).min(messages);
        drop(store.append(batch.clone().map(message).collect()));
        let decided = store.save_decisions(batch.clone().map(decision).collect());
        for n in batch.step_by(TURN_SHARE as usize) {
            let (report, prompts) = turn(n);
            drop(store.save_turn(report, prompts));
        }
        decided.wait().expect("stored");
    }
}

/// Moves a database, and prints how long each step took.
fn measure(from: &DatabasePlace, to: &DatabasePlace) {
    let begun = monotonic();
    let (mut step, mut since) = (MigrationStep::Copying, Duration::ZERO);
    let mut steps = Vec::new();
    let moved = migrate(from, to, &mut |progress| {
        if progress.step != step {
            let now = begun.elapsed();
            steps.push((step, now - since));
            (step, since) = (progress.step, now);
        }
    });
    let (moved, taken) = (moved.expect("moved"), begun.elapsed());
    steps.push((step, taken - since));
    println!(
        "{from} to {to}: {} messages, {} rows in {taken:.1?}, of that {steps:.1?}",
        moved.messages, moved.rows
    );
}

fn main() {
    let server = match PostgresServer::start() {
        Ok(server) => server,
        Err(why) => return println!("skipped: nothing is moved to PostgreSQL: {why}"),
    };
    let asked = std::env::args().find_map(|argument| argument.parse().ok());
    let messages = asked.unwrap_or_else(|| scale_down(1_000_000));
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("kith.db");
    fill_store(&path, messages);
    let address = server.make_schema().url.parse().expect("an address");
    let on_server = DatabasePlace::Server(Box::new(address));
    let back = DatabasePlace::File(folder.path().join("back.db"));
    measure(&DatabasePlace::File(path), &on_server);
    measure(&on_server, &back);
}
