//! Log channels: where people watch what the companion does. Entries are gathered, posted slowly behind everything
//! that people wait for, and deleted on request. It shows what it is given; what a log channel may show is decided
//! before.

mod approval_messages;
mod earlier_entries;
mod erase;
mod message;
mod queue;

use kith_language::discord;
use std::collections::{HashMap, HashSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::{Notify, mpsc};
use tokio::time::sleep;

use super::commands::reply::build_message_url;
use super::embed_limits::render_embed;
use super::event::DiscordEvent;
use super::rest::{RequestPriority, RestClient, RestError, RestRequest, RestRoute, RetrySafety};
pub use approval_messages::ApprovalEmbed;
use kith_core::chat::{ChannelId, GuildId, MessageId, Millis, TurnId, UserId};
use kith_core::partition::Partition;
use kith_core::persona::Language;
use kith_core::redactor::Redactor;
use kith_observe::{CardSeverity, LogEmbed};
use kith_system::clock;
use queue::{LogBatch, LogEntry, LogQueue, TurnButtons};

/// How long it rests after a failure that passes.
const FAILED_REST: Duration = Duration::from_secs(30);

#[derive(Clone, Debug)]
pub struct LogEmbedOptions {
    pub language: Language,
    /// What is in no entry, whatever is quoted; see [`LogChannels::set_redactor`].
    pub redactor: Redactor,
    pub interval: Duration,
    /// How long a log channel rests that takes nothing, unless its permissions change before.
    pub retry_wait: Duration,
    /// Whose turns are told of here.
    pub partition: Partition,
}

impl Default for LogEmbedOptions {
    fn default() -> Self {
        let (interval, retry_wait) = (Duration::from_secs(2), Duration::from_secs(15 * 60));
        Self {
            language: Language::EN,
            redactor: Redactor::default(),
            interval,
            retry_wait,
            partition: Partition::WHOLE,
        }
    }
}

#[derive(Clone)]
pub struct LogChannels(Arc<LogChannelsState>);

struct LogChannelsState {
    rest: RestClient,
    options: LogEmbedOptions,
    redactor: Mutex<Redactor>,
    out: mpsc::Sender<DiscordEvent>,
    channel_states: Mutex<HashMap<ChannelId, Arc<LogChannel>>>,
    erasing: Mutex<HashSet<(ChannelId, MessageId)>>,
    /// Makes nonces differ from those of other runs.
    started: Millis,
}

#[derive(Default)]
struct LogChannel {
    queue: Mutex<LogQueue>,
    entry_added: Notify,
    /// That nothing can be posted was told, and nothing was posted since.
    has_reported: AtomicBool,
    /// What keeps it from being posted there may be mended.
    retry_requested: Notify,
}

impl LogChannels {
    /// Tells what was posted as [`DiscordEvent::LogPosted`], and where nothing can be posted as [`DiscordEvent::Notice`], once.
    pub fn new(
        rest: RestClient,
        options: LogEmbedOptions,
        out: mpsc::Sender<DiscordEvent>,
    ) -> Self {
        let (redactor, started) = (Mutex::new(options.redactor.clone()), clock::now());
        Self(Arc::new(LogChannelsState {
            rest,
            options,
            redactor,
            out,
            channel_states: Mutex::default(),
            erasing: Mutex::default(),
            started,
        }))
    }

    /// This is in no entry from now on: the settings changed.
    pub fn set_redactor(&self, redactor: Redactor) {
        *lock(&self.0.redactor) = redactor;
    }

    /// Shows a turn in the log channel `to`, with buttons. The turn was in `channel` of `guild`. Needs a tokio runtime.
    pub fn show_turn(
        &self,
        to: ChannelId,
        guild: Option<GuildId>,
        turn: TurnId,
        channel: ChannelId,
        log_embed: LogEmbed,
    ) {
        let buttons = TurnButtons {
            turn,
            channel,
            spoke: log_embed.severity == CardSeverity::Spoke,
            running_call: None,
        };
        self.push_entry(to, guild, log_embed, Some(buttons));
    }

    /// Shows in the log channel `to` a call of a turn that still runs, with a button that stops it. The turn runs in
    /// `channel` of `guild`. Needs a tokio runtime.
    pub fn show_running_call(
        &self,
        to: ChannelId,
        guild: Option<GuildId>,
        (turn, call): (TurnId, u32),
        channel: ChannelId,
        log_embed: LogEmbed,
    ) {
        let buttons = TurnButtons {
            turn,
            channel,
            spoke: false,
            running_call: Some(call),
        };
        self.push_entry(to, guild, log_embed, Some(buttons));
    }

    /// Shows something else: an error, a reconnect, a refusal. A message it is about lies in `guild`. Needs a tokio
    /// runtime.
    pub fn log_notice(&self, to: ChannelId, guild: Option<GuildId>, log_embed: LogEmbed) {
        self.push_entry(to, guild, log_embed, None);
    }

    /// Drops what waits to be posted about these turns, and deletes what is being posted just now. What was told of as
    /// [`DiscordEvent::LogPosted`] is for [`LogChannels::delete_entries`].
    pub fn forget_turns(&self, turns: &[TurnId]) {
        for channel_state in lock(&self.0.channel_states).values() {
            lock(&channel_state.queue).forget_turns(turns);
        }
    }

    /// A log channel or its permissions changed: what could not be posted there is tried again at once.
    pub fn retry_channel(&self, log: ChannelId) {
        if let Some(channel_state) = lock(&self.0.channel_states).get(&log) {
            channel_state.retry_requested.notify_waiters();
        }
    }

    /// Deletes entries, and tries again for a while where that fails. What is gone is told as [`DiscordEvent::LogDeleted`]. Needs
    /// a tokio runtime.
    pub fn delete_entries(&self, entries: Vec<(ChannelId, MessageId)>) {
        tokio::spawn(Arc::clone(&self.0).erase_entries(entries));
    }

    /// Looks for entries that an earlier run, of this bot `me`, posted and could not tell of any more; tells of all on
    /// the newest page as [`DiscordEvent::LogPosted`]. Needs a tokio runtime.
    pub fn find_earlier_entries(&self, log: ChannelId, me: UserId) {
        tokio::spawn(Arc::clone(&self.0).find_earlier_entries(log, me));
    }

    /// It turned out beforehand that nothing can be posted in a log channel: told as [`DiscordEvent::Notice`], once. Needs a
    /// tokio runtime.
    pub async fn report_gap(&self, to: ChannelId, gap: LogChannelGap) {
        self.0
            .report_once(
                &self.ensure_channel_state(to),
                gap.describe(to, self.0.options.language),
            )
            .await;
    }

    fn push_entry(
        &self,
        to: ChannelId,
        guild: Option<GuildId>,
        log_embed: LogEmbed,
        turn: Option<TurnButtons>,
    ) {
        let options = &self.0.options;
        let link = log_embed
            .linked_message
            .map(|(channel, message)| build_message_url(guild, channel, message));
        let log_embed = log_embed.into_redacted(&lock(&self.0.redactor));
        let embed = render_embed(&log_embed, link.as_deref(), options.language);
        let channel_state = self.ensure_channel_state(to);
        lock(&channel_state.queue).push(LogEntry { embed, turn });
        channel_state.entry_added.notify_one();
    }

    fn ensure_channel_state(&self, to: ChannelId) -> Arc<LogChannel> {
        let new = || {
            let channel_state = Arc::<LogChannel>::default();
            tokio::spawn(Arc::clone(&self.0).run_channel(to, Arc::clone(&channel_state)));
            channel_state
        };
        Arc::clone(lock(&self.0.channel_states).entry(to).or_insert_with(new))
    }
}

impl LogChannelsState {
    async fn run_channel(self: Arc<Self>, to: ChannelId, channel_state: Arc<LogChannel>) {
        let mut number = 1_u64;
        // A batch of which nobody knows whether it was posted: it comes again as it is, under its own nonce, so that
        // Discord answers with the message there may be.
        let mut doubtful: Option<LogBatch> = None;
        loop {
            let is_doubtful = doubtful.is_some();
            let Some(batch) = doubtful
                .take()
                .or_else(|| lock(&channel_state.queue).next_batch())
            else {
                channel_state.entry_added.notified().await;
                continue;
            };
            let wait = match self.post_batch(to, &batch, number).await {
                Ok(message) => {
                    number += 1;
                    channel_state.has_reported.store(false, Ordering::Relaxed);
                    self.record_posted_batch(to, &channel_state, message, batch.turns())
                        .await;
                    self.options.interval
                }
                Err(error) => match self.classify_error(to, &error) {
                    PostFailure::Content => {
                        number += 1;
                        lock(&channel_state.queue).finish_batch();
                        self.options.interval
                    }
                    PostFailure::Transient(wait) if is_doubtful || error.can_have_happened() => {
                        doubtful = Some(batch);
                        wait
                    }
                    PostFailure::Transient(wait) => {
                        lock(&channel_state.queue).put_back(batch);
                        wait
                    }
                    PostFailure::Refused(notice) => {
                        number += 1;
                        lock(&channel_state.queue).put_back(batch);
                        self.report_once(&channel_state, notice).await;
                        self.wait_for_change(to, &channel_state).await;
                        continue;
                    }
                },
            };
            sleep(wait).await;
        }
    }

    /// Tells once that nothing can be posted in a log channel.
    async fn report_once(&self, channel_state: &LogChannel, notice: String) {
        if !channel_state.has_reported.swap(true, Ordering::Relaxed) {
            let _ = self.out.send(DiscordEvent::Notice(notice)).await;
        }
    }

    /// Rests until somebody may have mended a log channel, and then has it really asked again.
    async fn wait_for_change(&self, to: ChannelId, channel_state: &LogChannel) {
        tokio::select! {
            () = channel_state.retry_requested.notified() => {}
            () = sleep(self.options.retry_wait) => {}
        }
        self.rest.clear_refusals(to);
    }

    async fn record_posted_batch(
        self: &Arc<Self>,
        to: ChannelId,
        channel_state: &LogChannel,
        message: MessageId,
        turns: Vec<TurnId>,
    ) {
        let is_outdated = lock(&channel_state.queue).finish_batch();
        if is_outdated {
            tokio::spawn(Arc::clone(self).erase_entries(vec![(to, message)]));
        } else {
            let _ = self
                .out
                .send(DiscordEvent::LogPosted {
                    log: to,
                    message,
                    turns,
                    earlier: false,
                })
                .await;
        }
    }

    async fn post_batch(
        &self,
        to: ChannelId,
        batch: &LogBatch,
        number: u64,
    ) -> Result<MessageId, RestError> {
        // Discord takes 25 characters. Partitions of one process may have begun in the same millisecond.
        let partition = self.options.partition.number();
        let nonce = format!("log{:x}-{partition:x}-{number:x}", self.started);
        let body = message::build_message(batch.clone(), nonce, self.options.language);
        let call = RestRequest::post(RestRoute::messages(to))
            .json(body)
            .safety(RetrySafety::ByNonce)
            .priority(RequestPriority::Background);
        let posted = self.rest.call(call).await?;
        let id = posted["id"].as_str().and_then(|id| id.parse().ok());
        id.map(MessageId)
            .ok_or_else(|| RestError::Unreadable("a message without an id".into()))
    }

    fn classify_error(&self, to: ChannelId, error: &RestError) -> PostFailure {
        let language = self.options.language;
        match error {
            RestError::Forbidden { .. } | RestError::AbilityDisabled(_) => {
                PostFailure::Refused(LogChannelGap::Permission.describe(to, language))
            }
            RestError::NotFound { .. } => {
                PostFailure::Refused(LogChannelGap::Channel.describe(to, language))
            }
            RestError::Invalid { .. } | RestError::AutoMod => {
                tracing::warn!(%error, log_channel = %to, "Discord does not take a log entry; it is left out");
                PostFailure::Content
            }
            RestError::SlowMode { retry_after } | RestError::RateLimited { retry_after } => {
                PostFailure::Transient(*retry_after)
            }
            error => {
                tracing::warn!(%error, log_channel = %to, "a log entry could not be posted; it is tried again");
                PostFailure::Transient(FAILED_REST.min(self.options.retry_wait))
            }
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogChannelGap {
    /// There is no such channel, or the bot does not see it.
    Channel,
    Permission,
}

impl LogChannelGap {
    fn describe(self, log: ChannelId, language: Language) -> String {
        match self {
            Self::Permission => discord::log_channel_closed(log.to_string()).in_language(language),
            Self::Channel => discord::log_channel_missing(log.to_string()).in_language(language),
        }
    }
}

enum PostFailure {
    /// Discord does not take what is in it, and never will.
    Content,
    /// It may go well after this rest.
    Transient(Duration),
    /// Nothing can be posted there until somebody has done what this sentence says.
    Refused(String),
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
