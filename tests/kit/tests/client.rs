//! A bare gateway client for these tests: sends what it is told and gives back frames.

use std::time::Duration;

use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::{Error, Message};

use crate::fake_discord::*;

pub const INTENTS: u64 = 0b1111_1110_0000_1111 & !(1 << 8);

pub struct Client {
    socket: WebSocketStream<TcpStream>,
}

#[derive(Debug, PartialEq)]
pub enum End {
    Code(u16),
    NoCode,
    Dropped,
}

pub async fn open(fake: &FakeDiscord) -> Result<WebSocketStream<TcpStream>, Error> {
    let url = format!("{}/?v=10", fake.gateway_url());
    let address = url
        .trim_start_matches("ws://")
        .split('/')
        .next()
        .unwrap_or_default();
    let stream = TcpStream::connect(address).await?;
    tokio_tungstenite::client_async(&url, stream)
        .await
        .map(|(socket, _)| socket)
}

impl Client {
    pub async fn connect(fake: &FakeDiscord) -> Self {
        let mut client = Self {
            socket: open(fake).await.unwrap(),
        };
        assert_eq!(client.next().await["op"], 10);
        client
    }

    /// Connects, identifies and reads everything up to the last guild.
    pub async fn ready(fake: &FakeDiscord, intents: u64) -> (Self, Value) {
        let mut client = Self::connect(fake).await;
        client.identify(intents).await;
        let ready = client.next().await;
        for _ in ready["d"]["guilds"].as_array().unwrap() {
            assert_eq!(client.next().await["t"], "GUILD_CREATE");
        }
        (client, ready)
    }

    pub async fn identify(&mut self, intents: u64) {
        let properties = json!({"os": "linux", "browser": "test", "device": "test"});
        self.send(
            json!({"op": 2, "d": {"token": TOKEN, "intents": intents, "properties": properties}}),
        )
        .await;
    }

    pub async fn send(&mut self, value: Value) {
        self.socket
            .send(Message::Text(value.to_string()))
            .await
            .unwrap();
    }

    pub async fn next(&mut self) -> Value {
        self.try_next().await.expect("a frame, not the end")
    }

    /// The next frame; none at the end of the connection.
    pub async fn try_next(&mut self) -> Option<Value> {
        let next = tokio::time::timeout(Duration::from_secs(20), self.socket.next())
            .await
            .expect("a frame in time");
        match next {
            Some(Ok(Message::Text(text))) => Some(serde_json::from_str(&text).unwrap()),
            _ => None,
        }
    }

    /// The body of the next dispatch, which must be of this kind.
    pub async fn event(&mut self, kind: &str) -> Value {
        let mut frame = self.next().await;
        assert_eq!(frame["t"], kind, "{frame}");
        frame["d"].take()
    }

    /// Whether nothing comes for a moment; a heartbeat that is acknowledged proves that nothing was on its way.
    pub async fn hears_nothing(&mut self) -> bool {
        self.send(json!({"op": 1, "d": null})).await;
        self.next().await["op"] == 11
    }

    pub async fn end(mut self) -> End {
        loop {
            match tokio::time::timeout(Duration::from_secs(20), self.socket.next())
                .await
                .expect("an end in time")
            {
                Some(Ok(Message::Close(Some(frame)))) => return End::Code(frame.code.into()),
                Some(Ok(Message::Close(None))) => return End::NoCode,
                Some(Ok(_)) => {}
                Some(Err(_)) | None => return End::Dropped,
            }
        }
    }
}
