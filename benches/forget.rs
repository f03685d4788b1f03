//! What forgetting a person costs in a large guild: `cargo bench --bench forget`. A million messages over fifty channels that
//! everybody can read, every twentieth the companion's, with the newest turns and their prompts. Prints how long each of
//! several people takes, and how long messages wait that are stored meanwhile; before that, how long its own lines and turns
//! wait after many deletions. Run as a test it forgets among a few thousand messages only, to see that it works.

mod made_up;
mod made_up_turns;
mod scale;

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use kith_core::chat::{Author, AuthorKind, ChannelId, MessageId, TurnId, UserId};
use kith_core::event::ChatEvent;
use kith_core::report::TurnReport;
use kith_store::{Store, StoredPrompt};
use kith_system::clock::monotonic;
use tempfile::TempDir;

use made_up::{mix, said, words};
use made_up_turns::{guild_channel, silent_turn};
use scale::scale_down;

const CHANNELS: u64 = 50;
const PEOPLE: u64 = 2_000;
/// One line in so many is the companion's.
const OWN_SHARE: u64 = 20;
/// Turns that are on record; of a thousand of them the prompts.
const TURNS: u64 = 50_000;
/// Whom the guild hears most: one line in so many is theirs.
const TALKER: UserId = UserId(1);
const TALKER_SHARE: u64 = 23;
/// What words begin with: they are long, as telling words are.
const LONG: &str = "word";
/// How many texts that were just deleted are kept in mind, and how many lines are said after that.
const DELETED: u64 = 256;
const SPOKEN: usize = 40;
/// Between two messages that are stored while somebody is forgotten.
const PAUSE: Duration = Duration::from_millis(5);

fn author(n: u64) -> Author {
    let (id, name, kind) = match n {
        n if n.is_multiple_of(OWN_SHARE) => (99_999, "Mira".into(), AuthorKind::Companion),
        n if n.is_multiple_of(TALKER_SHARE) => (TALKER.0, "Barnabas".into(), AuthorKind::Person),
        n => {
            let person = 2 + mix(n + 1) % PEOPLE;
            (person, format!("Person{person}x"), AuthorKind::Person)
        }
    };
    Author {
        id: UserId(id),
        name: name.into(),
        kind,
    }
}

fn message(n: u64) -> ChatEvent {
    let channel = ChannelId(1 + mix(n) % CHANNELS);
    let text = words(LONG, n, 5 + mix(n) % 9);
    said(n, n as i64 * 1_000, channel, author(n), text)
}

/// A turn at the time of a message, with a prompt of 8,000 characters or so.
fn turn(id: u64, n: u64) -> (TurnReport, Vec<StoredPrompt>) {
    let (channel, at) = (ChannelId(1 + mix(n) % CHANNELS), n as i64 * 1_000);
    let (why, prompt) = (words(LONG, n, 9), words(LONG, n, 1_000));
    silent_turn(TurnId(id), MessageId(n + 1), channel, at, why, prompt)
}

fn fill_store(messages: u64, turns: u64) -> (Store, TempDir) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open(&folder.path().join("kith.db")).expect("opened");
    drop(store.append((1..=CHANNELS).map(guild_channel).collect()));
    for start in (0..messages).step_by(1_000) {
        let pending = store.append((start..start + 1_000).map(message).collect());
        if start % 50_000 == 0 {
            pending.wait().expect("appended");
        }
    }
    for id in 0..turns {
        let (report, prompts) = turn(id, id * (messages / turns));
        let saved = store.save_turn(report, prompts);
        if id % 500 == 0 {
            saved.wait().expect("saved");
        }
    }
    store.scrub().wait().expect("done");
    (store, folder)
}

/// Forgets somebody while messages come in; prints how long it took, and how long the messages waited.
fn forget(store: &Store, user: UserId, next: &mut u64) {
    let is_done = AtomicBool::new(false);
    let mut waits: Vec<Duration> = Vec::new();
    let taken = std::thread::scope(|scope| {
        let forgetting = scope.spawn(|| {
            let begun = monotonic();
            let forgotten = store.forget_person(user, None, i64::MAX / 2).wait();
            let taken = begun.elapsed();
            is_done.store(true, Ordering::Relaxed);
            let lines = forgotten.expect("forgotten").messages;
            (taken, lines.iter().map(|(_, ids)| ids.len()).sum::<usize>())
        });
        while !is_done.load(Ordering::Relaxed) {
            let begun = monotonic();
            let stored = store.append(vec![message(*next)]).wait();
            stored.expect("appended");
            waits.push(begun.elapsed());
            *next += 1;
            std::thread::sleep(PAUSE);
        }
        forgetting.join().expect("forgotten")
    });
    waits.sort();
    let wait = |share: f64| waits[((waits.len() - 1) as f64 * share) as usize];
    let (taken, lines) = taken;
    println!(
        "{lines} lines of one person: {taken:.1?}; {} messages stored meanwhile waited {:.1?} in the median, {:.1?} at most",
        waits.len(),
        wait(0.5),
        wait(1.0)
    );
}

/// Deletes as many of the newest messages as are kept in mind; prints how long the companion's own lines and its turns wait
/// afterwards.
fn speak_after_deletions(store: &Store, next: &mut u64) {
    for n in *next - DELETED..*next {
        let ChatEvent::Message(message) = message(n) else {
            unreachable!()
        };
        let gone = ChatEvent::Delete {
            channel: message.channel,
            ids: vec![message.id],
            at: n as i64 * 1_000,
        };
        drop(store.append(vec![gone]));
    }
    let first = next.next_multiple_of(OWN_SHARE);
    let own_lines = (first..).step_by(OWN_SHARE as usize).take(SPOKEN);
    let waits = own_lines.map(|n| {
        *next = n + 1;
        let begun = monotonic();
        let line = store.append(vec![message(n)]).wait();
        let (taken, stored) = (begun.elapsed(), line.expect("appended"));
        assert!(stored[0].new);
        let (report, prompts) = turn(TURNS + n, n);
        let begun = monotonic();
        store.save_turn(report, prompts).wait().expect("saved");
        (taken, begun.elapsed())
    });
    let (mut lines, mut turns): (Vec<Duration>, Vec<Duration>) = waits.unzip();
    lines.sort();
    turns.sort();
    println!(
        "after {DELETED} deletions: {:.2?} for a line of its own in the median, {:.2?} for a turn",
        lines[SPOKEN / 2],
        turns[SPOKEN / 2]
    );
}

fn main() {
    let messages = scale_down(1_000_000);
    let (store, _folder) = fill_store(messages, scale_down(TURNS));
    let mut next = messages;
    speak_after_deletions(&store, &mut next);
    for user in [UserId(500), UserId(1_000), TALKER] {
        forget(&store, user, &mut next);
    }
}
