//! What a shard remembers from link to link, and how it gets its next one: neither too soon nor too often, nor at the
//! price of a session that may not be started.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::watch;
use tokio::time::{sleep, timeout};

use super::super::rest::Rest;
use super::back_off::BackOff;
use super::budget::Budget;
use super::dial::{Dialer, Upstream};
use super::outlet::Outlet;
use super::sessions::Standing;
use super::start;
use super::{Dispatch, Times};
use crate::clock;
use crate::core::persona::Language;
use crate::core::secret::Secret;

/// After so many links in a row that did not last, the host is told.
const TELL_AFTER: u32 = 3;
/// A wait for a new session that is longer than this is told.
const LONG_WAIT: Duration = Duration::from_secs(120);

/// What all shards share.
pub struct Common {
    /// The bot's token.
    pub token: Secret,
    /// The way to the gateway.
    pub dialer: Dialer,
    /// Asks how many sessions may be started.
    pub rest: Rest,
    /// How many sessions may be started, as far as is known.
    pub budget: Mutex<Budget>,
    /// The frame that tells the gateway of the companion's status; none where it was never set.
    pub presence: watch::Receiver<Option<Arc<str>>>,
    /// How long what may take.
    pub times: Times,
    /// The language notices are in.
    pub language: Language,
}

impl Common {
    fn budget(&self) -> MutexGuard<'_, Budget> {
        self.budget.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What serenity wants of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wish {
    /// A session goes on.
    Resume,
    /// A new session begins.
    Start,
}

/// A shard.
pub struct Shard {
    /// Its number.
    pub number: u16,
    /// What all shards share.
    pub common: Arc<Common>,
    /// How it stands.
    pub standing: Arc<Standing>,
    /// Where events and notices go.
    pub outlet: Arc<Outlet>,
    /// When it may open its next link.
    pub back_off: BackOff,
    /// When it may start a session, where that was reserved and is not used yet.
    turn: Option<Instant>,
}

impl Shard {
    /// A shard that was never connected.
    pub fn new(number: u16, common: Arc<Common>, outlet: Arc<Outlet>) -> Self {
        let back_off = BackOff::new(clock::monotonic());
        Self { number, common, standing: Arc::default(), outlet, back_off, turn: None }
    }

    /// Opens a link, however long it takes.
    pub async fn dial(&mut self, wish: Wish) -> Upstream {
        loop {
            let mut at = self.back_off.not_before();
            if wish == Wish::Start {
                at = at.max(self.turn().await);
            }
            sleep(at.saturating_duration_since(clock::monotonic())).await;
            let common = Arc::clone(&self.common);
            let resume_at = self.resume_at(wish).and_then(|url| common.dialer.sibling(&url));
            let why = match timeout(common.times.dial, common.dialer.dial(resume_at.as_ref())).await {
                Ok(Ok(upstream)) => return upstream,
                Ok(Err(why)) => why.to_string(),
                Err(_) => format!("no answer in {} s", common.times.dial.as_secs()),
            };
            self.failed(&why).await;
        }
    }

    /// Where the session wants to be resumed, as long as that works.
    fn resume_at(&self, wish: Wish) -> Option<String> {
        let wanted = wish == Wish::Resume && self.back_off.failures() <= 1;
        wanted.then(|| self.standing.lock().resume_at.clone()).flatten()
    }

    /// No link came about, or one did not last.
    pub async fn failed(&mut self, why: &str) {
        let times = &self.common.times;
        self.back_off.failed(clock::monotonic(), times);
        tracing::warn!(shard = self.number, failures = self.back_off.failures(), why, "no link to Discord");
        if self.back_off.failures() == TELL_AFTER {
            let most = times.back_off_most.as_secs();
            let text = self.common.language.pick(
                format!("Discord cannot be reached ({why}); trying again, at least every {most} s."),
                format!("无法连接 Discord（{why}）；正在重试，间隔最长 {most} 秒。"),
            );
            self.outlet.give(Dispatch::Notice(text)).await;
        }
    }

    /// The shard's turn to start a session: the one it has, or a new one.
    async fn turn(&mut self) -> Instant {
        let apart = self.common.times.identify_apart;
        let now = clock::monotonic();
        if let Some(turn) = self.turn.filter(|turn| *turn + apart >= now) {
            return turn;
        }
        if !self.common.budget().is_fresh(apart, now) {
            match start::limit(&self.common.rest).await {
                Ok(limit) => self.common.budget().read(limit, clock::monotonic()),
                // What was counted since must do.
                Err(why) => tracing::warn!(%why, "Discord does not tell how many sessions are left"),
            }
        }
        let now = clock::monotonic();
        let (turn, left) = {
            let mut budget = self.common.budget();
            (budget.reserve(self.number, apart, now), budget.left(now))
        };
        self.turn = Some(turn);
        let wait = turn.saturating_duration_since(now);
        if wait >= LONG_WAIT && left.is_little() {
            let (count, minutes, renews) = (left.remaining, wait.as_secs() / 60, left.renews_in.as_secs() / 60);
            let text = self.common.language.pick(
                format!(
                    "Discord lets the bot start {count} more sessions in the next {renews} min; the next starts in \
                     {minutes} min. Look for another program that uses the same token."
                ),
                format!(
                    "接下来 {renews} 分钟内 Discord 只允许机器人再开始 {count} 次会话；下一次将在 {minutes} \
                     分钟后开始。请检查是否有其他程序在使用同一令牌。"
                ),
            );
            self.outlet.give(Dispatch::Notice(text)).await;
        }
        turn
    }

    /// A session is about to be started; answers whether it may be.
    pub fn may_identify(&mut self) -> bool {
        let now = clock::monotonic();
        let may = self.turn.take().is_some_and(|turn| turn <= now);
        if may {
            self.common.budget().spent(now);
        }
        may
    }
}
