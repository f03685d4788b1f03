//! A companion whose model calls tools by the provider's own means, over a real connection that streams.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::routing::post;
use kith_testkit::{assert_has, assert_lacks};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use tokio_stream::StreamExt;
use tokio_stream::wrappers::ReceiverStream;

use super::*;

/// What the model is asked, and where its answer is written piece by piece.
struct Question {
    body: Value,
    answer: mpsc::Sender<Bytes>,
}

impl Question {
    async fn delta(&self, delta: Value) {
        let event = json!({"choices": [{"index": 0, "delta": delta, "finish_reason": null}]});
        self.answer
            .send(format!("data: {event}\n\n").into())
            .await
            .unwrap();
    }

    async fn call(&self, index: usize, name: &str, arguments: &str) {
        let function = json!({"name": name, "arguments": arguments});
        let id = format!("call_{index}");
        self.delta(json!({"tool_calls": [{"index": index, "id": id, "type": "function", "function": function}]})).await;
    }

    async fn more(&self, index: usize, arguments: &str) {
        self.delta(json!({"tool_calls": [{"index": index, "function": {"arguments": arguments}}]}))
            .await;
    }

    async fn end(self) {
        let end = json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]});
        self.answer
            .send(format!("data: {end}\n\ndata: [DONE]\n\n").into())
            .await
            .unwrap();
    }
}

/// A `kith` whose model asks the test what to say.
async fn start_kith() -> (KithProcess, mpsc::Receiver<Question>) {
    let (questions, asked) = mpsc::channel(4);
    let questions = Arc::new(Mutex::new(questions));
    let chat = move |body: String| {
        let questions = questions.lock().unwrap().clone();
        async move {
            let (answer, pieces) = mpsc::channel(16);
            let body = serde_json::from_str(&body).unwrap();
            questions.send(Question { body, answer }).await.unwrap();
            let pieces = ReceiverStream::new(pieces).map(Ok::<_, std::io::Error>);
            (
                [("content-type", "text/event-stream")],
                Body::from_stream(pieces),
            )
        }
    };
    let router = Router::new().route("/v1/chat/completions", post(chat));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await });
    let settings = settings(&url, "").replace("[model]", "[model]\nprotocol = \"native\"");
    (KithProcess::open(&settings).await, asked)
}

fn has_said(history: &[Value], wanted: &str) -> bool {
    history.iter().any(|line| own(line) && text(line) == wanted)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_first_message_is_sent_while_the_second_call_streams() {
    let (kith, mut asked) = start_kith().await;
    kith.says("@Juno hello").await;
    let question = asked.recv().await.unwrap();
    let names: Vec<&str> = question.body["tools"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|tool| tool["function"]["name"].as_str())
        .collect();
    assert!(
        names.contains(&"send_message") && names.contains(&"recall"),
        "{names:?}"
    );
    let system = question.body["messages"][0]["content"].as_str().unwrap();
    assert_has(system, ["Only by calling tools"]);
    assert_lacks(system, ["<turn>", "\"actions\""]);
    question
        .delta(json!({"content": "two lines for her"}))
        .await;
    question
        .call(0, "send_message", "{\"text\": \"hi Anna\"}")
        .await;
    question
        .call(1, "send_message", "{\"text\": \"did it ")
        .await;
    kith.until_true("the first message", |history| has_said(history, "hi Anna"))
        .await;
    assert!(
        !kith
            .history()
            .await
            .iter()
            .any(|line| text(line).contains("did it"))
    );
    question.more(1, "go well\"}").await;
    question.end().await;
    kith.until_true("the second", |history| has_said(history, "did it go well"))
        .await;
    let turn = kith.ended_turn(1).await;
    assert_eq!(turn["report"]["rounds"][0]["thoughts"], "two lines for her");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn unknown_tools_and_bad_arguments_come_back_as_errors_in_the_next_round() {
    let (kith, mut asked) = start_kith().await;
    kith.says("@Juno hello").await;
    let first = asked.recv().await.unwrap();
    first.call(0, "hug", "{\"who\": \"Anna\"}").await;
    first
        .call(1, "react", "{\"to\": \"her\", \"emoji\": \"👋\"}")
        .await;
    first.end().await;
    let second = asked.recv().await.unwrap();
    let user = second.body["messages"][1]["content"].as_str().unwrap();
    assert_eq!(
        second.body["messages"].as_array().unwrap().len(),
        2,
        "a document, not a transcript"
    );
    assert_has(
        user,
        [
            "there is no \"hug\" here",
            "parameter `to` must be a whole number",
        ],
    );
    second.call(0, "send_message", "{\"text\": \"hi\"}").await;
    second.end().await;
    kith.until_true("the message", |history| has_said(history, "hi"))
        .await;
}
