//! What the command service answers, and what the daemon must do about it. Plain data.

use std::sync::Arc;

use kith_core::approval::ApprovalRequest;
use kith_core::chat::{ChannelId, MessageId, MessagePicture, SessionId, TurnId, UserId};
use kith_core::manual_override::{OverrideScope, OverrideValue};
use kith_core::preference::PersonPreference;
use kith_core::session::{SessionRequest, SessionRewording};
use kith_core::sticker::Sticker;
use kith_observe::LogEmbed;

#[derive(Clone, Debug, PartialEq)]
pub enum CommandAnswer {
    Text(String),
    Card(LogEmbed),
    /// A file to download, with a word about it.
    File {
        text: String,
        name: String,
        bytes: Vec<u8>,
    },
    /// It is not done: one sentence that says why and what to do instead.
    Refused(String),
    /// Nothing: another partition was asked as well, and this one has nothing to add.
    Nothing,
}

/// What the daemon must do besides, after the store has it.
#[derive(Clone, Debug, PartialEq)]
pub enum DaemonChange {
    Set(OverrideScope, OverrideValue),
    Reset(OverrideScope),
    DropIntentions(ChannelId),
    /// Delete these messages of the companion on the platform.
    TakeBack(ChannelId, Vec<MessageId>),
    /// Keep this picture; the answer holds once that is done.
    KeepSticker(Box<Sticker>, MessagePicture),
    /// A picture of this message is kept, or no more: log channels are told.
    ReportSticker(ChannelId, MessageId, bool),
    /// These messages are forgotten: the core and the log channel must forget them, too.
    ForgetMessages(ChannelId, Vec<MessageId>),
    /// These messages say something else now: they called, named or quoted somebody who is forgotten.
    RewordMessages(Vec<(ChannelId, MessageId, Arc<str>)>),
    /// A person is forgotten, in these channels or everywhere.
    ForgetPerson(UserId, Option<Vec<ChannelId>>),
    /// Delete what log channels tell of these turns: they quote what is forgotten.
    DeleteLogEntries(Vec<TurnId>),
    OptOut(UserId, PersonPreference),
    StopCall(TurnId, u32),
    /// Open a session from this channel; the answer says what came of that.
    OpenSession(ChannelId, Box<SessionRequest>),
    RewordSession(SessionId, SessionRewording),
    /// A session is over, and this came of it.
    CloseSession(SessionId, Option<String>),
    /// The context of a channel starts after this message.
    ResetContext(ChannelId, MessageId),
    /// It was just decided on: what is approved is carried out, what is denied is told.
    ApplyDecision(Box<ApprovalRequest>),
    /// It was decided on before: its card says so, if it does not yet.
    ShowDecision(Box<ApprovalRequest>),
    /// Say this in a channel, once, as the daemon and not as the companion.
    Announce(ChannelId, String),
}
