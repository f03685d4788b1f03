//! Looking back over REST, against a server on loopback that pages as Discord does.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use axum::extract::{Path, RawQuery, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Json, Router};
use kith_core::chat::{ChannelId, MessageId};
use kith_core::secret::Secret;
use kith_discord::backfill::{MissedMessages, fetch_missed_messages};
use kith_discord::rest::{RestClient, RestError, RestSettings};
use serde_json::json;

/// What is written in every channel, and what was asked.
#[derive(Default)]
struct Server {
    newest: u64,
    asked: Mutex<Vec<String>>,
}

async fn page(
    State(server): State<Arc<Server>>,
    Path(channel): Path<u64>,
    RawQuery(query): RawQuery,
) -> Response {
    let query = query.unwrap_or_default();
    let query: HashMap<&str, u64> = query
        .split('&')
        .filter_map(|pair| pair.split_once('='))
        .map(|(name, id)| (name, id.parse().unwrap()))
        .collect();
    let bound = |name: &str| query.get(name).copied();
    server
        .asked
        .lock()
        .unwrap()
        .push(match (bound("after"), bound("before")) {
            (Some(after), _) => format!("after {after}"),
            (_, Some(before)) => format!("before {before}"),
            _ => "newest".into(),
        });
    let refused =
        |status, code| (status, Json(json!({"code": code, "message": "no"}))).into_response();
    match channel {
        50 => return refused(StatusCode::FORBIDDEN, 50_013),
        51 => return refused(StatusCode::NOT_FOUND, 10_003),
        52 => return refused(StatusCode::BAD_REQUEST, 0),
        _ => {}
    }
    // Ids 1 to `newest`; one page is the hundred next to the bound, newest first.
    let (first, last) = match (bound("after"), bound("before")) {
        (Some(after), _) => (after + 1, (after + 100).min(server.newest)),
        (_, Some(before)) => (before.saturating_sub(100).max(1), before - 1),
        _ => (server.newest.saturating_sub(99).max(1), server.newest),
    };
    assert_eq!(query["limit"], 100);
    Json(
        (first..=last)
            .rev()
            .map(|id| json!({"id": id.to_string()}))
            .collect::<Vec<_>>(),
    )
    .into_response()
}

async fn open(newest: u64) -> (Arc<Server>, RestClient) {
    let server = Arc::new(Server {
        newest,
        ..Server::default()
    });
    let app = Router::new()
        .route("/channels/{channel}/messages", get(page))
        .with_state(server.clone());
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    assert!(address.ip().is_loopback());
    tokio::spawn(async move { axum::serve(listener, app).await });
    let rest = RestClient::new(RestSettings::new(
        &format!("http://{address}"),
        Secret::new("token"),
        "",
    ))
    .unwrap();
    (server, rest)
}

/// Looks back after a message; asserts which ids are found, whether there is a gap, and how it was asked.
async fn check(
    newest: u64,
    after: u64,
    pages: u32,
    expected: std::ops::Range<u64>,
    gap: bool,
    asked: &[&str],
) {
    let (server, rest) = open(newest).await;
    let missed = fetch_missed_messages(&rest, ChannelId(10), MessageId(after), pages)
        .await
        .unwrap();
    let ids: Vec<u64> = missed
        .messages
        .iter()
        .map(|one| one["id"].as_str().unwrap().parse().unwrap())
        .collect();
    assert_eq!(ids, expected.collect::<Vec<_>>());
    assert_eq!(missed.gap, gap);
    assert_eq!(*server.asked.lock().unwrap(), asked);
}

#[tokio::test]
async fn what_was_missed_is_found_and_where_it_is_too_much_the_newest_of_it() {
    check(1_000, 1_000, 5, 1_001..1_001, false, &["newest"]).await;
    check(1_000, 990, 5, 991..1_001, false, &["newest"]).await;
    check(1_000, 900, 5, 901..1_001, false, &["newest", "before 901"]).await;
    check(
        1_000,
        750,
        5,
        751..1_001,
        false,
        &["newest", "before 901", "before 801"],
    )
    .await;
    let all = [
        "newest",
        "before 901",
        "before 801",
        "before 701",
        "before 601",
    ];
    check(1_000, 100, 5, 501..1_001, true, &all).await;
    check(1_000, 510, 5, 511..1_001, false, &all).await;
    check(1_000, 950, 1, 951..1_001, false, &["newest"]).await;
    check(1_000, 800, 1, 901..1_001, true, &["newest"]).await;
    check(60, 0, 0, 1..61, false, &["newest"]).await;
}

#[tokio::test]
async fn what_does_not_stand_on_the_newest_page_was_deleted_as_far_as_the_page_reaches() {
    for (newest, gone, unknown) in [
        (1_000, vec![1_001, 9_999], vec![1, 900]),
        (60, vec![61, 9_999], vec![]),
    ] {
        let (_, rest) = open(newest).await;
        let page = fetch_missed_messages(&rest, ChannelId(10), MessageId(newest), 5)
            .await
            .unwrap()
            .newest;
        assert!(
            gone.iter().all(|id| page.is_deleted(MessageId(*id))),
            "{newest}"
        );
        let there = (newest.saturating_sub(99).max(1)..=newest).chain(unknown);
        assert!(
            there.into_iter().all(|id| !page.is_deleted(MessageId(id))),
            "{newest}"
        );
    }
    let (_, rest) = open(0).await;
    let hidden = fetch_missed_messages(&rest, ChannelId(10), MessageId(5), 5)
        .await
        .unwrap()
        .newest;
    assert!(
        !hidden.is_deleted(MessageId(5)),
        "an empty page tells nothing"
    );
}

#[tokio::test]
async fn where_the_history_may_not_be_read_nothing_was_missed() {
    let (_, rest) = open(10).await;
    for channel in [50, 50, 51] {
        let found = fetch_missed_messages(&rest, ChannelId(channel), MessageId(1), 5).await;
        assert_eq!(
            found.unwrap(),
            MissedMessages::default(),
            "channel {channel}"
        );
    }
    let failed = fetch_missed_messages(&rest, ChannelId(52), MessageId(1), 5).await;
    assert!(matches!(failed, Err(RestError::Invalid { .. })));
}
