//! What the page asks about sessions: which there are, opening and ending one, another name or note for one. In the room
//! everybody is the host.

use tokio::sync::oneshot;

use super::platform::RoomPlatform;
use crate::daemon::reply::{
    RequestReply, refuse_bad_request, refuse_missing, reply, reply_done, reply_later,
    to_request_refusal,
};
use crate::daemon::sessions::to_room_session;
use crate::daemon::state::Daemon;
use kith_core::chat::{ChannelId, SessionId};
use kith_core::session::{SessionRequest, SessionRewording};
use kith_language::{daemon, room_refusals};
use kith_room::{RequestRefusal, RoomAnswer, RoomRequest};

impl Daemon<RoomPlatform> {
    /// Answers a request about sessions; the request itself where it is about something else.
    pub(super) async fn answer_session_request(
        &mut self,
        request: RoomRequest,
        answer: RequestReply,
    ) -> Result<(), (RoomRequest, RequestReply)> {
        match request {
            RoomRequest::Sessions {} => {
                let store = self.store.clone();
                reply_later(answer, async move {
                    let sessions = store.sessions().await.map_err(to_request_refusal)?;
                    Ok(RoomAnswer::Sessions {
                        sessions: sessions.iter().map(to_room_session).collect(),
                    })
                });
            }
            RoomRequest::OpenSession {
                channel,
                label,
                about,
                profile,
            } => {
                let given = |text: Option<String>| text.filter(|text| !text.trim().is_empty());
                let request = SessionRequest {
                    label: label.split_whitespace().collect::<Vec<_>>().join(" "),
                    is_by_person: true,
                    system_prompt: given(about),
                    profile: given(profile),
                    ..SessionRequest::default()
                };
                self.open_room_session(channel, request, answer).await;
            }
            RoomRequest::ChangeSession { id, label, about } => {
                let changed = self.change_session(id, label, about).await;
                reply_done(answer, changed);
            }
            RoomRequest::CloseSession { id, outcome } => {
                let closed = match self.sessions.contains(id) {
                    true => {
                        let outcome = outcome.filter(|text| !text.trim().is_empty());
                        let ended = self.end_session(id, outcome).await;
                        ended.map_err(to_request_refusal)
                    }
                    false => Err(unknown_session()),
                };
                reply_done(answer, closed);
            }
            other => return Err((other, answer)),
        }
        Ok(())
    }

    /// Answered when its channel is there.
    async fn open_room_session(
        &mut self,
        channel: ChannelId,
        request: SessionRequest,
        answer: RequestReply,
    ) {
        if let Err(refused) = self.require_channel(channel) {
            return reply(answer, Err(refused));
        }
        let (to, opened) = oneshot::channel();
        self.open_session_for_person(channel, request, to).await;
        let store = self.store.clone();
        reply_later(answer, async move {
            let opened = opened.await;
            let opened = opened.unwrap_or_else(|_| Err(daemon::session_stopping()));
            let channel = opened.map_err(refuse_bad_request)?.channel;
            let session = store.find_session(channel).await;
            let session = session.map_err(to_request_refusal)?;
            Ok(RoomAnswer::Session {
                session: to_room_session(&session.ok_or_else(unknown_session)?),
            })
        });
    }

    /// It is called as its channel is.
    async fn change_session(
        &mut self,
        id: SessionId,
        label: Option<String>,
        about: Option<String>,
    ) -> Result<(), RequestRefusal> {
        if !self.sessions.contains(id) {
            return Err(unknown_session());
        }
        if let (Some(label), Some(channel)) = (label, self.sessions.find_channel(id)) {
            let topic = self.require_channel(channel)?.topic.to_string();
            self.change_channel(channel, &label, &topic).await?;
        }
        if about.is_none() {
            return Ok(());
        }
        let rewording = SessionRewording {
            label: None,
            note: about,
        };
        let reworded = self.reword_session(id, rewording).await;
        reworded.map_err(to_request_refusal)
    }
}

fn unknown_session() -> RequestRefusal {
    refuse_missing(room_refusals::no_session())
}
