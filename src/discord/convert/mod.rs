//! From what Discord says to what the daemon hears: events in JSON become [`DiscordEvent`]. What is learnt about guilds goes
//! into the directory on the way. Nothing here fails: what makes no sense is counted and left out, never the rest of an
//! event or a page. serenity's models are not used for it: they give up an event for one field they do not know, and
//! leave out components other than rows of buttons.

mod awaited_guilds;
mod components;
mod content_watch;
mod guild_objects;
mod ignored_authors;
mod json;
mod links;
mod markup;
mod message_text;
mod messages;
mod structure;
mod text;

use kith_language::discord;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use serde_json::Value;

use super::{DiscordEvent, MessageSnapshot};
use awaited_guilds::AwaitedGuilds;
use content_watch::IntentMonitor;
use ignored_authors::IgnoredAuthors;
pub use ignored_authors::OptOutCheck;
use kith_core::chat::{ChannelId, GuildId, MessageId, Millis};
use kith_core::directory::{Directory, RecentMap};
use kith_core::event::ChatEvent;
use kith_core::partition::Partition;
use kith_core::persona::Language;
use message_text::DiscordMessage;
pub use message_text::{SILENT, read_pictures};

/// How many messages are remembered so that no duplicate and no edit without a change is passed on.
const REMEMBERED: usize = 8_192;
/// How many edits are remembered of messages that were not heard: they may have come before their message.
const EARLY: usize = 128;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ConversionFailures {
    /// Events and elements of lists that could not be read at all.
    pub lost: u64,
}

/// Turns what Discord says into [`DiscordEvent`], and fills the directory.
#[derive(Debug)]
pub struct EventConverter {
    directory: Arc<RwLock<Directory>>,
    language: Language,
    /// Messages that were passed on, each with a fingerprint of its text.
    passed_messages: RecentMap<u64, u64>,
    /// What messages that were not heard say since they were edited, and since when.
    early_edits: RecentMap<u64, (Arc<str>, Millis)>,
    content_watch: IntentMonitor,
    ignored_authors: IgnoredAuthors,
    /// Webhooks and applications of webhooks that speak for people.
    answered_webhooks: Vec<u64>,
    awaited_guilds: AwaitedGuilds,
    failures: ConversionFailures,
}

impl EventConverter {
    /// One that fills `directory` with the guilds of a partition; notes in texts are in `language`.
    pub fn new(
        directory: Arc<RwLock<Directory>>,
        language: Language,
        partition: Partition,
    ) -> Self {
        let (passed_messages, early_edits) = (RecentMap::new(REMEMBERED), RecentMap::new(EARLY));
        let (content_watch, ignored_authors) =
            (IntentMonitor::default(), IgnoredAuthors::default());
        let (awaited_guilds, failures) =
            (AwaitedGuilds::new(partition), ConversionFailures::default());
        Self {
            directory,
            language,
            passed_messages,
            early_edits,
            content_watch,
            ignored_authors,
            answered_webhooks: Vec::new(),
            awaited_guilds,
            failures,
        }
    }

    /// From now on nobody's quote of these people is passed on.
    pub fn set_opt_out_check(&mut self, opt_out_check: OptOutCheck) {
        self.ignored_authors = IgnoredAuthors::new(opt_out_check);
    }

    /// Who writes through these webhooks, or these applications', is a person.
    pub fn set_answered_webhooks(&mut self, ids: Vec<u64>) {
        self.answered_webhooks = ids;
    }

    pub const fn failures(&self) -> ConversionFailures {
        self.failures
    }

    /// An event: its name as of `MESSAGE_CREATE`, and its data. What REST says about a channel is read in the same way,
    /// as a `CHANNEL_UPDATE`.
    pub fn convert_event(&mut self, kind: &str, value: &Value) -> Vec<DiscordEvent> {
        self.try_convert_event(kind, value)
            .unwrap_or_else(|| self.report_unreadable(kind))
    }

    /// Messages of a channel as REST lists them, in whatever order: oldest first, each once. What cannot be read is left
    /// out. Messages that were heard before come again: the store knows them, but perhaps not what they say now.
    pub fn convert_history(
        &mut self,
        channel: ChannelId,
        messages: &[Value],
    ) -> Vec<MessageSnapshot> {
        let guild = self
            .read_directory()
            .find_guild(channel)
            .map(|guild| guild.0);
        let mut read: Vec<_> = messages
            .iter()
            .filter_map(DiscordMessage::from_json)
            .collect();
        self.failures.lost += (messages.len() - read.len()) as u64;
        read.sort_unstable_by_key(|written| written.id);
        read.dedup_by_key(|written| written.id);
        read.into_iter()
            .filter_map(|mut written| {
                written.guild = written.guild.or(guild);
                self.ignored_authors.redact_message(&mut written);
                self.convert_message(&written)
            })
            .collect()
    }

    /// None where the event cannot be read; nothing where nothing is made of it.
    fn try_convert_event(&mut self, kind: &str, value: &Value) -> Option<Vec<DiscordEvent>> {
        match kind {
            "MESSAGE_CREATE" => {
                Some(self.convert_created_message(DiscordMessage::from_json(value)?))
            }
            "MESSAGE_UPDATE" => Some(self.convert_updated_message(
                DiscordMessage::from_json(value)?,
                value.get("content").is_some(),
            )),
            "MESSAGE_DELETE" | "MESSAGE_DELETE_BULK" => self.convert_deleted_messages(value),
            "TYPING_START" => self.convert_typing(value),
            _ if kind.starts_with("MESSAGE_REACTION_") => self.convert_reaction(kind, value),
            _ => self.convert_structure_event(kind, value),
        }
    }

    /// The host is told when it begins: how much more there is stands in the log.
    fn report_unreadable(&mut self, what: &str) -> Vec<DiscordEvent> {
        self.failures.lost += 1;
        let lost = self.failures.lost;
        tracing::warn!(
            what,
            lost,
            "Discord told something that cannot be read; it is left out"
        );
        if lost > 1 {
            return Vec::new();
        }
        vec![DiscordEvent::Notice(
            discord::unreadable_event(what).in_language(self.language),
        )]
    }

    fn read_directory(&self) -> RwLockReadGuard<'_, Directory> {
        self.directory
            .read()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn write_directory(&self) -> RwLockWriteGuard<'_, Directory> {
        self.directory
            .write()
            .unwrap_or_else(PoisonError::into_inner)
    }
}

/// Puts messages that were heard together into the order they were written in. Nothing moves past an edit, a deletion
/// or a reaction, which belong behind what they are about.
pub fn sort_messages(events: &mut [DiscordEvent]) {
    let message_id = |event: &DiscordEvent| match event {
        DiscordEvent::Chat {
            event: ChatEvent::Message(message),
            ..
        } => Some(message.id),
        _ => None,
    };
    for run in
        events.chunk_by_mut(|one, next| message_id(one).is_some() == message_id(next).is_some())
    {
        run.sort_by_key(message_id);
    }
}

/// The id of a message, channel or guild in Discord's JSON.
pub fn read_object_id(value: &Value) -> Option<u64> {
    json::read_id(value, "id")
}

pub fn read_id(value: &Value, name: &str) -> Option<u64> {
    json::read_id(value, name)
}

pub fn read_deleted_ids(value: &Value) -> Vec<MessageId> {
    let ids = json::read_ids(value, "ids");
    let ids = json::read_id(value, "id").into_iter().chain(ids);
    ids.map(MessageId).collect()
}

fn read_guild_id(value: &Value) -> Option<GuildId> {
    json::read_id(value, "guild_id").map(GuildId)
}
