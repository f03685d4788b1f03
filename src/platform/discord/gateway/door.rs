//! Where serenity finds its relay: a port on loopback and a path nobody else knows, so that no other program of this
//! machine can speak as the bot.

use std::io;
use std::net::Ipv4Addr;
use std::time::Duration;

use futures_util::StreamExt;
use futures_util::stream::{self, BoxStream};
use sha2::{Digest, Sha256};
use tokio::net::{TcpListener, TcpStream};
use tokio_tungstenite::tungstenite::handshake::server::{ErrorResponse, Request, Response};
use tokio_tungstenite::tungstenite::http::StatusCode;
use tokio_tungstenite::{WebSocketStream, accept_hdr_async};

use crate::clock;
use crate::core::secret::Secret;

/// How long an upgrade on loopback may take; serenity does it at once.
const UPGRADE: Duration = Duration::from_secs(2);

/// serenity's end of a link.
pub type Client = WebSocketStream<TcpStream>;

/// The relay's door: serenity's links, one after the other. Waiting for the next can be broken off at any time without
/// losing one that is just coming in.
pub struct Door {
    address: String,
    knocks: BoxStream<'static, Client>,
}

impl Door {
    /// Opens one. The path is derived from the token, which no other program knows, and the present time.
    pub async fn open(token: &Secret, shard: u16) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
        let at = listener.local_addr()?;
        let salt = format!("/{shard}/{at}/{}/{:?}", clock::now(), clock::monotonic());
        let digest = Sha256::new().chain_update(token.expose()).chain_update(salt).finalize();
        let path: String = digest.iter().take(16).map(|byte| format!("{byte:02x}")).collect();
        let address = format!("ws://{at}/{path}");
        let knocks = stream::unfold((listener, format!("/{path}")), async |(listener, path)| {
            Some((knock(&listener, &path).await, (listener, path)))
        });
        Ok(Self { address, knocks: knocks.boxed() })
    }

    /// Its address for serenity.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Waits until serenity comes.
    pub async fn next(&mut self) -> Option<Client> {
        self.knocks.next().await
    }
}

/// Waits until somebody comes who knows the path; others are turned away.
async fn knock(listener: &TcpListener, path: &str) -> Client {
    loop {
        let Ok((stream, _)) = listener.accept().await else {
            // Out of file descriptors, most likely: the next attempt must not spin.
            tokio::time::sleep(Duration::from_millis(100)).await;
            continue;
        };
        #[expect(clippy::result_large_err, reason = "the callback's type is tungstenite's")]
        let check = |request: &Request, answer: Response| {
            if request.uri().path() == path { Ok(answer) } else { Err(refusal()) }
        };
        if let Ok(Ok(client)) = tokio::time::timeout(UPGRADE, accept_hdr_async(stream, check)).await {
            return client;
        }
    }
}

fn refusal() -> ErrorResponse {
    let mut refusal = ErrorResponse::new(None);
    *refusal.status_mut() = StatusCode::FORBIDDEN;
    refusal
}
