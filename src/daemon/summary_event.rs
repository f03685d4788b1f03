//! What is summed up, and what the tasks that do it tell the loop.

use tokio::sync::oneshot;

use kith_core::chat::{ChannelId, Millis, SessionId, TurnId};
use kith_core::compaction::SummaryInput;
use kith_core::context::RecalledMessage;
use kith_core::report::ModelFailure;
use kith_core::session::SessionConfig;
use kith_language::LocalizedMessage;

pub(super) enum SummaryEvent {
    /// A session's prompt wants to begin with a summary.
    Requested(SummaryRequest),
    SpanRead(UnsummarizedSpan),
    Finished(SummaryResult),
}

pub(super) struct SummaryRequest {
    pub session: SessionId,
    pub channel: ChannelId,
    pub turn: TurnId,
    /// What it was opened with.
    pub config: SessionConfig,
    pub lines: Vec<RecalledMessage>,
    pub read_at: Millis,
    pub reply_sender: oneshot::Sender<Option<String>>,
}

/// What is missing in a channel's summary was read; nothing where nobody said anything.
pub(super) struct UnsummarizedSpan {
    pub channel: ChannelId,
    pub input: Option<SummaryInput>,
    pub started_at: Millis,
    /// Where the companion asked for it: who waits to hear whether it is done.
    pub requester: Option<oneshot::Sender<Result<(), LocalizedMessage>>>,
}

pub(super) enum SummaryWork {
    Session(SummaryRequest),
    /// What has left a channel's prompts.
    History(UnsummarizedSpan),
}

pub(super) struct SummaryResult {
    pub work: SummaryWork,
    pub text: Result<String, ModelFailure>,
}
