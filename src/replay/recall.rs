//! `kith recall`: recorded chats are read into a store of their own, and questions about them are answered by the very
//! ranking that the tool and the prompt use.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail};
use chrono_tz::Tz;
use indicatif::ProgressBar;
use serde::{Deserialize, Serialize};

use super::ids::LogIds;
use super::log;
use super::recorded_message::RecordedMessage;
use kith_core::chat::{AuthorKind, Channel, ChannelId, ChannelKind, Message, Millis};
use kith_core::event::ChatEvent;
use kith_core::recall::find_time_range;
use kith_memory::{Memory, RecallQuestion, RecallSources};
use kith_store::Store;

const MOST_HITS: usize = 20;
const GROUP: usize = 1_000;
const DATABASE: &str = "kith.db";

#[derive(Clone, Debug)]
pub struct RecallOptions {
    /// The recorded chats; each is a channel that nobody else reads.
    pub logs: Vec<PathBuf>,
    /// The questions, one JSON object a line: `id`, `text`, the log's file name `f`, and `asker` and `at` where known.
    pub questions: PathBuf,
    /// Where the answers go, one `{"id", "hits"}` a line, the ids of lines, best first.
    pub out: PathBuf,
    /// The folder that keeps the store; none: it is gone afterwards.
    pub data: Option<PathBuf>,
}

#[derive(Debug, Deserialize)]
struct RecordedQuestion {
    id: String,
    text: String,
    f: String,
    /// The log's id of who asks.
    #[serde(default)]
    asker: Option<String>,
    /// When it is asked: only what was said before counts. RFC 3339.
    #[serde(default)]
    at: Option<String>,
}

#[derive(Debug, Serialize)]
struct AnsweredQuestion<'a> {
    id: &'a str,
    hits: Vec<&'a str>,
}

/// How many lines were read, and how many questions were answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RecallCounts {
    pub lines: usize,
    pub questions: usize,
}

/// What was read: the store, and the log's ids of everything in it.
struct LoadedLog {
    store: Store,
    ids: LogIds,
    /// The log's id of each message, in the order of the messages' numbers.
    lines: Vec<String>,
    channels: BTreeMap<String, ChannelId>,
    newest: Millis,
}

/// Reads the logs and answers the questions.
///
/// # Errors
/// A file that cannot be read or written, or is not what it should be, with its name and line.
pub async fn answer_questions(options: &RecallOptions) -> anyhow::Result<RecallCounts> {
    let questions = read_questions(&options.questions)?;
    let mut house = LoadedLog {
        store: open_store(options.data.as_deref())?,
        ids: LogIds::default(),
        lines: Vec::new(),
        channels: BTreeMap::new(),
        newest: Millis::MIN,
    };
    for log in &options.logs {
        house.read_log(log).await?;
    }
    let out = File::create(&options.out)
        .with_context(|| format!("{} cannot be written", options.out.display()))?;
    let mut out = BufWriter::new(out);
    let memory = Memory::new(house.store.clone());
    let mut counts = RecallCounts {
        lines: house.lines.len(),
        questions: 0,
    };
    for (number, asked) in (1..).zip(&questions) {
        let Some(here) = house.channels.get(&asked.f).copied() else {
            continue;
        };
        let at = asked
            .at
            .as_deref()
            .map(|at| parse_time(at, &options.questions, number))
            .transpose()?;
        let question = RecallQuestion {
            words: asked.text.clone(),
            asker: asked
                .asker
                .as_deref()
                .map(|id| house.ids.assign_person_id(id)),
            to: at,
            period: find_time_range(&asked.text, at.unwrap_or(house.newest), Tz::UTC),
            now: at,
            limit: MOST_HITS,
            ..RecallQuestion::default()
        };
        let sources = RecallSources {
            here,
            channels: vec![here],
            shown_from: None,
            begins_after: None,
        };
        let found = memory.search(&sources, question).await?;
        let line = |id: u64| {
            usize::try_from(id - 1)
                .ok()
                .and_then(|at| house.lines.get(at))
                .map(String::as_str)
        };
        let hits = found.iter().filter_map(|hit| line(hit.id.0)).collect();
        serde_json::to_writer(
            &mut out,
            &AnsweredQuestion {
                id: &asked.id,
                hits,
            },
        )?;
        out.write_all(b"\n")?;
        counts.questions += 1;
    }
    out.flush()?;
    Ok(counts)
}

fn open_store(data: Option<&Path>) -> anyhow::Result<Store> {
    let Some(folder) = data else {
        return Store::open_temporary().context("the store of the recorded chats");
    };
    let file = folder.join(DATABASE);
    if file.exists() {
        bail!(
            "{} is there already: name an empty folder, so that nothing of another chat is found",
            file.display()
        );
    }
    fs::create_dir_all(folder).with_context(|| format!("{} cannot be made", folder.display()))?;
    Ok(Store::open(&file)?)
}

fn read_questions(path: &Path) -> anyhow::Result<Vec<RecordedQuestion>> {
    let file = File::open(path).with_context(|| format!("{} cannot be read", path.display()))?;
    let mut questions = Vec::new();
    for (number, line) in (1..).zip(BufReader::new(file).lines()) {
        let line = line.with_context(|| format!("{}:{number} cannot be read", path.display()))?;
        if !line.trim().is_empty() {
            let wanted = "expected {\"id\": …, \"text\": …, \"f\": \"LOG.jsonl\"}";
            questions.push(
                serde_json::from_str(&line)
                    .with_context(|| format!("{}:{number}: {wanted}", path.display()))?,
            );
        }
    }
    Ok(questions)
}

fn parse_time(at: &str, path: &Path, number: usize) -> anyhow::Result<Millis> {
    let read = chrono::DateTime::parse_from_rfc3339(at);
    let wanted = || {
        format!(
            "{}:{number}: `at` is {at:?}; expected a time like 2026-03-01T18:00:00Z",
            path.display()
        )
    };
    Ok(read.with_context(wanted)?.timestamp_millis())
}

impl LoadedLog {
    async fn read_log(&mut self, path: &Path) -> anyhow::Result<()> {
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        let (channel, is_new) = self.ids.channel(&name);
        if !is_new {
            bail!("two of the logs are called {name}: questions name a log by its file name");
        }
        self.channels.insert(name.clone(), channel);
        let about = Channel {
            id: channel,
            guild: None,
            name: name.as_str().into(),
            topic: "".into(),
            kind: ChannelKind::Group,
            parent: None,
        };
        let mut events = vec![ChatEvent::Channel(about)];
        let mut pending = Vec::new();
        let store = self.store.clone();
        log::read_log(path, &ProgressBar::hidden(), &mut |recorded| {
            events.push(ChatEvent::Message(self.build_message(channel, recorded)));
            if events.len() >= GROUP {
                pending.push(store.append(std::mem::take(&mut events)));
            }
            Ok(())
        })?;
        pending.push(self.store.append(events));
        for stored in pending {
            stored.await?;
        }
        Ok(())
    }

    fn build_message(&mut self, channel: ChannelId, recorded: RecordedMessage) -> Message {
        let kind = if recorded.author.bot {
            AuthorKind::Bot
        } else {
            AuthorKind::Person
        };
        let message = self.ids.build_message(&recorded, channel, kind, true);
        self.lines.push(recorded.id);
        self.newest = self.newest.max(recorded.at);
        message
    }
}
