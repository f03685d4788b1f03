//! Memories that stand in the database before a test begins, so that no test waits until a talk is over.

use kith_core::chat::{
    Author, AuthorKind, Channel, ChannelId, ChannelKind, Message, MessageId, UserId,
};
use kith_core::event::ChatEvent;
use kith_core::memory_entry::{MemoryContent, MemoryDraft, MemoryKind, MemoryOrigin};
use kith_store::MemoryBatch;
use kith_system::clock;
use kith_testkit::kith_process::KithProcess;

use crate::opened_store::open_store;

/// A fact about somebody of the room, told by Anna in a message of the lounge.
pub fn build_fact(person: u64, text: &str, source: &str) -> MemoryDraft {
    let content = MemoryContent {
        person: Some(UserId(person)),
        said_by: Some(UserId(2)),
        text: text.into(),
        sources: vec![MessageId(source.parse().unwrap())],
        ..MemoryContent::new(MemoryKind::About, ChannelId(10), MemoryOrigin::Companion)
    };
    MemoryDraft {
        content,
        supersedes: Vec::new(),
    }
}

/// Something that happened in the lounge, with Anna in it.
pub fn build_episode(text: &str, source: &str) -> MemoryDraft {
    let mut draft = build_fact(2, text, source);
    draft.content.kind = MemoryKind::Episode;
    draft.content.people = draft.content.person.take().into_iter().collect();
    draft.content.said_by = None;
    draft
}

/// The direct message that [`add_direct_message`] adds.
pub const LETTER: ChannelId = ChannelId(77);

/// Stops the program and lets Anna have said something in a direct message.
pub async fn add_direct_message(kith: &mut KithProcess, text: &str) {
    kith.stop();
    let store = open_store(kith);
    let channel = Channel {
        id: LETTER,
        guild: None,
        name: "Anna".into(),
        topic: "".into(),
        kind: ChannelKind::Direct,
        parent: None,
    };
    let message = Message {
        id: MessageId(1),
        channel: LETTER,
        arrival: 0,
        at: clock::now(),
        author: Author {
            id: UserId(2),
            name: "Anna".into(),
            kind: AuthorKind::Person,
        },
        text: text.into(),
        reply_to: None,
        mentions: Vec::new(),
    };
    let events = vec![ChatEvent::Channel(channel), ChatEvent::Message(message)];
    store.append(events).await.unwrap();
    drop(store);
    kith.start();
}

/// Stops the program, puts these into its database, and starts it again.
pub async fn remember(kith: &mut KithProcess, drafts: Vec<MemoryDraft>) {
    kith.stop();
    let store = open_store(kith);
    let batch = MemoryBatch {
        drafts,
        begun: i64::MAX,
        consolidated: None,
    };
    store.put_memories(batch).await.unwrap();
    drop(store);
    kith.start();
}
