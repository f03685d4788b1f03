//! Where Discord's API is, with which token and by which way it is asked, and how long anything may take.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use super::allowance::RequestAllowance;
use kith_core::chat::Millis;
use kith_core::outgoing::STALE;
use kith_core::secret::Secret;

#[derive(Clone, Debug)]
pub struct RestSettings {
    /// The base of the API: Discord's own, a shared REST proxy's, or a test's.
    pub base: String,
    pub token: Secret,
    /// `http://host:port` (HTTP CONNECT) or `socks5://host:port`, which also resolves names; none: the usual
    /// environment variables, but nothing on this machine is asked through them.
    pub proxy: Option<String>,
    pub pace: RequestPacing,
    /// How many requests may be sent in a second, where others count into it; none: [`RequestPacing::per_second`].
    pub allowance: Option<RequestAllowance>,
    /// Whether deliveries may still be made here; none where nobody else makes them.
    pub fence: Option<DeliveryFence>,
}

/// Tells whether what was journaled may still be delivered by this process: another may have taken it over.
#[derive(Clone)]
pub struct DeliveryFence(Arc<dyn Fn() -> bool + Send + Sync>);

impl DeliveryFence {
    /// A fence that is open as long as `is_open` says so.
    pub fn new(is_open: impl Fn() -> bool + Send + Sync + 'static) -> Self {
        Self(Arc::new(is_open))
    }

    pub(super) fn is_open(&self) -> bool {
        (self.0)()
    }
}

impl fmt::Debug for DeliveryFence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("DeliveryFence")
            .field(&self.is_open())
            .finish()
    }
}

impl RestSettings {
    /// With the usual pace. An empty `proxy` is none.
    pub fn new(base: &str, token: Secret, proxy: &str) -> Self {
        let proxy = Some(proxy.trim())
            .filter(|proxy| !proxy.is_empty())
            .map(str::to_owned);
        Self {
            base: base.trim().to_owned(),
            token,
            proxy,
            pace: RequestPacing::default(),
            allowance: None,
            fence: None,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct RequestPacing {
    /// Requests in any second. Discord allows 50, and counts by the time they reach it.
    pub per_second: usize,
    pub connect: Duration,
    /// For one try, from connecting to the last byte of the answer.
    pub request: Duration,
    /// For a request with all its tries and waits.
    pub total: Duration,
    /// How long after the first try, by the time of day, Discord surely knows it by its nonce. Longer than
    /// [`RequestPacing::total`], which a machine that sleeps does not count.
    pub nonce_known: Duration,
    pub tries: u32,
    /// The wait before the second try; it doubles with every further one, half of it by chance.
    pub first_wait: Duration,
    /// The longest wait between two tries that Discord did not ask for.
    pub longest_wait: Duration,
    /// Refused requests within [`RequestPacing::refused_within`] after which only what is vital is asked. Discord bans at 10,000.
    pub most_refused: usize,
    /// Discord counts over ten minutes.
    pub refused_within: Duration,
    /// The longest a slow mode is waited for while a message is being posted; for a longer one it waits in the outbox.
    pub longest_slow_mode: Duration,
    /// How long what was refused for want of a permission is not tried again there; it doubles with each refusal. Discord
    /// does not tell of every change, and refuses now and then what it allows.
    pub first_trial: Duration,
    pub longest_trial: Duration,
    /// The wait before a message that was not posted is tried again, or one that may have been is looked for; it doubles.
    pub first_retry_wait: Duration,
    /// The longest of these waits: so long at most a message comes later than it could.
    pub longest_retry_wait: Duration,
    /// How long after it was journaled a message is worth posting.
    pub stale: Duration,
}

impl Default for RequestPacing {
    fn default() -> Self {
        Self {
            per_second: 45,
            connect: Duration::from_secs(5),
            request: Duration::from_secs(15),
            total: Duration::from_secs(45),
            nonce_known: Duration::from_secs(120),
            tries: 5,
            first_wait: Duration::from_millis(500),
            longest_wait: Duration::from_secs(8),
            most_refused: 8_000,
            refused_within: Duration::from_secs(600),
            longest_slow_mode: Duration::from_secs(10),
            first_trial: Duration::from_secs(120),
            longest_trial: Duration::from_secs(3_600),
            first_retry_wait: Duration::from_secs(1),
            longest_retry_wait: Duration::from_secs(10),
            stale: Duration::from_millis(STALE.unsigned_abs()),
        }
    }
}

impl RequestPacing {
    /// Whether Discord still knows the nonce of a request that was first made at `begun`. A clock that was set says nothing.
    pub(super) fn is_nonce_known(&self, begun: Millis, now: Millis) -> bool {
        Duration::from_millis(now.abs_diff(begun)) <= self.nonce_known
    }
}
