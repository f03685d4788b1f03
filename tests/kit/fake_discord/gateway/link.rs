//! Connections to the gateway: the door, the web socket, and what travels over it until either side ends it.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use tokio::net::TcpStream;
use tokio::sync::mpsc;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::server::{ErrorResponse, Request, Response};
use tokio_tungstenite::tungstenite::http::header::USER_AGENT;
use tokio_tungstenite::tungstenite::protocol::{CloseFrame, Message};

use super::greet::{self, GatewayReply};
use super::hub::{ConnectionPolicy, Health, Link, Out};
use super::packer::Packer;
use crate::fake_discord::port::Port;
use crate::fake_discord::shared_state::Shared;
use crate::fake_discord::world::Upgrade;

/// Receives connections as long as the runtime lives.
pub async fn listen(mut port: Port, shared: Arc<Shared>) {
    loop {
        if shared.lock().hub.door == ConnectionPolicy::Refused {
            port.shut();
            shared.door.notified().await;
            continue;
        }
        tokio::select! {
            accepted = port.open().accept() => {
                if let Ok((stream, peer)) = accepted {
                    receive(stream, peer, &shared);
                }
            }
            () = shared.door.notified() => {}
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
        ConnectionPolicy::Refused | ConnectionPolicy::Slammed => drop(stream),
        ConnectionPolicy::Silent => {
            tokio::spawn(async move {
                std::future::pending::<()>().await;
                drop(stream);
            });
        }
        ConnectionPolicy::Closing(code) => {
            tokio::spawn(async move {
                if let Some((mut socket, _)) = open(stream, &shared).await {
                    close(&mut socket, code).await;
                }
            });
        }
        ConnectionPolicy::Open => {
            tokio::spawn(async move {
                if let Some((socket, is_packed)) = open(stream, &shared).await {
                    carry(socket, is_packed.then(Packer::default), &shared).await;
                }
            });
        }
    }
}

/// The upgrade; whether the client wants everything as one zlib stream.
async fn open(stream: TcpStream, shared: &Shared) -> Option<(WebSocketStream<TcpStream>, bool)> {
    let _ = stream.set_nodelay(true);
    let (mut query, mut user_agent) = (String::new(), None);
    #[expect(
        clippy::result_large_err,
        reason = "the signature is the web socket library's"
    )]
    let look = |request: &Request, response: Response| -> Result<Response, ErrorResponse> {
        query = request.uri().query().unwrap_or_default().to_owned();
        user_agent = request
            .headers()
            .get(USER_AGENT)
            .and_then(|agent| agent.to_str().ok())
            .map(str::to_owned);
        Ok(response)
    };
    let socket = tokio_tungstenite::accept_hdr_async(stream, look)
        .await
        .ok()?;
    let has = |part: &str| query.split('&').any(|given| given == part);
    let is_packed = has("compress=zlib-stream");
    let is_strange = query.contains("encoding=") && !has("encoding=json")
        || query.contains("compress=") && !is_packed;
    if !has("v=10") || is_strange {
        shared.violation(format!(
            "the gateway was asked for ?{query}, which is not version 10 in JSON"
        ));
    }
    let is_packed = shared.change(|state| {
        state.world.log.upgrades.push(Upgrade {
            user_agent,
            is_packed,
        });
        is_packed && !state.hub.never_packs
    });
    Some((socket, is_packed))
}

async fn carry(
    mut socket: WebSocketStream<TcpStream>,
    mut packer: Option<Packer>,
    shared: &Shared,
) {
    let (out, mut outbox) = mpsc::unbounded_channel();
    let queued = Arc::new(AtomicUsize::new(0));
    let (number, hello) = {
        let mut state = shared.lock();
        let number = state.hub.number();
        let link = Link {
            out,
            health: Health::Well,
            session: None,
            queued: queued.clone(),
        };
        state.hub.links.insert(number, link);
        (
            number,
            format!(
                r#"{{"t":null,"s":null,"op":10,"d":{{"heartbeat_interval":{}}}}}"#,
                state.hub.heartbeat_ms
            ),
        )
    };
    if socket
        .send(message(&hello, &mut packer, shared))
        .await
        .is_ok()
    {
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
                    if !write((&mut socket, &mut packer), first, &mut outbox, (&queued, shared)).await {
                        break;
                    }
                }
            }
        }
    }
    shared.change(|state| {
        state.hub.links.remove(&number);
        for session in state
            .hub
            .sessions
            .values_mut()
            .filter(|session| session.link == Some(number))
        {
            session.link = None;
        }
    });
}

/// Writes what waits, in one go; false when the link is at its end.
async fn write(
    (socket, packer): (&mut WebSocketStream<TcpStream>, &mut Option<Packer>),
    first: Out,
    outbox: &mut mpsc::UnboundedReceiver<Out>,
    (queued, shared): (&AtomicUsize, &Shared),
) -> bool {
    let mut next = Some(first);
    // A bounded number, so that heartbeats are heard in between.
    for _ in 0..256 {
        let Some(out) = next else { break };
        queued.fetch_sub(1, Ordering::Relaxed);
        match out {
            Out::Frame(frame) => {
                if socket.feed(message(&frame, packer, shared)).await.is_err() {
                    return false;
                }
            }
            Out::Garbled | Out::Bomb(_) if packer.is_none() => {}
            Out::Garbled => {
                if socket.feed(Message::Binary(vec![0xff; 64])).await.is_err() {
                    return false;
                }
            }
            Out::Bomb(bytes) => {
                if socket
                    .feed(message(&" ".repeat(bytes), packer, shared))
                    .await
                    .is_err()
                {
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
        if socket.feed(message(&frame, packer, shared)).await.is_err() {
            return false;
        }
    }
    socket.flush().await.is_ok()
}

/// A text as it travels over this link.
fn message(text: &str, packer: &mut Option<Packer>, shared: &Shared) -> Message {
    let Some(packer) = packer else {
        return Message::Text(text.to_owned());
    };
    let bytes = packer.pack(text.as_bytes());
    let packed = &mut shared.lock().world.log.packed;
    packed.frames += 1;
    packed.bytes += bytes.len();
    packed.unpacked += text.len();
    Message::Binary(bytes)
}

async fn close(socket: &mut WebSocketStream<TcpStream>, code: Option<u16>) {
    let frame = code.map(|code| CloseFrame {
        code: code.into(),
        reason: greet::reason(code).into(),
    });
    let _ = socket.close(frame).await;
    // Read until the client agrees or hangs up, or a real stack would reset the connection and lose the frame.
    let over = async { while let Some(Ok(_)) = socket.next().await {} };
    let _ = tokio::time::timeout(std::time::Duration::from_secs(2), over).await;
}

fn hear(shared: &Shared, number: u64, text: &str) {
    shared.change(|state| {
        let health = state
            .hub
            .links
            .get(&number)
            .map_or(Health::Frozen, |link| link.health);
        if health == Health::Frozen {
            return;
        }
        let said = serde_json::from_str::<Value>(text).ok();
        let answer = match said {
            Some(said) => greet::hear(state, number, &said, health),
            None => GatewayReply::Close(4002),
        };
        let Some(link) = state.hub.links.get(&number) else {
            return;
        };
        match answer {
            GatewayReply::Nothing => {}
            GatewayReply::Frame(frame) => link.send(Out::Frame(frame.into())),
            GatewayReply::Close(code) => link.send(Out::Close(Some(code))),
        }
    });
}
