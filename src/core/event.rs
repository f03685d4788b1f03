//! Everything that can happen. Platforms and the turn driver make these; the core only reads them.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::call::ToolResult;
use super::chat::{
    Author, AuthorKind, Channel, ChannelId, IntentionId, Message, MessageId, Millis, TurnId, UserId,
};
use super::context::ContextNote;
use super::intent::ScheduledIntent;
use super::policy::ChannelPolicy;
use super::protocol::ToolDelta;
use super::quotes::ErasedMessage;
use super::report::{DeliveryFailure, ModelFailure, TokenUsage};

/// What people do in a channel, from the platform over the store to the core.
#[derive(Clone, Debug, PartialEq)]
pub enum ChatEvent {
    /// Somebody wrote a message; the companion's own lines come this way too. Its `arrival` is the store's to give.
    Message(Message),
    /// The same from a front end that may send it again when it heard no answer: a nonce is stored once.
    Posted {
        message: Message,
        /// Chosen by the front end, anew for each message.
        nonce: String,
    },
    /// A message from before the companion listened that is replied to: kept and shown, never decided on.
    Earlier(Message),
    /// A message was edited: its earlier text is erased everywhere.
    Edit {
        channel: ChannelId,
        id: MessageId,
        /// Who edits; must be the kind that wrote it: people do not put words in the companion's mouth.
        author: AuthorKind,
        text: Arc<str>,
        at: Millis,
    },
    /// Messages were deleted: their text is erased everywhere, and they never come back.
    Delete {
        channel: ChannelId,
        ids: Vec<MessageId>,
        at: Millis,
    },
    Reaction {
        channel: ChannelId,
        message: MessageId,
        author: Author,
        emoji: Arc<str>,
        added: bool,
        at: Millis,
    },
    /// A channel became known or changed.
    Channel(Channel),
}

impl ChatEvent {
    /// That a message says `text` since `at`.
    pub fn edit_message(message: &Message, text: Arc<str>, at: Millis) -> Self {
        Self::Edit {
            channel: message.channel,
            id: message.id,
            author: message.author.kind,
            text,
            at,
        }
    }

    pub fn channel(&self) -> ChannelId {
        match self {
            Self::Message(message) | Self::Earlier(message) | Self::Posted { message, .. } => {
                message.channel
            }
            Self::Edit { channel, .. }
            | Self::Delete { channel, .. }
            | Self::Reaction { channel, .. } => *channel,
            Self::Channel(channel) => channel.id,
        }
    }
}

#[derive(Clone, Debug)]
pub enum Event {
    /// A channel became known or changed its name, topic or settings.
    ChannelSeen {
        channel: Channel,
        policy: Arc<ChannelPolicy>,
    },
    /// Somebody did something in a channel, and it is stored.
    Chat(ChatEvent),
    /// A message that counted as said was not: the channel's next prompt tells.
    DeliveryFailed {
        channel: ChannelId,
        why: DeliveryFailure,
    },
    /// Something it asked for earlier was decided on: the channel's next prompt tells.
    ApprovalOutcome {
        channel: ChannelId,
        what: ContextNote,
    },
    Typing {
        channel: ChannelId,
        user: UserId,
    },
    /// Messages right before a known one, or one that is about to come, are missing and will not come.
    Gap {
        channel: ChannelId,
        before: MessageId,
    },
    /// Messages of an absence are being fetched, so that no decision looks at half of them. The last such event of a
    /// look back says `until` now.
    BackfillRunning {
        channel: ChannelId,
        /// How long decisions wait for it at most.
        until: Millis,
    },
    /// Decides now on what waits for its author: whoever replays a recording knows that the companion speaks next.
    DecideNow {
        channel: ChannelId,
    },
    /// From now on the context of a channel starts after this message; nothing is deleted.
    ContextReset {
        channel: ChannelId,
        /// The newest message that is not shown any more.
        after: MessageId,
    },
    /// Everything about a person is to be forgotten: what they wrote, who they answered, how often they spoke.
    PersonForgotten {
        user: UserId,
        /// Where; everywhere if none.
        channels: Option<Vec<ChannelId>>,
    },
    /// A message's words are gone from the store: nobody is told of them any more. The rest comes as a [`ChatEvent`].
    MessageErased(ErasedMessage),
    /// The companion is to come back to something: kept as what it waits for.
    IntentScheduled {
        channel: ChannelId,
        intention: Box<ScheduledIntent>,
    },
    IntentDropped {
        channel: ChannelId,
        id: IntentionId,
    },
    Budget(BudgetState),
    ChannelBudget {
        channel: ChannelId,
        budget: BudgetState,
    },
    /// A running turn's driver tells what came of an effect.
    Turn {
        turn: TurnId,
        event: TurnEvent,
    },
    /// A deadline was reached; nothing else happened.
    Tick,
}

/// What is left of the budget; ordered from much to nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum BudgetState {
    #[default]
    Open,
    /// Past the soft limit: only direct address is answered.
    Soft,
    /// Past the hard limit: nobody is answered.
    Hard,
}

#[derive(Clone, Debug)]
pub enum TurnEvent {
    /// The prompt of the round is on its way to the model.
    PromptRendered {
        /// Its size in estimated tokens.
        prompt_tokens: u32,
        /// Whether another model can be asked the same, should this one fail.
        has_fallback: bool,
    },
    /// The model wrote a piece of its answer.
    Delta {
        /// Which round asked for it; a piece of an abandoned round is ignored.
        ask: u32,
        text: String,
    },
    /// The provider handed over a piece of a call, beside the text.
    ToolDelta {
        ask: u32,
        delta: ToolDelta,
    },
    AnswerEnded {
        ask: u32,
        end: Result<TokenUsage, ModelFailure>,
    },
    CallDone {
        /// Which call, by the number in the effect that asked for it.
        call: u32,
        result: ToolResult,
    },
    /// A visible action was delivered, or was not.
    Delivered {
        /// Which part, by the number in the effect that asked for it.
        part: u32,
        /// The id of the new message, or why there is none.
        result: Result<MessageId, DeliveryFailure>,
    },
    /// Nobody knows yet whether a visible action was delivered. It is on record, so it counts as done and is not said
    /// again; if it fails later, [`Event::DeliveryFailed`] tells.
    DeliveryUnconfirmed {
        part: u32,
    },
    StopRequested,
    /// Who was asked whether to speak at all says no.
    JudgeDeclined {
        /// Who, and in which words, for people.
        why: String,
    },
}
