//! What the gateway is started with. Plain data.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use serenity::model::gateway::GatewayIntents;

use super::super::rest::RestClient;
use super::session_start_limit::SessionStartLimit;
use kith_core::partition::Partition;
use kith_core::persona::Language;
use kith_core::secret::Secret;

#[derive(Clone)]
pub struct GatewaySettings {
    pub token: Secret,
    /// Where the gateway is, `wss://…` or `ws://…`, as `GET /gateway/bot` told. Nothing is ever sent elsewhere.
    pub url: String,
    /// How many shards there are, …
    pub shards: u16,
    /// … and which of them run here.
    pub partition: Partition,
    /// What decides when a session may be started, where other processes start some as well.
    pub session_starts: Option<Arc<dyn SharedSessionStarts>>,
    pub limit: SessionStartLimit,
    pub intents: GatewayIntents,
    /// `http://user:password@host:port` (HTTP CONNECT) or `socks5://…`; empty: none.
    pub proxy: Secret,
    /// Asks how many sessions are left before a new one is started.
    pub rest: RestClient,
    pub language: Language,
    pub times: GatewayTimeouts,
}

/// When sessions may be started, where several processes share what Discord allows.
pub trait SharedSessionStarts: Send + Sync {
    /// Reserves the next start in a group of shards, of which two are `apart`. Answers how long to wait for it; none where
    /// nobody knows.
    fn reserve(&self, group: u16, apart: Duration) -> BoxFuture<'_, Option<Duration>>;

    /// Counts a start in a group of shards as made now. Answers zero, or how long it has to wait and ask again because
    /// another was made less than `apart` ago; none where nobody knows, and the start is not counted.
    fn claim(&self, group: u16, apart: Duration) -> BoxFuture<'_, Option<Duration>>;
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GatewayTimeouts {
    /// Opening a link: name, proxy, TLS and upgrade.
    pub dial: Duration,
    /// From the open link to READY or RESUMED.
    pub ready: Duration,
    /// From a heartbeat to its acknowledgement. Far less than the heartbeat's interval, so that a frozen link is given
    /// up while its session can still be resumed.
    pub ack: Duration,
    /// How long a try to open a link may hold up the next one: once the network is back, it is dialled within this.
    pub redial_wait: Duration,
    /// The wait after the second failure in a row; it doubles with each more.
    pub back_off_first: Duration,
    /// The longest wait where Discord takes links and gives no session.
    pub back_off_most: Duration,
    /// After so long without a word from Discord the host is told.
    pub notice_after: Duration,
    /// A link that lasted this long was a good one.
    pub stable_after: Duration,
    /// Between two new sessions of one group of shards; Discord asks for 5 s.
    pub identify_interval: Duration,
}

impl Default for GatewayTimeouts {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self {
            dial: seconds(20),
            ready: seconds(60),
            ack: seconds(15),
            redial_wait: seconds(5),
            back_off_first: seconds(1),
            back_off_most: seconds(30),
            notice_after: seconds(10),
            stable_after: seconds(30),
            identify_interval: seconds(5),
        }
    }
}
