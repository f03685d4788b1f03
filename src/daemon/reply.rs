//! How answers go back to front ends.

use std::future::Future;

use tokio::sync::oneshot;

use kith_language::LocalizedMessage;
use kith_room::{RefusalKind, RequestRefusal, RoomAnswer};
use kith_store::StoreError;

/// The way back.
pub(super) type RequestReply = oneshot::Sender<Result<RoomAnswer, RequestRefusal>>;

/// Sends an answer back.
pub(super) fn reply(to: RequestReply, answer: Result<RoomAnswer, RequestRefusal>) {
    // A front end that went away needs no answer.
    let _ = to.send(answer);
}

/// Answers that something is done, or why not.
pub(super) fn reply_done(to: RequestReply, result: Result<(), RequestRefusal>) {
    reply(to, result.map(|()| RoomAnswer::Done {}));
}

/// Answers when a task of its own is done.
pub(super) fn reply_later(
    to: RequestReply,
    work: impl Future<Output = Result<RoomAnswer, RequestRefusal>> + Send + 'static,
) {
    tokio::spawn(async move { reply(to, work.await) });
}

/// The store's own words, for people.
pub(super) fn to_request_refusal(error: StoreError) -> RequestRefusal {
    RequestRefusal::unavailable(error.to_string())
}

/// What a request names is not there.
pub(super) fn refuse_missing(message: LocalizedMessage) -> RequestRefusal {
    RequestRefusal::new(RefusalKind::NotFound, &message)
}

/// A request makes no sense.
pub(super) fn refuse_bad_request(message: LocalizedMessage) -> RequestRefusal {
    RequestRefusal::new(RefusalKind::BadRequest, &message)
}
