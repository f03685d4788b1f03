//! What a former session tells, kept by channel until it is asked for.

use std::collections::{HashMap, HashSet};

use serde_json::Value;

use super::convert::{read_deleted_ids, read_id};
use kith_core::chat::{ChannelId, GuildId, MessageId};

/// The most that is kept of what one session tells, in bytes of JSON: some ten thousand messages.
const MOST: usize = 16 << 20;

/// Something that happened to the messages of a channel, as Discord told it.
#[derive(Clone, Debug, PartialEq)]
pub enum MissedEvent {
    /// One was written.
    Created(Value),
    /// One is this now.
    Updated(Value),
    /// These were deleted.
    Deleted(Vec<MessageId>),
}

#[derive(Debug, Default)]
pub struct MissedEvents {
    channels: HashMap<ChannelId, Vec<ToldEvent>>,
    /// Where other things changed than messages: who could see what before that is not known.
    changed_guilds: HashSet<GuildId>,
    changed_channels: HashSet<ChannelId>,
    bytes: usize,
}

#[derive(Clone, Copy, Debug)]
enum EventKind {
    Created,
    Updated,
    Deleted,
}

/// An event as it is kept: JSON takes a fraction of what it takes when it is read.
#[derive(Debug)]
struct ToldEvent {
    kind: EventKind,
    json: Box<str>,
}

impl MissedEvents {
    /// Keeps an event. Answers whether it could: else what is kept has a gap.
    pub fn record(&mut self, kind: &str, value: &Value) -> bool {
        let kind = match kind {
            "MESSAGE_CREATE" => EventKind::Created,
            "MESSAGE_UPDATE" => EventKind::Updated,
            "MESSAGE_DELETE" | "MESSAGE_DELETE_BULK" => EventKind::Deleted,
            _ => {
                self.record_change(kind, value);
                return true;
            }
        };
        // Direct messages are always asked for.
        if read_id(value, "guild_id").is_none() {
            return true;
        }
        let Some(channel) = read_id(value, "channel_id").map(ChannelId) else {
            return false;
        };
        let json = value.to_string().into_boxed_str();
        self.bytes += json.len();
        if self.bytes > MOST {
            return false;
        }
        let told = self.channels.entry(channel).or_default();
        told.push(ToldEvent { kind, json });
        true
    }

    fn record_change(&mut self, kind: &str, value: &Value) {
        let is_of_no_account = kind.starts_with("MESSAGE_")
            || matches!(
                kind,
                "RESUMED"
                    | "TYPING_START"
                    | "PRESENCE_UPDATE"
                    | "INTERACTION_CREATE"
                    | "CHANNEL_PINS_UPDATE"
            );
        if is_of_no_account {
            return;
        }
        let own = read_id(value, "id");
        if kind.starts_with("THREAD_") && own.is_some() {
            return self.changed_channels.extend(own.map(ChannelId));
        }
        let guild = read_id(value, "guild_id").or(own);
        self.changed_guilds.extend(guild.map(GuildId));
    }

    /// What happened in a guild's channel, in its order; none where that is not known.
    pub fn find(&self, guild: GuildId, channel: ChannelId) -> Option<Vec<MissedEvent>> {
        let is_known =
            !self.changed_guilds.contains(&guild) && !self.changed_channels.contains(&channel);
        let told = self.channels.get(&channel).map_or(&[][..], Vec::as_slice);
        is_known.then(|| told.iter().filter_map(ToldEvent::read).collect())
    }
}

impl ToldEvent {
    fn read(&self) -> Option<MissedEvent> {
        let value: Value = serde_json::from_str(&self.json).ok()?;
        Some(match self.kind {
            EventKind::Created => MissedEvent::Created(value),
            EventKind::Updated => MissedEvent::Updated(value),
            EventKind::Deleted => MissedEvent::Deleted(read_deleted_ids(&value)),
        })
    }
}

#[cfg(test)]
#[path = "tests/unit/missed_events.rs"]
mod tests;
