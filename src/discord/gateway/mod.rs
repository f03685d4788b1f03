//! The gateway: one web socket a shard, over which Discord tells what happens. It passes everything on and understands
//! nothing of it; what an event means is `convert/`'s to say.
//!
//! The sessions are kept here and not by serenity, whose runner wakes twice a second for as long as it is connected,
//! takes ten seconds to begin a new session where one cannot be resumed, storms a server that hangs up, and knows
//! neither a proxy nor the stream Discord compresses a link with.

mod back_off;
mod close;
mod connection;
mod dial;
mod dispatch;
mod frames;
mod intents;
mod presence;
mod session;
mod session_replay;
mod session_start_limit;
mod settings;
mod shard;
mod shard_links;
mod start;
mod watchdog;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::sync::{mpsc, watch};
use tokio::task::JoinSet;
use tokio::time::timeout;

pub use dial::DialError;
pub use dispatch::GatewayDispatch;
pub use intents::select_intents;
pub use presence::{LONGEST_STATUS, Presence};
pub use session::{FormerSessions, SessionRecord};
pub use session_replay::SessionReplays;
pub use session_start_limit::SessionStartLimit;
pub use settings::{GatewaySettings, GatewayTimeouts, SharedSessionStarts};
pub use shard_links::ShardLinks;
pub use start::{GatewayInfo, GatewayStartError, check_gateway_info, fetch_gateway_info};

use kith_system::clock;

/// How long the shards may take to say good-bye.
const FAREWELL: Duration = Duration::from_secs(3);

/// A running gateway. Dropped, it ends without good-bye, and its sessions could be resumed.
pub struct Gateway {
    common: Arc<shard::ShardContext>,
    stop: Arc<watch::Sender<bool>>,
    presence: Arc<watch::Sender<Option<Arc<str>>>>,
    links: ShardLinks,
    shards: JoinSet<()>,
}

/// Opens the links, one a shard, and passes everything that comes into `out`, which is closed when nothing more will.
/// A reader that falls behind slows Discord down; one that is gone ends the gateway. Call it within a tokio runtime.
///
/// # Errors
/// The gateway's or the proxy's address is none.
pub fn start(
    settings: GatewaySettings,
    out: mpsc::Sender<GatewayDispatch>,
) -> Result<Gateway, DialError> {
    let GatewaySettings {
        token,
        url,
        shards,
        partition,
        session_starts,
        limit,
        intents,
        proxy,
        rest,
        language,
        times,
    } = settings;
    let dialer = dial::GatewayDialer::new(&url, &proxy)?;
    let budget = Mutex::new(session_start_limit::SessionStartBudget::new(
        limit,
        clock::monotonic(),
    ));
    let (presence, presence_receiver) = watch::channel(None);
    let links = ShardLinks::new(partition.shards(shards));
    let common = shard::ShardContext {
        token,
        dialer,
        rest,
        budget,
        presence: presence_receiver,
        links: links.clone(),
        session_starts,
        intents,
        shards,
        times,
        language,
    };
    let common = Arc::new(common);
    let stop = Arc::new(watch::Sender::new(false));
    let mut running = JoinSet::new();
    for number in partition.shards(shards) {
        let shard = shard::Shard::new(number, Arc::clone(&common), out.clone());
        running.spawn(shard.run(Arc::clone(&stop)));
    }
    Ok(Gateway {
        common,
        stop,
        presence: Arc::new(presence),
        links,
        shards: running,
    })
}

impl Gateway {
    pub fn presence(&self) -> Presence {
        Presence::new(Arc::clone(&self.presence))
    }

    /// What has former sessions told once more.
    pub fn session_replays(&self) -> SessionReplays {
        SessionReplays::new(Arc::clone(&self.common))
    }

    pub fn links(&self) -> ShardLinks {
        self.links.clone()
    }

    /// Says good-bye to Discord, so that the bot is shown as offline at once, and ends.
    pub async fn stop(mut self) {
        self.stop.send_replace(true);
        // Who does not come to an end in time is dropped with the set.
        drop(
            timeout(FAREWELL, async {
                while self.shards.join_next().await.is_some() {}
            })
            .await,
        );
    }
}
