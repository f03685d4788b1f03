//! A server that fails, hangs, drops and lies: tried again where that is safe, and nowhere else.

use std::time::Duration;

use kith_core::chat::{ChannelId, MessageId};
use kith_discord::rest::{
    FileUpload, RequestPacing, RestClient, RestError, RestRequest, RestRoute, RestSettings,
    RetrySafety,
};
use serde_json::{Value, json};

use super::scripted::{FakeModel, Reply};
use super::*;

const POST: &str = "POST /api/v10/channels/1/messages";

fn post() -> RestRequest {
    RestRequest::post(RestRoute::messages(ChannelId(1)))
        .json(json!({ "content": "hi", "nonce": "1.0" }))
}

#[tokio::test]
async fn a_request_carries_token_body_reason_and_query() {
    let server = FakeModel::start().await;
    server.on(
        "PUT /api/v10/channels/1/messages/2/reactions/%F0%9F%91%80/@me?a=b%26c",
        done(),
    );
    let route = RestRoute::own_reaction(ChannelId(1), MessageId(2), "👀");
    let call = RestRequest::put(route)
        .query("a", "b&c")
        .reason("spam, 广告")
        .json(json!({ "x": 1 }));
    assert_eq!(id(&rest(&server).call(call).await.unwrap()), "7");
    let asked = &server.asked()[0];
    assert_eq!(asked.headers["authorization"], format!("Bot {TOKEN}"));
    assert_eq!(
        asked.headers["x-audit-log-reason"],
        "spam%2C%20%E5%B9%BF%E5%91%8A"
    );
    assert!(
        asked.headers["user-agent"].starts_with("DiscordBot (http"),
        "{asked:?}"
    );
    assert_eq!(asked.body, json!({ "x": 1 }));
}

#[tokio::test]
async fn a_body_that_is_not_there_is_null() {
    let server = FakeModel::start().await;
    server.on("GET /api/v10/users/@me", Reply::new(204, "text/plain"));
    assert_eq!(
        rest(&server).call(RestRequest::get(RestRoute::me())).await,
        Ok(Value::Null)
    );
}

#[tokio::test]
async fn a_server_that_fails_is_asked_again_when_that_is_safe() {
    for safety in [RetrySafety::Idempotent, RetrySafety::ByNonce] {
        for fault in [
            refusal(500, 0),
            Reply::new(502, "text/html").bytes("<html>"),
            cut_off(),
        ] {
            let server = FakeModel::start().await;
            server.now(POST, [fault, refusal(503, 0), done()]);
            let answer = rest(&server).call(post().safety(safety)).await.unwrap();
            assert_eq!((id(&answer), server.asked().len()), ("7", 3));
            let bodies: Vec<Value> = server.asked().into_iter().map(|asked| asked.body).collect();
            assert!(bodies.iter().all(|body| *body == bodies[0]), "{bodies:?}");
        }
    }
}

#[tokio::test]
async fn what_may_have_happened_and_must_happen_once_is_not_asked_again() {
    let faults = [
        refusal(500, 0),
        refusal(504, 0),
        Reply::new(200, "text/html").bytes("<html>"),
        cut_off(),
    ];
    for fault in faults {
        let server = FakeModel::start().await;
        server.now(POST, [fault, done()]);
        let error = rest(&server).call(post()).await.unwrap_err();
        assert!(error.can_have_happened(), "{error}");
        assert_eq!(server.asked().len(), 1, "{error}");
    }
}

#[tokio::test]
async fn what_was_refused_for_haste_did_not_happen_and_is_asked_again() {
    let server = FakeModel::start().await;
    server.now(POST, [too_fast(0.01), done()]);
    assert_eq!(id(&rest(&server).call(post()).await.unwrap()), "7");
}

#[tokio::test]
async fn a_server_that_says_nothing_is_left_in_time() {
    let server = FakeModel::start().await;
    server.now(POST, [Reply::mute(), done()]);
    let pace = RequestPacing {
        request: Duration::from_millis(200),
        ..pace()
    };
    let error = paced(&server, pace.clone()).call(post()).await.unwrap_err();
    assert!(matches!(error, RestError::TimedOut { .. }), "{error}");
    server.now(POST, [Reply::json(200, json!({})).hang(), done()]);
    assert_eq!(
        id(&paced(&server, pace)
            .call(post().safety(RetrySafety::ByNonce))
            .await
            .unwrap()),
        "7"
    );
}

#[tokio::test]
async fn tries_and_time_are_bounded() {
    let server = FakeModel::start().await;
    server.on(POST, refusal(500, 0));
    let error = rest(&server)
        .call(post().safety(RetrySafety::ByNonce))
        .await
        .unwrap_err();
    assert_eq!(
        (error, server.asked().len()),
        (RestError::Failed { status: 500 }, 5)
    );

    server.now(POST, [Reply::mute()]);
    let limit = Duration::from_millis(100);
    let error = rest(&server)
        .call(post().safety(RetrySafety::ByNonce).timeout(limit))
        .await
        .unwrap_err();
    assert!(matches!(error, RestError::TimedOut { .. }), "{error}");
}

#[tokio::test]
async fn what_discord_may_know_by_its_nonce_no_more_is_not_asked_again() {
    let server = FakeModel::start().await;
    let pace = RequestPacing {
        nonce_known: Duration::ZERO,
        first_wait: Duration::from_millis(20),
        ..pace()
    };
    server.now(POST, [refusal(504, 0), done()]);
    let error = paced(&server, pace.clone())
        .call(post().safety(RetrySafety::ByNonce))
        .await
        .unwrap_err();
    assert_eq!(
        (error, server.asked().len()),
        (RestError::Failed { status: 504 }, 1)
    );
    // Also what surely was not done: it may be too old to be said by now.
    server.now(POST, [too_fast(0.02)]);
    let error = paced(&server, pace)
        .call(post().safety(RetrySafety::ByNonce))
        .await
        .unwrap_err();
    assert!(matches!(error, RestError::RateLimited { .. }), "{error}");
    assert_eq!(server.asked().len(), 2);
}

#[tokio::test]
async fn a_doubt_is_not_forgotten_by_a_later_try_that_never_left() {
    let server = FakeModel::start().await;
    server.now(POST, [refusal(504, 0), too_fast(3_600.0)]);
    let error = rest(&server)
        .call(post().safety(RetrySafety::ByNonce))
        .await
        .unwrap_err();
    assert_eq!(error, RestError::Failed { status: 504 });
}

#[tokio::test]
async fn a_server_that_is_not_there_was_never_asked() {
    let server = FakeModel::start().await;
    let nobody = rest(&server);
    drop(server);
    let error = nobody.call(post()).await.unwrap_err();
    assert!(matches!(error, RestError::Unreachable(_)), "{error}");
    assert!(!error.can_have_happened() && error.to_string().contains("discord.proxy"));
}

#[tokio::test]
async fn files_go_up_beside_the_body() {
    let server = FakeModel::start().await;
    server.on(POST, done());
    let file = FileUpload {
        name: "export.json".into(),
        bytes: b"{}".to_vec(),
    };
    rest(&server).call(post().upload(file)).await.unwrap();
    assert!(
        server.asked()[0].headers["content-type"].starts_with("multipart/form-data; boundary=")
    );
}

#[test]
fn settings_that_cannot_work_are_named() {
    let new = |base, token, proxy| {
        RestClient::new(RestSettings::new(base, Secret::new(token), proxy)).err()
    };
    assert_eq!(new("http://127.0.0.1:1", TOKEN, ""), None);
    for (base, token, proxy, word) in [
        ("discord.com", TOKEN, "", "discord.api_base"),
        ("file:///etc", TOKEN, "", "discord.api_base"),
        ("http://127.0.0.1:1", "", "", "DISCORD_TOKEN"),
        ("http://127.0.0.1:1", "a\nb", "", "DISCORD_TOKEN"),
        (
            "http://127.0.0.1:1",
            TOKEN,
            "127.0.0.1:8080",
            "discord.proxy",
        ),
        (
            "http://127.0.0.1:1",
            TOKEN,
            "ftp://me:password@127.0.0.1:8080",
            "discord.proxy",
        ),
    ] {
        let sentence = new(base, token, proxy).unwrap();
        assert!(
            sentence.contains(word) && !sentence.contains("password"),
            "{sentence}"
        );
    }
}
