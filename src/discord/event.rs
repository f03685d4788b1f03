//! What Discord tells the daemon, in the core's words. Nothing here is stored yet: arrival numbers are 0.

use std::sync::Arc;

use tokio::sync::oneshot;

use kith_core::chat::{
    Author, AuthorKind, ChannelId, GuildId, Message, MessageId, MessagePicture, Millis, ProposalId,
    TurnId, UserId,
};

/// The guilds of a session.
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

    /// Whether a guild belongs to the shard.
    pub fn is_in_shard(&self, guild: GuildId) -> bool {
        is_guild_in_shard(self.shard, Some(guild))
    }
}

/// Whether a shard, of so many, tells of a guild; of direct messages the first one does.
pub fn is_guild_in_shard((shard, shards): (u64, u64), guild: Option<GuildId>) -> bool {
    // The formula is Discord's.
    guild.map_or(0, |guild| (guild.0 >> 22) % shards.max(1)) == shard
}

/// Something Discord told.
#[derive(Debug)]
pub enum DiscordEvent {
    /// A shard's new session began (at the start, or after one that could not be resumed), or its old one was resumed
    /// after so long that something may have been missed: every active channel of it needs a look back. In a new session
    /// its guilds are still to be told; what is said before that nobody hears.
    BackfillNeeded {
        /// The shard, and of how many.
        shard: (u64, u64),
        /// Whether the old session goes on.
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
    /// A channel cannot be seen any more.
    ChannelHidden(ChannelId),
    /// A channel or thread was deleted.
    ChannelDeleted(ChannelId),
    /// Somebody wrote; a message of the companion's own carries the nonce it was sent with.
    Message {
        message: Message,
        nonce: Option<String>,
        /// The pictures that were sent along.
        pictures: Vec<MessagePicture>,
    },
    /// A message says something else now.
    MessageEdited {
        channel: ChannelId,
        id: MessageId,
        /// What kind of member wrote it.
        author: AuthorKind,
        /// What it says now.
        text: Arc<str>,
        /// When it was edited.
        at: Millis,
        /// The pictures it has now.
        pictures: Vec<MessagePicture>,
    },
    /// Messages were deleted, one or many.
    MessagesDeleted {
        channel: ChannelId,
        ids: Vec<MessageId>,
    },
    /// A reaction was added or taken away.
    Reaction {
        channel: ChannelId,
        /// To which message.
        message: MessageId,
        /// By whom.
        by: Author,
        /// Which emoji: the character, or `:name:`.
        emoji: Arc<str>,
        /// Added, or taken away.
        added: bool,
    },
    /// All reactions to a message were taken away, or all with one emoji; by whom they were is not told.
    ReactionsCleared {
        channel: ChannelId,
        /// From which message.
        message: MessageId,
        /// Which emoji, as in [`DiscordEvent::Reaction`]; all if none.
        emoji: Option<Arc<str>>,
    },
    /// Somebody is typing.
    Typing { channel: ChannelId, user: UserId },
    /// Somebody used a command, a menu or a button.
    CommandRequested {
        /// Who asks, and what they may.
        caller: kith_commands::Caller,
        /// What they ask.
        request: kith_commands::CommandRequest,
        /// How they are answered.
        answer: oneshot::Sender<kith_commands::CommandAnswer>,
    },
    /// Entries of a log channel were posted: kept, so that they can expire and be deleted with what they quote.
    LogPosted {
        /// The log channel.
        log: ChannelId,
        /// The message that holds the entries.
        message: MessageId,
        /// The turns they tell of.
        turns: Vec<TurnId>,
        /// Whether an earlier run posted them: they may be on record, unless it was killed just then.
        earlier: bool,
    },
    /// A card that asks for a decision stands in a log channel.
    ApprovalPosted {
        /// On what.
        id: ProposalId,
        /// The log channel.
        log: ChannelId,
        message: MessageId,
    },
    /// Entries of log channels are deleted: they need not be kept on record any more.
    LogDeleted(Vec<(ChannelId, MessageId)>),
    /// Something about the link that the host should read: a reconnect, events nobody could read, a missing intent.
    Notice(String),
    /// It cannot go on: a sentence that says what to do. The daemon ends with it.
    Fatal(String),
}
