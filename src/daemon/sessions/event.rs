//! What is told of sessions that are being opened.

use tokio::sync::oneshot;

use kith_core::chat::{ChannelId, TurnId};
use kith_core::session::{Session, SessionRequest};
use kith_language::LocalizedMessage;
use kith_tools::OpenedSession;

pub(in crate::daemon) enum SessionOpeningEvent {
    Requested(Box<RequestedSession>),
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

pub(in crate::daemon) struct SessionChannelResult {
    pub(super) session: Session,
    pub(super) channel: Result<ChannelId, LocalizedMessage>,
    pub(super) reply_sender: SessionReply,
}
