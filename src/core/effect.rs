//! Everything the core may ask its driver to do. A driver executes effects in order and answers with events.

use super::call::ToolCall;
use super::chat::{Author, ChannelId, IntentionId, MessageId, TurnId, UserId};
use super::intent::{FiredIntent, IntentEnd, ScheduledIntent};
use super::moderation::ModerationAction;
use super::report::{DecisionReport, MessageDecision, TurnReport};

#[derive(Clone, Debug)]
pub enum Effect {
    /// A message was scored: for the store, the inspector and replay.
    ReportMessageDecision(Box<MessageDecision>),
    ReportDecision(Box<DecisionReport>),
    /// Render the round's prompt with [`crate::Core::build_round_prompt`] and ask the model.
    AskModel {
        turn: TurnId,
        channel: ChannelId,
        /// The number to answer with; grows with every call of the model in this turn.
        ask: u32,
    },
    /// The turn's model will not do: from now on the next one answers. Comes before an [`Effect::AskModel`].
    NextModel {
        turn: TurnId,
    },
    /// A rule kept back what the companion was about to say. Nothing is to be done about it.
    ReportHeldBack {
        channel: ChannelId,
        why: &'static str,
    },
    /// Run a tool or an action that is not delivered as a message or a reaction.
    Run {
        turn: TurnId,
        channel: ChannelId,
        /// The number to answer with.
        call: u32,
        /// What to run, its parameters already checked.
        what: ToolCall,
        /// Everybody who spoke to it in this turn; nobody where it woke by itself, or where one of them is not known.
        causes: Vec<Author>,
    },
    /// Do something about a member, or propose it. Answered like [`Effect::Run`], and not abandoned with the turn.
    Moderate {
        turn: TurnId,
        call: u32,
        action: Box<ModerationAction>,
        /// Everybody who spoke to it in this turn; nobody where it woke by itself.
        causes: Vec<UserId>,
    },
    /// Journal and send a message, now: pauses are over when this is asked for.
    Send {
        turn: TurnId,
        channel: ChannelId,
        /// The number to answer with; turn and part together make the nonce.
        part: u32,
        text: String,
        reply_to: Option<MessageId>,
        /// Journaled with the message, so that after a crash nothing up to here is answered again.
        cursor: u64,
    },
    /// Journal and put a reaction on a message.
    React {
        /// The turn; none for the small reactions of Law 1.
        turn: Option<TurnId>,
        channel: ChannelId,
        part: u32,
        message: MessageId,
        emoji: String,
        /// As for [`Effect::Send`].
        cursor: u64,
    },
    /// Show that the companion is typing; asked for again while it lasts.
    ShowTyping {
        channel: ChannelId,
    },
    SaveIntent {
        channel: ChannelId,
        intention: Box<ScheduledIntent>,
    },
    /// Something it waited for has come, and it may not wake for it yet: keep that with the intention.
    SaveFiredIntent {
        channel: ChannelId,
        id: IntentionId,
        fired: FiredIntent,
    },
    EndIntent {
        channel: ChannelId,
        id: IntentionId,
        end: IntentEnd,
    },
    /// The answer to this model call is complete although the model writes on: hang up, and tell that it has ended.
    StopAnswer {
        turn: TurnId,
        ask: u32,
    },
    /// Abandon the model call and the running tools of a turn.
    CancelTurn {
        turn: TurnId,
    },
    Finish(Box<TurnReport>),
}
