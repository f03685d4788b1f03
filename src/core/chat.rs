//! Plain data of a chat: ids, people, channels, messages. Platforms fill it in; nothing here decides.

use std::fmt;
use std::sync::Arc;

use serde::de::{self, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Milliseconds since the Unix epoch, UTC. Time enters the core only as a value of this type.
pub type Millis = i64;

pub const SECOND: Millis = 1_000;
pub const MINUTE: Millis = 60 * SECOND;
pub const HOUR: Millis = 60 * MINUTE;
pub const DAY: Millis = 24 * HOUR;

/// Ids are written as strings, because JavaScript and others round numbers past 2^53; both forms are read.
struct IdVisitor;

impl Visitor<'_> for IdVisitor {
    type Value = u64;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an id: a whole number, or one in quotes")
    }

    fn visit_u64<E: de::Error>(self, id: u64) -> Result<u64, E> {
        Ok(id)
    }

    fn visit_i64<E: de::Error>(self, id: i64) -> Result<u64, E> {
        u64::try_from(id).map_err(|_| E::invalid_value(Unexpected::Signed(id), &self))
    }

    fn visit_str<E: de::Error>(self, id: &str) -> Result<u64, E> {
        id.parse()
            .map_err(|_| E::invalid_value(Unexpected::Str(id), &self))
    }
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u64);

        impl Serialize for $name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(&self.0)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_any(IdVisitor).map(Self)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }
    };
}

id!(
    /// A channel: a guild text channel, a thread, a direct message or a room.
    ChannelId
);
id!(
    /// A guild (a Discord server); the local room has one of its own.
    GuildId
);
id!(
    /// A message. Ids of one channel grow with time.
    MessageId
);
id!(
    /// A person, a bot or the companion.
    UserId
);
id!(
    /// One turn of the companion, unique over restarts.
    TurnId
);
id!(
    /// An intention of the companion, unique in its channel. Ids grow with time.
    IntentionId
);
id!(
    /// A session: a channel's own settings. Never given twice.
    SessionId
);
id!(
    /// Something remembered of a person or a channel. Never given twice.
    MemoryId
);
id!(
    /// Something the companion wants done that a person decides on. Never given twice, not even in a new database.
    ProposalId
);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AuthorKind {
    Person,
    Bot,
    /// A webhook: not a person, never answered.
    Webhook,
    Companion,
}

/// Who wrote a message, as seen when it was written.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Author {
    pub id: UserId,
    /// The name shown in this channel.
    pub name: Arc<str>,
    pub kind: AuthorKind,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ChannelKind {
    /// A text channel many people share.
    #[default]
    Group,
    Thread,
    /// A direct message: every message in it is direct address.
    Direct,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Channel {
    pub id: ChannelId,
    pub guild: Option<GuildId>,
    /// Its name without `#`.
    pub name: Arc<str>,
    /// Its topic line; empty where there is none.
    pub topic: Arc<str>,
    pub kind: ChannelKind,
    /// The channel a thread hangs below: what is set there holds in the thread, too.
    #[serde(default)]
    pub parent: Option<ChannelId>,
}

/// A message somebody wrote, the companion included.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Message {
    pub id: MessageId,
    pub channel: ChannelId,
    /// The store's arrival number: grows by one with every stored event of any channel. Cursors count in it.
    pub arrival: u64,
    pub at: Millis,
    pub author: Author,
    /// What it says, unescaped, as its author typed it.
    pub text: Arc<str>,
    pub reply_to: Option<MessageId>,
    /// The people it mentions by the platform's own means. A mention of the companion's managed role is a mention
    /// of the companion, and so is a typed reply to its line, pinged or not: it remembers only its newest ones itself.
    pub mentions: Vec<UserId>,
}

/// A picture or a text file that was sent along with a message, where it can be fetched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MessagePicture {
    /// Its address, as the platform tells it; never out of what people write.
    pub url: Arc<str>,
    pub name: Arc<str>,
    pub bytes: u64,
    /// Width times height, where the platform tells them.
    pub pixels: Option<u64>,
    /// Whether it is a text, of which only the beginning is read.
    pub is_text: bool,
}
