//! What recall costs in a large guild: `cargo bench --bench recall`. A million messages over fifty channels that everybody
//! can read; prints how long a question and the newest lines of a chat take, and how many bytes a message takes on disk. Once
//! in a file, and once on a PostgreSQL server where one is installed.
//! Run as a test it looks through a few thousand messages only, to see that it works.

mod engines;
mod made_up;

use std::env;
use std::fs;
use std::path::Path;
use std::time::Duration;

use kith_core::chat::{Author, AuthorKind, ChannelId, MessageId, TurnId, UserId};
use kith_core::event::ChatEvent;
use kith_core::recall::RecallCue;
use kith_memory::{Memory, RecallContext, RecallQuestion, RecallSources};
use kith_store::{MessageSearch, Store};
use kith_system::clock::monotonic;
use tempfile::TempDir;

use engines::Engine;
use made_up::{mix, said, words};

const MILLION: u64 = 1_000_000;
/// Messages where it only has to work.
const FEW: u64 = 5_000;
const CHANNELS: u64 = 50;
const PEOPLE: u64 = 2_000;
const QUESTIONS: u64 = 500;

fn message(n: u64) -> ChatEvent {
    let author = Author {
        id: UserId(1 + n % PEOPLE),
        name: format!("person {}", n % PEOPLE).into(),
        kind: AuthorKind::Person,
    };
    let channel = ChannelId(1 + mix(n) % CHANNELS);
    let text = words("w", n, 5 + mix(n) % 9);
    said(n, n as i64 * 1_000, channel, author, text)
}

fn open_store(engine: &Engine, folder: &Path) -> Store {
    match engine.url() {
        Some(url) => Store::open_server(&url.parse().expect("an address")),
        None => Store::open(&folder.join("kith.db")),
    }
    .expect("opened")
}

fn fill_store(engine: &Engine, messages: u64) -> (Store, TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = open_store(engine, folder.path());
    for start in (0..messages).step_by(1_000) {
        let pending = store.append((start..start + 1_000).map(message).collect());
        if start % 50_000 == 0 {
            pending.wait().expect("appended");
        }
    }
    store.scrub().wait().expect("done");
    (store, folder)
}

/// All tables of a schema with their indexes.
const SIZE_OF_TABLES: &str = "SELECT sum(pg_total_relation_size(pg_class.oid)) FROM pg_class
    JOIN pg_namespace ON pg_namespace.oid = relnamespace WHERE nspname = current_schema() AND relkind = 'r'";

fn measure_size(engine: &Engine, folder: &Path) -> u64 {
    if engine.url().is_some() {
        return engine.read_number(folder, SIZE_OF_TABLES).cast_unsigned();
    }
    let files = fs::read_dir(folder).expect("a folder").flatten();
    files
        .filter_map(|file| file.metadata().ok())
        .map(|about| about.len())
        .sum()
}

/// Prints the median, the 99th of a hundred, and the slowest.
fn print_times(what: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize];
    println!(
        "{what}: median {:.1?}, p99 {:.1?}, slowest {:.1?}",
        at(0.5),
        at(0.99),
        at(1.0)
    );
}

fn time(work: impl FnOnce()) -> Duration {
    let start = monotonic();
    work();
    start.elapsed()
}

fn main() {
    let is_measured = env::args().any(|argument| argument == "--bench");
    let (messages, questions) = if is_measured {
        (MILLION, QUESTIONS)
    } else {
        (FEW, QUESTIONS / 50)
    };
    for engine in Engine::find_all() {
        println!("on {}:", engine.name);
        measure(&engine, messages, questions);
    }
}

fn measure(engine: &Engine, messages: u64, questions: u64) {
    let from = monotonic();
    let (store, folder) = fill_store(engine, messages);
    println!(
        "{messages} messages: {:.0} appended a second, {} bytes each on disk",
        messages as f64 / from.elapsed().as_secs_f64(),
        measure_size(engine, folder.path()) / messages
    );
    let memory = Memory::new(store.clone());
    let sources = RecallSources {
        here: ChannelId(1),
        channels: (1..=CHANNELS).map(ChannelId).collect(),
        shown_from: Some(MessageId(messages - messages / 500)),
        begins_after: None,
    };
    let runtime = tokio::runtime::Builder::new_current_thread()
        .build()
        .expect("a runtime");
    let asked = (0..questions).map(|n| {
        let question = RecallQuestion {
            words: words("w", n + 7_000_000_000, 3 + n % 6),
            limit: 8,
            ..RecallQuestion::default()
        };
        time(|| {
            drop(
                runtime
                    .block_on(memory.recall(&sources, question))
                    .expect("recalled"),
            )
        })
    });
    print_times("a question", asked.collect());
    let searched = |n: u64| MessageSearch {
        channels: sources.channels.clone(),
        words: words("w", n + 7_000_000_000, 3 + n % 6),
        limit: 200,
        ..MessageSearch::default()
    };
    let found = (0..questions).map(|n| time(|| drop(store.search(searched(n)).wait())));
    print_times("of it, the lines that hold its words", found.collect());
    let around =
        (0..questions).map(|n| time(|| drop(store.search_with_context(searched(n), 4).wait())));
    print_times("of it, those and the lines around them", around.collect());
    let in_mind = (0..questions).map(|n| {
        let cue = |line: u64| RecallCue {
            author: UserId(1 + line),
            text: words("w", 8_000_000_000 + n * 4 + line, 8).into(),
            answers: None,
            period: None,
        };
        let moment = RecallContext {
            turn: TurnId(n),
            cues: (0..4).map(cue).collect(),
            names: Vec::new(),
        };
        time(|| drop(runtime.block_on(memory.recall_for_prompt(&sources, &moment))))
    });
    print_times("the newest lines", in_mind.collect());
}
