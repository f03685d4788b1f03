//! Recorded chats with what annotators say about them: which earlier lines each message answers. Reads the replay data's
//! folder (`manifest.json`, `gold_extra.json`, one folder a split); every error names the file.

use std::collections::{BTreeMap, HashMap};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, anyhow};
use indicatif::ProgressBar;
use serde::Deserialize;
use serde::de::DeserializeOwned;

use kith_core::chat::{Author, AuthorKind, ChannelId, Message, MessageId, UserId};
use kith_replay::log;

#[derive(Clone, Debug, PartialEq)]
pub enum GoldLabel {
    /// Nothing: it lies outside of the annotated part.
    Unknown,
    /// It answers these earlier messages, by place; nothing that is there where the list is empty.
    Answers {
        places: Vec<usize>,
        /// How many more it answers that are not in the log.
        lost: usize,
    },
}

#[derive(Clone, Debug)]
pub struct LogLine {
    /// As the core hears it. People are numbered in the order they occur.
    pub message: Message,
    /// Its number in the log; grows.
    pub number: i64,
    /// When it was written, in seconds.
    pub time: f64,
    pub bot: bool,
    pub gold: GoldLabel,
}

impl LogLine {
    pub fn author(&self) -> UserId {
        self.message.author.id
    }

    pub fn is_annotated(&self) -> bool {
        self.gold != GoldLabel::Unknown
    }

    pub fn answers(&self) -> &[usize] {
        match &self.gold {
            GoldLabel::Unknown => &[],
            GoldLabel::Answers { places, .. } => places,
        }
    }
}

#[derive(Clone, Debug)]
pub struct ChatLog {
    /// Its path below the corpus' folder.
    pub name: String,
    /// What people and bots wrote, in order.
    pub lines: Vec<LogLine>,
    /// Whether it is annotated who answers whom. Where it is not, only who speaks next is known.
    pub linked: bool,
    /// The log's ids of people, by their number minus one.
    people: Vec<String>,
}

impl ChatLog {
    pub fn person_id(&self, id: UserId) -> &str {
        usize::try_from(id.0)
            .ok()
            .and_then(|id| self.people.get(id.checked_sub(1)?))
            .map_or("", String::as_str)
    }

    /// The names a person bears in the log, sorted.
    pub fn collect_names(&self, id: UserId) -> Vec<String> {
        let own = self.lines.iter().filter(|line| line.author() == id);
        let mut names: Vec<String> = own
            .map(|line| line.message.author.name.to_string())
            .collect();
        names.sort();
        names.dedup();
        names
    }
}

pub struct Corpus {
    root: PathBuf,
    manifest: BTreeMap<String, Entry>,
    /// By log and message: all it answers, where that is more than one.
    extra_answers: HashMap<String, HashMap<String, Vec<String>>>,
}

#[derive(Deserialize)]
struct Entry {
    gold_from_id: String,
    gold_to_id: String,
    #[serde(default = "default_true")]
    links: bool,
}

fn default_true() -> bool {
    true
}

impl Corpus {
    /// Opens a folder.
    ///
    /// # Errors
    /// `manifest.json` or `gold_extra.json` is missing or not what it should be.
    pub fn open(root: &Path) -> anyhow::Result<Corpus> {
        let manifest = read_json(&root.join("manifest.json"))
            .context("no folder of annotated logs; scripts/fetch-corpus.sh makes one")?;
        Ok(Corpus {
            root: root.to_owned(),
            manifest,
            extra_answers: read_json(&root.join("gold_extra.json"))?,
        })
    }

    /// The logs of a split, by name.
    ///
    /// # Errors
    /// A log that cannot be read or is not annotated as the manifest says.
    pub fn read_split(&self, split: &str) -> anyhow::Result<Vec<ChatLog>> {
        let inside = |name: &str| {
            name.strip_prefix(split)
                .is_some_and(|rest| rest.starts_with('/'))
        };
        self.manifest
            .iter()
            .filter(|(name, _)| inside(name))
            .map(|(name, entry)| self.read_log(name, entry))
            .collect()
    }

    fn read_log(&self, name: &str, entry: &Entry) -> anyhow::Result<ChatLog> {
        let path = self.root.join(name);
        let number = |id: &str| {
            id.parse::<i64>()
                .map_err(|_| anyhow!("{}: the id \"{id}\" is not a line's number", path.display()))
        };
        let annotated = number(&entry.gold_from_id)?..=number(&entry.gold_to_id)?;
        let more = self.extra_answers.get(name);
        let mut people = People::default();
        let mut places: HashMap<String, usize> = HashMap::new();
        let mut lines: Vec<LogLine> = Vec::new();
        log::read_log(&path, &ProgressBar::hidden(), &mut |recorded| {
            let at = number(&recorded.id)?;
            let several = more.and_then(|more| more.get(&recorded.id));
            let targets: Vec<&String> = match several {
                Some(several) => several.iter().collect(),
                None => recorded.reply_to.iter().collect(),
            };
            let gold = if annotated.contains(&at) {
                let found: Vec<usize> = targets
                    .iter()
                    .filter_map(|id| places.get(*id))
                    .copied()
                    .collect();
                GoldLabel::Answers {
                    lost: targets.len() - found.len(),
                    places: found,
                }
            } else {
                GoldLabel::Unknown
            };
            places.insert(recorded.id, lines.len());
            let arrival = lines.len() as u64 + 1;
            let kind = if recorded.author.bot {
                AuthorKind::Bot
            } else {
                AuthorKind::Person
            };
            let author = Author {
                id: people.assign_id(&recorded.author.id),
                name: Arc::from(recorded.author.name),
                kind,
            };
            let message = Message {
                id: MessageId(arrival),
                channel: ChannelId(1),
                arrival,
                at: recorded.at,
                author,
                text: Arc::from(recorded.text),
                reply_to: None,
                mentions: recorded
                    .mentions
                    .iter()
                    .map(|mentioned| people.assign_id(mentioned))
                    .collect(),
            };
            let (time, bot) = (recorded.at as f64 / 1_000.0, recorded.author.bot);
            lines.push(LogLine {
                message,
                number: at,
                time,
                bot,
                gold,
            });
            Ok(())
        })?;
        Ok(ChatLog {
            name: name.to_owned(),
            lines,
            linked: entry.links,
            people: people.known,
        })
    }
}

fn read_json<T: DeserializeOwned>(path: &Path) -> anyhow::Result<T> {
    let text =
        fs::read_to_string(path).with_context(|| format!("{}: cannot be read", path.display()))?;
    serde_json::from_str(&text)
        .with_context(|| format!("{}: not what is expected there", path.display()))
}

#[derive(Default)]
struct People {
    known: Vec<String>,
    ids: HashMap<String, u64>,
}

impl People {
    fn assign_id(&mut self, id: &str) -> UserId {
        if let Some(number) = self.ids.get(id) {
            return UserId(*number);
        }
        self.known.push(id.to_owned());
        let number = self.known.len() as u64;
        self.ids.insert(id.to_owned(), number);
        UserId(number)
    }
}
