//! What a former session tells of a channel comes to the same as what stands there in the end.

use std::collections::BTreeMap;

use kith_core::chat::MessageId;
use kith_discord::backfill::MissedInChannel;
use kith_discord::missed_events::MissedEvent;
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};

/// Ids below this were there before.
const FIRST_NEW: u64 = 5;
const LAST: u64 = 10;

#[derive(Clone, Copy, Debug)]
enum Change {
    Write(u64),
    Edit(u64, u64),
    Unfurl(u64),
    Delete(u64),
}

fn any_change() -> impl Strategy<Value = Change> {
    prop_oneof![
        3 => (FIRST_NEW..LAST).prop_map(Change::Write),
        3 => (1..LAST, 1..9_u64).prop_map(|(id, text)| Change::Edit(id, text)),
        1 => (1..LAST).prop_map(Change::Unfurl),
        2 => (1..LAST).prop_map(Change::Delete),
    ]
}

fn message(id: u64, text: u64) -> Value {
    json!({"id": id.to_string(), "author": {"id": "1"}, "content": text.to_string()})
}

fn list(messages: BTreeMap<u64, u64>) -> Vec<Value> {
    messages
        .into_iter()
        .map(|(id, text)| message(id, text))
        .collect()
}

proptest! {
    #[test]
    fn what_is_told_comes_to_what_stands_there_in_the_end(changes in vec(any_change(), 0..30)) {
        let (mut events, mut written, mut deleted) = (Vec::new(), Vec::new(), Vec::new());
        let mut new = BTreeMap::new();
        let mut old = BTreeMap::new();
        for change in changes {
            match change {
                // An id is given once.
                Change::Write(id) if written.contains(&id) => {}
                Change::Write(id) => {
                    written.push(id);
                    new.insert(id, 0);
                    events.push(MissedEvent::Created(message(id, 0)));
                }
                // What is not there cannot change.
                Change::Edit(id, _) | Change::Unfurl(id) | Change::Delete(id)
                    if deleted.contains(&id) || id >= FIRST_NEW && !written.contains(&id) => {}
                Change::Edit(id, text) => {
                    let place = if id < FIRST_NEW { &mut old } else { &mut new };
                    place.insert(id, text);
                    events.push(MissedEvent::Updated(message(id, text)));
                }
                Change::Unfurl(id) => {
                    events.push(MissedEvent::Updated(json!({"id": id.to_string(), "embeds": []})));
                }
                Change::Delete(id) => {
                    deleted.push(id);
                    old.remove(&id);
                    new.remove(&id);
                    events.push(MissedEvent::Deleted(vec![MessageId(id)]));
                }
            }
        }
        let told = MissedInChannel::from_events(events);
        prop_assert_eq!(told.messages, list(new));
        prop_assert_eq!(told.edited, list(old));
        prop_assert_eq!(told.deleted, deleted.into_iter().map(MessageId).collect::<Vec<_>>());
        prop_assert_eq!(told.newest, written.into_iter().max().map(MessageId));
    }
}
