//! The fake world as plain data: who and what there is, what was said, and what the client did. Changing it tells
//! nobody; the verbs of `people/` do that.

mod build;
mod message;
pub mod permissions;

use std::collections::BTreeMap;

use serde_json::Value;

use super::clock::{Id, Millis};

pub use build::*;
pub use message::{EPHEMERAL, LOADING, Message, Reaction, Reference};

#[derive(Debug)]
pub struct World {
    /// The bot's token, without `Bot `.
    pub token: String,
    /// The bot's user id, which is the application's id, too.
    pub bot: Id,
    pub owner: Id,
    /// The privileged intents that are switched on in the developer portal, as gateway bits.
    pub granted: u64,
    /// The shards `gateway/bot` recommends.
    pub shards: u64,
    /// Groups of shards whose sessions may start at the same time.
    pub max_concurrency: u64,
    /// New sessions that may still be started today.
    pub starts_left: i64,
    /// The address of the gateway that REST tells; none: its own on loopback.
    pub gateway_url: Option<String>,
    pub users: BTreeMap<Id, User>,
    pub guilds: BTreeMap<Id, Guild>,
    /// All channels, threads and direct messages.
    pub channels: BTreeMap<Id, Channel>,
    pub commands: Vec<Value>,
    /// How often commands were overwritten.
    pub overwrites: u32,
    pub interactions: BTreeMap<Id, Interaction>,
    /// Files by path, which is `/attachments/…`.
    pub files: BTreeMap<String, Vec<u8>>,
    pub log: Log,
    next: Id,
}

/// A person, bot or webhook.
#[derive(Clone, Debug, Default)]
pub struct User {
    pub id: Id,
    pub name: String,
    pub global_name: Option<String>,
    pub bot: bool,
    pub avatar: Option<String>,
    /// `en-US`; commands are shown and asked in it.
    pub locale: String,
    /// Takes no direct messages.
    pub closed: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Guild {
    pub id: Id,
    pub name: String,
    pub owner: Id,
    pub locale: String,
    pub roles: BTreeMap<Id, Role>,
    pub members: BTreeMap<Id, Member>,
    pub emojis: BTreeMap<Id, Emoji>,
    pub stickers: BTreeMap<Id, Sticker>,
    pub bans: BTreeMap<Id, Ban>,
    /// AutoMod refuses messages with one of these.
    pub blocked_words: Vec<String>,
    /// The guild has an outage: it is announced and never comes.
    pub unavailable: bool,
}

#[derive(Clone, Debug, Default)]
pub struct Role {
    pub id: Id,
    pub name: String,
    pub permissions: u64,
    pub position: u64,
    pub mentionable: bool,
    pub bot: Option<Id>,
}

#[derive(Clone, Debug, Default)]
pub struct Member {
    pub user: Id,
    pub nick: Option<String>,
    pub roles: Vec<Id>,
    pub joined: Millis,
    pub timed_out_until: Option<Millis>,
}

#[derive(Clone, Debug)]
pub struct Emoji {
    pub id: Id,
    pub name: String,
    pub available: bool,
}

#[derive(Clone, Debug)]
pub struct Sticker {
    pub id: Id,
    pub name: String,
    pub description: String,
}

#[derive(Clone, Debug)]
pub struct Ban {
    pub reason: Option<String>,
    pub delete_seconds: u64,
}

/// A channel, thread or direct message.
#[derive(Clone, Debug, Default)]
pub struct Channel {
    pub id: Id,
    /// None in direct messages.
    pub guild: Option<Id>,
    /// Discord's number: 0 text, 1 direct message, 2 voice, 4 category, 5 news, 11 and 12 threads, 15 forum.
    pub kind: u64,
    pub name: String,
    pub topic: Option<String>,
    pub parent: Option<Id>,
    pub position: u64,
    pub nsfw: bool,
    /// Seconds.
    pub slow_mode: u64,
    pub overwrites: Vec<Overwrite>,
    /// The other side of a direct message.
    pub recipient: Option<Id>,
    pub thread: Option<Thread>,
    pub tags: Vec<Tag>,
    /// Whether each post of a forum must have one.
    pub requires_tag: bool,
    pub messages: BTreeMap<Id, Message>,
    pub typing: Vec<Millis>,
}

#[derive(Clone, Debug, Default)]
pub struct Thread {
    pub owner: Id,
    pub archived: bool,
    pub locked: bool,
    pub created: Millis,
    pub members: Vec<Id>,
    pub tags: Vec<Id>,
}

#[derive(Clone, Debug)]
pub struct Tag {
    pub id: Id,
    pub name: String,
    /// Whether only those who manage threads may use it.
    pub moderated: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum For {
    Role(Id),
    Member(Id),
}

#[derive(Clone, Copy, Debug)]
pub struct Overwrite {
    pub whom: For,
    pub allow: u64,
    pub deny: u64,
}

/// A command, menu or button that somebody used, and how it was answered.
#[derive(Clone, Debug)]
pub struct Interaction {
    pub id: Id,
    pub token: String,
    pub channel: Id,
    pub user: Id,
    pub at: Millis,
    /// The message whose button was pressed.
    pub on: Option<Id>,
    /// Discord's number of the callback; none: not answered yet.
    pub callback: Option<u64>,
    pub answered_at: Option<Millis>,
    /// The callback's whole body.
    pub body: Value,
    /// The answer itself: of a deferred one, what it was edited to. None: not yet, or deleted.
    pub answer: Option<Message>,
    pub followups: Vec<Message>,
}

impl Interaction {
    /// Whether the answer is shown, not only promised.
    pub fn is_shown(&self) -> bool {
        self.answer
            .as_ref()
            .is_some_and(|answer| answer.flags & LOADING == 0)
    }
}

/// What the client did, oldest first.
#[derive(Clone, Debug, Default)]
pub struct Log {
    pub requests: Vec<Request>,
    /// When the gateway's port was connected to.
    pub connects: Vec<Millis>,
    /// The web sockets that were asked for.
    pub upgrades: Vec<Upgrade>,
    pub packed: CompressionTotals,
    pub identifies: Vec<Identify>,
    pub resumes: Vec<Resume>,
    pub presence: Value,
    pub heartbeats: u64,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct CompressionTotals {
    pub frames: u64,
    pub bytes: usize,
    pub unpacked: usize,
}

/// How a web socket to the gateway was asked for.
#[derive(Clone, Debug, PartialEq)]
pub struct Upgrade {
    pub user_agent: Option<String>,
    /// Whether everything is sent as one zlib stream.
    pub is_packed: bool,
}

#[derive(Clone, Debug)]
pub struct Identify {
    pub at: Millis,
    pub intents: u64,
    pub shard: (u64, u64),
    /// The whole payload, without the token.
    pub payload: Value,
}

#[derive(Clone, Debug)]
pub struct Resume {
    pub at: Millis,
    pub session: String,
    pub seq: u64,
    pub granted: bool,
}

#[derive(Clone, Debug)]
pub struct Request {
    pub at: Millis,
    pub method: String,
    /// Decoded, without `/api/v10` and the query: `/channels/1/messages`; of a file `/attachments/…`.
    pub path: String,
    pub query: BTreeMap<String, String>,
    /// Lower-case names; the token is left out.
    pub headers: BTreeMap<String, String>,
    /// The JSON body, or `payload_json` of a multipart one.
    pub body: Value,
    /// Files of a multipart body, by name and size.
    pub files: Vec<(String, usize)>,
    /// What was answered; none: nothing, or not yet.
    pub status: Option<u16>,
}

impl Request {
    /// Whether method and path fit a pattern like `POST /channels/*/messages`; `*` is one segment, `* …` any method.
    pub fn fits(&self, pattern: &str) -> bool {
        fits(pattern, &self.method, &self.path)
    }
}

/// See [`Request::fits`].
pub fn fits(pattern: &str, method: &str, path: &str) -> bool {
    let (wanted, route) = pattern
        .split_once(' ')
        .expect("a pattern is a method and a path");
    let mut segments = path.split('/');
    (wanted == "*" || wanted == method)
        && route.split('/').all(|part| {
            segments
                .next()
                .is_some_and(|segment| part == "*" || part == segment)
        })
        && segments.next().is_none()
}

impl World {
    pub fn guild_of(&self, channel: Id) -> Option<&Guild> {
        self.guilds.get(&self.channels.get(&channel)?.guild?)
    }

    pub fn channel(&self, id: Id) -> &Channel {
        self.channels
            .get(&id)
            .unwrap_or_else(|| panic!("there is no channel {id}"))
    }

    pub fn channel_mut(&mut self, id: Id) -> &mut Channel {
        self.channels
            .get_mut(&id)
            .unwrap_or_else(|| panic!("there is no channel {id}"))
    }

    pub fn guild_mut(&mut self, id: Id) -> &mut Guild {
        self.guilds
            .get_mut(&id)
            .unwrap_or_else(|| panic!("there is no guild {id}"))
    }

    pub fn message(&self, channel: Id, id: Id) -> Option<&Message> {
        self.channels.get(&channel)?.messages.get(&id)
    }

    /// Whether a message bears a reaction of the bot's.
    pub fn is_marked(&self, channel: Id, id: Id) -> bool {
        let mut marks = self
            .message(channel, id)
            .into_iter()
            .flat_map(|message| &message.reactions);
        marks.any(|mark| mark.users.contains(&self.bot))
    }

    /// An answer to an interaction that only one person sees.
    pub fn find_hidden(&self, id: Id) -> Option<&Message> {
        let answers = self
            .interactions
            .values()
            .flat_map(|asked| asked.answer.iter().chain(&asked.followups));
        answers.into_iter().find(|message| message.id == id)
    }

    /// What the bot has in a channel, oldest first.
    pub fn posts(&self, channel: Id) -> Vec<&Message> {
        let messages = self.channel(channel).messages.values();
        messages
            .filter(|message| message.author == self.bot && message.webhook.is_none())
            .collect()
    }

    /// The requests that fit a pattern like `POST /channels/*/messages`, oldest first.
    pub fn requests(&self, pattern: &str) -> Vec<&Request> {
        self.log
            .requests
            .iter()
            .filter(|request| request.fits(pattern))
            .collect()
    }

    /// The direct message with somebody, if it was ever opened.
    pub fn dm_with(&self, user: Id) -> Option<Id> {
        self.channels
            .values()
            .find(|channel| channel.recipient == Some(user))
            .map(|channel| channel.id)
    }
}
