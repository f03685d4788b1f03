//! How memories are shown on the command line: with the names of people and channels, as a line and as JSON.

use std::collections::BTreeMap;

use chrono::{DateTime, SecondsFormat};
use serde_json::{Value, json};

use kith_core::chat::{Channel, ChannelId, MessageId, Millis, UserId};
use kith_core::memory_entry::MemoryEntry;
use kith_store::Store;

/// The names people and channels have in the database.
pub struct MemoryView {
    people: BTreeMap<UserId, String>,
    channels: BTreeMap<ChannelId, Channel>,
}

impl MemoryView {
    /// Reads the names.
    ///
    /// # Errors
    /// In a sentence: the database cannot be read.
    pub fn load(store: &Store) -> Result<Self, String> {
        let people = store.people().wait().map_err(|error| error.to_string())?;
        let channels = store.channels().wait().map_err(|error| error.to_string())?;
        let names = people
            .into_iter()
            .map(|person| (person.id, person.name.to_string()));
        Ok(Self {
            people: names.collect(),
            channels: channels
                .into_iter()
                .map(|channel| (channel.id, channel))
                .collect(),
        })
    }

    /// All channels that are known.
    pub fn channels(&self) -> Vec<ChannelId> {
        self.channels.keys().copied().collect()
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
            _ => format!("channel {id}"),
        }
    }

    /// One line: number, date, place, kind, whom it is about, what it says, whose word it is.
    pub fn describe_entry(&self, entry: &MemoryEntry) -> String {
        let content = &entry.content;
        let kind = json!(content.kind);
        let mut line = format!(
            "{}  {}  {}  {}",
            entry.id,
            format_day(content.at),
            self.describe_channel(content.channel),
            kind.as_str().unwrap_or_default()
        );
        if let Some(person) = content.person {
            line += &format!("  {}", self.describe_person(person));
        }
        line += &format!(": {}", content.text);
        if content.is_hearsay()
            && let Some(user) = content.said_by
        {
            line += &format!("  (said by {})", self.describe_person(user));
        }
        line
    }

    /// The messages it was taken from, each on a line.
    ///
    /// # Errors
    /// In a sentence: the database cannot be read.
    pub fn describe_sources(
        &self,
        store: &Store,
        entry: &MemoryEntry,
    ) -> Result<Vec<String>, String> {
        let mut lines = Vec::new();
        for &id in &entry.content.sources {
            let after = Some(MessageId(id.0.saturating_add(1)));
            let found = store.load_history(entry.content.channel, after, 1).wait();
            let found = found.map_err(|error| error.to_string())?.pop();
            lines.push(match found.filter(|line| line.message.id == id) {
                Some(line) => {
                    let message = line.message;
                    format!("    from {id}  {}: {}", message.author.name, message.text)
                }
                None => format!("    from {id}, which is too old to be kept"),
            });
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

fn format_day(at: Millis) -> String {
    DateTime::from_timestamp_millis(at)
        .map_or_else(String::new, |time| time.format("%Y-%m-%d").to_string())
}

fn format_time(at: Millis) -> Option<String> {
    DateTime::from_timestamp_millis(at).map(|time| time.to_rfc3339_opts(SecondsFormat::Secs, true))
}
