//! What was written before somebody was forgotten does not come in afterwards, and what log channels still tell of it is
//! due.

use kith_core::preference::PersonPreference;

use super::*;

/// A snowflake, so that its bytes are like no other number's.
const MIRA: u64 = 1_234_567_890_123_456_789;
const LOG: ChannelId = ChannelId(90);
/// Messages of these tests are written at a thousand times their id.
const AT: i64 = 50_000;

fn hers(channel: ChannelId, id: u64) -> ChatEvent {
    says(
        channel,
        id,
        person(MIRA, "Mirabelle"),
        &format!("brambleknocker {id}"),
    )
}

fn new(store: &Store, incoming: Vec<ChatEvent>) -> Vec<bool> {
    store_all(store, incoming)
        .iter()
        .map(|stored| stored.new)
        .collect()
}

fn due(store: &Store) -> Vec<u64> {
    store
        .find_expired_log_messages(0)
        .wait()
        .expect("read")
        .iter()
        .map(|(_, message)| message.0)
        .collect()
}

fn posted(store: &Store, message: u64, turns: &[u64]) {
    let turns = turns.iter().map(|turn| TurnId(*turn)).collect();
    store
        .save_log_message(LOG, MessageId(message), turns, AT)
        .wait()
        .expect("kept");
}

#[test]
fn what_was_written_before_somebody_was_forgotten_never_comes_in_afterwards() {
    let (_folder, path) = on_disk();
    let store = open(&path);
    store_all(&store, vec![hers(TALK, 10), said(TALK, 11, "hi")]);
    store
        .forget_person(UserId(MIRA), None, AT)
        .wait()
        .expect("forgotten");
    let late = || {
        vec![
            hers(TALK, 20),
            hers(OTHER, 50),
            hers(TALK, 51),
            said(TALK, 30, "I stay"),
        ]
    };
    assert_eq!(
        new(&store, late()),
        [false, false, true, true],
        "up to that moment, and of theirs only"
    );
    drop(store);
    let store = open(&path);
    assert_eq!(
        new(&store, vec![hers(TALK, 21), hers(TALK, 52)]),
        [false, true],
        "nor after a restart"
    );
    assert_eq!(
        texts(&store.load_history(TALK, None, 9).wait().expect("read")).len(),
        4
    );
    store
        .forget_person(UserId(MIRA), None, 60_000)
        .wait()
        .expect("forgotten");
    assert_eq!(
        new(&store, vec![hers(TALK, 55)]),
        [false],
        "the last time counts"
    );
    drop(store);
    assert_eq!(files_holding(&path, &MIRA.to_be_bytes()), [] as [&str; 0]);
    assert_eq!(files_with(&path, "brambleknocker"), [] as [&str; 0]);
}

#[test]
fn who_is_forgotten_in_some_channels_is_still_read_late_in_others() {
    let store = memory();
    store
        .forget_person(UserId(MIRA), Some(vec![TALK]), AT)
        .wait()
        .expect("forgotten");
    assert_eq!(
        new(&store, vec![hers(TALK, 20), hers(OTHER, 21)]),
        [false, true]
    );
}

#[test]
fn log_entries_of_turns_in_which_something_was_erased_are_due_even_if_nobody_says_so() {
    let store = memory();
    store_all(
        &store,
        vec![
            said(TALK, 1, "the aardvark sleeps"),
            said(TALK, 2, "the buffalo sings"),
            hers(OTHER, 3),
        ],
    );
    for (id, channel, raw) in [
        (1, TALK, "the aardvark sleeps, you say"),
        (2, TALK, "the buffalo sings"),
        (3, OTHER, "hi"),
    ] {
        store
            .save_turn(turn(id, channel, raw), vec![])
            .wait()
            .expect("saved");
    }
    posted(&store, 70, &[1, 2]);
    posted(&store, 71, &[2]);
    posted(&store, 72, &[3]);
    assert_eq!(due(&store), [] as [u64; 0]);
    store_all(&store, vec![deleted(TALK, 1)]);
    assert_eq!(due(&store), [70]);
    store
        .forget_person(UserId(MIRA), None, AT)
        .wait()
        .expect("forgotten");
    assert_eq!(
        due(&store),
        [70, 72],
        "a crash right now would leave that to be done"
    );
    store
        .set_preference(UserId(1), PersonPreference::DontRemember, AT)
        .wait()
        .expect("set");
    store.forget_unremembered(AT).wait().expect("forgotten");
    assert_eq!(due(&store), [70, 71, 72]);
    posted(&store, 73, &[2]);
    assert_eq!(
        due(&store),
        [70, 71, 72, 73],
        "what is posted too late is due at once"
    );
}

#[test]
fn an_entry_of_a_turn_that_ran_while_its_message_was_deleted_is_due() {
    let store = memory();
    store_all(&store, vec![said(TALK, 1, "the aardvark sleeps")]);
    posted(&store, 70, &[1]);
    store_all(&store, vec![deleted(TALK, 1)]);
    assert_eq!(due(&store), [] as [u64; 0], "the turn is not known yet");
    store
        .save_turn(turn(1, TALK, "the aardvark sleeps, you say"), vec![])
        .wait()
        .expect("saved");
    assert_eq!(due(&store), [70]);
}
