//! After a crash: what was sent before it is found and not sent again, and what was not is.

use kith_core::chat::{MINUTE, MessageId};
use kith_discord::rest::RestError;
use kith_discord::send::{DeliveryLookup, MessagePost};

use super::scripted::{FakeModel, Reply};
use super::sending::{POST, message_sender, post};
use super::texts::HERE;
use super::*;

const EPOCH: i64 = 1_420_070_400_000;

fn snowflake(at: i64) -> u64 {
    u64::try_from(at - EPOCH).unwrap() << 22
}

/// A message of this channel as it is read: id, author, content.
fn message(id: u64, author: u64, content: &str) -> Value {
    json!({ "id": id.to_string(), "author": { "id": author.to_string() }, "content": content })
}

/// A page of messages after an id.
fn page(server: &FakeModel, after: u64, mut messages: Vec<Value>) {
    messages.reverse();
    let line = format!("GET /api/v10/channels/1/messages?after={after}&limit=100");
    server.on(&line, Reply::json(200, Value::Array(messages)));
}

fn written(text: &str, nonce: &str) -> MessagePost {
    MessagePost {
        nonce: nonce.into(),
        ..post(text)
    }
}

fn ids(traces: &[DeliveryLookup]) -> Vec<Option<u64>> {
    traces
        .iter()
        .flat_map(|traces| &traces.parts)
        .map(|sent| sent.as_ref().map(|sent| sent.id.0))
        .collect()
}

#[tokio::test]
async fn own_messages_are_found_by_what_they_say_and_each_is_one_trace_only() {
    let server = FakeModel::start().await;
    let posts = [
        written("hi @Anna :smile:", "1.0"),
        written("ok", "2.0"),
        written("ok", "3.0"),
        written("lost", "4.0"),
    ];
    let at = posts[0].at;
    let (start, first) = (snowflake(at - 2 * MINUTE), snowflake(at));
    let page_one = vec![
        message(first - 9, 99, "ok"),
        message(first + 1, 12, "lost"),
        message(first + 2, 99, "hi <@11> <:smile:71>"),
        message(first + 3, 99, "ok"),
        message(snowflake(at + 12 * MINUTE), 99, "lost"),
    ];
    page(&server, start, page_one);
    let message_sender = message_sender(&server);
    let traces = message_sender
        .find_deliveries(HERE, &posts, &[MessageId(first - 9)])
        .await
        .unwrap();
    assert_eq!(ids(&traces), [Some(first + 2), Some(first + 3), None, None]);
    assert_eq!(
        traces[0].parts[0].as_ref().unwrap().text,
        "hi @Anna :smile:"
    );
    assert_eq!(
        traces
            .iter()
            .map(DeliveryLookup::is_complete)
            .collect::<Vec<_>>(),
        [true, true, false, false]
    );
}

#[tokio::test]
async fn it_pages_on_until_nothing_can_come_any_more() {
    let server = FakeModel::start().await;
    let one = written("here", "1.0");
    let (start, first) = (snowflake(one.at - 2 * MINUTE), snowflake(one.at));
    page(
        &server,
        start,
        (0..100)
            .map(|id| message(first + id, 12, "chatter"))
            .collect(),
    );
    page(
        &server,
        first + 99,
        (100..200)
            .map(|id| message(first + id, 12, "chatter"))
            .collect(),
    );
    page(&server, first + 199, vec![message(first + 200, 99, "here")]);
    let traces = message_sender(&server)
        .find_deliveries(HERE, &[one], &[])
        .await
        .unwrap();
    assert_eq!(ids(&traces), [Some(first + 200)]);
    assert_eq!(server.asked().len(), 3);
}

#[tokio::test]
async fn of_a_text_in_parts_only_the_missing_ones_are_sent() {
    let server = FakeModel::start().await;
    let long = written(
        &format!("{}one.\n\n{}two", "word ".repeat(300), "word ".repeat(300)),
        "1.0",
    );
    let first = snowflake(long.at);
    let part = format!("{}one.", "word ".repeat(300));
    page(
        &server,
        snowflake(long.at - 2 * MINUTE),
        vec![message(first, 99, &part)],
    );
    server.on(
        POST,
        Reply::json(200, json!({ "id": (first + 1).to_string() })),
    );
    let message_sender = message_sender(&server);
    let traces = message_sender
        .find_deliveries(HERE, std::slice::from_ref(&long), &[])
        .await
        .unwrap();
    assert_eq!(ids(&traces), [Some(first), None]);
    let sent = message_sender
        .send_missing_parts(&long, &traces[0])
        .await
        .unwrap();
    assert_eq!(
        sent.iter().map(|sent| sent.id.0).collect::<Vec<_>>(),
        [first, first + 1]
    );
    let bodies = server.bodies_at(POST);
    assert_eq!(
        (bodies.len(), bodies[0]["nonce"].as_str()),
        (1, Some("1.0+1"))
    );
}

#[tokio::test]
async fn a_channel_that_cannot_be_read_settles_nothing() {
    let server = FakeModel::start().await;
    let line = format!(
        "GET /api/v10/channels/1/messages?after={}&limit=100",
        snowflake(post("").at - 2 * MINUTE)
    );
    server.on(&line, refusal(403, 50_001));
    let error = message_sender(&server)
        .find_deliveries(HERE, &[post("hi")], &[])
        .await
        .unwrap_err();
    assert!(matches!(error, RestError::Forbidden { .. }), "{error}");
    assert_eq!(
        message_sender(&server)
            .find_deliveries(HERE, &[], &[])
            .await,
        Ok(Vec::new())
    );
}
