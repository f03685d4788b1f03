//! What the store costs: `cargo bench --bench store`. Texts are made up, about as long as chat lines are.

mod scale;

use std::cell::Cell;
use std::sync::LazyLock;

use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use kith_core::chat::{Author, AuthorKind, ChannelId, Message, MessageId, TurnId, UserId};
use kith_core::event::ChatEvent;
use kith_store::{MessageSearch, OutgoingAction, Store, VisibleAction};
use tempfile::TempDir;

use scale::scale_down;

/// Messages of one sample of the append benchmarks.
static SAMPLE: LazyLock<u64> = LazyLock::new(|| scale_down(20_000));
/// Messages in the store that is searched.
static MILLION: LazyLock<u64> = LazyLock::new(|| scale_down(1_000_000));
/// Channels they are spread over.
const CHANNELS: u64 = 1_000;
/// People who write in them, and the companion.
const PEOPLE: u64 = 5_000;
const OWN_ID: u64 = 99_999;

fn main() {
    divan::main();
}

/// A small generator of numbers that look random, the same every time.
fn mix(n: u64) -> u64 {
    let n = (n ^ (n >> 31)).wrapping_mul(0x7FB5_D329_728E_A185);
    (n ^ (n >> 27)).wrapping_mul(0x81DA_DEF4_BC2D_D44D)
}

/// Ten words or so of a vocabulary of 50,000, as often as Zipf says that words are.
fn line(n: u64) -> String {
    let mut text = String::new();
    for word in 0..6 + mix(n) % 9 {
        let draw = (mix(n * 31 + word) % 100_000) as f64 / 100_000.0;
        text.push_str(&format!("w{:x} ", 50_000_f64.powf(draw) as u64));
    }
    text
}

/// Every tenth line is the companion's.
fn author(n: u64) -> Author {
    let (id, name, kind) = match n % 10 {
        9 => (OWN_ID, "Mira".to_owned(), AuthorKind::Companion),
        _ => (
            n % PEOPLE,
            format!("Anna{}", n % PEOPLE),
            AuthorKind::Person,
        ),
    };
    Author {
        id: UserId(id),
        name: name.into(),
        kind,
    }
}

fn message(n: u64) -> ChatEvent {
    ChatEvent::Message(Message {
        id: MessageId(n + 1),
        channel: ChannelId(n % CHANNELS),
        arrival: 0,
        at: n as i64 * 1_000,
        author: author(n),
        text: line(n).into(),
        reply_to: None,
        mentions: Vec::new(),
    })
}

fn messages() -> Vec<ChatEvent> {
    (0..*SAMPLE).map(message).collect()
}

/// An empty store in a file; its folder goes after it.
fn fresh() -> (Store, TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    (
        Store::open(&folder.path().join("kith.db")).expect("opened"),
        folder,
    )
}

/// One by one, as they come from a platform; waits until all is stored and the log is in the database.
fn one_by_one(store: &Store, messages: Vec<ChatEvent>) {
    for message in messages {
        drop(store.append(vec![message]));
    }
    store.scrub().wait().expect("done");
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn durable_appends_queued_one_by_one(bencher: Bencher) {
    bencher
        .counter(ItemsCount::new(*SAMPLE))
        .with_inputs(|| (fresh(), messages()))
        .bench_values(|((store, folder), messages)| {
            one_by_one(&store, messages);
            (store, folder)
        });
}

#[divan::bench(sample_count = 5, sample_size = 1)]
fn durable_appends_each_waited_for(bencher: Bencher) {
    bencher
        .counter(ItemsCount::new(*SAMPLE / 4))
        .with_inputs(|| (fresh(), messages()))
        .bench_values(|((store, folder), messages)| {
            for message in messages.into_iter().take(*SAMPLE as usize / 4) {
                store.append(vec![message]).wait().expect("appended");
            }
            (store, folder)
        });
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn appends_in_memory_queued_one_by_one(bencher: Bencher) {
    bencher
        .counter(ItemsCount::new(*SAMPLE))
        .with_inputs(|| (Store::open_in_memory().expect("opened"), messages()))
        .bench_values(|(store, messages)| {
            one_by_one(&store, messages);
            store
        });
}

#[divan::bench(sample_count = 10, sample_size = 1)]
fn appends_to_a_temporary_store_in_batches_of_256(bencher: Bencher) {
    bencher
        .counter(ItemsCount::new(*SAMPLE))
        .with_inputs(|| (Store::open_temporary().expect("opened"), messages()))
        .bench_values(|(store, messages)| {
            for batch in messages.chunks(256) {
                drop(store.append(batch.to_vec()));
            }
            store.scrub().wait().expect("done");
            store
        });
}

#[divan::bench(sample_count = 20)]
fn journal_and_settle(bencher: Bencher) {
    let (store, _folder) = fresh();
    let round = Cell::new(0);
    bencher.counter(ItemsCount::new(1_u64)).bench_local(|| {
        round.set(round.get() + 1);
        let nonce = round.get().to_string();
        let action = VisibleAction::Send {
            text: "so?? how did it go".into(),
            reply_to: None,
            with: None,
        };
        let outgoing = OutgoingAction {
            nonce: nonce.clone(),
            turn: Some(TurnId(round.get())),
            part: 0,
            channel: ChannelId(1),
            action,
            cursor: 1,
            at: 1,
            answers: Vec::new(),
        };
        store.journal(outgoing).wait().expect("journaled");
        store
            .settle(nonce, message(round.get()))
            .wait()
            .expect("settled");
    });
}

/// A million messages over a thousand channels, in a file, and one channel that is half as large by itself.
static LARGE: LazyLock<(Store, TempDir)> = LazyLock::new(|| {
    let (store, folder) = fresh();
    for start in (0..*MILLION).step_by(1_000) {
        let batch = (start..start + 1_000).map(|n| match message(n) {
            ChatEvent::Message(message) if n % 2 == 0 => ChatEvent::Message(Message {
                channel: ChannelId(CHANNELS),
                ..message
            }),
            other => other,
        });
        let pending = store.append(batch.collect());
        if start % 50_000 == 0 {
            pending.wait().expect("appended");
        }
    }
    store.scrub().wait().expect("done");
    (store, folder)
});

fn search(channel: u64, words: &str) -> MessageSearch {
    MessageSearch {
        channels: vec![ChannelId(channel)],
        words: words.into(),
        limit: 10,
        ..MessageSearch::default()
    }
}

#[divan::bench(args = ["w2 w31 w4f", "w400 w2000 w5000"], sample_count = 20, sample_size = 1)]
fn search_a_small_channel_among_a_million(bencher: Bencher, words: &str) {
    let (store, _) = &*LARGE;
    bencher.bench_local(|| black_box(store.search(search(1, words)).wait().expect("searched")));
}

#[divan::bench(args = ["w2 w31 w4f", "w400 w2000 w5000"], sample_count = 20, sample_size = 1)]
fn search_a_channel_of_half_a_million(bencher: Bencher, words: &str) {
    let (store, _) = &*LARGE;
    bencher.bench_local(|| {
        black_box(
            store
                .search(search(CHANNELS, words))
                .wait()
                .expect("searched"),
        )
    });
}

/// Each time another of the people, with all that they wrote; asked is at most 5 s.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn forget_a_person_among_a_million(bencher: Bencher) {
    let (store, _) = &*LARGE;
    let person = Cell::new(0);
    bencher.bench_local(|| {
        person.set(person.get() + 11);
        let forgotten = store.forget_person(UserId(person.get()), None, i64::MAX / 2);
        black_box(forgotten.wait().expect("forgotten"))
    });
}
