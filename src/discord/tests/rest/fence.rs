//! What was journaled is delivered by nobody who may have been taken over, however long it waited before.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use kith_core::chat::ChannelId;
use kith_discord::rest::{
    DeliveryFence, RequestPacing, RestError, RestRequest, RestRoute, RetrySafety,
};

use super::*;

const POSTS: &str = "POST /api/v10/channels/1/messages";
const AGAIN_AFTER: Duration = Duration::from_secs(1);

/// A way to `server` with a fence, which is open while that is set.
fn fenced(server: &FakeModel) -> (RestClient, Arc<AtomicBool>) {
    let is_open = Arc::new(AtomicBool::new(true));
    let seen = is_open.clone();
    let base = format!("http://{}/api/v10", server.host());
    let rest = RestClient::new(RestSettings {
        // There is time to close it before a second try.
        pace: RequestPacing {
            first_wait: AGAIN_AFTER,
            longest_wait: AGAIN_AFTER,
            ..pace()
        },
        fence: Some(DeliveryFence::new(move || seen.load(Ordering::SeqCst))),
        ..RestSettings::new(&base, Secret::new(TOKEN), "")
    });
    (rest.unwrap(), is_open)
}

/// A message as the outbox posts it.
fn delivery() -> RestRequest {
    post().expires_at(kith_system::clock::now() + 60_000)
}

fn post() -> RestRequest {
    RestRequest::post(RestRoute::messages(ChannelId(1)))
        .json(json!({ "content": "hello", "nonce": "1", "enforce_nonce": true }))
        .safety(RetrySafety::ByNonce)
}

/// A delivery whose fence is closed once the server was asked so often.
async fn deliver_until_closed(server: &FakeModel, asked: usize) -> Result<Value, RestError> {
    let (rest, is_open) = fenced(server);
    let waits = tokio::spawn({
        let rest = rest.clone();
        async move { rest.call(delivery()).await }
    });
    while server.asked().len() < asked {
        tokio::task::yield_now().await;
    }
    is_open.store(false, Ordering::SeqCst);
    waits.await.unwrap()
}

#[tokio::test]
async fn with_a_closed_fence_no_message_reaches_discord_and_all_else_does() {
    let server = FakeModel::start().await;
    server.on(POSTS, done());
    let (rest, is_open) = fenced(&server);
    rest.call(delivery()).await.unwrap();
    is_open.store(false, Ordering::SeqCst);
    let error = rest.call(delivery()).await.unwrap_err();
    // It is another's to deliver: nothing is given up for good.
    assert!(matches!(error, RestError::Unreachable(_)), "{error:?}");
    assert!(error.is_transient() && !error.can_have_happened());
    assert_eq!(server.asked().len(), 1);
    // A log entry, for one: who takes over does not post it.
    rest.call(post()).await.unwrap();
    is_open.store(true, Ordering::SeqCst);
    rest.call(delivery()).await.unwrap();
    assert_eq!(server.asked().len(), 3);
}

#[tokio::test]
async fn a_message_that_waits_for_a_limit_is_not_posted_where_the_fence_closes_meanwhile() {
    let server = FakeModel::start().await;
    server.now(POSTS, [too_fast(1.0), done()]);
    let error = deliver_until_closed(&server, 1).await.unwrap_err();
    assert!(matches!(error, RestError::Unreachable(_)), "{error:?}");
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn a_message_that_may_have_been_posted_stays_uncertain_where_the_fence_closes_meanwhile() {
    let server = FakeModel::start().await;
    server.now(POSTS, [cut_off(), done()]);
    let error = deliver_until_closed(&server, 1).await.unwrap_err();
    assert!(error.can_have_happened(), "{error:?}");
    assert_eq!(server.asked().len(), 1);
}
