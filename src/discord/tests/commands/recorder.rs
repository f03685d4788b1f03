//! A server on loopback that writes down every request and answers as a test wants.

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::{Bytes, to_bytes};
use axum::extract::Request;
use axum::http::{Method, StatusCode};
use axum::response::{IntoResponse, Response};
use kith_core::secret::Secret;
use kith_discord::rest::{RequestPacing, RestClient, RestSettings};
use serde_json::{Value, json};
use tokio::sync::mpsc;

/// A request as it came.
#[derive(Clone, Debug)]
pub struct RecordedRequest {
    pub method: Method,
    /// Path and query.
    pub path: String,
    pub body: Bytes,
}

impl RecordedRequest {
    /// The body as JSON; of a multipart body the part `payload_json`.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_else(|_| {
            let text = String::from_utf8_lossy(&self.body);
            let part = text
                .split("payload_json")
                .nth(1)
                .expect("a body that holds JSON");
            serde_json::from_str(
                part.split("\r\n")
                    .find(|line| line.starts_with('{'))
                    .unwrap(),
            )
            .unwrap()
        })
    }

    /// Method and path in one, for comparing.
    pub fn what(&self) -> String {
        format!("{} {}", self.method, self.path)
    }
}

type Answers = Arc<Mutex<dyn FnMut(&RecordedRequest) -> (u16, Value) + Send>>;

/// The server.
pub struct Recorder {
    pub rest: RestClient,
    requests: mpsc::UnboundedReceiver<RecordedRequest>,
}

impl Recorder {
    /// Answers every request with what `answers` says.
    pub async fn open(
        answers: impl FnMut(&RecordedRequest) -> (u16, Value) + Send + 'static,
    ) -> Self {
        let (heard, requests) = mpsc::unbounded_channel();
        let answers: Answers = Arc::new(Mutex::new(answers));
        let app = Router::new()
            .fallback(move |request: Request| record(request, answers.clone(), heard.clone()));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let base = format!("http://{}/api/v10", listener.local_addr().unwrap());
        tokio::spawn(async move { axum::serve(listener, app).await.unwrap() });
        let mut settings = RestSettings::new(&base, Secret::new("the-token-of-a-test"), "");
        settings.pace = RequestPacing {
            tries: 1,
            ..RequestPacing::default()
        };
        Self {
            rest: RestClient::new(settings).unwrap(),
            requests,
        }
    }

    /// Answers like Discord where all is well: a posted message gets ids from 1001 on.
    pub async fn kind() -> Self {
        let mut next = 1000;
        Self::open(move |request| match request.method {
            Method::POST if request.path.ends_with("/messages") => {
                next += 1;
                (200, json!({ "id": next.to_string() }))
            }
            Method::PATCH => (200, json!({ "id": "1" })),
            _ => (204, Value::Null),
        })
        .await
    }

    /// The next request, waited for.
    pub async fn next(&mut self) -> RecordedRequest {
        let next =
            tokio::time::timeout(std::time::Duration::from_secs(30), self.requests.recv()).await;
        next.expect("a request").expect("a recorder that runs")
    }

    /// All requests nobody has looked at.
    pub fn others(&mut self) -> Vec<String> {
        std::iter::from_fn(|| self.requests.try_recv().ok())
            .map(|recorded| recorded.what())
            .collect()
    }
}

async fn record(
    request: Request,
    answers: Answers,
    heard: mpsc::UnboundedSender<RecordedRequest>,
) -> Response {
    let (parts, body) = request.into_parts();
    let path = parts
        .uri
        .path_and_query()
        .map(ToString::to_string)
        .unwrap_or_default();
    let path = path.strip_prefix("/api/v10").unwrap_or(&path).to_owned();
    let recorded = RecordedRequest {
        method: parts.method,
        path,
        body: to_bytes(body, usize::MAX).await.unwrap(),
    };
    let (status, answer) = (answers.lock().unwrap())(&recorded);
    let _ = heard.send(recorded);
    let status = StatusCode::from_u16(status).unwrap();
    if answer.is_null() {
        status.into_response()
    } else {
        (status, axum::Json(answer)).into_response()
    }
}

/// What Discord says when it refuses.
pub fn refusal(status: u16, code: u32) -> (u16, Value) {
    (status, json!({ "code": code, "message": "no" }))
}
