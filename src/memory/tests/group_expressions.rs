//! How a group talks is counted from what is stored now, so that what is erased is counted no more.

use kith_core::chat::{
    Author, AuthorKind, Channel, ChannelId, ChannelKind, DAY, Message, MessageId, Millis, UserId,
};
use kith_core::event::ChatEvent;
use kith_core::preference::PersonPreference;
use kith_memory::Memory;
use kith_store::Store;

const TALK: ChannelId = ChannelId(10);
const OTHER: ChannelId = ChannelId(11);
const NOW: Millis = 20_000 * DAY;

/// Three people who say the same on four days in one channel, and what else they say in both.
async fn talked() -> (Memory, Store) {
    let channel = |id| {
        ChatEvent::Channel(Channel {
            id,
            guild: None,
            name: "talk".into(),
            topic: "".into(),
            kind: ChannelKind::Group,
            parent: None,
        })
    };
    let mut events = vec![channel(TALK), channel(OTHER)];
    for day in 0..4 {
        for author in 1..=3 {
            for (channel, text) in [
                (TALK, "skrunkly yak season".to_owned()),
                (OTHER, format!("borrowed notes{day}x{author}")),
            ] {
                let id = events.len() as u64;
                events.push(ChatEvent::Message(Message {
                    id: MessageId(id),
                    channel,
                    arrival: 0,
                    at: NOW - (4 - day) * DAY,
                    author: Author {
                        id: UserId(author),
                        name: format!("person{author}").into(),
                        kind: AuthorKind::Person,
                    },
                    text: text.into(),
                    reply_to: None,
                    mentions: Vec::new(),
                }));
            }
        }
    }
    let store = Store::open_in_memory().expect("opened");
    store.append(events).await.expect("stored");
    (Memory::new(store.clone()), store)
}

async fn find(memory: &Memory, channel: ChannelId) -> Vec<String> {
    memory
        .find_group_expressions(channel, NOW)
        .await
        .expect("counted")
}

#[tokio::test]
async fn a_channel_has_its_own_expressions_and_no_others() {
    let (memory, _store) = talked().await;
    assert_eq!(find(&memory, TALK).await, ["skrunkly yak season"]);
    assert_eq!(find(&memory, OTHER).await, Vec::<String>::new());
}

#[tokio::test]
async fn when_one_of_three_people_is_not_to_be_remembered_their_word_is_not_told() {
    let (memory, store) = talked().await;
    assert!(!find(&memory, TALK).await.is_empty());
    let wish = PersonPreference::DontRemember;
    store
        .set_preference(UserId(2), wish, NOW)
        .await
        .expect("set");
    memory.drop_group_expressions(None);
    assert_eq!(find(&memory, TALK).await, Vec::<String>::new());
}

/// The messages up to a number are deleted, and the memory is told of it.
async fn delete_until(memory: &Memory, store: &Store, last: u64) {
    let deletion = ChatEvent::Delete {
        channel: TALK,
        ids: (1..=last).map(MessageId).collect(),
        at: NOW,
    };
    store.append(vec![deletion]).await.expect("deleted");
    memory.drop_group_expressions(Some(TALK));
}

#[tokio::test]
async fn what_was_deleted_is_counted_no_more() {
    let (memory, store) = talked().await;
    assert!(!find(&memory, TALK).await.is_empty());
    delete_until(&memory, &store, 8).await;
    let left = find(&memory, TALK).await;
    assert_eq!(left, ["skrunkly yak season"], "three days are left");
    delete_until(&memory, &store, 20).await;
    assert_eq!(find(&memory, TALK).await, Vec::<String>::new());
}
