//! Messages on their way to Discord: what is posted, what is posted again, and what is given up.

use std::sync::{Arc, LazyLock, RwLock};
use std::time::Duration;

use kith_core::chat::MessageId;
use kith_discord::rest::RequestPacing;
use kith_discord::send::{DeliveryStatus, MessagePost, MessageSender, SendError, SentMessage};
use tokio::time::Instant;

use super::scripted::{FakeModel, Reply};
use super::texts::{HERE, directory};
use super::*;

pub const POST: &str = "POST /api/v10/channels/1/messages";
/// The id of a message posted at [`AT`].
const ID: u64 = 1_500_000_000_000_000_000;
const AT: i64 = 1_777_698_268_652;
/// When the tests' posts were journaled: one time for all of them, and not too old to be said.
static JOURNALED_AT: LazyLock<i64> = LazyLock::new(kith_system::clock::now);

pub fn message_sender(server: &FakeModel) -> MessageSender {
    MessageSender::new(rest(server), Arc::new(RwLock::new(directory())))
}

pub fn post(text: &str) -> MessagePost {
    MessagePost {
        channel: HERE,
        text: text.into(),
        attachment: None,
        reply_to: None,
        nonce: "7.1".into(),
        at: *JOURNALED_AT,
    }
}

fn posted() -> Reply {
    Reply::json(200, json!({ "id": ID.to_string() }))
}

fn sent(text: &str) -> SentMessage {
    SentMessage {
        id: MessageId(ID),
        at: AT,
        text: text.into(),
    }
}

#[tokio::test]
async fn a_message_carries_its_nonce_and_pings_only_whom_it_names() {
    let server = FakeModel::start().await;
    server.on(POST, posted());
    let reply = MessagePost {
        reply_to: Some(MessageId(5)),
        ..post("@Anna @everyone look :dance: [sticker: Wave]")
    };
    assert_eq!(
        message_sender(&server).send(&reply).await,
        Ok(vec![sent("@Anna @everyone look :dance:")])
    );
    let expected = json!({
        "content": "<@11> @everyone look <a:dance:72>",
        "nonce": "7.1",
        "enforce_nonce": true,
        "allowed_mentions": { "parse": [], "users": ["11"], "replied_user": true },
        "message_reference": { "message_id": "5", "fail_if_not_exists": false },
        "sticker_ids": ["81"],
    });
    assert_eq!(server.bodies_at(POST), [expected]);
}

#[tokio::test]
async fn an_answer_that_got_lost_is_asked_for_again_with_the_same_nonce() {
    for fault in [
        refusal(504, 0),
        cut_off(),
        Reply::new(200, "text/html").bytes("<html>"),
    ] {
        let server = FakeModel::start().await;
        server.now(POST, [fault, posted()]);
        assert_eq!(
            message_sender(&server).send(&post("hi")).await,
            Ok(vec![sent("hi")])
        );
        let bodies = server.bodies_at(POST);
        assert_eq!(bodies.len(), 2);
        assert_eq!(bodies[0], bodies[1]);
    }
}

#[tokio::test]
async fn a_long_text_is_posted_in_parts_and_only_the_first_is_a_reply() {
    let server = FakeModel::start().await;
    server.on(POST, posted());
    let text = format!(
        "{}@Anna.\n\n{}end",
        "word ".repeat(390),
        "word ".repeat(100)
    );
    let said = message_sender(&server)
        .send(&MessagePost {
            reply_to: Some(MessageId(5)),
            ..post(&text)
        })
        .await
        .unwrap();
    assert_eq!((said.len(), said[0].text.ends_with("@Anna.")), (2, true));
    let bodies = server.bodies_at(POST);
    assert_eq!(
        (bodies[0]["nonce"].as_str(), bodies[1]["nonce"].as_str()),
        (Some("7.1"), Some("7.1+1"))
    );
    assert!(
        bodies[0].get("message_reference").is_some()
            && bodies[1].get("message_reference").is_none()
    );
    let pinged = |body: &Value| body["allowed_mentions"]["users"].clone();
    assert_eq!(
        (pinged(&bodies[0]), pinged(&bodies[1])),
        (json!(["11"]), json!([]))
    );
}

#[tokio::test]
async fn what_fails_tells_what_was_said_before_and_whether_it_may_have_been_said() {
    let long = format!("{}\n\nend", "word ".repeat(400));
    for (fault, fate) in [
        (refusal(400, 200_000), DeliveryStatus::NotSent),
        (refusal(403, 50_013), DeliveryStatus::NotSent),
        (refusal(404, 10_003), DeliveryStatus::NotSent),
        (refusal(500, 0), DeliveryStatus::Unknown),
    ] {
        let server = FakeModel::start().await;
        server.now(POST, [posted(), fault]);
        let failed = message_sender(&server)
            .send(&post(&long))
            .await
            .unwrap_err();
        assert_eq!((failed.said.len(), failed.status), (1, fate), "{failed}");
    }
}

#[tokio::test]
async fn automod_is_final() {
    let server = FakeModel::start().await;
    server.on(POST, refusal(400, 200_000));
    let failed = message_sender(&server)
        .send(&post("rude"))
        .await
        .unwrap_err();
    assert!(
        failed.why.contains("AutoMod") && server.asked().len() == 1,
        "{failed}"
    );
}

#[tokio::test]
async fn a_short_slow_mode_is_waited_for_and_a_long_one_lets_it_wait_in_the_outbox() {
    let slow = |seconds: f64| {
        Reply::json(
            429,
            json!({ "code": 20_016, "message": "slow", "retry_after": seconds }),
        )
    };
    let server = FakeModel::start().await;
    server.now(POST, [slow(0.3), posted()]);
    let (message_sender, started) = (message_sender(&server), Instant::now());
    message_sender.send(&post("hi")).await.unwrap();
    assert!(started.elapsed() >= Duration::from_millis(300));

    server.now(POST, [slow(120.0)]);
    for _ in 0..2 {
        let SendError { status, why, .. } = message_sender.send(&post("hi")).await.unwrap_err();
        assert!(
            matches!(status, DeliveryStatus::RetryLater(Some(_))) && why.contains("slow mode"),
            "{why}"
        );
    }
    assert_eq!(server.asked().len(), 3, "the second time it knows");
}

#[tokio::test]
async fn what_cannot_be_replied_to_is_still_answered() {
    let system = Reply::json(
        400,
        json!({ "code": 50_035, "message": "Invalid Form Body", "errors": { "message_reference": { "_errors": [
            { "code": "REPLIES_CANNOT_REPLY_TO_SYSTEM_MESSAGE", "message": "Cannot reply to a system message" }
        ]}}}),
    );
    for refused in [system, refusal(403, 160_002), refusal(400, 160_002)] {
        let server = FakeModel::start().await;
        server.now(POST, [refused, posted()]);
        message_sender(&server)
            .send(&MessagePost {
                reply_to: Some(MessageId(5)),
                ..post("hi")
            })
            .await
            .unwrap();
        let bodies = server.bodies_at(POST);
        assert_eq!(
            (bodies.len(), bodies[1].get("message_reference")),
            (2, None)
        );
        assert_eq!(bodies[1]["allowed_mentions"]["replied_user"], json!(false));
    }
}

#[tokio::test]
async fn an_error_never_holds_the_token() {
    let server = FakeModel::start().await;
    server.on(
        POST,
        Reply::json(
            400,
            json!({ "code": 50_035, "message": format!("not {TOKEN}") }),
        ),
    );
    let failed = message_sender(&server).send(&post("hi")).await.unwrap_err();
    assert!(!format!("{failed} {failed:?}").contains(TOKEN));
}

#[tokio::test]
async fn typing_is_shown_once_at_a_time_and_never_after_the_message() {
    let server = FakeModel::start().await;
    server.on("POST /api/v10/channels/1/typing", Reply::mute());
    server.on(POST, posted());
    let message_sender = message_sender(&server);
    message_sender.show_typing(HERE);
    message_sender.show_typing(HERE);
    while server.asked().is_empty() {
        tokio::task::yield_now().await;
    }
    message_sender.send(&post("hi")).await.unwrap();
    // Long before it would be given up for being late.
    tokio::time::timeout(Duration::from_secs(2), server.client_hung_up())
        .await
        .expect("typing is given up");
    let lines: Vec<String> = server.asked().into_iter().map(|asked| asked.line).collect();
    assert_eq!(lines, ["POST /api/v10/channels/1/typing", POST]);
}

#[tokio::test]
async fn typing_that_fails_is_not_asked_for_again() {
    let server = FakeModel::start().await;
    server.on("POST /api/v10/channels/1/typing", refusal(500, 0));
    server.on(POST, posted());
    let rest = paced(
        &server,
        RequestPacing {
            first_wait: Duration::ZERO,
            ..pace()
        },
    );
    let message_sender = MessageSender::new(rest, Arc::new(RwLock::new(directory())));
    message_sender.show_typing(HERE);
    while server.asked().is_empty() {
        tokio::task::yield_now().await;
    }
    message_sender.send(&post("hi")).await.unwrap();
    assert_eq!(server.asked().len(), 2);
}
