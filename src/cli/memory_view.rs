//! How memories are shown on the command line: with the names of people and channels, as a line and as JSON.

use std::collections::BTreeMap;

use chrono::{DateTime, SecondsFormat};
use serde_json::{Value, json};

use kith_core::chat::{Channel, ChannelId, Millis, UserId};
use kith_core::memory_entry::{FoundMemory, MemoryEntry, MemoryKind};
use kith_language::{Language, LocalizedMessage, cli};
use kith_store::Store;

/// The names people and channels have in the database.
pub struct MemoryView {
    people: BTreeMap<UserId, String>,
    channels: BTreeMap<ChannelId, Channel>,
    language: Language,
}

impl MemoryView {
    pub fn load(store: &Store, language: Language) -> Result<Self, LocalizedMessage> {
        let people = store.people().wait().map_err(|error| error.to_message())?;
        let channels = store
            .channels()
            .wait()
            .map_err(|error| error.to_message())?;
        let names = people
            .into_iter()
            .map(|person| (person.id, person.name.to_string()));
        Ok(Self {
            people: names.collect(),
            channels: channels
                .into_iter()
                .map(|channel| (channel.id, channel))
                .collect(),
            language,
        })
    }

    pub fn channels(&self) -> Vec<ChannelId> {
        self.channels.keys().copied().collect()
    }

    pub fn say(&self, message: LocalizedMessage) -> String {
        message.in_language(self.language)
    }

    /// A sentence as it stands below an entry.
    pub fn say_below(&self, message: LocalizedMessage) -> String {
        format!("    {}", self.say(message))
    }

    /// Why an entry ranks where it does, where it was looked for by words.
    pub fn describe_score(&self, memory: &FoundMemory) -> Option<String> {
        let words = memory.words.iter();
        let words: Vec<String> = words
            .map(|word| format!("{} +{:.1}", word.word, word.adds))
            .collect();
        let score = format!("{:.1}", memory.score);
        (!words.is_empty()).then(|| self.say_below(cli::memory_score(score, words.join(", "))))
    }

    fn describe_person(&self, user: UserId) -> String {
        match self.people.get(&user) {
            Some(name) => format!("{name} ({user})"),
            None => user.to_string(),
        }
    }

    fn describe_channel(&self, id: ChannelId) -> String {
        match self.channels.get(&id).map(|channel| &*channel.name) {
            Some(name) if !name.is_empty() => format!("#{name}"),
            _ => self.say(cli::memory_channel(id.to_string())),
        }
    }

    /// One line: number, date, place, kind, whom it is about, what it says, whose word it is.
    pub fn describe_entry(&self, entry: &MemoryEntry) -> String {
        let content = &entry.content;
        let mut line = format!(
            "{}  {}  {}  {}",
            entry.id,
            format_day(content.at),
            self.describe_channel(content.channel),
            self.say(describe_kind(content.kind))
        );
        if let Some(person) = content.person {
            line += &format!("  {}", self.describe_person(person));
        }
        line += &format!(": {}", content.text);
        if content.is_hearsay()
            && let Some(user) = content.said_by
        {
            let source = cli::memory_said_by(self.describe_person(user));
            line += &format!("  {}", self.say(source));
        }
        line
    }

    /// The messages it was taken from, each on a line.
    pub fn describe_sources(
        &self,
        store: &Store,
        entry: &MemoryEntry,
    ) -> Result<Vec<String>, LocalizedMessage> {
        let mut lines = Vec::new();
        for &id in &entry.content.sources {
            let found = store.find_message(entry.content.channel, id).wait();
            let source = match found.map_err(|error| error.to_message())? {
                Some(line) => {
                    let (author, text) = (line.message.author.name, line.message.text);
                    cli::memory_source(author.to_string(), id.to_string(), text.to_string())
                }
                None => cli::memory_source_gone(id.to_string()),
            };
            lines.push(self.say_below(source));
        }
        Ok(lines)
    }

    /// The same as JSON.
    pub fn export_entry(&self, entry: &MemoryEntry) -> Value {
        let content = &entry.content;
        let name = |user: Option<UserId>| {
            user.map(|user| json!({ "id": user, "name": self.people.get(&user) }))
        };
        let channel = self.channels.get(&content.channel);
        json!({
            "id": entry.id, "kind": content.kind, "text": content.text,
            "person": name(content.person), "said_by": name(content.said_by),
            "people": content.people.iter().map(|user| name(Some(*user))).collect::<Vec<_>>(),
            "channel": { "id": content.channel, "name": channel.map(|channel| &*channel.name) },
            "at": format_time(content.at), "due": content.due.map(format_time),
            "confidence": content.confidence, "importance": content.importance,
            "origin": content.origin, "sources": content.sources,
            "superseded_by": entry.superseded_by, "uses": entry.uses,
        })
    }
}

fn describe_kind(kind: MemoryKind) -> LocalizedMessage {
    match kind {
        MemoryKind::Name => cli::memory_kind_name(),
        MemoryKind::About => cli::memory_kind_about(),
        MemoryKind::Relation => cli::memory_kind_relation(),
        MemoryKind::Manner => cli::memory_kind_manner(),
        MemoryKind::Promise => cli::memory_kind_promise(),
        MemoryKind::Episode => cli::memory_kind_episode(),
    }
}

fn format_day(at: Millis) -> String {
    DateTime::from_timestamp_millis(at)
        .map_or_else(String::new, |time| time.format("%Y-%m-%d").to_string())
}

fn format_time(at: Millis) -> Option<String> {
    DateTime::from_timestamp_millis(at).map(|time| time.to_rfc3339_opts(SecondsFormat::Secs, true))
}
