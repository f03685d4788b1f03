//! What people do with sessions, by command and in the page: open one, give it another name or note, end it and tell where
//! it came from what came of it. Whether they may is decided before.

use tokio::sync::oneshot;

use super::event::RequestedSession;
use super::to_room_session;
use crate::daemon::state::Daemon;
use kith_core::chat::{ChannelId, SessionId, TurnId};
use kith_core::outgoing::{OutgoingAction, VisibleAction};
use kith_core::policy::ChannelMode;
use kith_core::session::{SessionRequest, SessionRewording};
use kith_language::{LocalizedMessage, daemon};
use kith_room::LiveEvent;
use kith_store::StoreError;
use kith_system::clock;
use kith_tools::OpenedSession;

impl Daemon {
    /// A person opens a session from a channel; answered once its channel is there.
    pub(in crate::daemon) async fn open_session_for_person(
        &mut self,
        channel: ChannelId,
        request: SessionRequest,
        reply_sender: oneshot::Sender<Result<OpenedSession, LocalizedMessage>>,
    ) {
        self.handle_session_request(RequestedSession {
            channel,
            turn: TurnId::default(),
            request,
            reply_sender,
        })
        .await;
    }

    /// A person gives a session another label or note. It holds from the next turn there.
    pub(in crate::daemon) async fn reword_session(
        &mut self,
        id: SessionId,
        rewording: SessionRewording,
    ) -> Result<(), StoreError> {
        let is_renamed = rewording.label.is_some();
        let reworded = self
            .store
            .reword_session(id, rewording, clock::now())
            .await?;
        let Some(session) = reworded else {
            return Ok(());
        };
        if let (true, Some(channel)) = (is_renamed, session.channel) {
            self.platform.rename_thread(channel, &session.label);
        }
        self.send_live_event(LiveEvent::Session {
            session: to_room_session(&session),
            open: true,
        });
        Ok(())
    }

    /// A person ends a session. Its outcome is said where it was opened: so all there know, and the companion.
    pub(in crate::daemon) async fn end_session(
        &mut self,
        id: SessionId,
        outcome: Option<String>,
    ) -> Result<(), StoreError> {
        if let Some(outcome) = outcome {
            self.tell_session_outcome(id, &outcome).await?;
        }
        self.close_session(id).await
    }

    async fn tell_session_outcome(
        &mut self,
        id: SessionId,
        outcome: &str,
    ) -> Result<(), StoreError> {
        let sessions = self.store.sessions().await?;
        let Some(session) = sessions.into_iter().find(|session| session.id == id) else {
            return Ok(());
        };
        let (channel, at) = (session.from, clock::now());
        let Some(known) = self.find_channel(channel) else {
            return Ok(());
        };
        let policy = self.resolve_policy(&known);
        // Who pauses a channel wants no answers in it; what came of this they have just written themselves.
        if policy.mode != ChannelMode::On || !policy.may_send {
            tracing::warn!(session = %id, %channel, "what came of a session is not told: the companion may not write there");
            return Ok(());
        }
        let text = daemon::session_outcome(session.label, outcome);
        let outgoing = OutgoingAction {
            nonce: format!("c{id}"),
            turn: None,
            part: 0,
            channel,
            action: VisibleAction::Send {
                text: text.in_language(self.language_in(channel)),
                reply_to: None,
                with: None,
            },
            cursor: 0,
            at,
            answers: Vec::new(),
        };
        self.deliver_action(outgoing, None);
        Ok(())
    }
}
