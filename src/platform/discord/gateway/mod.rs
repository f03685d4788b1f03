//! The gateway: one web socket a shard, over which Discord tells what happens. It passes everything on and understands
//! nothing of it; what an event means is `convert/`'s to say.
//!
//! serenity keeps the sessions and reads the events. Between it and Discord stands a relay on loopback, always: it knows
//! the token, the only address, and the proxy; it paces links and sessions, watches for frozen links, and turns every
//! end of a link into one serenity copes with.

mod back_off;
mod budget;
mod close;
mod dial;
mod dispatch;
mod door;
mod intents;
mod link;
mod outlet;
mod presence;
mod relay;
mod sessions;
mod settings;
mod shard;
mod start;
mod watchdog;

use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::timeout;

pub use budget::StartLimit;
pub use dial::DialError;
pub use dispatch::Dispatch;
pub use intents::intents;
pub use presence::{LONGEST_STATUS, Presence};
pub use settings::{GatewaySettings, Times};
pub use start::{Start, StartError, look, look_before};

use crate::clock;

/// How long the shards may take to say good-bye.
const FAREWELL: Duration = Duration::from_secs(3);

/// A running gateway. Dropped, it ends without good-bye, and its sessions could be resumed.
#[derive(Debug)]
pub struct Gateway {
    stop: Arc<watch::Sender<bool>>,
    presence: Arc<watch::Sender<Option<Arc<str>>>>,
    relays: JoinSet<()>,
}

/// Why the gateway could not be started.
#[derive(Debug, thiserror::Error)]
pub enum GatewayError {
    /// The gateway's or the proxy's address is none.
    #[error(transparent)]
    Address(#[from] DialError),
    /// The machine gives no port on loopback, no thread, or no TLS.
    #[error("this machine refuses what a link to Discord takes: {0}")]
    Machine(#[from] io::Error),
}

/// Opens the links, one a shard, and passes everything that comes into `out`, which is closed when nothing more will.
/// A reader that falls behind slows Discord down; one that is gone ends the gateway. Call it within a tokio runtime.
pub async fn start(settings: GatewaySettings, out: mpsc::Sender<Dispatch>) -> Result<Gateway, GatewayError> {
    let GatewaySettings { token, url, shards, limit, intents, proxy, rest, language, times } = settings;
    let dialer = dial::Dialer::new(&url, &proxy)?;
    let budget = Mutex::new(budget::Budget::new(limit, clock::monotonic()));
    let (presence, shown) = watch::channel(None);
    let common = Arc::new(shard::Common { token, dialer, rest, budget, presence: shown, times, language });
    let outlet = Arc::new(outlet::Outlet::new(out));
    let boots = sessions::spawn(shards, intents, Arc::clone(&outlet))?;
    let stop = Arc::new(watch::Sender::new(false));
    let mut relays = JoinSet::new();
    for number in 0..shards {
        let shard = shard::Shard::new(number, Arc::clone(&common), Arc::clone(&outlet));
        let relay = relay::Relay::open(shard, boots.clone(), Arc::clone(&stop)).await?;
        relays.spawn(relay.run());
    }
    Ok(Gateway { stop, presence: Arc::new(presence), relays })
}

impl Gateway {
    /// What changes the status shown beside its name.
    pub fn presence(&self) -> Presence {
        Presence::new(Arc::clone(&self.presence))
    }

    /// Says good-bye to Discord, so that the bot is shown as offline at once, and ends.
    pub async fn stop(mut self) {
        self.stop.send_replace(true);
        // Who does not come to an end in time is dropped with the set.
        drop(timeout(FAREWELL, async { while self.relays.join_next().await.is_some() {} }).await);
    }
}
