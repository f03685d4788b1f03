//! Whom a prompt is told of and what, and that nobody is told what they may not see.

use std::collections::BTreeSet;
use std::sync::Arc;

use kith_core::chat::{Author, AuthorKind, ChannelId, DAY, HOUR, Message, MessageId, UserId};
use kith_core::context::PersonProfile;
use kith_core::event::ChatEvent;
use kith_core::memory_entry::{
    MemoryContent, MemoryDraft, MemoryKind, MemoryOrigin, MemoryOutcome,
};
use kith_core::persona::Language;
use kith_memory::{Memory, ProfileQuestion};
use kith_store::{MemoryBatch, Store};
use kith_tools::{NumberedLine, NumberedLines, ToolContext, ToolHost, ToolRegistry};
use proptest::prelude::*;
use serde_json::json;

use crate::registry::{NOW, call, context};

const NAMES: [&str; 5] = ["Anna", "Ben", "Cleo", "Dan", "Eve"];

fn person(index: usize) -> Author {
    Author {
        id: UserId(100 + index as u64),
        name: NAMES[index].into(),
        kind: AuthorKind::Person,
    }
}

fn id(name: &str) -> UserId {
    let index = NAMES.iter().position(|known| *known == name);
    person(index.expect("a name of the test")).id
}

/// A message of somebody; its id is its number.
fn said(channel: ChannelId, number: u64, author: usize, text: &str, at: i64) -> ChatEvent {
    ChatEvent::Message(Message {
        id: MessageId(number),
        channel,
        arrival: 0,
        at,
        author: person(author),
        text: text.into(),
        reply_to: None,
        mentions: Vec::new(),
    })
}

fn fact(channel: ChannelId, whom: &str, teller: &str, text: &str, source: u64) -> MemoryDraft {
    MemoryDraft {
        content: MemoryContent {
            person: Some(id(whom)),
            said_by: Some(id(teller)),
            text: text.into(),
            at: NOW,
            confidence: 0.8,
            sources: vec![MessageId(source)],
            ..MemoryContent::new(MemoryKind::About, channel, MemoryOrigin::Companion)
        },
        supersedes: Vec::new(),
    }
}

fn of_kind(mut draft: MemoryDraft, kind: MemoryKind, due: Option<i64>) -> MemoryDraft {
    (draft.content.kind, draft.content.due) = (kind, due);
    draft
}

const HERE: ChannelId = ChannelId(1);

/// A memory of one channel where all five wrote one line each, Anna's first, ten days ago.
async fn after(drafts: Vec<MemoryDraft>) -> Memory {
    let store = Store::open_in_memory().unwrap();
    let lines = (0..NAMES.len()).map(|author| {
        let number = author as u64 + 1;
        said(HERE, number, author, "hi", NOW - 10 * DAY)
    });
    store.append(lines.collect()).await.unwrap();
    let memory = Memory::new(store);
    let batch = MemoryBatch {
        drafts,
        begun: NOW,
        consolidated: None,
    };
    let outcomes = memory.remember(batch).await.unwrap();
    assert!(
        outcomes
            .iter()
            .all(|done| matches!(done, MemoryOutcome::Kept(_))),
        "{outcomes:?}"
    );
    memory
}

async fn ask(memory: &Memory, speakers: &[&str], newest: &[&str]) -> Vec<PersonProfile> {
    let question = ProfileQuestion {
        speakers: speakers.iter().map(|name| id(name)).collect(),
        newest,
        now: NOW,
    };
    memory.load_profiles(&[HERE], question).await
}

fn told(profiles: &[PersonProfile]) -> Vec<(&str, Vec<&str>)> {
    profiles
        .iter()
        .map(|profile| {
            let texts = profile.facts.iter().map(|fact| &*fact.content.text);
            (&*profile.name, texts.collect())
        })
        .collect()
}

#[tokio::test]
async fn the_newest_speaker_comes_first_then_who_is_spoken_of_then_the_others() {
    let memory = after(vec![
        fact(HERE, "Anna", "Anna", "plays the cello", 1),
        fact(HERE, "Ben", "Ben", "bakes bread", 2),
        fact(HERE, "Cleo", "Cleo", "paints boats", 3),
        of_kind(
            fact(HERE, "Dan", "Dan", "Danimal", 4),
            MemoryKind::Name,
            None,
        ),
    ])
    .await;
    let newest = ["what about CLEO and danimal?", "hm"];
    let profiles = ask(&memory, &["Ben", "Eve", "Anna"], &newest).await;
    let wanted = [
        ("Ben", vec!["bakes bread"]),
        ("Cleo", vec!["paints boats"]),
        ("Dan", vec!["Danimal"]),
        ("Anna", vec!["plays the cello"]),
    ];
    assert_eq!(told(&profiles), wanted);
    let seen: Vec<_> = profiles.iter().map(|profile| profile.last_seen).collect();
    let away = Some(NOW - 10 * DAY);
    assert_eq!(seen, [None, away, away, None]);
    assert!(ask(&memory, &["Eve"], &["hi"]).await.is_empty());
}

#[tokio::test]
async fn of_the_same_fact_the_own_word_counts_and_hearsay_names_its_teller() {
    let memory = after(vec![
        fact(HERE, "Anna", "Ben", "plays the cello", 2),
        fact(HERE, "Anna", "Anna", "plays the cello!", 1),
        fact(HERE, "Anna", "Ben", "snores", 2),
    ])
    .await;
    let profiles = ask(&memory, &["Anna"], &[]).await;
    assert_eq!(
        told(&profiles),
        [("Anna", vec!["plays the cello!", "snores"])]
    );
    let tellers: Vec<_> = profiles[0]
        .facts
        .iter()
        .map(|fact| fact.teller.as_deref())
        .collect();
    assert_eq!(tellers, [None, Some("Ben")]);
}

#[tokio::test]
async fn what_is_due_soon_is_told_first_of_all_and_what_is_over_is_not() {
    let promise = |text, due| {
        let fact = fact(HERE, "Anna", "Anna", text, 1);
        of_kind(fact, MemoryKind::Promise, Some(due))
    };
    let mut drafts: Vec<MemoryDraft> = (0..9)
        .map(|n| fact(HERE, "Anna", "Anna", &format!("likes song {n}"), 1))
        .collect();
    drafts.push(promise("exam", NOW + DAY));
    drafts.push(promise("old exam", NOW - 20 * DAY));
    let memory = after(drafts).await;
    let profiles = ask(&memory, &["Anna"], &[]).await;
    let facts = &profiles[0].facts;
    assert_eq!(facts.len(), 5);
    assert_eq!(facts[4].content.text, "exam");
    assert!(facts.iter().all(|fact| fact.content.text != "old exam"));
}

#[tokio::test]
async fn what_a_prompt_was_told_counts_as_used_once_an_hour() {
    let memory = after(vec![fact(HERE, "Anna", "Anna", "plays the cello", 1)]).await;
    for _ in 0..3 {
        assert_eq!(ask(&memory, &["Anna"], &[]).await.len(), 1);
    }
    let question = ProfileQuestion {
        speakers: vec![id("Anna")],
        newest: &[],
        now: NOW + 2 * HOUR,
    };
    memory.load_profiles(&[HERE], question).await;
    let search = kith_store::MemorySearch {
        channels: vec![HERE],
        limit: 9,
        ..kith_store::MemorySearch::default()
    };
    let found = memory.find_memories(search).await.unwrap();
    assert_eq!((found[0].uses, found[0].used_at), (2, Some(NOW + 2 * HOUR)));
}

/// Who can see each channel; the companion sees all. The last two are direct messages of Anna and of Ben.
#[derive(Clone, Debug)]
struct Audiences(Vec<BTreeSet<usize>>);

const CHANNELS: usize = 7;

fn audiences() -> impl Strategy<Value = Audiences> {
    let groups = prop::collection::vec(
        prop::collection::btree_set(0..NAMES.len(), 1..=NAMES.len()),
        CHANNELS - 3,
    );
    (groups, any::<bool>()).prop_map(|(mut groups, is_private)| {
        // A thread below the first channel: open to all who see that, or to some of them.
        let thread = match is_private {
            true => groups[0].intersection(&groups[1]).copied().collect(),
            false => groups[0].clone(),
        };
        groups.extend([thread, [0].into(), [1].into()]);
        Audiences(groups)
    })
}

fn place(index: usize) -> ChannelId {
    ChannelId(index as u64 + 1)
}

impl Audiences {
    fn is_direct(&self, index: usize) -> bool {
        index >= CHANNELS - 2
    }

    /// Whether everybody who sees one channel sees the other. What is said in a direct message stays there.
    fn may_show(&self, source: usize, here: usize) -> bool {
        let is_apart = self.is_direct(source) || self.is_direct(here);
        source == here || !is_apart && self.0[here].is_subset(&self.0[source])
    }
}

impl ToolHost for Audiences {
    fn find_readable_channels(&self, channel: ChannelId) -> Vec<ChannelId> {
        let here = channel.0 as usize - 1;
        let all = 0..self.0.len();
        all.filter(|source| self.may_show(*source, here))
            .map(place)
            .collect()
    }
}

/// Something somebody said of somebody in a channel; it may take the place of an earlier thing.
#[derive(Clone, Debug)]
struct Secret {
    place: usize,
    teller: usize,
    whom: usize,
    kind: usize,
    replaces: Option<usize>,
}

fn secret() -> impl Strategy<Value = Secret> {
    let place = 0..CHANNELS;
    let people = (0..NAMES.len(), 0..NAMES.len());
    (place, people, 0..5_usize, prop::option::of(0..40_usize)).prop_map(
        |(place, (teller, whom), kind, replaces)| Secret {
            place,
            teller,
            whom,
            kind,
            replaces,
        },
    )
}

const KINDS: [MemoryKind; 5] = [
    MemoryKind::Name,
    MemoryKind::About,
    MemoryKind::Relation,
    MemoryKind::Manner,
    MemoryKind::Promise,
];

/// A word nobody else says.
fn word(number: usize) -> String {
    format!("qz{number}jx")
}

/// A store in which all of it was said and remembered.
async fn keep_all(secrets: &[Secret]) -> Memory {
    let store = Store::open_in_memory().unwrap();
    let lines = secrets.iter().enumerate().map(|(number, secret)| {
        let text = format!("{} {}", NAMES[secret.whom], word(number));
        let at = NOW - DAY + number as i64;
        said(
            place(secret.place),
            number as u64 + 1,
            secret.teller,
            &text,
            at,
        )
    });
    // Everybody is known by name, and in every channel something can be remembered from.
    let hello = |index: usize| said(place(index), HELLO + index as u64, 0, "hello", NOW);
    let names = |author: usize| said(place(0), 2 * HELLO + author as u64, author, "hi", NOW);
    let lines = lines.chain((0..CHANNELS).map(hello));
    let lines = lines.chain((0..NAMES.len()).map(names));
    store.append(lines.collect()).await.unwrap();
    let memory = Memory::new(store);
    let mut kept = Vec::new();
    for (number, secret) in secrets.iter().enumerate() {
        let (whom, teller) = (NAMES[secret.whom], NAMES[secret.teller]);
        let source = number as u64 + 1;
        let draft = fact(place(secret.place), whom, teller, &word(number), source);
        let mut draft = of_kind(draft, KINDS[secret.kind], None);
        let replaced = secret.replaces.and_then(|earlier| kept.get(earlier));
        draft.supersedes.extend(replaced.copied());
        let batch = MemoryBatch {
            drafts: vec![draft],
            begun: NOW,
            consolidated: None,
        };
        match memory.remember(batch).await.unwrap()[..] {
            [MemoryOutcome::Kept(id)] => kept.push(id),
            ref other => panic!("{other:?}"),
        }
    }
    memory
}

/// The first of the messages that stand in every channel.
const HELLO: u64 = 900;

/// What the prompt of a channel is told, and what the tool says there that looks up what it replaces.
async fn tell(
    (registry, context): (&ToolRegistry, &ToolContext),
    audiences: &Audiences,
    here: usize,
) -> String {
    let memory = &context.memory;
    let host = audiences.clone();
    let channels = host.find_readable_channels(place(here));
    let everybody = (0..NAMES.len()).map(|index| person(index).id);
    let question = ProfileQuestion {
        speakers: everybody.collect(),
        newest: &NAMES,
        now: NOW,
    };
    let profiles = memory.load_profiles(&channels, question).await;
    let mut text = format!("{profiles:?}");
    let line = |index: usize| NumberedLine {
        number: index as u16 + 1,
        message: MessageId(HELLO + here as u64),
        author: person(index),
    };
    let context = ToolContext {
        channel: place(here),
        host: Arc::new(host),
        lines: NumberedLines::new((0..NAMES.len()).map(line)),
        ..context.clone()
    };
    // What takes the place of anything tells what that was.
    for name in NAMES {
        let params = json!({"name": name, "text": "has changed", "old": "qz", "line": 1});
        let result = registry.run(call("update_person", params), context.clone());
        text.push_str(&result.await.content);
    }
    text
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn no_profile_and_no_result_holds_what_somebody_in_the_channel_may_not_see(
        before in audiences(),
        after in audiences(),
        secrets in prop::collection::vec(secret(), 1..30),
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let (mut shown, mut hidden) = (0, 0);
        runtime.block_on(async {
            let registry = ToolRegistry::load_builtin();
            let context = ToolContext {
                memory: keep_all(&secrets).await,
                ..context(Language::EN)
            };
            // Who may see what is asked now, not when it was said.
            for audiences in [&before, &after] {
                for here in 0..CHANNELS {
                    let text = tell((&registry, &context), audiences, here).await;
                    for (number, secret) in secrets.iter().enumerate() {
                        let is_told = text.contains(&word(number));
                        shown += usize::from(is_told);
                        hidden += usize::from(!is_told);
                        let may = audiences.may_show(secret.place, here);
                        assert!(may || !is_told, "{secret:?} in {here} of {audiences:?}");
                    }
                }
            }
        });
        prop_assert!(shown > 0 && hidden > 0, "else this shows nothing");
    }
}
