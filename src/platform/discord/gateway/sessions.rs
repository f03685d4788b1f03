//! serenity, on a thread of its own: it keeps the sessions and reads the events, and knows no address but its relays'
//! on loopback, no token, and no other channel than the one its events go into.

use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serenity::client::{Context, RawEventHandler};
use serenity::gateway::{ShardManager, ShardManagerOptions};
use serenity::http::{Http, HttpBuilder};
use serenity::model::event::{Event, UnknownEvent};
use serenity::model::gateway::GatewayIntents;
use serenity::prelude::{RwLock, TypeMap};
use tokio::sync::mpsc;

use super::Dispatch;
use super::outlet::Outlet;
use crate::clock;

/// What serenity believes to be the token. The relay puts the real one in its place.
const NO_TOKEN: &str = "the relay knows";
/// Where serenity's own REST client would go. Nothing uses it; it must not know the real host.
const NOWHERE: &str = "http://127.0.0.1:9";
/// How often an event that cannot be read is warned about, for each kind.
const WARN_EVERY: Duration = Duration::from_secs(3600);

/// What a shard's relay and its session tell each other.
#[derive(Debug, Default)]
pub struct Standing(Mutex<Stands>);

/// How a shard stands.
#[derive(Debug, Default)]
pub struct Stands {
    /// Whether READY or RESUMED came over the present link.
    pub is_up: bool,
    /// When something was heard last, where there is no session up.
    pub lost_at: Option<Instant>,
    /// Where Discord wants the session to be resumed.
    pub resume_at: Option<String>,
}

impl Standing {
    /// A look at it; nobody holds it for long.
    pub fn lock(&self) -> MutexGuard<'_, Stands> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Asks for a session of a shard.
#[derive(Debug)]
pub struct Boot {
    /// Which shard.
    pub shard: u16,
    /// Where its relay listens.
    pub relay: String,
    /// How it stands.
    pub standing: Arc<Standing>,
}

/// Starts the thread. Each boot sent to it begins a session; it ends with its sender, and drops all sessions.
///
/// serenity spawns a task an event. On a runtime of one thread they run in the order they were spawned in, and where
/// there is no room they wait in that order, too ([`Outlet`]): so events cannot overtake each other, and a slow reader
/// never keeps serenity from its heartbeats. How many may wait is the relay's care.
pub fn spawn(shards: u16, intents: GatewayIntents, outlet: Arc<Outlet>) -> io::Result<mpsc::UnboundedSender<Boot>> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let client = reqwest::Client::builder().no_proxy().build().map_err(io::Error::other)?;
    let http = Arc::new(HttpBuilder::new(NO_TOKEN).client(client).proxy(NOWHERE).ratelimiter_disabled(true).build());
    let (boots, mut wanted) = mpsc::unbounded_channel();
    thread::Builder::new().name("discord-gateway".into()).spawn(move || {
        runtime.block_on(async {
            while let Some(boot) = wanted.recv().await {
                begin(boot, shards, intents, &http, &outlet);
            }
        });
    })?;
    Ok(boots)
}

/// One manager a shard, so that each has its own relay and waits for nobody: serenity would start the shards of one
/// manager 5 s apart whatever Discord allows. `Client` is passed by, for it asks `GET /gateway` for the address and
/// takes Discord's own when that fails.
fn begin(boot: Boot, shards: u16, intents: GatewayIntents, http: &Arc<Http>, outlet: &Arc<Outlet>) {
    let handler =
        Handler { shard: boot.shard, standing: boot.standing, outlet: Arc::clone(outlet), unread: Mutex::default() };
    let (manager, _) = ShardManager::new(ShardManagerOptions {
        data: Arc::new(RwLock::new(TypeMap::new())),
        event_handlers: Vec::new(),
        raw_event_handlers: vec![Arc::new(handler)],
        shard_index: boot.shard.into(),
        shard_init: 1,
        shard_total: shards.into(),
        ws_url: Arc::new(serenity::prelude::Mutex::new(boot.relay)),
        http: Arc::clone(http),
        intents,
        presence: None,
    });
    // It only sends to a queue that was just made.
    drop(manager.initialize());
}

/// Passes events on and does nothing else.
struct Handler {
    shard: u16,
    standing: Arc<Standing>,
    outlet: Arc<Outlet>,
    unread: Mutex<HashMap<String, Unread>>,
}

/// Events of one kind that could not be read.
#[derive(Default)]
struct Unread {
    count: u64,
    warned: Option<Instant>,
}

#[serenity::async_trait]
impl RawEventHandler for Handler {
    async fn raw_event(&self, _: Context, event: Event) {
        let connected = match &event {
            Event::Ready(ready) => Some(self.connected(false, Some(ready.ready.resume_gateway_url.clone()))),
            Event::Resumed(_) => Some(self.connected(true, None)),
            Event::Unknown(unknown) if unknown.kind == "READY" => Some(self.connected(false, None)),
            _ => None,
        };
        let dispatch = match event {
            Event::Unknown(UnknownEvent { kind, value, .. }) => {
                self.warn(&kind);
                Dispatch::Undecoded { kind, value }
            }
            event => Dispatch::Event(Box::new(event)),
        };
        for dispatch in [Some(dispatch), connected].into_iter().flatten() {
            self.outlet.give(dispatch).await;
        }
    }
}

impl Handler {
    fn connected(&self, resumed: bool, resume_at: Option<String>) -> Dispatch {
        let mut stands = self.standing.lock();
        stands.is_up = true;
        if !resumed {
            stands.resume_at = resume_at;
        }
        let now = clock::monotonic();
        let away = stands.lost_at.take().map_or(Duration::ZERO, |lost| now.saturating_duration_since(lost));
        Dispatch::Connected { shard: self.shard, resumed, away }
    }

    /// Tells the log that events of a kind cannot be read, now and then. Never what they hold.
    fn warn(&self, kind: &str) {
        let mut all = self.unread.lock().unwrap_or_else(PoisonError::into_inner);
        let unread = all.entry(kind.to_owned()).or_default();
        unread.count += 1;
        let now = clock::monotonic();
        if unread.warned.is_none_or(|warned| now.saturating_duration_since(warned) >= WARN_EVERY) {
            unread.warned = Some(now);
            let (shard, count) = (self.shard, unread.count);
            tracing::warn!(shard, kind, count, "Discord sends events that cannot be read; their raw value is used");
        }
    }
}
