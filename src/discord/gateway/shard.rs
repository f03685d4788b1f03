//! A shard: what it remembers from link to link, how it gets its next one (neither too soon nor too often, nor at the
//! price of a session that may not be started), and what follows when one ends.

use kith_language::discord;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use futures_util::StreamExt;
use futures_util::future::BoxFuture;
use futures_util::stream::FuturesUnordered;
use serenity::model::gateway::GatewayIntents;
use tokio::sync::{mpsc, watch};
use tokio::time::{sleep_until, timeout};

use super::super::rest::RestClient;
use super::back_off::GatewayBackOff;
use super::budget::SessionStartBudget;
use super::close::{CloseAction, FatalClose};
use super::connection::{ConnectionEnd, GatewayConnection};
use super::dial::{GatewayDialer, GatewaySocket};
use super::session::{self, GatewaySession};
use super::start;
use super::{GatewayDispatch, GatewayTimeouts};
use kith_core::persona::Language;
use kith_core::secret::Secret;
use kith_system::clock;

/// After so many links in a row that Discord took and on which no session came up, the old session is given up.
const GIVE_UP_AFTER: u32 = 4;
/// So many failures in a row are logged each, and later ones every so often: an outage may last for hours.
const TOLD_EACH: u32 = 5;
const TOLD_EVERY: u32 = 12;
/// A wait for a new session that is longer than this is told.
const LONG_WAIT: Duration = Duration::from_secs(120);

/// What all shards share.
pub struct ShardContext {
    /// The bot's token.
    pub token: Secret,
    /// The way to the gateway.
    pub dialer: GatewayDialer,
    /// Asks how many sessions may be started.
    pub rest: RestClient,
    /// How many sessions may be started, as far as is known.
    pub budget: Mutex<SessionStartBudget>,
    /// The frame that tells the gateway of the companion's status; none where it was never set.
    pub presence: watch::Receiver<Option<Arc<str>>>,
    /// Which events are asked for.
    pub intents: GatewayIntents,
    /// How many shards there are.
    pub shards: u16,
    /// How long what may take.
    pub times: GatewayTimeouts,
    /// The language notices are in.
    pub language: Language,
}

impl ShardContext {
    fn budget(&self) -> MutexGuard<'_, SessionStartBudget> {
        self.budget.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub struct Shard {
    pub number: u16,
    /// What all shards share.
    pub common: Arc<ShardContext>,
    /// Where events and notices go.
    pub out: mpsc::Sender<GatewayDispatch>,
    /// The session that may be resumed.
    pub session: Option<GatewaySession>,
    back_off: GatewayBackOff,
    /// Since when nothing is heard; none while a session is up.
    lost_at: Option<Instant>,
    /// Whether a session was up since the start.
    was_up: bool,
    /// Whether the host was told that nothing is heard.
    has_notified_operator: bool,
    /// When it may start a session, where that was reserved and is not used yet.
    session_start_at: Option<Instant>,
}

impl Shard {
    /// A shard that was never connected.
    pub fn new(number: u16, common: Arc<ShardContext>, out: mpsc::Sender<GatewayDispatch>) -> Self {
        let now = clock::monotonic();
        let (back_off, lost_at) = (GatewayBackOff::new(now), Some(now));
        Self {
            number,
            common,
            out,
            session: None,
            back_off,
            lost_at,
            was_up: false,
            has_notified_operator: false,
            session_start_at: None,
        }
    }

    /// Runs until `stop` is true, Discord refuses for good, or nobody listens any more.
    pub async fn run(mut self, stop: Arc<watch::Sender<bool>>) {
        let (mut stopped, out) = (stop.subscribe(), self.out.clone());
        loop {
            let upstream = tokio::select! {
                upstream = self.dial() => upstream,
                _ = stopped.wait_for(|stop| *stop) => return,
                () = out.closed() => return,
            };
            let mut connection = GatewayConnection::new(upstream);
            let end = tokio::select! {
                Err(end) = connection.forward_events(&mut self) => end,
                _ = stopped.wait_for(|stop| *stop) => ConnectionEnd::Stopped,
            };
            let refused = self.record_end(&connection, &end).await;
            connection.close(&end).await;
            if let Some(reason) = refused {
                self.report_refusal(reason, &stop).await;
            }
            if end == ConnectionEnd::Stopped || refused.is_some() {
                return;
            }
        }
    }

    /// Opens a link, however long it takes. A try that gets no answer does not hold up the next one.
    async fn dial(&mut self) -> GatewaySocket {
        self.refresh_session_limit().await;
        let mut tries: FuturesUnordered<BoxFuture<'static, Result<GatewaySocket, String>>> =
            FuturesUnordered::new();
        loop {
            let mut at = self.back_off.not_before();
            if self.session.is_none() {
                at = at.max(self.reserve_session_start().await);
            }
            tokio::select! {
                () = sleep_until(at.into()) => {
                    self.back_off.record_try(clock::monotonic(), &self.common.times);
                    tries.push(Box::pin(open_socket(Arc::clone(&self.common), self.resume_url())));
                }
                Some(tried) = tries.next() => match tried {
                    // What was waited for may have taken longer than the turn to start a session lasts.
                    Ok(upstream) if self.session.is_some() || self.reserve_session_start().await <= clock::monotonic() => {
                        self.back_off.record_open(clock::monotonic());
                        return upstream;
                    }
                    Ok(_) => {}
                    Err(why) => {
                        self.back_off.record_unreachable(clock::monotonic(), &self.common.times);
                        self.report_failure(&why).await;
                    }
                },
            }
        }
    }

    /// Where the session wants to be resumed, as long as that works.
    fn resume_url(&self) -> Option<String> {
        self.session
            .as_ref()
            .filter(|_| self.back_off.failures() <= 1)?
            .resume_url
            .clone()
    }

    /// What is to be said after HELLO; none where a session may not be started now.
    pub fn build_start_payload(&mut self) -> Option<String> {
        let ShardContext {
            token,
            intents,
            shards,
            ..
        } = &*self.common;
        if let Some(session) = &self.session {
            return Some(session.build_resume_payload(token));
        }
        let now = clock::monotonic();
        self.session_start_at.take().filter(|turn| *turn <= now)?;
        self.common.budget().record_start(now);
        Some(session::build_identify_payload(
            token,
            *intents,
            (self.number, *shards),
        ))
    }

    /// A session is up. Answers what is to be told of that.
    pub fn record_session(&mut self, resumed: bool) -> Vec<GatewayDispatch> {
        let now = clock::monotonic();
        self.back_off.clear(now);
        let lost = self
            .lost_at
            .take()
            .map_or(Duration::ZERO, |lost| now.saturating_duration_since(lost));
        let was_up = std::mem::replace(&mut self.was_up, true);
        let is_news = std::mem::take(&mut self.has_notified_operator)
            || (was_up && lost >= self.common.times.notice_after);
        let seconds = lost.as_secs();
        let notice = discord::back_again(seconds).in_language(self.common.language);
        let outage = if was_up { lost } else { Duration::ZERO };
        let connected = GatewayDispatch::Connected {
            shard: self.number,
            resumed,
            away: outage,
        };
        std::iter::once(connected)
            .chain(is_news.then_some(GatewayDispatch::Notice(notice)))
            .collect()
    }

    /// Keeps book of a link that ended; answers whether Discord refuses for good.
    async fn record_end(
        &mut self,
        connection: &GatewayConnection,
        end: &ConnectionEnd,
    ) -> Option<FatalClose> {
        let ConnectionEnd::Lost { next, why } = end else {
            return None;
        };
        let (now, times) = (clock::monotonic(), self.common.times);
        let lasted = connection.uptime();
        let seconds = lasted.unwrap_or_default().as_secs();
        tracing::info!(
            shard = self.number,
            why,
            ?next,
            seconds,
            "a link to Discord ended"
        );
        if let CloseAction::Stop(reason) = next {
            return Some(*reason);
        }
        // That a session cannot go on is no fault of the link: the next one begins a new session, and at once.
        let is_lost = *next == CloseAction::NewSession && self.session.take().is_some();
        match lasted {
            Some(lasted) => {
                self.lost_at = Some(connection.last_received());
                self.back_off.record_end(lasted, now, &times);
            }
            None if is_lost => {}
            None => {
                match connection.has_received_hello() {
                    true => self.back_off.record_refusal(now, &times),
                    false => self.back_off.record_unreachable(now, &times),
                }
                self.report_failure(why).await;
                if self.back_off.refusal_count() >= GIVE_UP_AFTER {
                    self.session = None;
                }
            }
        }
        None
    }

    /// No link came about, or none with a session. Once that goes on for a while the host is told.
    async fn report_failure(&mut self, why: &str) {
        let GatewayTimeouts {
            notice_after,
            redial_wait,
            back_off_most,
            ..
        } = self.common.times;
        let failures = self.back_off.failures();
        if failures <= TOLD_EACH || failures.is_multiple_of(TOLD_EVERY) {
            tracing::warn!(shard = self.number, failures, why, "no link to Discord");
        }
        let now = clock::monotonic();
        let is_long = self
            .lost_at
            .is_some_and(|lost| now.saturating_duration_since(lost) >= notice_after);
        if is_long && !std::mem::replace(&mut self.has_notified_operator, true) {
            let most = redial_wait.max(back_off_most).as_secs();
            let text = discord::out_of_reach(most, why).in_language(self.common.language);
            drop(self.out.send(GatewayDispatch::Notice(text)).await);
        }
    }

    /// Asks how many sessions may be started, before one is.
    async fn refresh_session_limit(&self) {
        let is_fresh = self
            .common
            .budget()
            .is_fresh(self.common.times.identify_interval, clock::monotonic());
        if self.session.is_some() || is_fresh {
            return;
        }
        match start::limit(&self.common.rest).await {
            Ok(limit) => self.common.budget().update_limit(limit, clock::monotonic()),
            // What was counted since must do.
            Err(why) => tracing::warn!(%why, "Discord does not tell how many sessions are left"),
        }
    }

    /// The shard's turn to start a session: the one it has, or a new one.
    async fn reserve_session_start(&mut self) -> Instant {
        let apart = self.common.times.identify_interval;
        let now = clock::monotonic();
        if let Some(turn) = self.session_start_at.filter(|turn| *turn + apart >= now) {
            return turn;
        }
        let (turn, left) = {
            let mut budget = self.common.budget();
            (
                budget.reserve(self.number, apart, now),
                budget.current_limit(now),
            )
        };
        self.session_start_at = Some(turn);
        let wait = turn.saturating_duration_since(now);
        if wait >= LONG_WAIT && left.is_low() {
            let (count, minutes, renews) = (
                left.remaining,
                wait.as_secs() / 60,
                left.renews_in.as_secs() / 60,
            );
            let text = discord::few_session_starts(count, minutes, renews)
                .in_language(self.common.language);
            drop(self.out.send(GatewayDispatch::Notice(text)).await);
        }
        turn
    }

    /// Ends everything; only the first shard that is refused says why.
    async fn report_refusal(&self, reason: FatalClose, stop: &watch::Sender<bool>) {
        if stop.send_if_modified(|stop| !std::mem::replace(stop, true)) {
            let text = reason.describe(self.common.language).to_owned();
            drop(self.out.send(GatewayDispatch::Fatal(text)).await);
        }
    }
}

/// One try. The error says why no link came of it.
async fn open_socket(
    common: Arc<ShardContext>,
    resume_url: Option<String>,
) -> Result<GatewaySocket, String> {
    let resume_url = resume_url.and_then(|url| common.dialer.check_resume_url(&url));
    match timeout(common.times.dial, common.dialer.dial(resume_url.as_ref())).await {
        Ok(dialed) => dialed.map_err(|why| why.to_string()),
        Err(_) => Err(format!("no answer in {} s", common.times.dial.as_secs())),
    }
}
