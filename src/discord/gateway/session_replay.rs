//! What sessions of a process that was killed would have told. Discord keeps a session for some minutes: it is resumed over a
//! link of its own, beside the new session that tells of all guilds, and what it tells takes the place of looking back at
//! each channel by a request. It goes on for a while beside the new session, so that nothing is missed between the two. Where
//! that does not work, and in guilds that come later, channels are looked back at as ever.
//!
//! Several sessions of a shard may be open at once: see "Sharding" in Discord's documentation of the gateway.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use futures_util::{SinkExt, StreamExt};
use tokio::sync::watch;
use tokio::time::{interval, sleep_until, timeout};
use tokio_tungstenite::tungstenite::Message;

use super::connection::{ENDS_SESSION, close_socket};
use super::dial::GatewaySocket;
use super::frames::{FrameReader, GatewayFrame, GatewayPayload};
use super::session::{self, FormerSessions, GatewaySession, SessionRecord, op};
use super::shard::{ShardContext, open_socket};
use crate::missed_events::{MissedEvent, MissedEvents};
use kith_core::chat::{ChannelId, GuildId, MINUTE, Millis};
use kith_core::partition::find_shard;
use kith_system::clock;

/// Discord keeps no session for longer than some minutes.
const FRESH: Millis = 5 * MINUTE;
/// How long a link may take until the session goes on over it.
const RESUMED_WITHIN: Duration = Duration::from_secs(10);
/// How long it is heard once the new session is up, whose guilds come meanwhile, …
const HEARD_BESIDE: Duration = Duration::from_secs(30);
/// … and at most.
const HEARD_MOST: Duration = Duration::from_mins(3);
/// How often it is asked whether all that was told has come. Discord allows 120 words a minute.
const ASKED_EVERY: Duration = Duration::from_secs(1);
/// How long a channel waits for that.
const COVERED_WITHIN: Duration = Duration::from_secs(15);

/// What a former session told; none once it tells nothing more.
type ToldEvents = Arc<Mutex<Option<MissedEvents>>>;

/// The former sessions of all shards that run here. Cheap to clone.
#[derive(Clone)]
pub struct SessionReplays {
    common: Arc<ShardContext>,
    replays: Arc<OnceLock<BegunReplays>>,
}

struct BegunReplays {
    by_shard: Vec<SessionReplay>,
    /// Of these channels they cannot tell all.
    behind: BTreeSet<ChannelId>,
}

struct SessionReplay {
    shard: u16,
    progress: watch::Receiver<ReplayProgress>,
    told: ToldEvents,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ReplayProgress {
    Pending,
    /// All that happened before this moment was told.
    CoveredUntil(Instant),
    Ended,
}

impl SessionReplays {
    pub(super) fn new(common: Arc<ShardContext>) -> Self {
        Self {
            common,
            replays: Arc::default(),
        }
    }

    /// Goes on with these former sessions. Once only, within a tokio runtime.
    pub fn begin(&self, former: FormerSessions) {
        let (now, links) = (clock::now(), self.common.links.are_up());
        let is_here = |record: &SessionRecord| {
            let (shard, shards) = record.shard;
            shards == self.common.shards
                && now.abs_diff(record.at) < FRESH.unsigned_abs()
                && links.iter().any(|(number, _)| *number == shard)
        };
        let replays = former.records.into_iter().filter(is_here).map(|record| {
            let (sender, progress) = watch::channel(ReplayProgress::Pending);
            let told = Arc::new(Mutex::new(Some(MissedEvents::default())));
            let shard = record.shard.0;
            let following = FollowedSession {
                common: Arc::clone(&self.common),
                record,
                progress: sender,
                told: Arc::clone(&told),
            };
            tokio::spawn(following.run());
            SessionReplay {
                shard,
                progress,
                told,
            }
        });
        let _ = self.replays.set(BegunReplays {
            by_shard: replays.collect(),
            behind: former.behind,
        });
    }

    /// What happened in a guild's channel since the last record of its shard's former session, up to now. None where that
    /// session cannot tell.
    pub async fn find_missed(
        &self,
        guild: GuildId,
        channel: ChannelId,
    ) -> Option<Vec<MissedEvent>> {
        let shard = find_shard(guild.0, self.common.shards.into());
        let begun = self.replays.get()?;
        if begun.behind.contains(&channel) {
            return None;
        }
        let mut replays = begun.by_shard.iter();
        let replay = replays.find(|replay| u64::from(replay.shard) == shard)?;
        let asked = clock::monotonic();
        let mut progress = replay.progress.clone();
        let is_told = |progress: &ReplayProgress| match progress {
            ReplayProgress::Pending => false,
            ReplayProgress::CoveredUntil(until) => *until > asked,
            ReplayProgress::Ended => true,
        };
        let told = timeout(COVERED_WITHIN, progress.wait_for(is_told)).await;
        if !matches!(*told.ok()?.ok()?, ReplayProgress::CoveredUntil(_)) {
            return None;
        }
        lock(&replay.told).as_ref()?.find(guild, channel)
    }
}

fn lock(told: &Mutex<Option<MissedEvents>>) -> MutexGuard<'_, Option<MissedEvents>> {
    told.lock().unwrap_or_else(PoisonError::into_inner)
}

struct FollowedSession {
    common: Arc<ShardContext>,
    record: SessionRecord,
    progress: watch::Sender<ReplayProgress>,
    told: ToldEvents,
}

struct ReplayLink {
    upstream: GatewaySocket,
    frames: FrameReader,
    session: GatewaySession,
    /// When it was asked whether all has come, while there is no answer.
    asked: Option<Instant>,
    /// Heartbeats that were not acknowledged yet.
    unanswered: u32,
    is_resumed: bool,
}

impl FollowedSession {
    async fn run(self) {
        let (shard, _) = self.record.shard;
        let why = match self.dial().await {
            Ok(upstream) => self.follow(upstream).await,
            Err(why) => why,
        };
        tracing::info!(shard, why, "a former session tells nothing more");
        *lock(&self.told) = None;
        self.progress.send_replace(ReplayProgress::Ended);
    }

    async fn dial(&self) -> Result<GatewaySocket, String> {
        let url = self.record.session.resume_url.clone();
        let dialed = timeout(RESUMED_WITHIN, open_socket(Arc::clone(&self.common), url)).await;
        dialed.unwrap_or_else(|_| Err("no answer".into()))
    }

    /// Listens until it is enough, or nothing comes any more; answers why.
    async fn follow(&self, upstream: GatewaySocket) -> String {
        let begun = clock::monotonic();
        let mut until = begun + RESUMED_WITHIN;
        let mut link = ReplayLink {
            upstream,
            frames: FrameReader::new(),
            session: self.record.session.clone(),
            asked: None,
            unanswered: 0,
            is_resumed: false,
        };
        let mut asking = interval(ASKED_EVERY);
        let end = loop {
            tokio::select! {
                frame = link.upstream.next() => {
                    let was_resumed = link.is_resumed;
                    if let Err(why) = self.read(frame, &mut link).await {
                        break why;
                    }
                    if link.is_resumed && !was_resumed {
                        until = begun + HEARD_MOST;
                    }
                }
                _ = asking.tick(), if link.is_resumed => {
                    if link.unanswered == 0 {
                        link.asked = Some(clock::monotonic());
                        if let Err(why) = link.send_heartbeat().await {
                            break why;
                        }
                    }
                    if self.is_up() {
                        until = until.min(clock::monotonic() + HEARD_BESIDE);
                    }
                }
                () = sleep_until(until.into()) => break "it was heard long enough".into(),
                () = self.progress.closed() => break "nobody wants to know any more".into(),
            }
        };
        close_socket(&mut link.upstream, ENDS_SESSION).await;
        end
    }

    fn is_up(&self) -> bool {
        let links = self.common.links.are_up();
        links.contains(&(self.record.shard.0, true))
    }

    async fn read(
        &self,
        frame: Option<Result<Message, impl ToString>>,
        link: &mut ReplayLink,
    ) -> Result<(), String> {
        let frame = match frame {
            Some(Ok(Message::Close(_))) | None => return Err("it was closed".into()),
            Some(Ok(frame)) => frame,
            Some(Err(why)) => return Err(why.to_string()),
        };
        let read = link.frames.read(&frame).map_err(|why| why.to_string())?;
        let GatewayPayload { op, s, t, d } = match read {
            GatewayFrame::Payload(payload) => payload,
            GatewayFrame::Nothing => return Ok(()),
            GatewayFrame::Unreadable(why) => return Err(why),
        };
        match op {
            op::HELLO => {
                let resume = link.session.build_resume_payload(&self.common.token);
                link.send(resume).await
            }
            op::DISPATCH => {
                let kind = t.unwrap_or_default();
                if !s.is_none_or(|seq| link.session.follow_seq(seq)) {
                    return Err("an event is missing".into());
                }
                link.is_resumed |= kind == "RESUMED";
                let mut told = lock(&self.told);
                match told.as_mut().is_some_and(|told| told.record(&kind, &d)) {
                    true => Ok(()),
                    false => Err("it told more than can be kept".into()),
                }
            }
            op::ACKNOWLEDGED => {
                // Only the last answer says that what was told before all of them has come.
                link.unanswered = link.unanswered.saturating_sub(1);
                if link.unanswered == 0
                    && let Some(asked) = link.asked.take()
                {
                    let covered = ReplayProgress::CoveredUntil(asked);
                    self.progress.send_replace(covered);
                }
                Ok(())
            }
            op::HEARTBEAT => link.send_heartbeat().await,
            op::RECONNECT => Err("Discord asks for a new link".into()),
            op::INVALID_SESSION => Err("the session is not valid any more".into()),
            _ => Ok(()),
        }
    }
}

impl ReplayLink {
    async fn send_heartbeat(&mut self) -> Result<(), String> {
        self.unanswered += 1;
        let heartbeat = session::build_heartbeat_payload(Some(&self.session));
        self.send(heartbeat).await
    }

    async fn send(&mut self, text: String) -> Result<(), String> {
        let sent = self.upstream.send(Message::Text(text)).await;
        sent.map_err(|why| why.to_string())
    }
}
