//! Connections to the gateway: the door, the web socket, and what travels over it until either side ends it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::server::{ErrorResponse, Request, Response};
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Message};

use super::greet::{self, Said};
use super::hub::{Door, Health, Link, Out};
use crate::fake_discord::shared::Shared;

/// Receives connections as long as the runtime lives.
pub async fn listen(listener: TcpListener, shared: Arc<Shared>) {
    let address = listener.local_addr().expect("a bound socket");
    let mut listener = Some(listener);
    loop {
        let door = shared.lock().hub.door;
        let open = match (door, listener.take()) {
            (Door::Refused, held) => {
                drop(held);
                shared.door.notified().await;
                continue;
            }
            (_, Some(held)) => held,
            (_, None) => bind_again(address).await,
        };
        tokio::select! {
            accepted = open.accept() => {
                if let Ok((stream, peer)) = accepted {
                    receive(stream, peer, &shared);
                }
            }
            () = shared.door.notified() => {}
        }
        listener = Some(open);
    }
}

async fn bind_again(address: SocketAddr) -> TcpListener {
    loop {
        match TcpListener::bind(address).await {
            Ok(listener) => return listener,
            Err(_) => tokio::time::sleep(std::time::Duration::from_millis(10)).await,
        }
    }
}

fn receive(stream: TcpStream, peer: SocketAddr, shared: &Arc<Shared>) {
    shared.assert_loopback(peer);
    let door = shared.change(|state| {
        let now = state.clock.now();
        state.world.log.connects.push(now);
        state.hub.door
    });
    let shared = shared.clone();
    match door {
        Door::Refused | Door::Slammed => drop(stream),
        Door::Silent => {
            tokio::spawn(async move {
                std::future::pending::<()>().await;
                drop(stream);
            });
        }
        Door::Closing(code) => {
            tokio::spawn(async move {
                if let Some(mut socket) = open(stream, &shared).await {
                    close(&mut socket, code).await;
                }
            });
        }
        Door::Open => {
            tokio::spawn(async move {
                if let Some(socket) = open(stream, &shared).await {
                    carry(socket, &shared).await;
                }
            });
        }
    }
}

async fn open(stream: TcpStream, shared: &Shared) -> Option<WebSocketStream<TcpStream>> {
    let _ = stream.set_nodelay(true);
    let mut query = String::new();
    #[expect(clippy::result_large_err, reason = "the signature is the web socket library's")]
    let look = |request: &Request, response: Response| -> Result<Response, ErrorResponse> {
        query = request.uri().query().unwrap_or_default().to_owned();
        Ok(response)
    };
    let socket = tokio_tungstenite::accept_hdr_async(stream, look).await.ok()?;
    let has = |part: &str| query.split('&').any(|given| given == part);
    if !has("v=10") || query.contains("encoding=") && !has("encoding=json") || query.contains("compress=") {
        shared.violation(format!("the gateway was asked for ?{query}, which is not version 10 in plain JSON"));
    }
    Some(socket)
}

async fn carry(mut socket: WebSocketStream<TcpStream>, shared: &Shared) {
    let (out, mut outbox) = mpsc::unbounded_channel();
    let queued = Arc::new(AtomicUsize::new(0));
    let (number, hello) = {
        let mut state = shared.lock();
        let number = state.hub.number();
        let link = Link { out, health: Health::Well, session: None, queued: queued.clone() };
        state.hub.links.insert(number, link);
        (number, format!(r#"{{"t":null,"s":null,"op":10,"d":{{"heartbeat_interval":{}}}}}"#, state.hub.heartbeat_ms))
    };
    if socket.send(Message::Text(hello)).await.is_ok() {
        loop {
            tokio::select! {
                biased;
                heard = socket.next() => match heard {
                    Some(Ok(Message::Text(text))) => hear(shared, number, &text),
                    Some(Ok(Message::Close(frame))) => {
                        let code = frame.map(|frame| u16::from(frame.code));
                        shared.change(|state| greet::closed_by_client(state, number, code));
                        break;
                    }
                    Some(Ok(_)) => {}
                    Some(Err(_)) | None => break,
                },
                first = outbox.recv() => {
                    let Some(first) = first else { break };
                    if !write(&mut socket, first, &mut outbox, &queued).await {
                        break;
                    }
                }
            }
        }
    }
    shared.change(|state| {
        state.hub.links.remove(&number);
        for session in state.hub.sessions.values_mut().filter(|session| session.link == Some(number)) {
            session.link = None;
        }
    });
}

/// Writes what waits, in one go; false when the link is at its end.
async fn write(
    socket: &mut WebSocketStream<TcpStream>,
    first: Out,
    outbox: &mut mpsc::UnboundedReceiver<Out>,
    queued: &AtomicUsize,
) -> bool {
    let mut next = Some(first);
    // A bounded number, so that heartbeats are heard in between.
    for _ in 0..256 {
        let Some(out) = next else { break };
        queued.fetch_sub(1, Ordering::Relaxed);
        match out {
            Out::Frame(frame) => {
                if socket.feed(Message::Text(frame.to_string())).await.is_err() {
                    return false;
                }
            }
            Out::Close(code) => {
                close(socket, code).await;
                return false;
            }
            Out::Drop => return false,
        }
        next = outbox.try_recv().ok();
    }
    if let Some(Out::Frame(frame)) = next {
        queued.fetch_sub(1, Ordering::Relaxed);
        if socket.feed(Message::Text(frame.to_string())).await.is_err() {
            return false;
        }
    }
    socket.flush().await.is_ok()
}

async fn close(socket: &mut WebSocketStream<TcpStream>, code: Option<u16>) {
    let frame = code.map(|code| CloseFrame { code: code.into(), reason: greet::reason(code).into() });
    let _ = socket.close(frame).await;
    // Read until the client agrees or hangs up, or a real stack would reset the connection and lose the frame.
    let over = async { while let Some(Ok(_)) = socket.next().await {} };
    let _ = tokio::time::timeout(std::time::Duration::from_secs(2), over).await;
}

fn hear(shared: &Shared, number: u64, text: &str) {
    shared.change(|state| {
        let health = state.hub.links.get(&number).map_or(Health::Frozen, |link| link.health);
        if health == Health::Frozen {
            return;
        }
        let said = serde_json::from_str::<Value>(text).ok();
        let answer = match said {
            Some(said) => greet::hear(state, number, &said, health),
            None => Said::Close(4002),
        };
        let Some(link) = state.hub.links.get(&number) else { return };
        match answer {
            Said::Nothing => {}
            Said::Frame(frame) => link.send(Out::Frame(frame.into())),
            Said::Close(code) => link.send(Out::Close(Some(code))),
        }
    });
}
