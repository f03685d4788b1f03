//! Discord's limits as a server tells of them: what must wait waits, and nothing else does.

use std::time::Duration;

use futures_util::future::join_all;
use kith_core::chat::ChannelId;
use kith_discord::rest::{RequestPacing, RequestPriority, RestError, RestRequest, RestRoute};
use tokio::time::Instant;

use super::scripted::{FakeModel, Reply};
use super::*;

const SECOND: Duration = Duration::from_secs(1);

fn read(channel: u64) -> RestRequest {
    RestRequest::get(RestRoute::messages(ChannelId(channel)))
}

fn line(channel: u64) -> String {
    format!("GET /api/v10/channels/{channel}/messages")
}

fn counted(remaining: u32, seconds: f64) -> Reply {
    done()
        .header("x-ratelimit-bucket", "b")
        .header("x-ratelimit-limit", "2")
        .header("x-ratelimit-remaining", &remaining.to_string())
        .header("x-ratelimit-reset-after", &seconds.to_string())
}

#[tokio::test]
async fn a_bucket_that_is_empty_holds_its_own_requests_up_and_no_others() {
    let server = FakeModel::start().await;
    server.on(&line(1), counted(0, 2.0));
    server.on(&line(2), counted(1, 2.0));
    let rest = rest(&server);
    let started = Instant::now();
    rest.call(read(1)).await.unwrap();
    let waits = tokio::spawn({
        let rest = rest.clone();
        async move { rest.call(read(1)).await }
    });
    tokio::task::yield_now().await;
    rest.call(read(2)).await.unwrap();
    assert!(!waits.is_finished(), "the other channel did not wait");
    waits.await.unwrap().unwrap();
    assert!(
        started.elapsed() >= Duration::from_secs(2),
        "{:?}",
        started.elapsed()
    );
}

#[tokio::test]
async fn a_dispatched_request_that_hangs_holds_nobody_else_up() {
    let server = FakeModel::start().await;
    server.on(&line(1), Reply::mute());
    server.on(&line(2), done());
    let rest = rest(&server);
    let hangs = tokio::spawn({
        let rest = rest.clone();
        async move { rest.call(read(1)).await }
    });
    while server.asked().is_empty() {
        tokio::task::yield_now().await;
    }
    rest.call(read(2)).await.unwrap();
    hangs.abort();
    assert!(hangs.await.unwrap_err().is_cancelled());
    server.now(&line(1), [done()]);
    rest.call(read(1)).await.unwrap();
}

#[tokio::test]
async fn a_global_refusal_holds_everything_up_but_answers_to_commands() {
    for refused in [
        Reply::json(
            429,
            json!({ "message": "…", "retry_after": 0.4, "global": true }),
        ),
        Reply::new(429, "text/html")
            .header("retry-after", "0.4")
            .bytes("<html>error 1015</html>"),
    ] {
        let server = FakeModel::start().await;
        server.now(&line(1), [refused, done()]);
        server.on(&line(2), done());
        server.on(
            "POST /api/v10/interactions/5/aw-token/callback",
            Reply::new(204, "text/plain"),
        );
        let rest = rest(&server);
        let started = Instant::now();
        let first = tokio::spawn({
            let rest = rest.clone();
            async move { rest.call(read(1)).await }
        });
        while server.asked().is_empty() {
            tokio::task::yield_now().await;
        }
        // The refusal is on its way; the answer below may leave before or after it has come.
        rest.call(RestRequest::post_callback(5, "aw-token").json(json!({ "type": 5 })))
            .await
            .unwrap();
        assert!(
            !server
                .asked()
                .last()
                .unwrap()
                .headers
                .contains_key("authorization")
        );
        first.await.unwrap().unwrap();
        rest.call(read(2)).await.unwrap();
        assert!(
            started.elapsed() >= Duration::from_millis(400),
            "{:?}",
            started.elapsed()
        );
    }
}

#[tokio::test]
async fn a_refusal_for_haste_that_names_no_time_holds_up_its_own_bucket_only_and_longer_each_time()
{
    for untold in [
        || Reply::new(429, "text/html").bytes("<html>slow down</html>"),
        || Reply::json(429, json!({ "message": "slow down" })),
    ] {
        let server = FakeModel::start().await;
        server.now(&line(1), [untold(), untold(), untold(), done()]);
        server.on(&line(2), done());
        let rest = paced(
            &server,
            RequestPacing {
                first_wait: Duration::from_millis(150),
                longest_wait: SECOND,
                ..pace()
            },
        );
        let started = Instant::now();
        let waits = tokio::spawn({
            let rest = rest.clone();
            async move { rest.call(read(1)).await.map(|_| started.elapsed()) }
        });
        while server.asked().is_empty() {
            tokio::task::yield_now().await;
        }
        rest.call(read(2)).await.unwrap();
        assert!(!waits.is_finished(), "the other channel did not wait");
        let took = waits.await.unwrap().unwrap();
        assert!(took >= Duration::from_millis(150 + 300 + 600), "{took:?}");
    }
}

#[tokio::test]
async fn a_wait_longer_than_anybody_waits_is_refused_at_once() {
    let server = FakeModel::start().await;
    server.on(&line(1), too_fast(3_600.0));
    let rest = rest(&server);
    for _ in 0..3 {
        let error = rest.call(read(1)).await.unwrap_err();
        assert!(
            matches!(error, RestError::RateLimited { retry_after } if retry_after.as_secs() > 3_000),
            "{error}"
        );
    }
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn all_requests_together_are_paced_and_speech_is_never_starved() {
    let server = FakeModel::start().await;
    (0..40).for_each(|channel| server.on(&line(channel), done()));
    let rest = paced(
        &server,
        RequestPacing {
            per_second: 10,
            ..pace()
        },
    );
    let started = Instant::now();
    let log = tokio::spawn({
        let rest = rest.clone();
        let one = move |channel| {
            let rest = rest.clone();
            async move {
                rest.call(read(channel).priority(RequestPriority::Background))
                    .await
            }
        };
        join_all((0..7).map(one))
    });
    tokio::task::yield_now().await;
    let speech = join_all((20..30).map(|channel| rest.call(read(channel)))).await;
    assert!(speech.iter().all(Result::is_ok));
    assert!(!log.is_finished(), "speech goes first");
    assert!(log.await.unwrap().iter().all(Result::is_ok));
    assert!(
        started.elapsed() >= Duration::from_secs(1),
        "17 at ten a second: {:?}",
        started.elapsed()
    );
}
