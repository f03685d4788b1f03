//! What a former session tells of a channel comes to the same as what stands there in the end, in whatever order it is told.

use std::collections::BTreeMap;

use kith_core::chat::MessageId;
use kith_discord::backfill::MissedInChannel;
use kith_discord::missed_events::MissedEvent;
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;
use serde_json::{Value, json};

/// Up to this message all was known.
const KNOWN: u64 = 4;
const LAST: u64 = 10;

#[derive(Clone, Copy, Debug)]
enum Change {
    Write(u64),
    Edit(u64),
    Unfurl(u64),
    Delete(u64),
}

fn any_change() -> impl Strategy<Value = Change> {
    prop_oneof![
        3 => (KNOWN..LAST).prop_map(Change::Write),
        3 => (1..LAST).prop_map(Change::Edit),
        1 => (1..LAST).prop_map(Change::Unfurl),
        1 => (1..LAST).prop_map(Change::Delete),
    ]
}

/// A message that was edited at this moment; never at 0.
fn message(id: u64, edited: usize) -> Value {
    let at = (edited > 0).then(|| format!("2027-01-01T00:00:{edited:02}.000000+00:00"));
    json!({"id": id.to_string(), "author": {"id": "1"}, "content": edited.to_string(), "edited_timestamp": at})
}

fn list(messages: impl Iterator<Item = (u64, usize)>) -> Vec<Value> {
    messages.map(|(id, edited)| message(id, edited)).collect()
}

proptest! {
    #[test]
    fn what_is_told_comes_to_what_stands_there_in_the_end(
        changes in vec(any_change(), 0..30),
        swapped in vec((any::<Index>(), any::<Index>()), 0..6),
        twice in vec(any::<Index>(), 0..4),
    ) {
        let (mut events, mut written, mut deleted) = (Vec::new(), Vec::new(), Vec::new());
        let mut standing = BTreeMap::new();
        for (moment, change) in (1..).zip(changes) {
            match change {
                // An id is given once.
                Change::Write(id) if written.contains(&id) => {}
                Change::Write(id) => {
                    written.push(id);
                    standing.insert(id, 0);
                    events.push(MissedEvent::Created(message(id, 0)));
                }
                // What is not there cannot change.
                Change::Edit(id) | Change::Unfurl(id) | Change::Delete(id)
                    if deleted.contains(&MessageId(id)) || id >= KNOWN && !written.contains(&id) => {}
                Change::Edit(id) => {
                    standing.insert(id, moment);
                    events.push(MissedEvent::Updated(message(id, moment)));
                }
                Change::Unfurl(id) => {
                    events.push(MissedEvent::Updated(json!({"id": id.to_string(), "author": {"id": "1"}, "embeds": []})));
                }
                Change::Delete(id) => {
                    deleted.push(MessageId(id));
                    standing.remove(&id);
                    events.push(MissedEvent::Deleted(vec![MessageId(id)]));
                }
            }
        }
        if !events.is_empty() {
            for (one, other) in swapped {
                let (one, other) = (one.index(events.len()), other.index(events.len()));
                events.swap(one, other);
            }
            for event in twice {
                let again = events[event.index(events.len())].clone();
                events.push(again);
            }
        }
        let mut told = MissedInChannel::from_events(events, MessageId(KNOWN));
        told.deleted.sort_unstable();
        told.deleted.dedup();
        deleted.sort_unstable();
        let is_new = |(id, _): &(u64, usize)| *id > KNOWN;
        let (new, old): (Vec<_>, Vec<_>) = standing.into_iter().partition(is_new);
        prop_assert_eq!(told.messages, list(new.into_iter()));
        prop_assert_eq!(told.edited, list(old.into_iter().filter(|(_, edited)| *edited > 0)));
        prop_assert_eq!(told.deleted, deleted);
        prop_assert_eq!(told.newest, written.into_iter().max().map(MessageId));
    }
}
