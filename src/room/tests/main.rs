//! The room through its front door: what it lets in, what it refuses, and that live events reach every listener.

mod entry;
mod refusals;

use std::net::SocketAddr;
use std::sync::Arc;

use futures_util::StreamExt;
use kith_core::chat::{
    Author, AuthorKind, Channel, ChannelId, ChannelKind, Message, MessageId, TurnId, UserId,
};
use kith_core::policy::ChannelMode;
use kith_core::report::{MessageDecision, ScoreTerm, ThresholdShift};
use kith_room::{
    self, ConsoleHandles, LiveEvent, ModelState, PendingRequest, RequestRefusal, RoomAnswer,
    RoomBindError, RoomChannel, RoomHandles, RoomMessage, RoomRequest, RoomState, RoomToken,
    ToolNews, ToolNewsKind, find_mentions,
};
use reqwest::header::{AUTHORIZATION, HeaderMap};
use reqwest::{Client, Response, StatusCode};
use serde_json::{Value, json};
use tokio::sync::{broadcast, mpsc, oneshot};

struct Room {
    address: SocketAddr,
    token: RoomToken,
    /// Carries the token.
    client: Client,
    live: broadcast::Sender<Arc<LiveEvent>>,
    stop: Option<oneshot::Sender<()>>,
    served: tokio::task::JoinHandle<()>,
}

/// Opens a room in front of a daemon that knows one channel and carries nothing else out.
async fn open() -> Room {
    let listener = kith_room::bind("127.0.0.1:0".parse().unwrap())
        .await
        .unwrap();
    let address = listener.local_addr().unwrap();
    let (requests, mut asked) = mpsc::channel::<PendingRequest>(8);
    tokio::spawn(async move {
        while let Some(PendingRequest { request, answer }) = asked.recv().await {
            let _ = answer.send(match request {
                RoomRequest::State {} => Ok(RoomAnswer::State(state())),
                RoomRequest::TestModel(choice) => Err(RequestRefusal::unavailable(format!(
                    "{} does not answer",
                    choice.url
                ))),
                other => Err(RequestRefusal::not_found(format!("{other:?} is not there"))),
            });
        }
    });
    let (live, _) = broadcast::channel(16);
    let (stop, stopped) = oneshot::channel::<()>();
    let token = RoomToken::load(tempfile::tempdir().unwrap().path())
        .unwrap()
        .0;
    let doors = RoomHandles {
        requests,
        live: live.clone(),
        console: ConsoleHandles {
            requests: mpsc::channel(1).0,
            memory: mpsc::channel(1).0,
        },
    };
    let served = tokio::spawn(kith_room::serve(listener, doors, token.clone(), async {
        let _ = stopped.await;
    }));
    let bearer = format!("Bearer {}", token.secret().expose())
        .parse()
        .unwrap();
    let headers = HeaderMap::from_iter([(AUTHORIZATION, bearer)]);
    let client = kith_system::tls::loopback_client()
        .default_headers(headers)
        .build()
        .unwrap();
    Room {
        address,
        token,
        client,
        live,
        stop: Some(stop),
        served,
    }
}

fn author(id: u64, name: &str, kind: AuthorKind) -> Author {
    Author {
        id: UserId(id),
        name: name.into(),
        kind,
    }
}

fn state() -> RoomState {
    let channel = Channel {
        id: ChannelId(10),
        guild: None,
        name: "lounge".into(),
        topic: "".into(),
        kind: ChannelKind::Group,
        parent: None,
    };
    RoomState {
        people: vec![author(2, "Anna", AuthorKind::Person)],
        channels: vec![RoomChannel {
            channel,
            mode: ChannelMode::On,
            companion: author(1, "Mira", AuthorKind::Companion),
        }],
        model: ModelState {
            name: "stand-in".into(),
            url: String::new(),
            stand_in: true,
            tokens_today: 0,
            daily_cap: None,
            trouble: None,
        },
    }
}

impl Room {
    fn url(&self, path: &str) -> String {
        format!("http://{}{path}", self.address)
    }

    async fn send(&self, body: &Value, headers: &[(&str, &str)]) -> Response {
        let mut request = self
            .client
            .post(self.url("/api"))
            .header("content-type", "application/json");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        request.body(body.to_string()).send().await.unwrap()
    }

    async fn refused(&self, body: Value) -> (StatusCode, String) {
        let response = self.send(&body, &[]).await;
        let status = response.status();
        let error = response.json::<Value>().await.unwrap()["error"]
            .as_str()
            .unwrap()
            .to_owned();
        (status, error)
    }
}

/// The next live event of a type.
async fn next_of(
    stream: &mut (impl StreamExt<Item = reqwest::Result<impl AsRef<[u8]>>> + Unpin),
    kind: &str,
) -> Value {
    let mut text = String::new();
    loop {
        let piece = stream.next().await.expect("the stream ended").unwrap();
        text.push_str(std::str::from_utf8(piece.as_ref()).unwrap());
        while let Some(end) = text.find("\n\n") {
            let event: String = text.drain(..end + 2).collect();
            let Some(data) = event.lines().find_map(|line| line.strip_prefix("data: ")) else {
                continue;
            };
            let data: Value = serde_json::from_str(data).unwrap();
            if data["type"] == kind {
                return data;
            }
        }
    }
}

#[tokio::test]
async fn the_page_and_all_it_loads_come_from_the_room_under_a_strict_policy() {
    let room = open().await;
    let page = room.client.get(room.url("/")).send().await.unwrap();
    let policy = page.headers()["content-security-policy"]
        .to_str()
        .unwrap()
        .to_owned();
    assert!(
        policy.starts_with("default-src 'none'; script-src 'self'; style-src 'self'"),
        "{policy}"
    );
    assert!(!policy.contains("unsafe"), "{policy}");
    assert_eq!(page.headers()["x-content-type-options"], "nosniff");
    let html = page.text().await.unwrap();
    let loaded = regex::Regex::new(r##"(?:src|href)="([^"#]+)""##).unwrap();
    let mut paths: Vec<String> = loaded
        .captures_iter(&html)
        .map(|found| found[1].to_owned())
        .collect();
    assert!(paths.contains(&"/main.js".to_owned()), "{paths:?}");
    let imported = regex::Regex::new(r#"from "([^"]+)""#).unwrap();
    let mut seen = 0;
    while let Some(path) = paths.get(seen).cloned() {
        seen += 1;
        assert!(path.starts_with('/'), "{path} is not the room's own");
        let file = room.client.get(room.url(&path)).send().await.unwrap();
        assert_eq!(file.status(), StatusCode::OK, "{path}");
        let text = file.text().await.unwrap();
        for word in [
            "innerHTML",
            "outerHTML",
            "insertAdjacentHTML",
            "document.write",
            "eval(",
        ] {
            assert!(!text.contains(word), "{path} uses {word}");
        }
        for import in imported.captures_iter(&text) {
            if !paths.contains(&import[1].to_owned()) {
                paths.push(import[1].to_owned());
            }
        }
    }
    assert!(seen > 15, "{paths:?}");
}

#[tokio::test]
async fn what_happens_is_told_live_with_ids_that_javascript_does_not_round() {
    let room = open().await;
    let mut live = room
        .client
        .get(room.url("/api/live"))
        .send()
        .await
        .unwrap()
        .bytes_stream();
    next_of(&mut live, "hello").await;
    let (id, channel, anna) = (
        MessageId((1 << 53) + 1),
        ChannelId(10),
        author(2, "Anna", AuthorKind::Person),
    );
    let decision = MessageDecision {
        channel,
        message: id,
        author: anna.id,
        at: 5,
        score: 0.25,
        threshold: 0.5,
        shift: ThresholdShift::default(),
        address: None,
        refusal: None,
        speak: false,
        waits_until: None,
        goes_on: false,
        energy: 1.0,
        silent_for: None,
        terms: vec![ScoreTerm {
            name: "question".into(),
            value: 1.0,
            adds: 0.5,
        }],
        bias: -2.0,
    };
    let message = Message {
        id,
        channel,
        arrival: 1,
        at: 5,
        author: anna,
        text: "tea?".into(),
        reply_to: None,
        mentions: vec![UserId(1)],
    };
    let said = RoomMessage {
        message,
        edited: false,
        reactions: Vec::new(),
        decision: Some(decision),
        turn: None,
    };
    room.live
        .send(Arc::new(LiveEvent::Message(Box::new(said))))
        .unwrap();
    assert_eq!(
        next_of(&mut live, "message").await,
        json!({
            "type": "message", "id": "9007199254740993", "channel": "10", "arrival": 1, "at": 5,
            "author": { "id": "2", "name": "Anna", "kind": "person" },
            "text": "tea?", "reply_to": null, "mentions": ["1"], "edited": false, "reactions": [], "turn": null,
            "decision": {
                "channel": "10", "message": "9007199254740993", "author": "2", "at": 5, "score": 0.25, "threshold": 0.5,
                "address": null, "refusal": null, "speak": false, "energy": 1.0, "bias": -2.0,
                "terms": [{ "name": "question", "value": 1.0, "adds": 0.5 }],
            },
        })
    );
}

#[tokio::test]
async fn what_running_tools_tell_is_told_live_with_its_number() {
    let room = open().await;
    let mut live = room
        .client
        .get(room.url("/api/live"))
        .send()
        .await
        .unwrap()
        .bytes_stream();
    next_of(&mut live, "hello").await;
    let tell = |number, told| {
        let news = ToolNews {
            number,
            tool: "poll".into(),
            told,
        };
        room.live
            .send(Arc::new(LiveEvent::ToolNews {
                turn: TurnId(7),
                channel: ChannelId(10),
                news,
            }))
            .unwrap();
    };
    tell(
        1,
        ToolNewsKind::Progress {
            text: "half way".into(),
        },
    );
    let progress = json!({
        "type": "tool_news", "turn": "7", "channel": "10", "number": 1, "tool": "poll", "text": "half way",
    });
    assert_eq!(next_of(&mut live, "tool_news").await, progress);
    tell(
        2,
        ToolNewsKind::Published {
            name: "chart".into(),
            data: json!({ "votes": [3, 4] }),
        },
    );
    let published = json!({
        "type": "tool_news", "turn": "7", "channel": "10", "number": 2, "tool": "poll",
        "name": "chart", "data": { "votes": [3, 4] },
    });
    assert_eq!(next_of(&mut live, "tool_news").await, published);
}

#[tokio::test]
async fn a_listener_that_falls_behind_is_cut_off_so_that_it_fetches_everything_again() {
    let room = open().await;
    let mut live = room
        .client
        .get(room.url("/api/live"))
        .send()
        .await
        .unwrap()
        .bytes_stream();
    next_of(&mut live, "hello").await;
    for number in 0..20_000 {
        room.live
            .send(Arc::new(LiveEvent::Notice {
                text: format!("{number} {}", "x".repeat(1_000)),
            }))
            .unwrap();
    }
    while live.next().await.is_some() {}
}

#[tokio::test]
async fn open_streams_do_not_keep_the_room_from_stopping() {
    let mut room = open().await;
    let mut live = room
        .client
        .get(room.url("/api/live"))
        .send()
        .await
        .unwrap()
        .bytes_stream();
    next_of(&mut live, "hello").await;
    room.stop.take().unwrap().send(()).unwrap();
    while live.next().await.is_some() {}
    room.served.await.unwrap();
}

#[test]
fn an_at_and_a_name_are_a_mention_and_nothing_else_is() {
    let member = |id, name| author(id, name, AuthorKind::Person);
    let members = [
        member(1, "Ann"),
        member(2, "Anna"),
        member(3, "Anna Lee"),
        member(4, "小满"),
    ];
    let cases: [(&str, &[u64]); 12] = [
        ("@Anna hi", &[2]),
        ("@Anna K can you bring chairs", &[]),
        ("@小满啊 你来", &[4]),
        ("@anna lee, @ann!", &[3, 1]),
        ("@Annabel", &[]),
        ("mail@anna.example", &[]),
        ("Anna", &[]),
        ("@小满子 你来", &[]),
        ("@小满你好", &[4]),
        ("你好@小满", &[4]),
        ("@Anna @Anna", &[2]),
        ("@", &[]),
    ];
    for (text, expected) in cases {
        let found: Vec<u64> = find_mentions(text, &members)
            .into_iter()
            .map(|id| id.0)
            .collect();
        assert_eq!(found, expected, "{text}");
    }
}

#[tokio::test]
async fn a_decision_names_what_it_is_about_whether_it_is_approved_and_by_whom() {
    let room = open().await;
    let (status, asked) = room
        .refused(json!({ "ask": "decide", "id": "7", "approve": true, "person": "2" }))
        .await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    assert!(
        asked.contains("Decide { id: ProposalId(7), approve: true, person: UserId(2) }"),
        "{asked}"
    );
    for body in [
        json!({ "ask": "decide", "id": "7", "person": "2" }),
        json!({ "ask": "pending" }),
    ] {
        assert_eq!(
            room.refused(body.clone()).await.0,
            StatusCode::BAD_REQUEST,
            "{body}"
        );
    }
}
