//! `update_person` and `remember`: what is kept of whom, by whose word, in whose place, and what is not kept at all.

use std::sync::Arc;

use kith_core::call::ToolResult;
use kith_core::chat::{Author, AuthorKind, ChannelId, HOUR, MINUTE, Message, MessageId, UserId};
use kith_core::event::ChatEvent;
use kith_core::memory_entry::{
    MemoryContent, MemoryDraft, MemoryEntry, MemoryKind, MemoryOrigin, MemoryOutcome, MemoryRefusal,
};
use kith_core::persona::Language;
use kith_core::preference::PersonPreference;
use kith_store::{MemoryBatch, MemoryEdit, MemorySearch};
use kith_tools::{NumberedLine, NumberedLines, ToolContext, ToolHost, ToolRegistry};
use serde_json::{Value, json};

use crate::registry::{NOW, call, context};

const HERE: ChannelId = ChannelId(1);
const ANNA: UserId = UserId(11);
const BEN: UserId = UserId(12);
const JUNO: UserId = UserId(13);

struct Alone;

impl ToolHost for Alone {
    fn find_readable_channels(&self, channel: ChannelId) -> Vec<ChannelId> {
        vec![channel]
    }
}

fn author(name: &str) -> Author {
    let (id, kind) = match name {
        "Anna" => (ANNA, AuthorKind::Person),
        "Ben" => (BEN, AuthorKind::Person),
        _ => (JUNO, AuthorKind::Companion),
    };
    Author {
        id,
        name: name.into(),
        kind,
    }
}

/// A channel where this was said, a line a minute, numbered from 1; the last an hour ago.
async fn after(said: &[(&str, &str)]) -> ToolContext {
    let context = context(Language::EN);
    let messages = said
        .iter()
        .enumerate()
        .map(|(index, (name, text))| Message {
            id: MessageId(100 + index as u64),
            channel: HERE,
            arrival: 0,
            at: NOW - HOUR - (said.len() - index) as i64 * MINUTE,
            author: author(name),
            text: (*text).into(),
            reply_to: None,
            mentions: Vec::new(),
        });
    let messages: Vec<Message> = messages.collect();
    let lines = messages
        .iter()
        .enumerate()
        .map(|(index, message)| NumberedLine {
            number: index as u16 + 1,
            message: message.id,
            author: message.author.clone(),
        });
    let lines = NumberedLines::new(lines.collect::<Vec<_>>());
    let events = messages.into_iter().map(ChatEvent::Message).collect();
    context.store.append(events).await.unwrap();
    ToolContext {
        lines,
        host: Arc::new(Alone),
        ..context
    }
}

async fn run(context: &ToolContext, name: &str, params: Value) -> ToolResult {
    ToolRegistry::load_builtin()
        .run(call(name, params), context.clone())
        .await
}

async fn update(context: &ToolContext, params: Value) -> String {
    let result = run(context, "update_person", params).await;
    assert!(!result.is_error, "{}", result.content);
    result.content
}

async fn remembered(context: &ToolContext) -> Vec<MemoryEntry> {
    let search = MemorySearch {
        channels: vec![HERE],
        limit: 99,
        ..MemorySearch::default()
    };
    context.store.find_memories(search).await.unwrap()
}

async fn texts(context: &ToolContext) -> Vec<String> {
    let all = remembered(context).await;
    all.into_iter().map(|entry| entry.content.text).collect()
}

#[tokio::test]
async fn a_fact_is_taken_from_the_line_that_says_it_and_is_hearsay_by_another() {
    let context = after(&[
        ("Anna", "I started to play the cello"),
        ("Juno", "a cello, how lovely"),
        ("Ben", "Anna also sings in a choir"),
        ("Anna", "haha stop it"),
    ])
    .await;
    let fact = json!({"name": "Anna", "text": " plays the  cello "});
    assert_eq!(update(&context, fact).await, "kept");
    let fact = json!({"name": "anna", "text": "sings in a choir"});
    assert_eq!(update(&context, fact).await, "kept");
    let all = remembered(&context).await;
    let shown: Vec<_> = all
        .iter()
        .map(|entry| {
            let content = &entry.content;
            (
                &*content.text,
                content.person,
                content.said_by,
                content.sources[0].0,
            )
        })
        .collect();
    let wanted = [
        ("sings in a choir", Some(ANNA), Some(BEN), 102),
        ("plays the cello", Some(ANNA), Some(ANNA), 100),
    ];
    assert_eq!(shown, wanted);
    assert!(all[0].content.is_hearsay() && !all[1].content.is_hearsay());
    assert!(all[0].content.confidence < all[1].content.confidence);
}

#[tokio::test]
async fn a_newer_fact_takes_the_place_of_the_words_it_names_and_of_another_date() {
    let context = after(&[
        ("Anna", "I work at the bakery, and my exam is on Friday"),
        (
            "Anna",
            "I quit, I'm a student now. the exam moved to Monday",
        ),
    ])
    .await;
    let exam = json!({"name": "Anna", "text": "has an exam on Friday", "kind": "promise", "due": "2026-03-06", "line": 1});
    update(&context, exam).await;
    let job = json!({"name": "Anna", "text": "is a baker", "line": 1});
    update(&context, job).await;
    let job = json!({"name": "Anna", "text": "is a student", "old": "a baker", "line": 2});
    assert_eq!(
        update(&context, job).await,
        "kept in the place of: is a baker"
    );
    let exam = json!({"name": "Anna", "text": "the exam is on Monday", "kind": "promise", "due": "2026-03-09", "line": 2});
    assert_eq!(
        update(&context, exam).await,
        "kept in the place of: has an exam on Friday"
    );
    assert_eq!(
        texts(&context).await,
        ["the exam is on Monday", "is a student"]
    );
    // Midnight in Berlin.
    let due = remembered(&context).await[0].content.due;
    assert_eq!(due, Some(1_773_010_800_000));
}

#[tokio::test]
async fn something_that_happened_is_kept_with_the_lines_it_was_said_in() {
    let context = after(&[
        ("Ben", "good morning"),
        ("Anna", "the tent flew away at the picnic!"),
        ("Juno", "no way"),
        ("Ben", "into the lake"),
    ])
    .await;
    let result = run(
        &context,
        "remember",
        json!({"text": "the tent flew into the lake", "line": 2}),
    )
    .await;
    assert_eq!(result, ToolResult::ok("kept"));
    let [episode] = &remembered(&context).await[..] else {
        panic!("one episode");
    };
    let content = &episode.content;
    assert_eq!(content.kind, MemoryKind::Episode);
    assert_eq!(content.sources, [MessageId(101), MessageId(103)]);
    assert_eq!(
        (&content.people[..], content.person),
        (&[ANNA, BEN][..], None)
    );
}

#[tokio::test]
async fn what_cannot_be_kept_says_why_and_only_what_can_be_mended_is_an_error() {
    let context = after(&[("Anna", "I play the cello"), ("Juno", "nice")]).await;
    let long = "x".repeat(241);
    for (params, wanted) in [
        (
            json!({"name": "Zoe", "text": "sings"}),
            "nobody called Zoe is here; write the name as the history shows it",
        ),
        (
            json!({"name": "Juno", "text": "sings"}),
            "nobody called Juno is here; write the name as the history shows it",
        ),
        (
            json!({"name": "Anna", "text": "sings", "line": 9}),
            "there is no line 9; use a number from the start of a line in the history",
        ),
        (
            json!({"name": "Anna", "text": "sings", "line": 2}),
            "nobody said anything here that it could be taken from",
        ),
        (
            json!({"name": "Anna", "text": "sings", "due": "soon"}),
            "parameter `due` must be a date such as 2026-03-01",
        ),
        (
            json!({"name": "Anna", "text": long}),
            "say it in at most 240 characters",
        ),
        (
            json!({"name": "Anna", "text": " "}),
            "not kept: it says nothing",
        ),
    ] {
        let result = run(&context, "update_person", params).await;
        assert_eq!(result, ToolResult::error(wanted));
    }
    let gone = ChatEvent::Delete {
        channel: HERE,
        ids: vec![MessageId(100)],
        at: NOW,
    };
    context.store.append(vec![gone]).await.unwrap();
    let fact = || json!({"name": "Anna", "text": "sings", "line": 1});
    assert_eq!(
        update(&context, fact()).await,
        "not kept: what it was taken from is gone, or says something else now"
    );
    assert!(texts(&context).await.is_empty());
}

#[tokio::test]
async fn nothing_is_kept_of_somebody_who_does_not_want_to_be_remembered() {
    let context = after(&[("Anna", "I play the cello")]).await;
    let wish = PersonPreference::DontRemember;
    let set = context.store.set_preference(ANNA, wish, NOW);
    set.await.unwrap();
    let fact = json!({"name": "Anna", "text": "plays the cello"});
    assert_eq!(
        update(&context, fact).await,
        "not kept: somebody in it does not want to be remembered"
    );
    assert!(texts(&context).await.is_empty());
}

#[tokio::test]
async fn what_is_sensitive_is_kept_only_of_who_asks_in_their_own_words() {
    let context = after(&[
        ("Anna", "I'm allergic to peanuts"),
        ("Ben", "juno remember that I have diabetes"),
        ("Ben", "and remember that I told you Anna is depressed"),
    ])
    .await;
    let refused = "not kept: health, sexuality, religion, politics and whereabouts are kept only of people who ask for \
                   it themselves";
    for params in [
        json!({"name": "Anna", "text": "is allergic to peanuts"}),
        json!({"name": "Anna", "text": "is depressed", "line": 3}),
    ] {
        assert_eq!(update(&context, params).await, refused);
    }
    let result = run(
        &context,
        "remember",
        json!({"text": "Ben told of his diabetes"}),
    )
    .await;
    assert_eq!(result, ToolResult::ok(refused));
    let asked = json!({"name": "Ben", "text": "has diabetes"});
    assert_eq!(update(&context, asked).await, "kept");
    assert_eq!(texts(&context).await, ["has diabetes"]);
}

#[tokio::test]
async fn whoever_writes_it_down_nothing_sensitive_is_kept_unasked() {
    let context = after(&[("Anna", "I'm allergic to peanuts")]).await;
    let draft = |origin| MemoryDraft {
        content: MemoryContent {
            kind: MemoryKind::About,
            channel: HERE,
            person: Some(ANNA),
            people: Vec::new(),
            said_by: Some(ANNA),
            text: "is allergic to peanuts".into(),
            at: NOW,
            due: None,
            confidence: 0.8,
            importance: 0.5,
            origin,
            sources: vec![MessageId(100)],
        },
        supersedes: Vec::new(),
    };
    let keep = async |origin| {
        let batch = MemoryBatch {
            drafts: vec![draft(origin)],
            begun: NOW,
            consolidated: None,
        };
        context.memory.remember(batch).await.unwrap()[0]
    };
    for origin in [
        MemoryOrigin::Companion,
        MemoryOrigin::Consolidation,
        MemoryOrigin::Host,
    ] {
        let refused = MemoryOutcome::Refused(MemoryRefusal::Sensitive);
        assert_eq!(keep(origin).await, refused);
    }
    let MemoryOutcome::Kept(id) = keep(MemoryOrigin::Person).await else {
        panic!("her own command");
    };
    let edit = |origin, said_by| MemoryEdit {
        text: "is allergic to nuts".into(),
        origin,
        said_by,
    };
    let by_host = edit(MemoryOrigin::Host, None);
    let corrected = context.memory.correct(id, by_host, NOW).await;
    assert_eq!(corrected, Ok(None));
    let by_her = edit(MemoryOrigin::Person, Some(ANNA));
    let corrected = context.memory.correct(id, by_her, NOW).await;
    assert!(corrected.unwrap().is_some());
    assert_eq!(texts(&context).await, ["is allergic to nuts"]);
}

#[tokio::test]
async fn an_outcome_stands_where_its_draft_stood() {
    let context = after(&[("Anna", "I play the cello")]).await;
    let draft = |text: &str| MemoryDraft {
        content: MemoryContent {
            person: Some(ANNA),
            said_by: Some(ANNA),
            text: text.into(),
            at: NOW,
            confidence: 0.8,
            sources: vec![MessageId(100)],
            ..MemoryContent::new(MemoryKind::About, HERE, MemoryOrigin::Companion)
        },
        supersedes: Vec::new(),
    };
    let texts = ["plays the cello", "has cancer", "plays music"];
    let batch = MemoryBatch {
        drafts: texts.map(draft).to_vec(),
        begun: NOW,
        consolidated: None,
    };
    let outcomes = context.memory.remember(batch).await.unwrap();
    assert!(matches!(
        outcomes[..],
        [
            MemoryOutcome::Kept(_),
            MemoryOutcome::Refused(MemoryRefusal::Sensitive),
            MemoryOutcome::Kept(_)
        ]
    ));
}
