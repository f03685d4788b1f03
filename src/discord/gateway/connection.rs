//! One link to Discord's gateway: says hello, begins or resumes the session, beats, watches over silence, and passes
//! every event on, until one side ends it.

use std::collections::VecDeque;
use std::convert::Infallible;
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use serde_json::Value;
use tokio::time::{sleep_until, timeout};
use tokio_tungstenite::tungstenite::protocol::CloseFrame;
use tokio_tungstenite::tungstenite::{Error, Message};

use super::GatewayDispatch;
use super::close::{self, CloseAction};
use super::dial::GatewaySocket;
use super::frames::{FrameReader, GatewayFrame, GatewayPayload};
use super::session::{self, GatewaySession, op};
use super::shard::Shard;
use super::watchdog::ConnectionWatchdog;
use kith_core::back_off::apply_jitter;
use kith_system::clock;

/// Between two heartbeats, whatever Discord asks for: it asks for 41 s.
const BEATS: std::ops::RangeInclusive<Duration> =
    Duration::from_millis(250)..=Duration::from_secs(60);
/// The code after which nobody can come back to a session.
pub const ENDS_SESSION: u16 = 1000;
/// How long a closing frame may take to be written.
const FAREWELL: Duration = Duration::from_secs(1);

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ConnectionEnd {
    /// The gateway hung up, or the link broke or froze.
    Lost {
        next: CloseAction,
        /// What happened.
        why: String,
    },
    /// The gateway is being stopped, or nobody listens any more.
    Stopped,
}

pub struct GatewayConnection {
    upstream: GatewaySocket,
    frames: FrameReader,
    watchdog: ConnectionWatchdog,
    heartbeats: Option<HeartbeatSchedule>,
    is_up: bool,
}

#[derive(Clone, Copy, Debug)]
struct HeartbeatSchedule {
    every: Duration,
    next: Instant,
}

impl ConnectionEnd {
    /// The link is of no use any more, but its session may be.
    fn from_failure(why: impl ToString) -> Self {
        Self::Lost {
            next: CloseAction::Resume,
            why: why.to_string(),
        }
    }

    fn from_close_frame(frame: Option<&CloseFrame<'_>>) -> Self {
        let code = frame.map(|frame| u16::from(frame.code));
        let why = code.map_or("closed without a code".into(), |code| {
            format!("closed with code {code}")
        });
        Self::Lost {
            next: close::choose_close_action(code),
            why,
        }
    }
}

impl GatewayConnection {
    pub fn new(upstream: GatewaySocket) -> Self {
        let watchdog = ConnectionWatchdog::new(clock::monotonic());
        Self {
            upstream,
            frames: FrameReader::new(),
            watchdog,
            heartbeats: None,
            is_up: false,
        }
    }

    pub fn has_received_hello(&self) -> bool {
        self.heartbeats.is_some()
    }

    /// For how long a session was up; none if none was.
    pub fn uptime(&self) -> Option<Duration> {
        self.is_up.then(|| {
            self.watchdog
                .last_received
                .saturating_duration_since(self.watchdog.opened)
        })
    }

    pub fn last_received(&self) -> Instant {
        self.watchdog.last_received
    }

    /// Passes on what comes until one side ends it. It reads on only when everything before is out: so what waits in
    /// memory stays bounded, and a reader that is behind slows Discord down instead.
    pub async fn forward_events(&mut self, shard: &mut Shard) -> Result<Infallible, ConnectionEnd> {
        let mut presence = shard.common.presence.clone();
        let out = shard.out.clone();
        let mut waiting = VecDeque::new();
        loop {
            // What could not be listened to is not waited for.
            let due = self
                .watchdog
                .next_deadline(&shard.common.times, self.is_up)
                .filter(|_| waiting.is_empty());
            let heartbeat_at = self.heartbeats.map(|beats| beats.next);
            let wake_at = due
                .map(|(at, _)| at)
                .into_iter()
                .chain(heartbeat_at)
                .min()
                .unwrap_or(self.watchdog.last_received + *BEATS.end());
            tokio::select! {
                permit = out.reserve(), if !waiting.is_empty() => {
                    let permit = permit.map_err(|_| ConnectionEnd::Stopped)?;
                    if let Some(dispatch) = waiting.pop_front() {
                        permit.send(dispatch);
                    }
                    self.watchdog.reset_timers(clock::monotonic());
                }
                frame = self.upstream.next(), if waiting.is_empty() => {
                    self.watchdog.last_received = clock::monotonic();
                    let payload = self.read_frame(frame)?;
                    if let Some(payload) = payload {
                        self.handle_payload(payload, shard, &mut waiting).await?;
                    }
                    // Where there is room, nothing has to wait for another round.
                    while let Some(dispatch) = waiting.pop_front() {
                        if let Err(full) = out.try_send(dispatch) {
                            waiting.push_front(full.into_inner());
                            break;
                        }
                    }
                }
                Ok(()) = presence.changed(), if self.is_up => {
                    let frame = presence.borrow_and_update().as_deref().map(str::to_owned);
                    if let Some(frame) = frame {
                        self.send_text(frame).await?;
                    }
                }
                () = out.closed() => return Err(ConnectionEnd::Stopped),
                () = sleep_until(wake_at.into()) => {
                    let now = clock::monotonic();
                    if let Some((_, what)) = due.filter(|(at, _)| *at <= now) {
                        return Err(ConnectionEnd::from_failure(what));
                    }
                    if heartbeat_at.is_some_and(|beat| beat <= now) {
                        self.send_heartbeat(shard).await?;
                    }
                }
            }
        }
    }

    fn read_frame(
        &mut self,
        frame: Option<Result<Message, Error>>,
    ) -> Result<Option<GatewayPayload>, ConnectionEnd> {
        let frame = match frame {
            Some(Ok(Message::Close(frame))) => {
                return Err(ConnectionEnd::from_close_frame(frame.as_ref()));
            }
            Some(Ok(frame)) => frame,
            Some(Err(why)) => return Err(ConnectionEnd::from_failure(why)),
            None => return Err(ConnectionEnd::from_failure("ended")),
        };
        match self
            .frames
            .read(&frame)
            .map_err(ConnectionEnd::from_failure)?
        {
            GatewayFrame::Payload(payload) => Ok(Some(payload)),
            GatewayFrame::Nothing => Ok(None),
            GatewayFrame::Unreadable(why) => {
                tracing::warn!(
                    why,
                    "Discord said something that cannot be read; it is left out"
                );
                Ok(None)
            }
        }
    }

    async fn handle_payload(
        &mut self,
        payload: GatewayPayload,
        shard: &mut Shard,
        waiting: &mut VecDeque<GatewayDispatch>,
    ) -> Result<(), ConnectionEnd> {
        let GatewayPayload { op, s, t, d } = payload;
        match op {
            op::DISPATCH => {
                let kind = t.unwrap_or_default();
                if let (Some(session), Some(seq)) = (&mut shard.session, s) {
                    session.record_seq(seq);
                }
                let connected = match &*kind {
                    "READY" => {
                        shard.session = GatewaySession::from_ready(&d, s.unwrap_or_default());
                        Some(shard.record_session(false))
                    }
                    "RESUMED" => Some(shard.record_session(true)),
                    _ => None,
                };
                self.is_up |= connected.is_some();
                let record = kind
                    .starts_with("MESSAGE_")
                    .then(|| shard.take_session_record());
                waiting.push_back(GatewayDispatch::Event { kind, value: d });
                waiting.extend(connected.into_iter().flatten());
                waiting.extend(record.flatten());
                Ok(())
            }
            op::HELLO => self.handle_hello(&d, shard).await,
            op::HEARTBEAT => self.send_heartbeat(shard).await,
            op::ACKNOWLEDGED => {
                self.watchdog.record_acknowledgement();
                Ok(())
            }
            op::RECONNECT => Err(ConnectionEnd::from_failure("Discord asks for a new link")),
            op::INVALID_SESSION => {
                let next = if d == true {
                    CloseAction::Resume
                } else {
                    CloseAction::NewSession
                };
                Err(ConnectionEnd::Lost {
                    next,
                    why: "the session is not valid".into(),
                })
            }
            // Discord may say more than is known today.
            _ => Ok(()),
        }
    }

    /// Discord's first word. A session it knows goes on, or a new one begins.
    async fn handle_hello(
        &mut self,
        hello: &Value,
        shard: &mut Shard,
    ) -> Result<(), ConnectionEnd> {
        let every = Duration::from_millis(hello["heartbeat_interval"].as_u64().unwrap_or_default());
        let every = every.clamp(*BEATS.start(), *BEATS.end());
        // The first comes at a moment of its own, or all shards of the world would beat together after an outage.
        let first = apply_jitter(every, clock::now().unsigned_abs() ^ u64::from(shard.number));
        self.heartbeats = Some(HeartbeatSchedule {
            every,
            next: clock::monotonic() + first,
        });
        let payload = shard
            .build_start_payload()
            .await
            .map_err(ConnectionEnd::from_failure)?;
        // Other sessions may have been waited for.
        self.watchdog.reset_timers(clock::monotonic());
        self.send_text(payload).await
    }

    async fn send_heartbeat(&mut self, shard: &Shard) -> Result<(), ConnectionEnd> {
        let now = clock::monotonic();
        if let Some(heartbeats) = &mut self.heartbeats {
            heartbeats.next = now + heartbeats.every;
        }
        self.watchdog.record_heartbeat(now);
        self.send_text(session::build_heartbeat_payload(shard.session.as_ref()))
            .await
    }

    async fn send_text(&mut self, text: String) -> Result<(), ConnectionEnd> {
        self.upstream
            .send(Message::Text(text))
            .await
            .map_err(ConnectionEnd::from_failure)
    }

    /// Says good-bye: 1000 ends the session, and the bot is shown as offline at once; any other code keeps it to be
    /// resumed.
    pub async fn close(mut self, end: &ConnectionEnd) {
        let code = if *end == ConnectionEnd::Stopped {
            ENDS_SESSION
        } else {
            4000
        };
        close_socket(&mut self.upstream, code).await;
    }
}

pub async fn close_socket(upstream: &mut GatewaySocket, code: u16) {
    let frame = CloseFrame {
        code: code.into(),
        reason: "".into(),
    };
    drop(timeout(FAREWELL, upstream.close(Some(frame))).await);
}
