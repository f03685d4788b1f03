//! What Discord tells the daemon, in the core's words. Nothing here is stored yet: arrival numbers are 0.

use std::sync::Arc;

use serde_json::Value;
use tokio::sync::oneshot;

use crate::gateway::SessionRecord;
use kith_core::chat::{
    ChannelId, GuildId, Message, MessageId, MessagePicture, Millis, ProposalId, TurnId, UserId,
};
use kith_core::event::ChatEvent;
use kith_core::partition::find_shard;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SessionGuilds {
    /// The guilds of its shard that the companion is in.
    pub guilds: Vec<GuildId>,
    /// The shard, and of how many.
    pub shard: (u64, u64),
}

impl SessionGuilds {
    /// Whether a guild belongs to the shard, but the companion is not in it.
    pub fn is_missing(&self, guild: GuildId) -> bool {
        self.is_in_shard(guild) && !self.guilds.contains(&guild)
    }

    pub fn is_in_shard(&self, guild: GuildId) -> bool {
        is_guild_in_shard(self.shard, Some(guild))
    }
}

/// Whether a shard, of so many, tells of a guild; of direct messages the first one does.
pub fn is_guild_in_shard((shard, shards): (u64, u64), guild: Option<GuildId>) -> bool {
    guild.map_or(0, |guild| find_shard(guild.0, shards)) == shard
}

#[derive(Debug)]
pub struct MessageSnapshot {
    pub message: Message,
    pub pictures: Vec<MessagePicture>,
    pub edited_at: Option<Millis>,
    /// The message it replies to, as Discord quotes it.
    pub quoted: Option<Box<Self>>,
}

#[derive(Debug)]
pub enum DiscordEvent {
    /// Somebody asked about a turn of another partition, and was told that the answer takes longer; or about all
    /// partitions, and has this one's answer.
    InteractionElsewhere {
        partition: u16,
        /// As Discord told it.
        raw: Value,
    },
    /// A shard's new session began (at the start, or after one that could not be resumed), or its old one was resumed
    /// after so long that something may have been missed: every active channel of it needs a look back. In a new session
    /// its guilds are still to be told; what is said before that nobody hears.
    BackfillNeeded {
        /// The shard, and of how many.
        shard: (u64, u64),
        resumed: bool,
    },
    /// Every guild that was listed has come: what is not in the directory now is not there.
    GuildsComplete,
    /// A guild has an outage: nothing is told of it until it is told whole again.
    GuildUnavailable(GuildId),
    /// A guild is in the directory, new or changed in roles, emoji or the companion's own nick; all its channels and
    /// active threads with it.
    Guild(GuildId),
    /// A session began: from guilds it does not list the companion may have been removed while nobody listened.
    SessionStarted(SessionGuilds),
    /// The companion was removed from a guild; its channels are gone with it.
    GuildRemoved(GuildId),
    /// A channel, thread or direct message is in the directory, new or changed.
    Channel(ChannelId),
    ChannelHidden(ChannelId),
    ChannelDeleted(ChannelId),
    Chat {
        event: ChatEvent,
        /// What a new message of the companion's own was sent with.
        nonce: Option<String>,
        /// The pictures that a new or edited message has now.
        pictures: Vec<MessagePicture>,
    },
    /// All reactions to a message were taken away, or all with one emoji; by whom they were is not told.
    ReactionsCleared {
        channel: ChannelId,
        message: MessageId,
        /// Which emoji, as in [`ChatEvent::Reaction`]; all if none.
        emoji: Option<Arc<str>>,
    },
    Typing {
        channel: ChannelId,
        user: UserId,
    },
    CommandRequested {
        caller: kith_commands::Caller,
        request: kith_commands::CommandRequest,
        answer: oneshot::Sender<kith_commands::CommandAnswer>,
    },
    /// Entries of a log channel were posted: kept, so that they can expire and be deleted with what they quote.
    LogPosted {
        log: ChannelId,
        message: MessageId,
        turns: Vec<TurnId>,
        /// Whether an earlier run posted them: they may be on record, unless it was killed just then.
        earlier: bool,
    },
    /// A card that asks for a decision stands in a log channel.
    ApprovalPosted {
        id: ProposalId,
        log: ChannelId,
        message: MessageId,
    },
    /// Entries of log channels are deleted: they need not be kept on record any more.
    LogDeleted(Vec<(ChannelId, MessageId)>),
    /// All that a shard's session told up to here has been passed on: whoever starts after a kill goes on from there.
    SessionHeard(SessionRecord),
    /// Something about the link that the host should read: a reconnect, events nobody could read, a missing intent.
    Notice(String),
    /// It cannot go on: a sentence that says what to do. The daemon ends with it.
    Fatal(String),
}

impl MessageSnapshot {
    /// That it was written before anybody listened, and is quoted now.
    pub fn into_earlier_event(self) -> DiscordEvent {
        DiscordEvent::Chat {
            event: ChatEvent::Earlier(self.message),
            nonce: None,
            pictures: self.pictures,
        }
    }
}

/// A change that brings neither a nonce nor pictures.
impl From<ChatEvent> for DiscordEvent {
    fn from(event: ChatEvent) -> Self {
        Self::Chat {
            event,
            nonce: None,
            pictures: Vec::new(),
        }
    }
}
