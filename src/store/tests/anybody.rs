//! The same for whatever happened before: any mix of lines, quotes, mentions, reactions, edits, deletions, turns and
//! memories.

use kith_core::approval::ApprovalRequest;
use kith_core::chat::GuildId;
use kith_core::memory_entry::{MemoryContent, MemoryDraft, MemoryKind, MemoryOrigin};
use kith_core::session::{Session, SessionStart};
use kith_core::sticker::Sticker;
use kith_store::{MemoryBatch, StoreReply};
use proptest::prelude::*;
use serde_json::json;

use super::approvals::call;
use super::leaks::{find_leaks, find_rows};
use super::sessions::session;
use super::*;

/// A snowflake each, so that their bytes are like no other number's. The last one is the companion.
const PEOPLE: [(u64, &str, AuthorKind); 4] = [
    (1_234_567_890_123_456_789, "Mirabelle", AuthorKind::Person),
    (1_098_765_432_109_876_543, "Bob", AuthorKind::Person),
    (1_111_222_233_334_444_555, "小安", AuthorKind::Person),
    (1_000_000_000_000_000_007, "Juno", AuthorKind::Companion),
];
const CHANNELS: [ChannelId; 3] = [TALK, OTHER, ChannelId(12)];

/// What happens next: the last number chooses among earlier lines.
#[derive(Clone, Debug)]
enum StoryEvent {
    Says {
        who: usize,
        place: usize,
        filler: usize,
    },
    Quotes {
        who: usize,
        place: usize,
        earlier: usize,
    },
    Calls {
        who: usize,
        place: usize,
        whom: usize,
    },
    Reacts {
        who: usize,
        earlier: usize,
    },
    Edits {
        earlier: usize,
    },
    Deletes {
        earlier: usize,
    },
    Thinks {
        place: usize,
    },
    Remembers {
        earlier: usize,
        whom: usize,
    },
    Notes {
        earlier: usize,
        whom: usize,
    },
    Opens {
        earlier: usize,
    },
    Proposes {
        earlier: usize,
        who: usize,
    },
}

fn story_event() -> impl Strategy<Value = StoryEvent> {
    let (who, place) = (0..4_usize, 0..3_usize);
    prop_oneof![
        6 => (who.clone(), place.clone(), 0..60_usize).prop_map(|(who, place, filler)| StoryEvent::Says { who, place, filler }),
        2 => (3..4_usize, place.clone(), 0..999_usize).prop_map(|(who, place, earlier)| StoryEvent::Quotes { who, place, earlier }),
        2 => (1..4_usize, place.clone(), 0..3_usize).prop_map(|(who, place, whom)| StoryEvent::Calls { who, place, whom }),
        2 => (who, 0..999_usize).prop_map(|(who, earlier)| StoryEvent::Reacts { who, earlier }),
        1 => (0..999_usize).prop_map(|earlier| StoryEvent::Edits { earlier }),
        1 => (0..999_usize).prop_map(|earlier| StoryEvent::Deletes { earlier }),
        1 => place.prop_map(|place| StoryEvent::Thinks { place }),
        2 => (0..999_usize, 0..3_usize).prop_map(|(earlier, whom)| StoryEvent::Remembers { earlier, whom }),
        2 => (0..999_usize, 0..3_usize).prop_map(|(earlier, whom)| StoryEvent::Notes { earlier, whom }),
        1 => (0..999_usize).prop_map(|earlier| StoryEvent::Opens { earlier }),
        1 => (0..999_usize, 0..3_usize).prop_map(|(earlier, who)| StoryEvent::Proposes { earlier, who }),
    ]
}

/// What happens next is done by what is stored then; some of it the store may refuse.
fn wait_for<T>(reply: StoreReply<T>) {
    drop(reply.wait());
}

/// Words nobody else says.
fn secret(line: usize) -> String {
    format!(
        "qz{:x}jx",
        (line as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15)
    )
}

fn find_secret(text: &str) -> Option<String> {
    let words = text.split(|c: char| !c.is_alphanumeric());
    let mut secrets = words.filter(|word| word.starts_with("qz") && word.len() >= 10);
    secrets.next_back().map(str::to_owned)
}

/// Everything that was said, by line: who, where, what; and what it said before it was changed.
#[derive(Default)]
struct StoryLog(Vec<(usize, ChannelId, String)>, Vec<(usize, String)>);

impl StoryLog {
    fn add(
        &mut self,
        store: &Store,
        who: usize,
        channel: ChannelId,
        text: String,
        mentions: &[u64],
    ) {
        let (id, name, kind) = PEOPLE[who];
        let author = Author {
            id: UserId(id),
            name: name.into(),
            kind,
        };
        let ChatEvent::Message(message) = says(channel, self.0.len() as u64 + 1, author, &text)
        else {
            return;
        };
        let mentions = mentions.iter().map(|id| UserId(*id)).collect();
        wait_for(store.append(vec![ChatEvent::Message(Message {
            mentions,
            ..message
        })]));
        self.0.push((who, channel, text));
    }

    fn happen(&mut self, store: &Store, story_event: &StoryEvent) {
        let line = self.0.len();
        let earlier = |earlier: usize| (earlier % line, &self.0[earlier % line]);
        match story_event {
            StoryEvent::Says { who, place, filler } => {
                let text = format!("{} {}", "filler ".repeat(*filler), secret(line));
                self.add(store, *who, CHANNELS[*place], text, &[]);
            }
            StoryEvent::Quotes {
                who,
                place,
                earlier: of,
            } if line > 0 => {
                let text = format!("so you said: {}?", earlier(*of).1.2);
                self.add(store, *who, CHANNELS[*place], text, &[]);
            }
            StoryEvent::Calls { who, place, whom } => {
                let (id, name, _) = PEOPLE[*whom];
                let text = format!("hi @{name}, <@{id}>, {}", secret(line));
                self.add(store, *who, CHANNELS[*place], text, &[id, PEOPLE[1].0]);
            }
            StoryEvent::Reacts { who, earlier: of } if line > 0 => {
                let (number, (_, channel, _)) = earlier(*of);
                let (id, name, kind) = PEOPLE[*who];
                let by = Author {
                    id: UserId(id),
                    name: name.into(),
                    kind,
                };
                let message = MessageId(number as u64 + 1);
                let (channel, emoji) = (*channel, "👀".into());
                wait_for(store.append(vec![ChatEvent::Reaction {
                    channel,
                    message,
                    author: by,
                    emoji,
                    added: true,
                    at: 9,
                }]));
            }
            StoryEvent::Edits { earlier: of } if line > 0 => {
                let (number, (who, channel, _)) = earlier(*of);
                if self.read_now(store, number).is_none() {
                    return;
                }
                let text = format!(
                    "changed to {}",
                    secret(number + 1_000_000 * (1 + self.1.len()))
                );
                wait_for(store.append(vec![edits(
                    *channel,
                    number as u64 + 1,
                    PEOPLE[*who].2,
                    &text,
                )]));
                let before = std::mem::replace(&mut self.0[number].2, text);
                self.1.push((number, before));
            }
            StoryEvent::Deletes { earlier: of } if line > 0 => {
                let (number, (_, channel, _)) = earlier(*of);
                wait_for(store.append(vec![deleted(*channel, number as u64 + 1)]));
            }
            StoryEvent::Thinks { place } => self.think(store, CHANNELS[*place]),
            StoryEvent::Remembers { earlier: of, whom } if line > 0 => {
                self.remember(store, earlier(*of).0, *whom);
            }
            StoryEvent::Notes { earlier: of, whom } if line > 0 => {
                self.note(store, earlier(*of).0, *whom);
            }
            StoryEvent::Opens { earlier: of } if line > 0 => self.open(store, earlier(*of).0),
            StoryEvent::Proposes { earlier: of, who } if line > 0 => {
                self.propose(store, earlier(*of).0, *who);
            }
            _ => {}
        }
    }

    /// The secrets that no message says any more, of lines by the one who is to be forgotten.
    fn gone_secrets(&self, store: &Store) -> Vec<String> {
        let before = self.1.iter().map(|(line, said)| (*line, said));
        let deleted = (0..self.0.len()).filter(|line| self.read_now(store, *line).is_none());
        let gone = before.chain(deleted.map(|line| (line, &self.0[line].2)));
        let own = gone.filter(|(line, _)| self.0[*line].0 == 0);
        own.filter_map(|(_, said)| find_secret(said)).collect()
    }

    /// The secrets of all that was ever said by the one who is to be forgotten.
    fn own_secrets(&self) -> Vec<String> {
        let before = self.1.iter().map(|(line, said)| (*line, said));
        let now = self.0.iter().map(|(.., said)| said).enumerate();
        let own = before.chain(now).filter(|(line, _)| self.0[*line].0 == 0);
        own.filter_map(|(_, said)| find_secret(said)).collect()
    }

    /// What a line says now; none if it is gone.
    fn read_now(&self, store: &Store, line: usize) -> Option<String> {
        let id = MessageId(line as u64 + 1);
        let after = Some(MessageId(id.0 + 1));
        let found = store.load_history(self.0[line].1, after, 1).wait();
        let found = found.expect("read").pop()?.message;
        (found.id == id).then(|| found.text.to_string())
    }

    /// A fact about somebody out of a line, which also quotes the line before it, and an episode of both.
    fn remember(&self, store: &Store, line: usize, whom: usize) {
        let (who, channel, _) = &self.0[line];
        let before = self
            .read_now(store, line.saturating_sub(1))
            .unwrap_or_default();
        let Some(text) = self.read_now(store, line) else {
            return;
        };
        let fact = MemoryContent {
            kind: MemoryKind::About,
            channel: *channel,
            person: Some(UserId(PEOPLE[whom].0)),
            people: Vec::new(),
            said_by: Some(UserId(PEOPLE[*who].0)),
            text: format!("{text} {before}"),
            at: 0,
            due: None,
            confidence: 0.8,
            importance: 0.5,
            origin: MemoryOrigin::Companion,
            sources: vec![MessageId(line as u64 + 1)],
        };
        let episode = MemoryContent {
            kind: MemoryKind::Episode,
            person: None,
            people: vec![UserId(PEOPLE[whom].0)],
            said_by: None,
            text: format!("{} said {before}", PEOPLE[*who].1),
            ..fact.clone()
        };
        let drafts = [fact, episode].map(|content| MemoryDraft {
            content,
            supersedes: Vec::new(),
        });
        wait_for(store.put_memories(MemoryBatch {
            drafts: drafts.to_vec(),
            begun: 2_000_000,
            consolidated: Some((*channel, MessageId(line as u64 + 1))),
        }));
    }

    /// The time of what is done with the newest line.
    fn now(&self) -> i64 {
        1_000 * self.0.len() as i64
    }

    /// A line in everything that holds short texts: core memory, a list, data of a tool, a sticker.
    fn note(&self, store: &Store, line: usize, whom: usize) {
        let channel = &self.0[line].1;
        let Some(text) = self.read_now(store, line) else {
            return;
        };
        let (id, name, _) = PEOPLE[whom];
        let block = StoredBlock {
            label: "people".into(),
            text: format!("{name} sings\n{text}"),
            limit: 100_000,
            updated_at: self.now(),
        };
        wait_for(store.put_core_memory("guild:77", block));
        wait_for(store.put_todos(*channel, format!("[ ] ask {name}\n[ ] {text}"), self.now()));
        let value = json!({ "by": id.to_string(), "said": [format!("said:\n{name}\n{text}")] });
        let changes = [(format!("line {line}"), value)].into_iter().collect();
        wait_for(store.put_tool_data("guild:77", changes, self.now()));
        let sticker = Sticker {
            guild: GuildId(77),
            name: text.clone(),
            channel: *channel,
            message: MessageId(line as u64 + 1),
            at: self.now(),
        };
        wait_for(store.keep_sticker(sticker, "png", text.as_bytes().to_vec()));
    }

    /// A session called after a line, in a thread of the same name.
    fn open(&self, store: &Store, line: usize) {
        let Some(text) = self.read_now(store, line) else {
            return;
        };
        let label = text.rsplit(' ').next().unwrap_or(&text);
        let opened = Session {
            guild: GuildId(77),
            made: self.now(),
            opening: Some(text.clone()),
            ..session(label, SessionStart::None)
        };
        let kept = store.put_session(opened).wait().expect("asked");
        let id = ChannelId(1_000 + self.0.len() as u64);
        if let Some(kept) = kept {
            wait_for(store.open_session(kept.id, id, None));
            let channel = Channel {
                id,
                guild: Some(GuildId(77)),
                name: label.into(),
                topic: text.as_str().into(),
                kind: ChannelKind::Thread,
                parent: None,
            };
            wait_for(store.append(vec![ChatEvent::Channel(channel)]));
        }
    }

    /// A call that quotes a line and waits for somebody's decision.
    fn propose(&self, store: &Store, line: usize, who: usize) {
        let Some(text) = self.read_now(store, line) else {
            return;
        };
        let request = call(self.0.len() as u64, UserId(PEOPLE[who].0), &text);
        let made = self.now();
        let request = ApprovalRequest { made, ..request };
        wait_for(store.put_proposal(request));
    }

    /// A turn that is shown the newest lines of all channels.
    fn think(&self, store: &Store, channel: ChannelId) {
        let shown: Vec<String> = self
            .0
            .iter()
            .rev()
            .take(20)
            .map(|(who, _, text)| format!("{}: {text}", PEOPLE[*who].1))
            .collect();
        let mut report = turn(self.0.len() as u64 + 1, channel, &shown.join(" "));
        report.ended = 1_000 * self.0.len() as i64;
        report.wake.author = self.0.last().map(|(who, ..)| UserId(PEOPLE[*who].0));
        let prompt = StoredPrompt {
            user: shown.join("\n"),
            ..StoredPrompt::default()
        };
        wait_for(store.save_turn(report, vec![prompt]));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { max_shrink_iters: 100, ..ProptestConfig::with_cases(12) })]

    #[test]
    fn nothing_is_left_of_anybody_who_is_forgotten(story in prop::collection::vec(story_event(), 1..250)) {
        let (_folder, path) = on_disk();
        let store = open(&path);
        for id in CHANNELS {
            let (guild, name, topic) = (Some(GuildId(77)), "talk".into(), "".into());
            let channel = Channel { id, guild, name, topic, kind: ChannelKind::Group, parent: None };
            store_all(&store, vec![ChatEvent::Channel(channel)]);
        }
        let mut told = StoryLog::default();
        told.happen(&store, &StoryEvent::Says { who: 0, place: 0, filler: 1 });
        for story_event in &story {
            told.happen(&store, story_event);
        }
        for secret in told.gone_secrets(&store) {
            let mut rows = find_rows(&path, secret.as_bytes()).expect("read");
            // A turn elsewhere loses a text only as a whole, and a person's line keeps what it quotes: it is theirs.
            rows.retain(|row| !["turns", "messages", "word"].iter().any(|table| row.starts_with(table)));
            prop_assert_eq!(rows, [] as [&str; 0], "{} was deleted or edited", secret);
        }
        store.scrub().wait().expect("all is stored");
        let (id, name, _) = PEOPLE[0];
        let before: usize = CHANNELS.iter().map(|channel| store.load_history(*channel, None, 999).wait().expect("read").len()).sum();
        let forgotten = store.forget_person(UserId(id), None, 10_000_000).wait().expect("forgotten");

        let leaks = |text: &str| find_leaks(&path, text.as_bytes());
        prop_assert_eq!(leaks(&id.to_string()), [] as [&str; 0], "the id as text");
        prop_assert_eq!(find_leaks(&path, &id.to_be_bytes()), [] as [&str; 0], "the id as a number");
        prop_assert_eq!(leaks(name), [] as [&str; 0], "the name");
        prop_assert_eq!(leaks(&name.to_lowercase()), [] as [&str; 0], "the name");
        // Words of the index share their beginnings, so their ends are looked for.
        for secret in told.own_secrets() {
            prop_assert_eq!(leaks(&secret[secret.len() - 10..]), [] as [&str; 0], "{} was said", secret);
        }
        let after: usize = CHANNELS.iter().map(|channel| store.load_history(*channel, None, 999).wait().expect("read").len()).sum();
        let erased: usize = forgotten.messages.iter().map(|(_, messages)| messages.len()).sum();
        prop_assert_eq!(after, before - erased, "what others said stays");
        let back: Vec<ChatEvent> = told.0.iter().enumerate().filter(|(_, (who, ..))| *who == 0).map(|(line, (_, channel, text))| {
            says(*channel, line as u64 + 1, person(id, name), text)
        }).collect();
        prop_assert!(store_all(&store, back).iter().all(|stored| !stored.new), "backfill brings nothing back");
    }
}
