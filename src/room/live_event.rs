//! What a front end is told as it happens: the data of the stream of server-sent events, which `lib.rs`
//! serves. Each can be applied twice without harm.

use serde::Serialize;

use super::room_answer::{
    ModelState, RoomChannel, RoomMessage, RoomSession, RunningToolCall, ToolNews,
};
use kith_core::chat::{Author, ChannelId, MessageId, Millis, TurnId, UserId};
use kith_core::intent::IntentEnd;
use kith_core::report::{DecisionReport, MessageDecision, TurnReport, TurnTrigger};

/// What a front end is told as it happens: the data of `GET /api/live`.
#[derive(Clone, Debug, Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum LiveEvent {
    /// Somebody wrote a message, the companion included.
    Message(Box<RoomMessage>),
    Edited {
        channel: ChannelId,
        message: MessageId,
        text: String,
    },
    Deleted {
        channel: ChannelId,
        messages: Vec<MessageId>,
    },
    /// A reaction was added or taken away.
    Reaction {
        channel: ChannelId,
        message: MessageId,
        by: Author,
        emoji: String,
        /// Added, or taken away.
        added: bool,
    },
    /// Somebody is typing, the companion included; lasts ten seconds, or until their next message.
    Typing {
        channel: ChannelId,
        user: UserId,
    },
    /// They type no more, though they wrote nothing: the companion's turn is over.
    TypingEnded {
        channel: ChannelId,
        user: UserId,
    },
    Decision(MessageDecision),
    /// Something was decided in a channel.
    DecisionPoint(DecisionReport),
    /// The heartbeat will look at a channel at another time than was known.
    NextDecisionPoint {
        channel: ChannelId,
        /// When; none when nothing makes it look.
        at: Option<Millis>,
    },
    /// What it waits for in a channel changed: fetch it again.
    Intentions {
        channel: ChannelId,
        /// How one of them ended, if one did.
        over: Option<IntentEnd>,
    },
    /// What waits for somebody's approval in a channel changed: fetch it again.
    Pending {
        channel: ChannelId,
    },
    TurnStarted {
        turn: TurnId,
        channel: ChannelId,
        at: Millis,
        wake: TurnTrigger,
    },
    /// The model wrote a piece of its answer.
    TurnProgress {
        turn: TurnId,
        channel: ChannelId,
        /// The round.
        ask: u32,
        delta: String,
    },
    /// A running tool told how it is getting on.
    ToolNews {
        turn: TurnId,
        channel: ChannelId,
        #[serde(flatten)]
        news: ToolNews,
    },
    /// Other calls of a turn run than before.
    RunningCalls {
        turn: TurnId,
        channel: ChannelId,
        /// All that run now.
        calls: Vec<RunningToolCall>,
    },
    /// A session was opened, or is over.
    Session {
        session: RoomSession,
        open: bool,
    },
    TurnFinished(Box<TurnReport>),
    /// A channel is new or changed.
    Channel(RoomChannel),
    ChannelRemoved {
        removed: ChannelId,
    },
    /// A person is new, or has another name.
    Person(Author),
    PersonRemoved {
        removed: UserId,
    },
    /// The model or the budget changed.
    Model(ModelState),
    /// Something people should know.
    Notice {
        /// One sentence.
        text: String,
    },
}
