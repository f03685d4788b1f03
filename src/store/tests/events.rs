//! What was acknowledged: kept in order, once, and read back in pages.

use std::collections::BTreeMap;

use super::*;

#[test]
fn what_was_acknowledged_is_there_after_opening_again() {
    let (_folder, path) = on_disk();
    let channel = Channel {
        id: TALK,
        guild: None,
        name: "talk".into(),
        topic: "anything".into(),
        kind: ChannelKind::Group,
        parent: None,
    };
    let ChatEvent::Message(mut message) = said(TALK, 2, "hello") else {
        unreachable!()
    };
    message.reply_to = Some(MessageId(1));
    message.mentions = vec![UserId(3), UserId(u64::MAX)];
    {
        let store = open(&path);
        let events = vec![
            ChatEvent::Channel(channel.clone()),
            ChatEvent::Message(message.clone()),
            ChatEvent::Reaction {
                channel: TALK,
                message: MessageId(2),
                author: person(4, "Bob"),
                emoji: "👀".into(),
                added: true,
                at: 9,
            },
        ];
        assert_eq!(
            store_all(&store, events),
            [1, 2, 3].map(|arrival| AppendOutcome {
                arrival,
                new: true,
                ..AppendOutcome::default()
            }),
            "every event takes the next arrival number"
        );
        store
            .save_channel_states(BTreeMap::from([(TALK, "{\"energy\":1}".into())]), 5)
            .wait()
            .expect("saved");
    }
    let store = open(&path);
    message.arrival = 2;
    let mark = StoredReaction {
        author: person(4, "Bob"),
        emoji: "👀".into(),
        at: 9,
    };
    let restored = store.restore(TALK, 50).wait().expect("restored");
    assert_eq!(
        restored.tail,
        [StoredMessage {
            message,
            edited: false,
            reactions: vec![mark]
        }]
    );
    assert_eq!(restored.state.as_deref(), Some("{\"energy\":1}"));
    assert_eq!(store.channels().wait().expect("listed"), [channel]);
    assert_eq!(store_all(&store, vec![said(TALK, 3, "next")])[0].arrival, 4);
}

#[test]
fn a_duplicate_answers_with_the_earlier_arrival() {
    let store = memory();
    let first = store_all(&store, vec![said(TALK, 5, "once"), said(TALK, 6, "other")]);
    let again = store_all(
        &store,
        vec![said(TALK, 5, "twice"), said(OTHER, 5, "elsewhere")],
    );
    assert_eq!(
        again[0],
        AppendOutcome {
            arrival: first[0].arrival,
            new: false,
            ..AppendOutcome::default()
        }
    );
    assert_eq!(
        again[1],
        AppendOutcome {
            arrival: 3,
            new: true,
            ..AppendOutcome::default()
        },
        "ids are unique in their channel only"
    );
    assert_eq!(
        texts(&store.load_history(TALK, None, 9).wait().expect("read")),
        ["once", "other"]
    );
}

#[test]
fn arrival_numbers_never_come_back_even_if_the_newest_message_is_deleted() {
    let (_folder, path) = on_disk();
    {
        let store = open(&path);
        store_all(
            &store,
            vec![said(TALK, 1, "a"), said(TALK, 2, "b"), deleted(TALK, 2)],
        );
    }
    assert_eq!(
        store_all(&open(&path), vec![said(TALK, 3, "c")])[0].arrival,
        4
    );
}

#[test]
fn a_deleted_message_does_not_come_back_through_backfill() {
    let store = memory();
    store_all(
        &store,
        vec![said(TALK, 1, "secret"), deleted(TALK, 1), deleted(TALK, 2)],
    );
    let again = store_all(
        &store,
        vec![said(TALK, 1, "secret"), said(TALK, 2, "never seen")],
    );
    assert_eq!(
        again.iter().map(|stored| stored.new).collect::<Vec<_>>(),
        [false, false]
    );
    assert!(
        store
            .load_history(TALK, None, 9)
            .wait()
            .expect("read")
            .is_empty()
    );
}

#[test]
fn a_deleted_message_does_not_come_back_however_long_ago_it_was() {
    let store = memory();
    store_all(&store, vec![said(TALK, 1, "secret"), deleted(TALK, 1)]);
    while store.prune(i64::MAX).wait().expect("pruned") > 0 {}
    assert!(!store_all(&store, vec![said(TALK, 1, "secret")])[0].new);
}

#[test]
fn an_edit_changes_only_what_such_an_author_wrote() {
    let store = memory();
    store_all(&store, vec![said(TALK, 1, "mine"), own(2)]);
    let stored = store_all(
        &store,
        vec![
            edited(TALK, 2, "words in its mouth"),
            edits(TALK, 1, AuthorKind::Companion, "words in mine"),
            edits(TALK, 2, AuthorKind::Companion, "its own"),
            edited(TALK, 1, "my own"),
        ],
    );
    assert_eq!(
        stored.iter().map(|stored| stored.new).collect::<Vec<_>>(),
        [false, false, true, true]
    );
    assert_eq!(
        texts(&store.load_history(TALK, None, 9).wait().expect("read")),
        ["my own", "its own"]
    );
}

#[test]
fn edits_and_reactions_to_unknown_messages_change_nothing() {
    let store = memory();
    let react = |added| ChatEvent::Reaction {
        channel: TALK,
        message: MessageId(1),
        author: anna(),
        emoji: "👍".into(),
        added,
        at: 3,
    };
    let stored = store_all(
        &store,
        vec![
            edited(TALK, 1, "x"),
            react(true),
            said(TALK, 1, "y"),
            edited(TALK, 1, "y"),
        ],
    );
    assert_eq!(
        stored.iter().map(|stored| stored.new).collect::<Vec<_>>(),
        [false, false, true, false]
    );
    let stored = store_all(
        &store,
        vec![react(true), react(true), react(false), react(false)],
    );
    assert_eq!(
        stored.iter().map(|stored| stored.new).collect::<Vec<_>>(),
        [true, false, true, false]
    );
}

#[test]
fn history_is_read_in_pages_by_id() {
    let store = memory();
    store_all(
        &store,
        [3, 1, 5, 2, 4]
            .map(|id| said(TALK, id, &id.to_string()))
            .to_vec(),
    );
    assert_eq!(
        texts(&store.load_history(TALK, None, 2).wait().expect("read")),
        ["4", "5"]
    );
    assert_eq!(
        texts(
            &store
                .load_history(TALK, Some(MessageId(4)), 2)
                .wait()
                .expect("read")
        ),
        ["2", "3"]
    );
}

#[test]
fn ids_keep_their_order_up_to_the_largest_and_one_past_it_is_left_out_alone() {
    const LARGEST: u64 = i64::MAX as u64;
    let store = memory();
    // The third is a snowflake of today, the fourth one of the year 2084.
    let in_order = [
        1,
        1 << 53,
        1_466_000_000_000_000_001,
        (1 << 63) - (1 << 22),
        LARGEST - 1,
    ];
    store_all(
        &store,
        in_order
            .iter()
            .rev()
            .map(|id| at_noon(*id, &id.to_string()))
            .collect(),
    );
    let read = |before| {
        let lines = store.load_history(TALK, before, 9).wait().expect("read");
        lines
            .iter()
            .map(|line| line.message.id.0)
            .collect::<Vec<_>>()
    };
    assert_eq!(read(None), in_order);
    assert_eq!(
        read(Some(MessageId(u64::MAX))),
        in_order,
        "asked for by an id that cannot be"
    );
    assert_eq!(read(Some(MessageId(LARGEST - 1))), in_order[..4]);
    let together = [
        said(TALK, 7, "fine"),
        at_noon(LARGEST + 1, "no"),
        deleted(TALK, u64::MAX),
        said(TALK, 8, "fine, too"),
    ];
    let stored = store.append(together.to_vec()).wait().expect("stored");
    let are_new: Vec<bool> = stored.iter().map(|stored| stored.new).collect();
    assert_eq!(
        are_new,
        [true, false, false, true],
        "it takes no other with it"
    );
    assert_eq!(read(None).len(), in_order.len() + 2);
    assert_eq!(
        store
            .search(search("fine", &[TALK, ChannelId(u64::MAX)]))
            .wait()
            .expect("searched")
            .len(),
        2
    );
}

fn at_noon(id: u64, text: &str) -> ChatEvent {
    let ChatEvent::Message(message) = said(TALK, 0, text) else {
        unreachable!()
    };
    ChatEvent::Message(Message {
        id: MessageId(id),
        at: 43_200_000,
        ..message
    })
}

#[tokio::test]
async fn async_code_awaits_and_many_small_appends_share_commits_in_order() {
    let (_folder, path) = on_disk();
    let store = open(&path);
    let pending: Vec<_> = (1..=500)
        .map(|id| store.append(vec![said(TALK, id, "x")]))
        .collect();
    for (arrival, pending) in (1..).zip(pending) {
        assert_eq!(
            pending.await,
            Ok(vec![AppendOutcome {
                arrival,
                new: true,
                ..AppendOutcome::default()
            }])
        );
    }
    assert_eq!(
        store
            .load_history(TALK, None, 1_000)
            .await
            .expect("read")
            .len(),
        500
    );
}

#[test]
fn a_temporary_store_does_all_the_same() {
    let store = Store::open_temporary().expect("opened");
    store_all(
        &store,
        (1..=5_000)
            .map(|id| said(TALK, id, "some words to find"))
            .collect(),
    );
    store_all(&store, vec![said(TALK, 9_000, "needle"), deleted(TALK, 1)]);
    assert_eq!(find(&store, "needle"), [9_000]);
    assert_eq!(
        store
            .load_history(TALK, None, 9_999)
            .wait()
            .expect("read")
            .len(),
        5_000
    );
}
