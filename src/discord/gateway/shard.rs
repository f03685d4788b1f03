//! A shard: what it remembers from connection to connection, when it may start a session, and what the host is told.

mod run;

pub use run::open_socket;

use kith_language::discord;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use serenity::model::gateway::GatewayIntents;
use tokio::sync::{mpsc, watch};
use tokio::time::{sleep, timeout};

use super::super::rest::RestClient;
use super::back_off::GatewayBackOff;
use super::close::FatalClose;
use super::dial::GatewayDialer;
use super::session::{self, GatewaySession, SessionRecord};
use super::session_start_limit::SessionStartBudget;
use super::start;
use super::{GatewayDispatch, GatewayTimeouts, ShardLinks, SharedSessionStarts};
use kith_core::chat::{Millis, SECOND};
use kith_core::persona::Language;
use kith_core::secret::Secret;
use kith_system::clock;

/// So many failures in a row are logged each, and later ones every so often: an outage may last for hours.
const TOLD_EACH: u32 = 5;
const TOLD_EVERY: u32 = 12;
/// How often it is told up to where a session was heard, while messages come.
const RECORDED_EVERY: Millis = 5 * SECOND;
/// A wait for a new session that is longer than this is told.
const LONG_WAIT: Duration = Duration::from_secs(120);
/// How long a start may take on its way to Discord after other processes were told of it. Starts that processes share are
/// this much further apart, so that a slow one does not come too close to the next.
const SENT_WITHIN: Duration = Duration::from_secs(1);
/// The longest wait for other sessions on an open link. Nothing is read from it meanwhile, and no heartbeat sent, which
/// Discord awaits after 41 s.
const CLAIMED_WITHIN: Duration = Duration::from_secs(20);
/// How soon those who share the starts are asked again where they did not answer.
const ASKED_AGAIN: Duration = Duration::from_secs(1);

pub struct ShardContext {
    pub token: Secret,
    pub dialer: GatewayDialer,
    pub rest: RestClient,
    pub budget: Mutex<SessionStartBudget>,
    /// The frame that tells the gateway of the companion's status; none where it was never set.
    pub presence: watch::Receiver<Option<Arc<str>>>,
    pub links: ShardLinks,
    pub session_starts: Option<Arc<dyn SharedSessionStarts>>,
    pub intents: GatewayIntents,
    pub shards: u16,
    pub times: GatewayTimeouts,
    pub language: Language,
}

impl ShardContext {
    fn budget(&self) -> MutexGuard<'_, SessionStartBudget> {
        self.budget.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

pub struct Shard {
    pub number: u16,
    pub common: Arc<ShardContext>,
    pub out: mpsc::Sender<GatewayDispatch>,
    pub session: Option<GatewaySession>,
    back_off: GatewayBackOff,
    /// Since when nothing is heard; none while a session is up.
    lost_at: Option<Instant>,
    was_up: bool,
    has_notified_operator: bool,
    /// When it may start a session, where that was reserved and is not used yet.
    session_start_at: Option<Instant>,
    /// When it was told last up to where the session was heard, by the wall clock.
    record_told_at: Millis,
}

impl Shard {
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
            record_told_at: clock::now(),
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

    /// What is to be said after HELLO.
    ///
    /// # Errors
    /// A session may not be started now, and why.
    pub async fn build_start_payload(&mut self) -> Result<String, &'static str> {
        let ShardContext {
            token,
            intents,
            shards,
            ..
        } = &*self.common;
        if let Some(session) = &self.session {
            return Ok(session.build_resume_payload(token));
        }
        let turn = self.session_start_at.take();
        if turn.is_none_or(|turn| turn > clock::monotonic()) {
            return Err("a new session before its time");
        }
        timeout(CLAIMED_WITHIN, self.claim_session_start())
            .await
            .map_err(|_| "other sessions are started, or those who start them do not answer")?;
        Ok(session::build_identify_payload(
            token,
            *intents,
            (self.number, *shards),
        ))
    }

    /// A session is up. Answers what is to be told of that.
    pub fn record_session(&mut self, resumed: bool) -> Vec<GatewayDispatch> {
        let now = clock::monotonic();
        self.common.links.set(self.number, true);
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

    /// Up to where the session was heard, where that is to be told again.
    pub fn take_session_record(&mut self) -> Option<GatewayDispatch> {
        let at = clock::now();
        if at.abs_diff(self.record_told_at) < RECORDED_EVERY.unsigned_abs() {
            return None;
        }
        let session = self.session.clone()?;
        self.record_told_at = at;
        Some(GatewayDispatch::Heard(SessionRecord {
            shard: (self.number, self.common.shards),
            at,
            session,
        }))
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
        let turn = turn.max(now + self.reserve_shared_start(left.group_of(self.number)).await);
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

    /// How long other processes' sessions have to be waited for.
    async fn reserve_shared_start(&self, group: u16) -> Duration {
        let Some(shared) = &self.common.session_starts else {
            return Duration::ZERO;
        };
        let apart = self.common.times.identify_interval + SENT_WITHIN;
        shared.reserve(group, apart).await.unwrap_or_default()
    }

    /// Waits until no session of the group was started too short a time ago, and counts this one as started. Nobody knows
    /// while those who share the starts cannot be asked, and then none is started.
    async fn claim_session_start(&self) {
        let apart = self.common.times.identify_interval;
        loop {
            let wait = self.own_start_wait(apart);
            if wait.is_zero() {
                match self.claim_shared_start(apart + SENT_WITHIN).await {
                    Some(Duration::ZERO) => break,
                    Some(wait) => sleep(wait).await,
                    None => sleep(ASKED_AGAIN).await,
                }
            } else {
                sleep(wait).await;
            }
        }
        let now = clock::monotonic();
        self.common.budget().record_start(self.number, now);
    }

    fn own_start_wait(&self, apart: Duration) -> Duration {
        let now = clock::monotonic();
        self.common
            .budget()
            .until_next_start(self.number, apart, now)
    }

    async fn claim_shared_start(&self, apart: Duration) -> Option<Duration> {
        let Some(shared) = &self.common.session_starts else {
            return Some(Duration::ZERO);
        };
        let limit = self.common.budget().current_limit(clock::monotonic());
        shared.claim(limit.group_of(self.number), apart).await
    }

    /// Ends everything; only the first shard that is refused says why.
    async fn report_refusal(&self, reason: FatalClose, stop: &watch::Sender<bool>) {
        if stop.send_if_modified(|stop| !std::mem::replace(stop, true)) {
            let text = reason.describe(self.common.language).to_owned();
            drop(self.out.send(GatewayDispatch::Fatal(text)).await);
        }
    }
}
