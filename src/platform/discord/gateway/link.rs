//! One link: serenity on one side, Discord's gateway on the other, frames passed on as they come. It puts the token
//! into what serenity sends, watches over silence, and turns every way a link can end into one serenity understands.

use std::convert::Infallible;
use std::time::Duration;

use futures_util::{FutureExt, SinkExt, StreamExt};
use serde::Deserialize;
use serde_json::Value;
use tokio::time::{interval, timeout};
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::{Error, Message};

use super::close::{self, Next};
use super::dial::Upstream;
use super::door::Client;
use super::outlet::{Closed, Outlet};
use super::shard::{Shard, Wish};
use super::watchdog::Watch;
use crate::clock;
use crate::core::secret::Secret;

/// Opcodes of the gateway.
const HEARTBEAT: u8 = 1;
const IDENTIFY: u8 = 2;
const RESUME: u8 = 6;
const ACKNOWLEDGED: u8 = 11;
/// What serenity is told while there is nobody else to tell it; it would give up its session otherwise.
const ACKNOWLEDGEMENT: &str = r#"{"op":11,"d":null,"s":null,"t":null}"#;
/// Frames longer than this are events; only shorter ones are looked into.
const LONGEST_SIGNAL: usize = 256;
/// How many frames are passed on before they are flushed.
const BATCH: usize = 64;
/// How long serenity is waited for to speak first, which it does at once where it wants to resume, and never does where
/// it wants a new session.
const SPEAKS_FIRST: Duration = Duration::from_millis(100);
/// How long a closing frame may take to be written.
const FAREWELL: Duration = Duration::from_secs(1);

/// How a link ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum End {
    /// serenity hung up, or has come back over a new link.
    Left,
    /// The gateway hung up, or the link broke or froze.
    Lost {
        /// What follows.
        next: Next,
        /// What happened.
        why: String,
    },
    /// The gateway is being stopped, or nobody listens any more.
    Stopped,
}

/// A link.
pub struct Link {
    client: Client,
    upstream: Option<Upstream>,
    /// What serenity said before there was anybody to pass it on to.
    early: Vec<String>,
    watch: Watch,
}

impl End {
    /// The link is of no use any more, but its session may be.
    fn broken(why: impl ToString) -> Self {
        Self::Lost { next: Next::Resume, why: why.to_string() }
    }

    /// The gateway closed the link.
    fn closed(frame: Option<CloseFrame<'_>>) -> Self {
        let code = frame.map(|frame| u16::from(frame.code));
        let why = code.map_or("closed without a code".into(), |code| format!("closed with code {code}"));
        Self::Lost { next: close::next(code), why }
    }
}

#[derive(Deserialize)]
struct Signal {
    op: u8,
}

fn opcode(text: &str) -> Option<u8> {
    serde_json::from_str::<Signal>(text).ok().map(|signal| signal.op)
}

impl Link {
    /// A link that has only serenity's end.
    pub fn new(client: Client) -> Self {
        Self { client, upstream: None, early: Vec::new(), watch: Watch::new(clock::monotonic()) }
    }

    /// Finds out what serenity wants.
    pub async fn wish(&mut self) -> Result<Wish, End> {
        // A heartbeat of the link before may not have been acknowledged.
        calm(&mut self.client).await?;
        match timeout(SPEAKS_FIRST, self.hold()).await {
            Ok(resumes) => resumes.map(|()| Wish::Resume),
            Err(_) => Ok(Wish::Start),
        }
    }

    /// Keeps serenity waiting, until it wants to resume a session or hangs up.
    pub async fn hold(&mut self) -> Result<(), End> {
        loop {
            let text = said(self.client.next().await)?;
            match opcode(&text) {
                Some(HEARTBEAT) => calm(&mut self.client).await?,
                opcode => {
                    self.early.push(text);
                    if opcode == Some(RESUME) {
                        return Ok(());
                    }
                }
            }
        }
    }

    /// What was heard of the gateway; none if it was never reached.
    pub fn watch(&self) -> Option<&Watch> {
        self.upstream.is_some().then_some(&self.watch)
    }

    /// Passes frames on until one side ends it.
    pub async fn pass(&mut self, upstream: Upstream, shard: &mut Shard) -> Result<Infallible, End> {
        let upstream = self.upstream.insert(upstream);
        self.watch = Watch::new(clock::monotonic());
        let mut presence = shard.common.presence.clone();
        // A new session has no status, and an old one may have missed a change.
        presence.mark_changed();
        for text in std::mem::take(&mut self.early) {
            up(upstream, text, &mut self.watch, shard).await?;
        }
        let mut look = interval(shard.common.times.look);
        loop {
            tokio::select! {
                text = self.client.next() => {
                    let text = said(text)?;
                    if shard.outlet.is_full() {
                        // The gateway is not listened to: its acknowledgement would come too late.
                        calm(&mut self.client).await?;
                    }
                    up(upstream, text, &mut self.watch, shard).await?;
                }
                frame = next_frame(upstream, &shard.outlet) => {
                    self.watch.heard = clock::monotonic();
                    down(&mut self.client, upstream, frame?, &mut self.watch).await?;
                }
                _ = look.tick() => {
                    let now = clock::monotonic();
                    if shard.outlet.is_full() {
                        self.watch.look_away(now);
                    }
                    let is_up = shard.standing.lock().is_up;
                    if let Some(what) = self.watch.overdue(now, &shard.common.times, is_up) {
                        return Err(End::broken(what));
                    }
                    if is_up && presence.has_changed().unwrap_or(false) {
                        let frame = presence.borrow_and_update().as_deref().map(str::to_owned);
                        if let Some(frame) = frame {
                            upstream.send(Message::Text(frame)).await.map_err(End::broken)?;
                        }
                    }
                }
            }
        }
    }

    /// Says good-bye on both sides, so that both know what to do next.
    pub async fn leave(mut self, end: &End, next: Next) {
        if let Some(mut upstream) = self.upstream.take() {
            // 1000 ends the session: the bot is shown as offline at once. Any other code keeps it to be resumed.
            let code = if *end == End::Stopped { 1000 } else { 4000 };
            drop(timeout(FAREWELL, upstream.close(Some(frame(code)))).await);
        }
        if !matches!(end, End::Left | End::Stopped) {
            drop(timeout(FAREWELL, self.client.close(Some(frame(next.for_serenity())))).await);
        }
    }
}

/// What serenity said; nothing but text ever comes from it.
fn said(frame: Option<Result<Message, Error>>) -> Result<String, End> {
    match frame {
        Some(Ok(Message::Text(text))) => Ok(text),
        _ => Err(End::Left),
    }
}

async fn calm(client: &mut Client) -> Result<(), End> {
    client.send(Message::Text(ACKNOWLEDGEMENT.into())).await.map_err(|_| End::Left)
}

fn frame(code: u16) -> CloseFrame<'static> {
    CloseFrame { code: code.into(), reason: "".into() }
}

/// The next frame of the gateway, read only when there is room for what it may hold: so that what waits in memory stays
/// bounded, and a reader that is behind slows Discord down instead.
async fn next_frame(upstream: &mut Upstream, outlet: &Outlet) -> Result<Message, End> {
    outlet.room().await.map_err(|Closed| End::Stopped)?;
    read(upstream.next().await)
}

fn read(frame: Option<Result<Message, Error>>) -> Result<Message, End> {
    match frame {
        Some(Ok(frame)) => Ok(frame),
        Some(Err(why)) => Err(End::broken(why)),
        None => Err(End::broken("ended")),
    }
}

/// Passes what the gateway said on to serenity, and whatever more is there already, and flushes once.
async fn down(client: &mut Client, upstream: &mut Upstream, first: Message, watch: &mut Watch) -> Result<(), End> {
    let (mut next, mut end) = (Ok(first), Ok(()));
    for passed in 1.. {
        match next {
            Ok(Message::Close(frame)) => end = Err(End::closed(frame)),
            Ok(message @ (Message::Text(_) | Message::Binary(_))) => {
                if is_acknowledgement(&message) {
                    watch.acknowledged();
                }
                client.feed(message).await.map_err(|_| End::Left)?;
            }
            // Pings are answered by the web socket itself.
            Ok(_) => {}
            Err(lost) => end = Err(lost),
        }
        if end.is_err() || passed >= BATCH {
            break;
        }
        next = match upstream.next().now_or_never() {
            Some(more) => read(more),
            None => break,
        };
    }
    client.flush().await.map_err(|_| End::Left)?;
    end
}

fn is_acknowledgement(message: &Message) -> bool {
    match message {
        Message::Text(text) => text.len() <= LONGEST_SIGNAL && opcode(text) == Some(ACKNOWLEDGED),
        _ => false,
    }
}

/// Passes what serenity said on to the gateway, with the token it does not know.
async fn up(upstream: &mut Upstream, text: String, watch: &mut Watch, shard: &mut Shard) -> Result<(), End> {
    let text = match opcode(&text) {
        Some(HEARTBEAT) => {
            watch.beat(clock::monotonic());
            text
        }
        Some(IDENTIFY) if !shard.may_identify() => return Err(End::broken("a new session before its time")),
        Some(IDENTIFY | RESUME) => {
            with_token(&text, &shard.common.token).ok_or_else(|| End::broken("serenity's words were not understood"))?
        }
        _ => text,
    };
    upstream.send(Message::Text(text)).await.map_err(End::broken)
}

fn with_token(text: &str, token: &Secret) -> Option<String> {
    let mut value: Value = serde_json::from_str(text).ok()?;
    let data = value.get_mut("d")?.as_object_mut()?;
    data.insert("token".into(), token.expose().into());
    // serenity writes `since` as an object, which no schema allows; without a presence the bot is simply online.
    data.remove("presence");
    Some(value.to_string())
}
