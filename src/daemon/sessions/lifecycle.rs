//! Opening and closing sessions, and what is told of that.

use std::collections::BTreeSet;

use futures_util::FutureExt;
use serde_json::json;
use tokio::sync::oneshot;

use super::event::{RequestedSession, SessionChannelResult, SessionOpeningEvent, SessionReply};
use crate::daemon::loop_message::LoopMessage;
use crate::daemon::platform::ThreadOpening;
use crate::daemon::state::Daemon;
use kith_core::chat::{ChannelId, GuildId, SessionId, TurnId};
use kith_core::outgoing::{OutgoingAction, STALE, VisibleAction};
use kith_core::session::{Session, SessionConfig};
use kith_language::daemon;
use kith_observe::embed;
use kith_room::{LiveEvent, RoomSession};
use kith_store::StoreError;
use kith_system::clock;
use kith_tools::OpenedSession;
use kith_tools::custom::SessionEvent;

impl Daemon {
    pub(in crate::daemon) fn build_session_opener(
        &self,
        channel: ChannelId,
        turn: TurnId,
    ) -> kith_tools::SessionOpener {
        let loop_sender = self.loop_sender.clone();
        kith_tools::SessionOpener::from_opener(move |request| {
            let loop_sender = loop_sender.clone();
            async move {
                let (to, answer) = oneshot::channel();
                let session_request = RequestedSession {
                    channel,
                    turn,
                    request,
                    reply_sender: to,
                };
                loop_sender
                    .send(LoopMessage::Session(SessionOpeningEvent::Requested(
                        Box::new(session_request),
                    )))
                    .await
                    .map_err(|_| daemon::session_stopping())?;
                answer
                    .await
                    .unwrap_or_else(|_| Err(daemon::session_stopping()))
            }
            .boxed()
        })
    }

    pub(in crate::daemon) async fn handle_session_event(&mut self, event: SessionOpeningEvent) {
        match event {
            SessionOpeningEvent::Requested(request) => self.handle_session_request(*request).await,
            SessionOpeningEvent::ChannelOpened(opened) => {
                self.handle_session_channel(*opened).await
            }
        }
    }

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

    async fn open_session_channel(&mut self, session: Session, to: SessionReply) {
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
                    let opened = SessionOpeningEvent::ChannelOpened(Box::new(opened(work.await)));
                    let _ = loop_sender.send(LoopMessage::Session(opened)).await;
                });
            }
        }
    }

    async fn handle_session_channel(
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
            return tell(Err(daemon::session_not_kept(error.to_string())));
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
    pub(in crate::daemon) async fn resume_half_open_sessions(&mut self) {
        let half = self.sessions.take_half_open();
        if half.is_empty() {
            return;
        }
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
    pub(in crate::daemon) async fn close_session(
        &mut self,
        id: SessionId,
    ) -> Result<(), StoreError> {
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

    pub(in crate::daemon) fn forget_sessions(&mut self, channels: &BTreeSet<ChannelId>) {
        for session in self.sessions.take_of_channels(channels) {
            self.send_live_event(LiveEvent::Session {
                session: to_room_session(&session),
                open: false,
            });
        }
    }

    /// Whether a session counts: one in an archived thread rests until somebody writes there.
    pub(super) fn is_awake(&self, session: &Session) -> bool {
        session
            .channel
            .is_none_or(|channel| self.platform.is_awake(channel))
    }

    /// The sessions of a guild, and whether each is awake.
    pub(in crate::daemon) fn list_guild_sessions(&self, guild: GuildId) -> Vec<(Session, bool)> {
        self.sessions
            .of(guild)
            .map(|session| (session.clone(), self.is_awake(session)))
            .collect()
    }

    pub(in crate::daemon) fn session_config(&self, channel: ChannelId) -> Option<&SessionConfig> {
        self.sessions
            .find_by_channel(channel)
            .map(|session| &session.config)
    }
}

pub(in crate::daemon) fn to_room_session(session: &Session) -> RoomSession {
    RoomSession {
        id: session.id,
        label: session.label.clone(),
        channel: session.channel,
        from: session.from,
        parent: session.parent,
        profile: session.config.profile.clone(),
        about: session.config.notes().join("\n\n"),
        start: session.config.start,
        made: session.made,
    }
}
