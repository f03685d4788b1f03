//! What is told of sessions that are being opened.

use tokio::sync::oneshot;

use kith_core::chat::{ChannelId, TurnId};
use kith_core::session::{Session, SessionRequest};
use kith_language::LocalizedMessage;
use kith_tools::OpenedSession;

pub(in crate::daemon) enum SessionOpeningEvent {
    /// A turn asks for a session.
    Requested(Box<RequestedSession>),
    /// The channel of a session is there, or could not be opened.
    ChannelOpened(Box<SessionChannelResult>),
}

/// Where an answer to who asked for a session goes; none where nobody waits for it any more.
pub(super) type SessionReply = Option<oneshot::Sender<Result<OpenedSession, LocalizedMessage>>>;

pub(in crate::daemon) struct RequestedSession {
    pub(super) channel: ChannelId,
    pub(super) turn: TurnId,
    pub(super) request: SessionRequest,
    pub(super) reply_sender: oneshot::Sender<Result<OpenedSession, LocalizedMessage>>,
}

/// What came of opening a session's channel.
pub(in crate::daemon) struct SessionChannelResult {
    pub(super) session: Session,
    pub(super) channel: Result<ChannelId, LocalizedMessage>,
    pub(super) reply_sender: SessionReply,
}
