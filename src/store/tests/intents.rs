//! What is kept of an intention, and when not a byte of it is left.

use std::path::Path;

use kith_core::chat::{
    Author, AuthorKind, ChannelId, GuildId, IntentionId, Message, MessageId, Millis, UserId,
};
use kith_core::event::ChatEvent;
use kith_core::intent::{FiredIntent, IntentTrigger, ScheduledIntent};
use kith_store::Store;

use crate::{files_with, group_channel, on_disk, open};

const HERE: ChannelId = ChannelId(10);
const BESIDE: ChannelId = ChannelId(11);
const ELSEWHERE: ChannelId = ChannelId(20);
const BEN: UserId = UserId(42);

fn intention(id: u64, note: &str) -> ScheduledIntent {
    ScheduledIntent {
        id: IntentionId(id),
        made: id as Millis,
        after: 3,
        expires: 90_000_000,
        person: Some(BEN),
        name: "Benvenuto".into(),
        word: Some("harpsichord".into()),
        time: Some(5_000),
        note: note.into(),
        came: None,
        reminder: None,
    }
}

/// Two channels of one guild and one of another; Ben has written in the first.
fn store(path: &Path) -> Store {
    let store = open(path);
    let channel = |id, guild| ChatEvent::Channel(group_channel(id, Some(GuildId(guild)), "talk"));
    let message = Message {
        id: MessageId(5),
        channel: HERE,
        arrival: 0,
        at: 50,
        author: Author {
            id: BEN,
            name: "Benvenuto".into(),
            kind: AuthorKind::Person,
        },
        text: "i play the theorbo".into(),
        reply_to: None,
        mentions: Vec::new(),
    };
    let all = vec![
        channel(HERE, 1),
        channel(BESIDE, 1),
        channel(ELSEWHERE, 2),
        ChatEvent::Message(message),
    ];
    store.append(all).wait().unwrap();
    store
}

fn notes(store: &Store, channel: ChannelId) -> Vec<String> {
    store
        .find_intentions(channel)
        .wait()
        .unwrap()
        .into_iter()
        .map(|kept| kept.note)
        .collect()
}

#[test]
fn it_comes_back_as_it_was_kept_with_what_has_come_until_it_is_dropped() {
    let (_folder, path) = on_disk();
    let store = store(&path);
    let mut kept = intention(100, "ask about it");
    store.put_intention(HERE, kept.clone()).wait().unwrap();
    let came = FiredIntent {
        cause: IntentTrigger::Word,
        message: Some(MessageId(7)),
        at: 120,
    };
    store
        .save_fired_intention(HERE, kept.id, came)
        .wait()
        .unwrap();
    drop(store);
    let store = open(&path);
    kept.came = Some(came);
    assert_eq!(store.find_intentions(HERE).wait().unwrap(), [kept.clone()]);
    assert_eq!(store.find_intentions(BESIDE).wait().unwrap(), []);
    store.drop_intention(HERE, kept.id).wait().unwrap();
    assert_eq!(store.find_intentions(HERE).wait().unwrap(), []);
}

#[test]
fn who_is_forgotten_is_in_no_intention_and_in_no_file() {
    let (_folder, path) = on_disk();
    let store = store(&path);
    store
        .put_intention(HERE, intention(100, "his zither"))
        .wait()
        .unwrap();
    store
        .put_intention(BESIDE, intention(101, "he told of a zither"))
        .wait()
        .unwrap();
    store
        .put_intention(
            ELSEWHERE,
            ScheduledIntent {
                person: None,
                ..intention(102, "other people's kazoo")
            },
        )
        .wait()
        .unwrap();
    store
        .forget_person(BEN, Some(vec![HERE, BESIDE]), 1_000)
        .wait()
        .unwrap();
    // A turn that still ran may know him.
    store
        .put_intention(HERE, intention(2_000, "zither again"))
        .wait()
        .unwrap();
    store
        .put_intention(HERE, intention(200_000, "a new day"))
        .wait()
        .unwrap();
    assert_eq!(
        (notes(&store, HERE), notes(&store, BESIDE)),
        (vec!["a new day".to_owned()], vec![])
    );
    assert_eq!(notes(&store, ELSEWHERE), ["other people's kazoo"]);
    store
        .drop_intention(HERE, IntentionId(200_000))
        .wait()
        .unwrap();
    drop(store);
    for text in ["zither", "theorbo"] {
        assert_eq!(files_with(&path, text), [""; 0], "{text}");
    }
}

#[test]
fn what_a_deleted_message_said_is_in_no_note_and_no_word() {
    let (_folder, path) = on_disk();
    let store = store(&path);
    store
        .put_intention(
            HERE,
            ScheduledIntent {
                word: Some("theorbo".into()),
                ..intention(100, "a theorbo!")
            },
        )
        .wait()
        .unwrap();
    store
        .put_intention(HERE, intention(101, "something else"))
        .wait()
        .unwrap();
    store
        .append(vec![ChatEvent::Delete {
            channel: HERE,
            ids: vec![MessageId(5)],
            at: 2_000,
        }])
        .wait()
        .unwrap();
    store
        .put_intention(HERE, intention(2_001, "the theorbo, late"))
        .wait()
        .unwrap();
    assert_eq!(notes(&store, HERE), ["", "something else", ""]);
    assert_eq!(store.find_intentions(HERE).wait().unwrap()[0].word, None);
}

#[test]
fn who_is_waited_for_or_named_is_told_so_when_they_ask_what_is_kept() {
    let (_folder, path) = on_disk();
    let store = store(&path);
    let other = |id, note: &str| ScheduledIntent {
        person: None,
        word: None,
        ..intention(id, note)
    };
    let caused = FiredIntent {
        cause: IntentTrigger::Word,
        message: Some(MessageId(5)),
        at: 60,
    };
    for intention in [
        intention(100, "ask about the exam"),
        other(101, "Benvenuto owes Lea a cake"),
        ScheduledIntent {
            came: Some(caused),
            ..other(102, "the theorbo came up")
        },
        other(103, "Lea wanted a recipe"),
    ] {
        store.put_intention(HERE, intention).wait().unwrap();
    }
    let export = store.export_person(BEN, None).wait().unwrap();
    let notes: Vec<&str> = export["waited_for"]
        .as_array()
        .unwrap()
        .iter()
        .map(|told| told["note"].as_str().unwrap())
        .collect();
    assert_eq!(
        notes,
        [
            "ask about the exam",
            "Benvenuto owes Lea a cake",
            "the theorbo came up"
        ]
    );
    assert_eq!(
        store.export_person(UserId(7), None).wait().unwrap()["waited_for"],
        serde_json::json!([])
    );
}
