//! What a front end may ask the daemon for. Plain data with its bounds; nothing here is carried out. Ids are strings
//! in JSON, times are milliseconds since the Unix epoch.

use std::collections::BTreeMap;
use std::fmt;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

use super::room_answer::{RefusalKind, RequestRefusal, RoomAnswer};
use kith_core::chat::{
    ChannelId, IntentionId, MemoryId, MessageId, ProposalId, SessionId, TurnId, UserId,
};
use kith_core::session::LABEL_CHARACTERS;
use kith_core::turn::find_emoji;
use kith_language::{LocalizedMessage, room_refusals};

/// What one address of the API takes.
pub trait ApiRequest: DeserializeOwned + fmt::Debug + Send + 'static {
    type Answer: Serialize + fmt::Debug + Send;

    /// Refuses what has no sensible size.
    fn check(&self) -> Result<(), RequestRefusal>;
}

/// A request on its way to the daemon, and the way back.
#[derive(Debug)]
pub struct PendingRequest<R: ApiRequest = RoomRequest> {
    pub request: R,
    /// Where the answer goes. Dropped unanswered, the front end is told that the daemon is stopping.
    pub answer: oneshot::Sender<Result<R::Answer, RequestRefusal>>,
}

/// Everything a front end can ask for: the body of `POST /api`, e.g. `{"ask":"mind","channel":"1"}`.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case", deny_unknown_fields)]
pub enum RoomRequest {
    /// Channels, people and the model. Answered with [`RoomAnswer::State`].
    State {},
    /// Messages of a channel, newest first page. Answered with [`RoomAnswer::History`].
    History {
        channel: ChannelId,
        /// Only messages older than this one.
        #[serde(default)]
        before: Option<MessageId>,
        /// Only messages newer than this one, the first ones after it. Not with `before`.
        #[serde(default)]
        after: Option<MessageId>,
        /// At most so many, 1 … 200.
        #[serde(default = "default_page_size")]
        limit: u32,
    },
    /// How many messages came after those that were read. Answered with [`RoomAnswer::Unread`].
    Unread {
        /// The newest message that was read, by channel.
        read: BTreeMap<ChannelId, MessageId>,
    },
    /// Messages of a channel that hold words. Answered with [`RoomAnswer::Found`].
    Search {
        channel: ChannelId,
        /// Which words.
        text: String,
    },
    /// Say something as a person. Answered with [`RoomAnswer::Message`] once the message is stored for good.
    Post {
        channel: ChannelId,
        person: UserId,
        /// What; `@Name` mentions.
        text: String,
        #[serde(default)]
        reply_to: Option<MessageId>,
        /// Chosen anew for each message: a post with the same nonce is answered with the message that is there.
        client_nonce: String,
    },
    /// Change what a person's message says. Answered with [`RoomAnswer::Done`].
    Edit {
        channel: ChannelId,
        message: MessageId,
        text: String,
    },
    /// Take a message away. Answered with [`RoomAnswer::Done`].
    Delete {
        channel: ChannelId,
        message: MessageId,
    },
    /// Put a reaction on a message or take it away. Answered with [`RoomAnswer::Done`].
    React {
        channel: ChannelId,
        message: MessageId,
        person: UserId,
        emoji: String,
        /// Added, or taken away.
        added: bool,
    },
    /// A person is typing; lasts ten seconds. Answered with [`RoomAnswer::Done`].
    Typing { channel: ChannelId, person: UserId },
    /// A new person for the room. Answered with [`RoomAnswer::Person`].
    AddPerson {
        /// Their name, unlike all others.
        name: String,
    },
    /// A new channel. Answered with [`RoomAnswer::Channel`].
    AddChannel {
        /// Its name without `#`.
        name: String,
        #[serde(default)]
        topic: String,
    },
    /// Give a person another name. Answered with [`RoomAnswer::Person`].
    RenamePerson {
        person: UserId,
        /// Unlike all others.
        name: String,
    },
    /// Take a person out of the room; what they wrote stays. Answered with [`RoomAnswer::Done`].
    RemovePerson { person: UserId },
    /// Give a channel another name and topic. Answered with [`RoomAnswer::Channel`].
    ChangeChannel {
        channel: ChannelId,
        /// Its name without `#`.
        name: String,
        #[serde(default)]
        topic: String,
    },
    /// Remove a channel, and erase what was said and remembered there for good. Answered with [`RoomAnswer::Done`].
    RemoveChannel { channel: ChannelId },
    /// Why it spoke or kept silent at a message. Answered with [`RoomAnswer::Decision`].
    Decision {
        channel: ChannelId,
        message: MessageId,
    },
    /// A whole turn with its prompts; a running one as far as it got. Answered with [`RoomAnswer::Turn`].
    Turn { id: TurnId },
    /// End a running turn here, with whatever its tools are doing. Answered with [`RoomAnswer::Done`] once it is over.
    StopTurn { id: TurnId },
    /// End one call of a running turn half-way; the turn goes on. Answered with [`RoomAnswer::Done`].
    StopCall {
        turn: TurnId,
        /// Its number, as the turn's `calls` have it.
        call: u32,
    },
    /// The latest turns of a channel, newest first. Answered with [`RoomAnswer::Turns`].
    Turns {
        channel: ChannelId,
        /// Only turns older than this one.
        #[serde(default)]
        before: Option<TurnId>,
    },
    /// How much it would like to speak now. Answered with [`RoomAnswer::Mind`].
    Mind { channel: ChannelId },
    /// What it waits for in a channel. Answered with [`RoomAnswer::Intentions`].
    Intentions { channel: ChannelId },
    /// Take something it waits for away. Answered with [`RoomAnswer::Done`].
    DropIntention { channel: ChannelId, id: IntentionId },
    /// The sessions there are. Answered with [`RoomAnswer::Sessions`].
    Sessions {},
    /// A session is over: its channel is like any other from now on. Answered with [`RoomAnswer::Done`].
    CloseSession {
        id: SessionId,
        /// What came of it: said where it was opened.
        #[serde(default)]
        outcome: Option<String>,
    },
    /// Open a session from a channel. Answered with [`RoomAnswer::Session`].
    OpenSession {
        channel: ChannelId,
        label: String,
        /// What the companion is to keep in mind there.
        #[serde(default)]
        about: Option<String>,
        /// One of the host's profiles.
        #[serde(default)]
        profile: Option<String>,
    },
    /// Give a session another name, or say anew what it is for. Answered with [`RoomAnswer::Done`].
    ChangeSession {
        id: SessionId,
        #[serde(default)]
        label: Option<String>,
        /// What the companion is to keep in mind there; empty for nothing.
        #[serde(default)]
        about: Option<String>,
    },
    /// What waits for somebody's approval in a channel. Answered with [`RoomAnswer::Pending`].
    Pending { channel: ChannelId },
    /// Approve what waits, or drop it. Answered with [`RoomAnswer::Done`] once the decision is stored for good.
    Decide {
        id: ProposalId,
        approve: bool,
        person: UserId,
    },
    /// What is remembered of a person that may be seen in a channel. Answered with [`RoomAnswer::Memories`].
    Memories { channel: ChannelId, person: UserId },
    /// Say what is right instead, as the person it is about. Answered with [`RoomAnswer::Memories`]: what is remembered
    /// in its place.
    CorrectMemory {
        channel: ChannelId,
        person: UserId,
        id: MemoryId,
        text: String,
    },
    /// Which model answers, and what is left of the budget. Answered with [`RoomAnswer::Model`].
    Model {},
    /// The names of the models at an address. Answered with [`RoomAnswer::Models`].
    ListModels(EndpointRequest),
    /// Ask a model one short question. Answered with [`RoomAnswer::Tested`], or refused with the reason.
    TestModel(ModelChoice),
    /// Test this model, and use it for all turns that start from now on. Answered with [`RoomAnswer::ModelUsed`], or
    /// refused with the reason; [`LiveEvent::Model`](super::LiveEvent::Model) tells when it is in use.
    UseModel(ModelUse),
    /// Make a persona file of a character card. Only `POST /api/card` takes a body that is long enough. Answered with
    /// [`RoomAnswer::ImportedCard`].
    ImportCard { card: CardUpload },
}

/// The bytes of a file, sent as base64.
#[derive(Deserialize)]
#[serde(try_from = "String")]
pub struct CardUpload(pub Vec<u8>);

impl TryFrom<String> for CardUpload {
    type Error = &'static str;

    fn try_from(sent: String) -> Result<Self, Self::Error> {
        let bytes = STANDARD.decode(sent);
        bytes.map(Self).map_err(|_| "the card is no base64")
    }
}

impl fmt::Debug for CardUpload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CardUpload({} bytes)", self.0.len())
    }
}

fn default_page_size() -> u32 {
    50
}

/// Where models are to be found.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EndpointRequest {
    /// The base URL, e.g. `https://api.openai.com/v1` or `http://127.0.0.1:11434`.
    pub url: String,
    /// The key; empty where none is needed.
    #[serde(default)]
    pub key: TypedKey,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelChoice {
    pub url: String,
    /// The key; empty where none is needed.
    #[serde(default)]
    pub key: TypedKey,
    /// Its name, as its server spells it.
    pub model: String,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelUse {
    pub url: String,
    /// The key; empty where none is needed.
    #[serde(default)]
    pub key: TypedKey,
    /// Its name, as its server spells it.
    pub model: String,
    /// Whether it is written to the settings file, so that it answers after a restart, too.
    #[serde(default)]
    pub keep: bool,
}

/// A secret a person typed. Never shown, never sent back.
#[derive(Clone, Default, Deserialize)]
#[serde(transparent)]
pub struct TypedKey(pub String);

impl fmt::Debug for TypedKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<redacted>")
    }
}

impl ApiRequest for RoomRequest {
    type Answer = RoomAnswer;

    fn check(&self) -> Result<(), RequestRefusal> {
        match self {
            Self::Post {
                text, client_nonce, ..
            } => {
                check_text_length(text, "text", 1, LONGEST_MESSAGE)?;
                check_text_length(client_nonce, "client_nonce", 1, 64)
            }
            Self::Edit { text, .. } => check_text_length(text, "text", 1, LONGEST_MESSAGE),
            Self::React { emoji, added, .. } => check_emoji(emoji.trim(), *added),
            Self::AddPerson { name } | Self::RenamePerson { name, .. } => {
                check_text_length(name, "name", 1, 32)?;
                check_single_line(name, "name")
            }
            Self::AddChannel { name, topic } | Self::ChangeChannel { name, topic, .. } => {
                check_text_length(name, "name", 1, 48)?;
                check_single_line(name, "name")?;
                check_text_length(topic, "topic", 0, 200)?;
                check_single_line(topic, "topic")
            }
            Self::OpenSession { label, about, .. } => {
                check_session(Some(label.as_str()), about.as_deref())
            }
            Self::ChangeSession { label, about, .. } => {
                check_session(label.as_deref(), about.as_deref())
            }
            Self::CloseSession { outcome, .. } => check_session(None, outcome.as_deref()),
            Self::History { limit, .. } if !(1..=200).contains(limit) => {
                Err(refuse(room_refusals::limit_out_of_range(*limit, 200_usize)))
            }
            Self::History {
                before: Some(_),
                after: Some(_),
                ..
            } => Err(refuse(room_refusals::before_and_after())),
            Self::Unread { read } if read.len() > MOST_CHANNELS => Err(refuse(
                room_refusals::too_many_channels(read.len(), MOST_CHANNELS),
            )),
            Self::Search { text, .. } => check_text_length(text, "text", 1, 400),
            _ => Ok(()),
        }
    }
}

/// The most channels a request may name.
const MOST_CHANNELS: usize = 1_000;
/// The longest emoji that was ever allowed, in characters.
const LONGEST_EMOJI: usize = 34;
/// The longest message people may write, in characters.
const LONGEST_MESSAGE: usize = 4_000;
/// The longest note on a session, and the longest outcome: it has to fit into a message.
const LONGEST_SESSION_TEXT: usize = 1_500;

/// A session's name, and what is said of it.
fn check_session(label: Option<&str>, text: Option<&str>) -> Result<(), RequestRefusal> {
    if let Some(label) = label {
        check_text_length(label, "label", 1, LABEL_CHARACTERS)?;
        check_single_line(label, "label")?;
    }
    check_text_length(text.unwrap_or_default(), "text", 0, LONGEST_SESSION_TEXT)
}

pub(super) fn check_text_length(
    text: &str,
    field: &str,
    least: usize,
    most: usize,
) -> Result<(), RequestRefusal> {
    let length = text.trim().chars().count();
    if length < least {
        Err(refuse(room_refusals::empty_text(field)))
    } else if length > most {
        Err(refuse(room_refusals::long_text(field, length, most)))
    } else {
        Ok(())
    }
}

/// One emoji, or the name of one as Discord has it: `:wave:`. The room has none with ids.
fn check_emoji(emoji: &str, added: bool) -> Result<(), RequestRefusal> {
    match find_emoji(emoji) {
        Some(found) if found == emoji && !found.starts_with('<') => Ok(()),
        // What was allowed once can still be taken back.
        _ if !added => check_text_length(emoji, "emoji", 1, LONGEST_EMOJI),
        _ => Err(refuse(room_refusals::no_emoji())),
    }
}

fn check_single_line(text: &str, field: &str) -> Result<(), RequestRefusal> {
    let breaks = |c: char| c.is_control() || matches!(c, '\u{2028}' | '\u{2029}');
    match text.trim().contains(breaks) {
        true => Err(refuse(room_refusals::not_one_line(field))),
        false => Ok(()),
    }
}

pub(super) fn refuse(message: LocalizedMessage) -> RequestRefusal {
    RequestRefusal::new(RefusalKind::BadRequest, &message)
}
