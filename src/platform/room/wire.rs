//! What the room and the daemon say to each other, and what goes over the wire as JSON: requests, answers, live
//! events. Plain data; nothing here decides. Ids are strings in JSON, times are milliseconds since the Unix epoch.

use std::fmt;

use serde::{Deserialize, Serialize};
use tokio::sync::oneshot;

use crate::core::chat::{Author, Channel, ChannelId, Message, MessageId, Millis, TurnId, UserId};
use crate::core::policy::Mode;
use crate::core::report::{BeatReport, Decision, Refusal, Term, TurnReport, Wake};

/// A request on its way to the daemon, and the way back.
#[derive(Debug)]
pub struct Asked {
    /// What a front end wants.
    pub request: Request,
    /// Where the answer goes. Dropped unanswered, the front end is told that the daemon is stopping.
    pub answer: oneshot::Sender<Result<Answer, Refused>>,
}

/// Everything a front end can ask for: the body of `POST /api`, e.g. `{"ask":"mind","channel":"1"}`.
#[derive(Debug, Deserialize)]
#[serde(tag = "ask", rename_all = "snake_case", deny_unknown_fields)]
pub enum Request {
    /// Channels, people and the model. Answered with [`Answer::State`].
    State {},
    /// Messages of a channel, newest first page. Answered with [`Answer::History`].
    History {
        /// Where.
        channel: ChannelId,
        /// Only messages older than this one.
        #[serde(default)]
        before: Option<MessageId>,
        /// At most so many, 1 … 200.
        #[serde(default = "page_of_messages")]
        limit: u32,
    },
    /// Say something as a person. Answered with [`Answer::Message`] once the message is stored for good.
    Post {
        /// Where.
        channel: ChannelId,
        /// As whom.
        person: UserId,
        /// What; `@Name` mentions.
        text: String,
        /// The message it replies to.
        #[serde(default)]
        reply_to: Option<MessageId>,
        /// Chosen by the front end, anew for each message: a repeated post with the same nonce is answered with the
        /// message that is already there.
        client_nonce: String,
    },
    /// Change what a person's message says. Answered with [`Answer::Done`].
    Edit {
        /// Where.
        channel: ChannelId,
        /// Which.
        message: MessageId,
        /// What it says now.
        text: String,
    },
    /// Take a message away. Answered with [`Answer::Done`].
    Delete {
        /// Where.
        channel: ChannelId,
        /// Which.
        message: MessageId,
    },
    /// Put a reaction on a message or take it away. Answered with [`Answer::Done`].
    React {
        /// Where.
        channel: ChannelId,
        /// On which message.
        message: MessageId,
        /// As whom.
        person: UserId,
        /// Which emoji, as text.
        emoji: String,
        /// Added, or taken away.
        added: bool,
    },
    /// A person is typing; lasts ten seconds. Answered with [`Answer::Done`].
    Typing {
        /// Where.
        channel: ChannelId,
        /// Who.
        person: UserId,
    },
    /// A new person for the room. Answered with [`Answer::Person`].
    AddPerson {
        /// Their name, unlike all others.
        name: String,
    },
    /// A new channel. Answered with [`Answer::Channel`].
    AddChannel {
        /// Its name without `#`.
        name: String,
        /// Its topic line.
        #[serde(default)]
        topic: String,
    },
    /// Why it spoke or kept silent at a message. Answered with [`Answer::Decision`].
    Decision {
        /// Where.
        channel: ChannelId,
        /// At which message.
        message: MessageId,
    },
    /// A whole turn with its prompts; a running one as far as it got. Answered with [`Answer::Turn`].
    Turn {
        /// Which.
        id: TurnId,
    },
    /// The latest turns of a channel, newest first. Answered with [`Answer::Turns`].
    Turns {
        /// Where.
        channel: ChannelId,
        /// Only turns older than this one.
        #[serde(default)]
        before: Option<TurnId>,
    },
    /// How much it would like to speak now. Answered with [`Answer::Mind`].
    Mind {
        /// Where.
        channel: ChannelId,
    },
    /// Which model answers, and what is left of the budget. Answered with [`Answer::Model`].
    Model {},
    /// The names of the models at an address. Answered with [`Answer::Models`].
    ListModels(Endpoint),
    /// Ask a model one short question. Answered with [`Answer::Tested`], or refused with the reason.
    TestModel(ModelChoice),
    /// From now on use this model. Answered with [`Answer::Model`].
    UseModel(ModelChoice),
}

fn page_of_messages() -> u32 {
    50
}

/// Where models are to be found.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Endpoint {
    /// The base URL, e.g. `https://api.openai.com/v1` or `http://127.0.0.1:11434`.
    pub url: String,
    /// The key; empty where none is needed.
    #[serde(default)]
    pub key: Key,
}

/// A model at an address.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModelChoice {
    /// The base URL.
    pub url: String,
    /// The key; empty where none is needed.
    #[serde(default)]
    pub key: Key,
    /// Its name, as its server spells it.
    pub model: String,
}

/// A secret a person typed. Never shown, never sent back.
#[derive(Clone, Default, Deserialize)]
#[serde(transparent)]
pub struct Key(pub String);

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("<redacted>")
    }
}

/// What the daemon answers. In JSON each is the bare value; the request says which to expect.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub enum Answer {
    /// It is done and will stay so. `{}` in JSON.
    Done {},
    /// Everything a front end starts from.
    State(State),
    /// A page of messages, oldest first.
    History(History),
    /// The message as it is stored.
    Message(Box<RoomMessage>),
    /// The new person.
    Person(Author),
    /// The new channel.
    Channel(RoomChannel),
    /// Why it spoke or kept silent.
    Decision(Box<Explained>),
    /// A turn with its prompts.
    Turn(Box<WholeTurn>),
    /// Turns without their prompts, newest first.
    Turns {
        /// The turns.
        turns: Vec<TurnReport>,
    },
    /// How much it would like to speak now.
    Mind(Mind),
    /// The model and the budget.
    Model(ModelState),
    /// The models an address offers.
    Models {
        /// Their names.
        models: Vec<String>,
    },
    /// A model that works.
    Tested {
        /// How long its answer took.
        milliseconds: Millis,
        /// What it answered.
        said: String,
    },
}

/// Why a request was not carried out, in words for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refused {
    /// What kind of reason.
    pub why: Why,
    /// One sentence: what, where, how to mend it. Holds no secret.
    pub message: String,
}

/// The kinds of refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The request makes no sense: status 400.
    Wrong,
    /// What it names is not there: status 404.
    Unknown,
    /// It made sense, but could not be done: status 503.
    Failed,
}

/// Everything a front end starts from.
#[derive(Clone, Debug, Serialize)]
pub struct State {
    /// The people one can post as, oldest first. The companion is not among them.
    pub people: Vec<Author>,
    /// The channels, oldest first.
    pub channels: Vec<RoomChannel>,
    /// The model and the budget.
    pub model: ModelState,
}

/// A channel and who the companion is there.
#[derive(Clone, Debug, Serialize)]
pub struct RoomChannel {
    /// The channel.
    #[serde(flatten)]
    pub channel: Channel,
    /// Whether the companion may speak in it.
    pub mode: Mode,
    /// The companion as its members see it.
    pub companion: Author,
}

/// A page of messages.
#[derive(Clone, Debug, Serialize)]
pub struct History {
    /// Oldest first.
    pub messages: Vec<RoomMessage>,
    /// Whether there are older ones.
    pub more: bool,
}

/// A message with what hangs on it.
#[derive(Clone, Debug, Serialize)]
pub struct RoomMessage {
    /// The message, its text as it is now.
    #[serde(flatten)]
    pub message: Message,
    /// Whether its text was changed after it was written.
    pub edited: bool,
    /// The reactions on it, in the order they came.
    pub reactions: Vec<Reactions>,
    /// The decision on it, for messages of people.
    pub decision: Option<Decision>,
    /// The turn that wrote it, for the companion's own.
    pub turn: Option<TurnId>,
}

/// All reactions with one emoji on one message.
#[derive(Clone, Debug, Serialize)]
pub struct Reactions {
    /// The emoji, as text.
    pub emoji: String,
    /// Who put it there.
    pub by: Vec<Author>,
}

/// Why it spoke or kept silent at a message.
#[derive(Clone, Debug, Serialize)]
pub struct Explained {
    /// What was thought when the message arrived.
    pub decision: Option<Decision>,
    /// The beat that decided on it, if one did.
    pub beat: Option<BeatReport>,
    /// The turn it woke, if it woke one.
    pub turn: Option<TurnId>,
}

/// A turn with the exact prompts its rounds were asked with.
#[derive(Clone, Debug, Serialize)]
pub struct WholeTurn {
    /// The turn.
    pub report: TurnReport,
    /// The prompts, by [`Prompt::ask`].
    pub prompts: Vec<Prompt>,
    /// Whether it still runs.
    pub running: bool,
}

/// What the model was shown in one round.
#[derive(Clone, Debug, Serialize)]
pub struct Prompt {
    /// The round's number, as in its report.
    pub ask: u32,
    /// The model's name.
    pub model: String,
    /// The system message, whole.
    pub system: String,
    /// The user message, whole.
    pub user: String,
}

/// How much the companion would like to speak in a channel now.
#[derive(Clone, Debug, Serialize)]
pub struct Mind {
    /// Where.
    pub channel: ChannelId,
    /// The moment this was true.
    pub at: Millis,
    /// The message it thinks about: the last one it scored.
    pub message: Option<MessageId>,
    /// The willingness, 0 … 1, decayed to now.
    pub score: f32,
    /// What it must reach unasked, 0 … 1.
    pub bar: f32,
    /// Energy, 0 … 1.
    pub energy: f32,
    /// The constant addend, log-odds.
    pub bias: f32,
    /// The addends, log-odds.
    pub terms: Vec<Term>,
    /// What stands in the way whatever the score.
    pub refusal: Option<Refusal>,
    /// When it looks at the channel next, if anything makes it.
    pub next_beat: Option<Millis>,
    /// The turn that runs now.
    pub turn: Option<TurnId>,
}

/// Which model answers, and what is left of the budget. Holds no key.
#[derive(Clone, Debug, Serialize)]
pub struct ModelState {
    /// The model's name, or the stand-in's.
    pub name: String,
    /// The base URL it is reached at; empty for the stand-in.
    pub url: String,
    /// Whether the stand-in answers because no model is configured.
    pub stand_in: bool,
    /// Tokens spent today.
    pub tokens_today: u64,
    /// The most tokens a day; none means no limit.
    pub daily_cap: Option<u64>,
    /// What is wrong with it, in words for people.
    pub trouble: Option<String>,
}

/// What a front end is told as it happens: the data of `GET /api/live`.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Live {
    /// Somebody wrote a message, the companion included.
    Message(Box<RoomMessage>),
    /// A message was edited.
    Edited {
        /// Where.
        channel: ChannelId,
        /// Which.
        message: MessageId,
        /// What it says now.
        text: String,
    },
    /// Messages were deleted.
    Deleted {
        /// Where.
        channel: ChannelId,
        /// Which.
        messages: Vec<MessageId>,
    },
    /// A reaction was added or taken away.
    Reaction {
        /// Where.
        channel: ChannelId,
        /// On which message.
        message: MessageId,
        /// By whom.
        by: Author,
        /// Which emoji.
        emoji: String,
        /// Added, or taken away.
        added: bool,
    },
    /// Somebody is typing, the companion included; lasts ten seconds, or until their next message.
    Typing {
        /// Where.
        channel: ChannelId,
        /// Who.
        user: UserId,
    },
    /// A message was scored.
    Decision(Decision),
    /// A beat looked at a channel.
    Beat(BeatReport),
    /// The heartbeat will look at a channel at another time than was known.
    NextBeat {
        /// Where.
        channel: ChannelId,
        /// When; none when nothing makes it look.
        at: Option<Millis>,
    },
    /// A turn started.
    TurnStarted {
        /// Which.
        turn: TurnId,
        /// Where.
        channel: ChannelId,
        /// When.
        at: Millis,
        /// Why.
        wake: Wake,
    },
    /// The model wrote a piece of its answer.
    TurnProgress {
        /// The turn.
        turn: TurnId,
        /// Where.
        channel: ChannelId,
        /// The round.
        ask: u32,
        /// The piece.
        delta: String,
    },
    /// A turn ended.
    TurnFinished(Box<TurnReport>),
    /// A channel is new or changed.
    Channel(RoomChannel),
    /// A person is new.
    Person(Author),
    /// The model or the budget changed.
    Model(ModelState),
    /// Something people should know.
    Notice {
        /// One sentence.
        text: String,
    },
}

impl Request {
    /// Whether every text in it has a sensible length; the reason otherwise.
    pub(super) fn check(&self) -> Result<(), Refused> {
        match self {
            Self::Post { text, client_nonce, .. } => {
                text_between(text, "text", 1, LONGEST_MESSAGE)?;
                text_between(client_nonce, "client_nonce", 1, 64)
            }
            Self::Edit { text, .. } => text_between(text, "text", 1, LONGEST_MESSAGE),
            Self::React { emoji, .. } => text_between(emoji, "emoji", 1, 64),
            Self::AddPerson { name } => text_between(name, "name", 1, 32),
            Self::AddChannel { name, topic } => {
                text_between(name, "name", 1, 48)?;
                text_between(topic, "topic", 0, 200)
            }
            Self::History { limit, .. } if !(1..=200).contains(limit) => {
                Err(Refused::wrong(format!("`limit` is {limit}; write a number from 1 to 200")))
            }
            _ => Ok(()),
        }
    }
}

/// The longest message people may write, in characters.
const LONGEST_MESSAGE: usize = 4_000;

fn text_between(text: &str, field: &str, least: usize, most: usize) -> Result<(), Refused> {
    let length = text.trim().chars().count();
    if length < least {
        Err(Refused::wrong(format!("`{field}` is empty; write something")))
    } else if length > most {
        Err(Refused::wrong(format!("`{field}` has {length} characters; {most} are allowed")))
    } else {
        Ok(())
    }
}

impl Refused {
    /// The request makes no sense.
    pub fn wrong(message: impl Into<String>) -> Self {
        Self { why: Why::Wrong, message: message.into() }
    }

    /// What it names is not there.
    pub fn unknown(message: impl Into<String>) -> Self {
        Self { why: Why::Unknown, message: message.into() }
    }

    /// It made sense, but could not be done.
    pub fn failed(message: impl Into<String>) -> Self {
        Self { why: Why::Failed, message: message.into() }
    }
}
