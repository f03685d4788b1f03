//! How answers go back to front ends.

use std::future::Future;

use tokio::sync::oneshot;

use kith_language::LocalizedMessage;
use kith_room::{RefusalKind, RequestRefusal, RoomAnswer};
use kith_store::StoreError;

pub(super) type RequestReply<A = RoomAnswer> = oneshot::Sender<Result<A, RequestRefusal>>;

pub(super) fn reply<A>(to: RequestReply<A>, answer: Result<A, RequestRefusal>) {
    // A front end that went away needs no answer.
    let _ = to.send(answer);
}

/// Answers that something is done, or why not.
pub(super) fn reply_done(to: RequestReply, result: Result<(), RequestRefusal>) {
    reply(to, result.map(|()| RoomAnswer::Done {}));
}

/// Answers when a task of its own is done.
pub(super) fn reply_later<A: Send + 'static>(
    to: RequestReply<A>,
    work: impl Future<Output = Result<A, RequestRefusal>> + Send + 'static,
) {
    tokio::spawn(async move { reply(to, work.await) });
}

/// The store's own words, for people.
pub(super) fn to_request_refusal(error: StoreError) -> RequestRefusal {
    RequestRefusal::unavailable(error.to_string())
}

pub(super) fn refuse_missing(message: LocalizedMessage) -> RequestRefusal {
    RequestRefusal::new(RefusalKind::NotFound, &message)
}

pub(super) fn refuse_bad_request(message: LocalizedMessage) -> RequestRefusal {
    RequestRefusal::new(RefusalKind::BadRequest, &message)
}
