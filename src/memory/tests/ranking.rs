//! What makes one line a better answer than another: that it answers by a reply, and when it was said.

use kith_core::chat::{Author, AuthorKind, ChannelId, DAY, Message, MessageId, Millis, UserId};
use kith_core::event::ChatEvent;
use kith_core::recall::TimeRange;
use kith_memory::{Memory, RecallQuestion, RecallSources};
use kith_store::Store;

const HERE: ChannelId = ChannelId(1);
const MINUTE: Millis = 60_000;

/// Who says what when, and the number of the line it answers, counted from 1.
type Said = (u64, Millis, &'static str, Option<u64>);

async fn remember(lines: &[Said]) -> Memory {
    let say = |(id, (author, at, text, answers)): (u64, &Said)| {
        ChatEvent::Message(Message {
            id: MessageId(id),
            channel: HERE,
            arrival: 0,
            at: *at,
            author: Author {
                id: UserId(*author),
                name: format!("person {author}").into(),
                kind: AuthorKind::Person,
            },
            text: (*text).into(),
            reply_to: answers.map(MessageId),
            mentions: Vec::new(),
        })
    };
    let store = Store::open_in_memory().unwrap();
    store
        .append((1..).zip(lines).map(say).collect())
        .await
        .unwrap();
    Memory::new(store)
}

async fn find(memory: &Memory, question: RecallQuestion) -> Vec<u64> {
    let sources = RecallSources {
        here: HERE,
        channels: vec![HERE],
        shown_from: None,
        begins_after: None,
    };
    let limit = 20;
    let question = RecallQuestion { limit, ..question };
    let found = memory.search(&sources, question).await.unwrap();
    found.iter().map(|hit| hit.id.0).collect()
}

#[tokio::test]
async fn a_reply_is_found_by_what_it_answers_though_others_talk_between_them() {
    let mut lines = vec![(1, 0, "which key opens the boathouse?", None)];
    lines.extend((1..15).map(|minute| (2, minute * MINUTE, "still raining over here", None)));
    lines.push((3, 15 * MINUTE, "the small brass one", Some(1)));
    let memory = remember(&lines).await;
    let question = RecallQuestion {
        words: "boathouse key".into(),
        ..RecallQuestion::default()
    };
    let found = find(&memory, question).await;
    assert_eq!(found[..2], [1, 16], "{found:?}");
}

#[tokio::test]
async fn what_was_said_at_the_time_that_is_spoken_of_comes_first() {
    let memory = remember(&[
        (1, DAY, "the soup was too salty", None),
        (2, 10 * DAY, "that soup was far too hot", None),
        (1, 20 * DAY, "no more soup for me", None),
    ])
    .await;
    for (period, wanted) in [(1, 1), (10, 2), (20, 3)] {
        let question = RecallQuestion {
            words: "how was the soup".into(),
            period: Some(TimeRange {
                from: period * DAY,
                to: period * DAY + DAY,
            }),
            ..RecallQuestion::default()
        };
        assert_eq!(find(&memory, question).await[0], wanted);
    }
}
