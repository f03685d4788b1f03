//! Facts come to mind when they are spoken of again, after a little and after a lot of small talk, and nothing does where
//! there is only small talk.

use std::collections::BTreeMap;

use kith_core::chat::{Author, AuthorKind, ChannelId, Message, MessageId, Millis, TurnId, UserId};
use kith_core::event::ChatEvent;
use kith_core::recall::RecallCue;
use kith_memory::{Memory, RecallContext, RecallSources};
use kith_store::Store;
use tempfile::TempDir;

use crate::chatter::{self, SmallTalk};
use crate::facts::{self, Fact};

const HERE: ChannelId = ChannelId(1);
/// How long after a line the next one is said.
const PAUSE: Millis = 40_000;
/// How many of the newest lines the prompt shows.
const SHOWN: u64 = 100;
/// The most lines of which something may come to mind.
const CUES: usize = 4;
/// How many turns with nothing but small talk are looked at.
const UNRELATED: u64 = 50;

/// A group that has told each other facts and then talked for a long time.
struct Group {
    memory: Memory,
    small_talk: SmallTalk,
    /// How many lines have been said.
    said: u64,
    turns: u64,
    people: BTreeMap<&'static str, UserId>,
    _folder: TempDir,
}

impl Group {
    async fn new(facts: &[&[Fact]], small_talk: SmallTalk, lines: u64) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(&folder.path().join("kith.db")).unwrap();
        let people = facts
            .concat()
            .iter()
            .map(|(name, ..)| *name)
            .collect::<Vec<_>>();
        let people = (10..)
            .zip(people)
            .map(|(id, name)| (name, UserId(id)))
            .collect();
        let mut group = Self {
            memory: Memory::new(store.clone()),
            small_talk,
            said: 0,
            turns: 0,
            people,
            _folder: folder,
        };
        let told = facts.concat().into_iter();
        let mut events: Vec<ChatEvent> = told
            .map(|(name, text, _)| group.message(name, text))
            .collect();
        for number in 0..lines {
            let text = group.small_talk.line(number);
            let names: Vec<&str> = group.people.keys().copied().collect();
            let name = names[(number * 7 + number / 3) as usize % names.len()];
            events.push(group.message(name, &text));
        }
        for batch in events.chunks(1_000) {
            store.append(batch.to_vec()).await.unwrap();
        }
        group
    }

    fn message(&mut self, name: &'static str, text: &str) -> ChatEvent {
        self.said += 1;
        ChatEvent::Message(Message {
            id: MessageId(self.said),
            channel: HERE,
            arrival: 0,
            at: self.said as Millis * PAUSE,
            author: Author {
                id: self.people[name],
                name: name.into(),
                kind: AuthorKind::Person,
            },
            text: text.into(),
            reply_to: None,
            mentions: Vec::new(),
        })
    }

    /// What comes to mind of some lines, newest first.
    async fn recall(&mut self, lines: Vec<(UserId, String)>) -> Vec<String> {
        let cues = lines.into_iter().map(|(author, text)| RecallCue {
            author,
            text: text.into(),
            answers: None,
            period: None,
        });
        self.recall_by_cues(cues.collect()).await
    }

    async fn recall_by_cues(&mut self, cues: Vec<RecallCue>) -> Vec<String> {
        self.turns += 1;
        let moment = RecallContext {
            turn: TurnId(self.turns),
            cues,
            names: vec!["Juno".into(), "阿柚".into()],
        };
        let sources = RecallSources {
            here: HERE,
            channels: vec![HERE],
            shown_from: Some(MessageId(self.said.saturating_sub(SHOWN))),
            begins_after: None,
        };
        let found = self.memory.recall_for_prompt(&sources, &moment).await;
        found.iter().map(|talk| talk.hit.text.to_string()).collect()
    }

    /// Small talk nobody has said yet, as the newest lines.
    fn small_talk(&self, round: u64, lines: usize) -> Vec<(UserId, String)> {
        let first = 1_000_000 + round * 10;
        let people: Vec<UserId> = self.people.values().copied().collect();
        (first..)
            .take(lines)
            .map(|number| {
                let author = people[number as usize % people.len()];
                (author, self.small_talk.line(number))
            })
            .collect()
    }

    /// How many of the facts come to mind when they are spoken of.
    async fn count_found(&mut self, facts: &[Fact]) -> usize {
        let mut count = 0;
        let people: Vec<UserId> = self.people.values().copied().collect();
        for (number, (name, fact, probe)) in facts.iter().enumerate() {
            let mut author = people[(number * 5 + 1) % people.len()];
            if author == self.people[name] {
                author = people[(number * 5 + 2) % people.len()];
            }
            let mut lines = self.small_talk(500 + number as u64, CUES - 1);
            lines.insert(0, (author, (*probe).to_owned()));
            let found = self.recall(lines).await;
            if found.iter().any(|text| text == fact) {
                count += 1;
            } else {
                println!("  not found: {probe} -> {fact}: {found:?}");
            }
        }
        count
    }

    /// In how many turns of small talk anything comes to mind: all of it is unfitting.
    async fn count_unfitting(&mut self) -> usize {
        let mut count = 0;
        for round in 0..UNRELATED {
            let lines = self.small_talk(round, CUES);
            let found = self.recall(lines.clone()).await;
            if !found.is_empty() {
                count += 1;
                println!(
                    "  unfitting: {:?}: {found:?}",
                    lines.iter().map(|line| &line.1).collect::<Vec<_>>()
                );
            }
        }
        count
    }
}

/// How many of each twelve facts come to mind, and how many of fifty turns show anything else.
async fn measure(sets: &[&[Fact; 12]], small_talk: SmallTalk, lines: u64) -> (Vec<usize>, usize) {
    let sets: Vec<&[Fact]> = sets.iter().map(|facts| facts.as_slice()).collect();
    let mut group = Group::new(&sets, small_talk, lines).await;
    let unfitting = group.count_unfitting().await;
    let mut found = Vec::new();
    for facts in sets {
        found.push(group.count_found(facts).await);
    }
    println!("{lines} lines: {found:?} of 12, {unfitting} of {UNRELATED} unfitting");
    (found, unfitting)
}

async fn assert_facts_come_to_mind(facts: [&[Fact; 12]; 3], small_talk: SmallTalk, lines: u64) {
    let (found, unfitting) = measure(&facts, small_talk, lines).await;
    assert!(
        found[0] >= 10 && found[1] >= 9 && found[2] >= 10 && unfitting <= 1,
        "{found:?} of 12 came to mind, {unfitting} of {UNRELATED} turns showed something unfitting"
    );
}

const ENGLISH_FACTS: [&[Fact; 12]; 3] =
    [&facts::ENGLISH, &facts::ENGLISH_HELD, &facts::ENGLISH_FRESH];
const CHINESE_FACTS: [&[Fact; 12]; 3] =
    [&facts::CHINESE, &facts::CHINESE_HELD, &facts::CHINESE_FRESH];

#[tokio::test]
async fn facts_come_to_mind_after_420_lines_and_small_talk_brings_up_nothing() {
    assert_facts_come_to_mind(ENGLISH_FACTS, chatter::ENGLISH, 420).await;
}

#[tokio::test]
async fn facts_come_to_mind_after_20_000_lines_and_small_talk_brings_up_nothing() {
    assert_facts_come_to_mind(ENGLISH_FACTS, chatter::ENGLISH, 20_000).await;
}

#[tokio::test]
async fn facts_in_chinese_come_to_mind_after_420_lines_and_small_talk_brings_up_nothing() {
    assert_facts_come_to_mind(CHINESE_FACTS, chatter::CHINESE, 420).await;
}

#[tokio::test]
async fn facts_in_chinese_come_to_mind_after_20_000_lines_and_small_talk_brings_up_nothing() {
    assert_facts_come_to_mind(CHINESE_FACTS, chatter::CHINESE, 20_000).await;
}

#[tokio::test]
async fn what_came_to_mind_does_not_come_again_in_the_next_turns() {
    let mut group = Group::new(&[&facts::ENGLISH], chatter::ENGLISH, 420).await;
    let (_, fact, probe) = facts::ENGLISH[0];
    let line = || vec![(UserId(99), probe.to_owned())];
    assert_eq!(group.recall(line()).await, [fact]);
    assert!(group.recall(line()).await.is_empty(), "the next turn");
}

#[tokio::test]
async fn a_message_that_is_answered_comes_to_mind_where_the_prompt_does_not_show_it() {
    let mut group = Group::new(&[&facts::ENGLISH], chatter::ENGLISH, 420).await;
    let mut answers = async |id: u64| {
        let cue = RecallCue {
            author: UserId(99),
            text: "wow, really?".into(),
            answers: Some(MessageId(id)),
            period: None,
        };
        group.recall_by_cues(vec![cue]).await
    };
    assert_eq!(answers(2).await, [facts::ENGLISH[1].1]);
    assert!(answers(425).await.is_empty(), "it is on show");
    assert!(answers(9_999).await.is_empty(), "nobody knows it");
}
