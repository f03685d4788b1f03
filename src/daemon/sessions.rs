//! Sessions: opened on disk first, then where people are, so that a crash between the two opens none twice; put over the
//! policy of their channels; closed. What they say and begin with stays in the store and is read when a prompt is made.

use std::collections::{BTreeMap, BTreeSet};

use futures_util::FutureExt;
use serde_json::json;
use tokio::sync::oneshot;

use super::loop_message::LoopMessage;
use super::platform::ThreadOpening;
use super::state::Daemon;
use crate::settings::fill_template;
use kith_core::bilingual::{Bilingual, bilingual};
use kith_core::chat::{ChannelId, ChannelKind, GuildId, Millis, SessionId, TurnId};
use kith_core::outgoing::{OutgoingAction, STALE, VisibleAction};
use kith_core::session::{
    PromptPiece, Session, SessionConfig, SessionRequest, SessionSource, SessionStart,
    ShownPromptPiece,
};
use kith_observe::embed;
use kith_room::{LiveEvent, RoomSession};
use kith_store::{Store, StoreError};
use kith_system::clock;
use kith_tools::OpenedSession;
use kith_tools::custom::SessionEvent;

/// Where an answer to who asked for a session goes; none where nobody waits for it any more.
type Answer = Option<oneshot::Sender<Result<OpenedSession, Bilingual>>>;

/// A session is wished for.
pub(super) struct RequestedSession {
    channel: ChannelId,
    turn: TurnId,
    request: SessionRequest,
    reply_sender: oneshot::Sender<Result<OpenedSession, Bilingual>>,
}

/// What came of opening a session's channel.
pub(super) struct SessionChannelResult {
    session: Session,
    channel: Result<ChannelId, Bilingual>,
    reply_sender: Answer,
}

/// The sessions there are, without their words.
#[derive(Default)]
pub(super) struct SessionBook {
    all: BTreeMap<SessionId, Session>,
    /// Of which no summary could be made lately, and when it was tried.
    pub summary_attempts: BTreeMap<SessionId, Millis>,
}

impl SessionBook {
    /// Reads them from the store.
    pub async fn load(store: &Store) -> Result<Self, StoreError> {
        let mut sessions = Self::default();
        store
            .sessions()
            .await?
            .into_iter()
            .for_each(|session| sessions.insert(session));
        Ok(sessions)
    }

    /// The session of a channel.
    pub fn find_by_channel(&self, channel: ChannelId) -> Option<&Session> {
        self.all
            .values()
            .find(|session| session.channel == Some(channel))
    }

    /// All of a guild, oldest first.
    pub fn of(&self, guild: GuildId) -> impl Iterator<Item = &Session> {
        self.all
            .values()
            .filter(move |session| session.guild == guild)
    }

    /// Whether there is one of this id.
    pub fn contains(&self, id: SessionId) -> bool {
        self.all.contains_key(&id)
    }

    fn insert(&mut self, mut session: Session) {
        (session.opening, session.summary) = (None, None);
        session.label.clear();
        session.config.prompt.clear();
        self.all.insert(session.id, session);
    }

    fn remove(&mut self, id: SessionId) -> Option<Session> {
        let taken = self.all.remove(&id)?;
        for below in self
            .all
            .values_mut()
            .filter(|below| below.parent == Some(id))
        {
            below.parent = taken.parent;
        }
        self.summary_attempts.remove(&id);
        Some(taken)
    }

    /// How deep a session that is opened from `parent` is; one that is opened from none is the first.
    fn compute_depth(&self, parent: Option<SessionId>) -> u32 {
        let above = std::iter::successors(parent, |id| self.all.get(id)?.parent);
        1 + above.take(self.all.len()).count() as u32
    }
}

impl Daemon {
    /// The way from a turn to a new session.
    pub(super) fn build_session_opener(
        &self,
        channel: ChannelId,
        turn: TurnId,
    ) -> kith_tools::SessionOpener {
        let loop_sender = self.loop_sender.clone();
        kith_tools::SessionOpener::from_opener(move |request| {
            let loop_sender = loop_sender.clone();
            async move {
                let (to, answer) = oneshot::channel();
                let stopping = || bilingual!("kith is stopping", "程序正在停止");
                let session_request = RequestedSession {
                    channel,
                    turn,
                    request,
                    reply_sender: to,
                };
                loop_sender
                    .send(LoopMessage::SessionRequested(Box::new(session_request)))
                    .await
                    .map_err(|_| stopping())?;
                answer.await.unwrap_or_else(|_| Err(stopping()))
            }
            .boxed()
        })
    }

    /// Somebody's turn asks for a session.
    pub(super) async fn handle_session_request(&mut self, session_request: RequestedSession) {
        if session_request.reply_sender.is_closed() {
            return;
        }
        match self.prepare_session(&session_request).await {
            Ok(session) => {
                self.open_session_channel(session, Some(session_request.reply_sender))
                    .await
            }
            // Whoever asked may be gone.
            Err(why) => drop(session_request.reply_sender.send(Err(why))),
        }
    }

    /// Looks whether a session may be opened, settles what it is, and keeps it.
    async fn prepare_session(
        &self,
        RequestedSession {
            channel,
            turn,
            request,
            ..
        }: &RequestedSession,
    ) -> Result<Session, Bilingual> {
        let channel_state = self
            .core
            .channel_state(*channel)
            .ok_or_else(|| bilingual!("the channel is gone", "频道已经不在了"))?;
        let say = |english: String, chinese: &str| Bilingual::new(english, chinese);
        let here = &channel_state.channel;
        let guild = here.guild.filter(|_| here.kind != ChannelKind::Direct);
        let guild =
            guild.ok_or_else(|| say("a direct message has no threads".into(), "私信里没有子区"))?;
        let below = if here.kind == ChannelKind::Thread {
            here.parent.unwrap_or(here.id)
        } else {
            here.id
        };
        if below != *channel
            && !self
                .tool_host
                .find_readable_channels(below)
                .contains(channel)
        {
            let english = "not everybody who would see the new thread can see this one".to_owned();
            return Err(say(english, "能看到新子区的人并不都能看到这里"));
        }
        if !self.platform.can_open_threads(below) {
            return Err(say(
                "this kind of channel has no threads; go on here".into(),
                "这种频道没有子区，请就在这里说",
            ));
        }
        let parent = self.sessions.find_by_channel(*channel);
        let limits = &self.settings.sessions;
        // Those that are being opened are on record only.
        let known = self.store.sessions().await.map_err(|error| {
            bilingual!("sessions cannot be kept now: {error}", "现在存不了会话")
        })?;
        let open = known
            .iter()
            .filter(|session| session.guild == guild && self.is_awake(session))
            .count();
        if open >= limits.most as usize {
            let english = format!(
                "there are {} sessions open, and no more may be; go on here",
                limits.most
            );
            return Err(say(english, "已开的会话到上限了，请就在这里说"));
        }
        if self.sessions.compute_depth(parent.map(|parent| parent.id)) > limits.depth {
            let english = format!(
                "sessions are opened {} deep at the most; go on here",
                limits.depth
            );
            return Err(say(english, "会话的层数到上限了，请就在这里说"));
        }
        let profile =
            match &request.profile {
                None => None,
                Some(name) => Some(self.settings.find_profile(name).ok_or_else(|| {
                    bilingual!("there is no profile \"{name}\"", "没有类型“{name}”")
                })?),
            };
        if let Some(template) = profile.and_then(|profile| profile.system_prompt.as_deref()) {
            fill_template(template, &request.vars).map_err(|missing| {
                let name = request.profile.as_deref().unwrap_or_default();
                bilingual!(
                    "parameter `vars` must give what profile {name} needs: {missing}",
                    "参数 `vars` 要给出类型 {name} 需要的：{missing}"
                )
            })?;
        }
        if known
            .iter()
            .any(|other| other.parent_channel == below && other.label == request.label)
        {
            return Err(say(
                format!("there is a session \"{}\" already", request.label),
                "已经有同名的会话了",
            ));
        }
        let above = known
            .into_iter()
            .find(|session| session.channel == Some(*channel));
        let sheet =
            SessionConfig::resolve(profile, request, above.as_ref().map(|above| &above.config));
        let newest = channel_state
            .timeline()
            .messages()
            .next_back()
            .map(|said| said.message.id);
        let mut sources = above.map(|above| above.sources).unwrap_or_default();
        sources.extend(newest.map(|upto| SessionSource {
            channel: *channel,
            after: channel_state.state().begins_after,
            upto,
        }));
        if sheet.start == SessionStart::None {
            sources.clear();
        }
        let cursor = channel_state
            .turn
            .as_ref()
            .filter(|running| running.id() == *turn)
            .map_or(0, |running| running.cursor());
        let session = Session {
            id: SessionId::default(),
            guild,
            channel: None,
            from: *channel,
            parent_channel: below,
            parent: parent.map(|parent| parent.id),
            turn: *turn,
            cursor,
            made: clock::now(),
            label: request.label.clone(),
            opening: request.opening.clone(),
            config: sheet,
            sources,
            summary: None,
        };
        let kept = self.store.put_session(session).await;
        let kept = kept.map_err(|error| {
            bilingual!("sessions cannot be kept now: {error}", "现在存不了会话")
        })?;
        kept.ok_or_else(|| {
            bilingual!(
                "somebody here wanted to be forgotten; not now",
                "这里有人要求被遗忘，现在不行"
            )
        })
    }

    /// Opens the channel of a session that is kept.
    async fn open_session_channel(&mut self, session: Session, to: Answer) {
        let opening = self
            .platform
            .open_session_channel(&session, to.is_none())
            .await;
        let opened = |channel| SessionChannelResult {
            session,
            channel,
            reply_sender: to,
        };
        match opening {
            ThreadOpening::Opened(channel) => self.handle_session_channel(opened(channel)).await,
            ThreadOpening::Pending(work) => {
                let loop_sender = self.loop_sender.clone();
                tokio::spawn(async move {
                    let opened = Box::new(opened(work.await));
                    let _ = loop_sender
                        .send(LoopMessage::SessionChannelOpened(opened))
                        .await;
                });
            }
        }
    }

    /// The channel of a session is there, or could not be opened.
    pub(super) async fn handle_session_channel(
        &mut self,
        SessionChannelResult {
            mut session,
            channel,
            reply_sender: to,
        }: SessionChannelResult,
    ) {
        let tell = |answer| {
            // Whoever asked may be gone.
            to.map(|to| to.send(answer));
        };
        let channel = match channel {
            Ok(channel) => channel,
            Err(why) => {
                if let Err(error) = self.store.end_session(session.id).await {
                    tracing::error!(%error, "a session that was not opened stays on record until the next start");
                }
                tracing::warn!(session = %session.id, "not opened: {why}");
                return tell(Err(why));
            }
        };
        let opening = session.opening.take().map(|text| OutgoingAction {
            nonce: format!("s{}", session.id),
            turn: None,
            part: 0,
            channel,
            action: VisibleAction::Send {
                text,
                reply_to: None,
                with: None,
            },
            cursor: 0,
            at: session.made,
            answers: Vec::new(),
        });
        if let Err(error) = self
            .store
            .open_session(session.id, channel, opening.clone())
            .await
        {
            tracing::error!(%error, "a session is open and not on record as such");
            return tell(Err(bilingual!(
                "the session could not be kept: {error}",
                "会话没能存下"
            )));
        }
        session.channel = Some(channel);
        tracing::info!(session = %session.id, %channel, from = %session.from, "a session was opened");
        self.sessions.insert(session.clone());
        // Where the platform tells of the thread, it has its state from then on.
        let known = self
            .core
            .channel_state(channel)
            .map(|channel_state| channel_state.channel.clone())
            .or_else(|| self.platform.find_own_channel(channel));
        if let Some(known) = known {
            self.apply_policy(known);
        }
        if let Some(opening) = opening {
            self.deliver_action(opening, None);
        }
        self.send_live_event(LiveEvent::Session {
            session: to_room_session(&session),
            open: true,
        });
        self.log_session(&session);
        self.notify_session_tools(&session, true);
        tell(Ok(OpenedSession {
            id: session.id,
            label: session.label,
            channel,
        }));
    }

    /// Tools are told that a session was opened, or is over.
    fn notify_session_tools(&mut self, session: &Session, open: bool) {
        let about = json!({ "session": session.id, "channel": session.channel, "profile": session.config.profile, "open": open });
        if open {
            self.tell_tools(session.from, SessionEvent::Branch, about.clone());
        }
        self.tell_tools(session.from, SessionEvent::Tree, about.clone());
        if let Some(channel) = session.channel {
            self.tell_tools(channel, SessionEvent::Switch, about);
        }
    }

    fn log_session(&self, session: &Session) {
        self.notify_log_channels(session.from, |context| {
            embed::render_session(session, context)
        });
    }

    /// What an earlier run left half opened: fresh ones are opened now, others are not any more.
    pub(super) async fn resume_half_open_sessions(&mut self) {
        let half: Vec<SessionId> = self
            .sessions
            .all
            .values()
            .filter(|session| session.channel.is_none())
            .map(|session| session.id)
            .collect();
        if half.is_empty() {
            return;
        }
        half.iter().for_each(|id| drop(self.sessions.remove(*id)));
        let sessions = self.store.sessions().await.unwrap_or_else(|error| {
            tracing::error!(%error, "what a stop left half opened is looked at with the next start");
            Vec::new()
        });
        for session in sessions
            .into_iter()
            .filter(|session| half.contains(&session.id))
        {
            if clock::now() - session.made > STALE || session.label.is_empty() {
                tracing::warn!(session = %session.id, "asked for before the last stop; too old to be opened");
                drop(self.store.end_session(session.id).await);
                continue;
            }
            self.open_session_channel(session, None).await;
        }
    }

    /// A session is over: its channel is like its neighbours from now on.
    pub(super) async fn close_session(&mut self, id: SessionId) -> Result<(), StoreError> {
        self.store.end_session(id).await?;
        let Some(session) = self.sessions.remove(id) else {
            return Ok(());
        };
        self.send_live_event(LiveEvent::Session {
            session: to_room_session(&session),
            open: false,
        });
        let Some(channel) = session.channel else {
            return Ok(());
        };
        self.notify_session_tools(&session, false);
        if let Some(known) = self
            .core
            .channel_state(channel)
            .map(|channel_state| channel_state.channel.clone())
        {
            self.apply_policy(known);
        }
        self.platform.archive_thread(channel);
        Ok(())
    }

    /// Channels are gone, and the store forgets their sessions.
    pub(super) fn forget_sessions(&mut self, channels: &BTreeSet<ChannelId>) {
        let is_gone = |session: &&Session| {
            session
                .channel
                .is_some_and(|channel| channels.contains(&channel))
        };
        let gone: Vec<SessionId> = self
            .sessions
            .all
            .values()
            .filter(is_gone)
            .map(|session| session.id)
            .collect();
        for session in gone
            .into_iter()
            .filter_map(|id| self.sessions.remove(id))
            .collect::<Vec<_>>()
        {
            self.send_live_event(LiveEvent::Session {
                session: to_room_session(&session),
                open: false,
            });
        }
    }

    /// Whether a session counts: one in an archived thread rests until somebody writes there.
    fn is_awake(&self, session: &Session) -> bool {
        session
            .channel
            .is_none_or(|channel| self.platform.is_awake(channel))
    }

    /// The sessions of a guild, and whether each is awake.
    pub(super) fn list_guild_sessions(&self, guild: GuildId) -> Vec<(Session, bool)> {
        self.sessions
            .of(guild)
            .map(|session| (session.clone(), self.is_awake(session)))
            .collect()
    }

    /// A session's sheet.
    pub(super) fn session_config(&self, channel: ChannelId) -> Option<&SessionConfig> {
        self.sessions
            .find_by_channel(channel)
            .map(|session| &session.config)
    }
}

/// The text of each piece of a system prompt, templates filled.
pub(super) fn fill_prompt_pieces(pieces: Vec<PromptPiece>) -> Vec<ShownPromptPiece> {
    let filled_pieces = pieces.into_iter().filter_map(|piece| match piece {
        PromptPiece::Model(text) => Some(ShownPromptPiece::Model(text)),
        PromptPiece::Host { template, vars } => match fill_template(&template, &vars) {
            Ok(text) => Some(ShownPromptPiece::Host(text)),
            Err(why) => {
                tracing::warn!("a session's system prompt cannot be filled: {why}");
                None
            }
        },
    });
    filled_pieces.collect()
}

/// A session as the page shows it.
pub(super) fn to_room_session(session: &Session) -> RoomSession {
    RoomSession {
        id: session.id,
        label: session.label.clone(),
        channel: session.channel,
        from: session.from,
        parent: session.parent,
        profile: session.config.profile.clone(),
        start: session.config.start,
        made: session.made,
    }
}
