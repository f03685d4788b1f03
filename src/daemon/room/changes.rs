//! What people in the room change: posts, edits, deletions, reactions. All that waits is stored in one commit; only then
//! the core hears it and the front end is answered.

use super::platform::RoomPlatform;
use super::reading::to_room_message;
use crate::daemon::deliveries::stored_action::to_stored_event;
use crate::daemon::reply::{
    RequestReply, refuse_bad_request, refuse_missing, reply, to_request_refusal,
};
use crate::daemon::state::Daemon;
use kith_core::chat::{Author, AuthorKind, Channel, ChannelId, Message, MessageId, UserId};
use kith_core::event::ChatEvent;
use kith_core::policy::ChannelMode;
use kith_language::room_refusals;
use kith_room::{RequestRefusal, RoomAnswer, RoomRequest, find_mentions};
use kith_store::{DecisionReason, StoredMessage};
use kith_system::clock;

/// How far back a post that was sent again is looked for.
const POSTS_LOOKED_THROUGH: usize = 200;

impl Daemon<RoomPlatform> {
    /// The event a request asks to be stored, or why not; the request itself if it changes nothing.
    pub(super) async fn prepare_change(
        &mut self,
        request: RoomRequest,
    ) -> Result<Result<ChatEvent, RequestRefusal>, RoomRequest> {
        let at = clock::now();
        Ok(match request {
            RoomRequest::Post {
                channel,
                person,
                text,
                reply_to,
                client_nonce,
            } => {
                let message = self.build_post(channel, person, &text, reply_to).await;
                message.map(|message| ChatEvent::Posted {
                    message,
                    nonce: client_nonce,
                })
            }
            RoomRequest::Edit {
                channel,
                message: id,
                text,
            } => {
                let text = text.trim().into();
                self.check_editable(channel, id).map(|()| ChatEvent::Edit {
                    channel,
                    id,
                    author: AuthorKind::Person,
                    text,
                    at,
                })
            }
            RoomRequest::Delete { channel, message } => {
                self.require_channel(channel).map(|_| ChatEvent::Delete {
                    channel,
                    ids: vec![message],
                    at,
                })
            }
            RoomRequest::React {
                channel,
                message,
                person,
                emoji,
                added,
            } => {
                let emoji = emoji.trim().into();
                let by = self.check_reaction(channel, message, person).await;
                by.map(|by| ChatEvent::Reaction {
                    channel,
                    message,
                    author: by,
                    emoji,
                    added,
                    at,
                })
            }
            other => return Err(other),
        })
    }

    async fn check_reaction(
        &self,
        channel: ChannelId,
        message: MessageId,
        person: UserId,
    ) -> Result<Author, RequestRefusal> {
        self.check_readable(channel)?;
        let by = self.require_person(person)?;
        self.check_message_exists(channel, message).await?;
        Ok(by)
    }

    async fn build_post(
        &mut self,
        channel: ChannelId,
        person: UserId,
        text: &str,
        reply_to: Option<MessageId>,
    ) -> Result<Message, RequestRefusal> {
        self.check_readable(channel)?;
        let author = self.require_person(person)?;
        if let Some(message) = reply_to {
            self.check_message_exists(channel, message).await?;
        }
        let now = clock::now();
        let mut members = self.platform.members.people().to_vec();
        members.push(self.build_own_author(channel));
        Ok(Message {
            id: MessageId(self.platform.ids.next_id(now)),
            channel,
            arrival: 0,
            at: now,
            author,
            text: text.trim().into(),
            reply_to,
            mentions: find_mentions(text, &members),
        })
    }

    pub(super) fn require_channel(&self, channel: ChannelId) -> Result<&Channel, RequestRefusal> {
        self.platform
            .members
            .channel(channel)
            .ok_or_else(|| refuse_missing(room_refusals::no_channel()))
    }

    /// Whether what is written in a channel may be read and kept.
    pub(super) fn check_readable(&self, channel: ChannelId) -> Result<(), RequestRefusal> {
        let name = &self.require_channel(channel)?.name;
        match self
            .core
            .channel_state(channel)
            .map(|channel_state| channel_state.policy().mode)
        {
            Some(ChannelMode::Off) => Err(refuse_bad_request(room_refusals::channel_off(&**name))),
            _ => Ok(()),
        }
    }

    async fn check_message_exists(
        &self,
        channel: ChannelId,
        message: MessageId,
    ) -> Result<(), RequestRefusal> {
        if self
            .core
            .channel_state(channel)
            .is_some_and(|channel_state| channel_state.timeline().find(message).is_some())
        {
            return Ok(());
        }
        let found = self.store.find_message(channel, message).await;
        match found.map_err(to_request_refusal)? {
            Some(_) => Ok(()),
            None => Err(refuse_missing(room_refusals::no_message())),
        }
    }

    pub(super) fn require_person(&self, id: UserId) -> Result<Author, RequestRefusal> {
        self.platform
            .members
            .person(id)
            .cloned()
            .ok_or_else(|| refuse_missing(room_refusals::no_person()))
    }

    fn check_editable(&self, channel: ChannelId, message: MessageId) -> Result<(), RequestRefusal> {
        self.check_readable(channel)?;
        let said = self
            .core
            .channel_state(channel)
            .and_then(|channel_state| channel_state.timeline().find(message));
        match said {
            Some(said) if said.message.author.kind == AuthorKind::Companion => {
                Err(refuse_bad_request(room_refusals::own_words()))
            }
            _ => Ok(()),
        }
    }

    /// Stores all changes in one commit, then lets the core hear them and answers.
    pub(super) async fn store_changes(&mut self, changes: Vec<(ChatEvent, RequestReply)>) {
        let incoming = changes
            .iter()
            .map(|(incoming, _)| incoming.clone())
            .collect();
        let begun = clock::monotonic();
        let stored = self.store.append(incoming).await;
        self.metrics.record_append(begun.elapsed());
        let stored = match stored {
            Ok(stored) => stored,
            Err(error) => {
                tracing::error!(%error, "not stored");
                return changes.into_iter().for_each(|(_, to)| {
                    reply(to, Err(RequestRefusal::unavailable(error.to_string())))
                });
            }
        };
        for ((incoming, to), stored) in changes.into_iter().zip(stored) {
            let posted = matches!(incoming, ChatEvent::Posted { .. });
            let incoming = to_stored_event(incoming, &stored);
            let answer = match &incoming {
                ChatEvent::Message(message) if posted && !stored.new => {
                    self.find_earlier_post(message.channel, stored.arrival)
                        .await
                }
                ChatEvent::Message(message) => Ok(as_answer(message.clone())),
                ChatEvent::Edit { .. } if !stored.new => {
                    Err(refuse_missing(room_refusals::no_message()))
                }
                _ => Ok(RoomAnswer::Done {}),
            };
            if stored.new {
                self.publish_stored_event(incoming, None);
            }
            self.apply_append(stored);
            reply(to, answer);
        }
    }

    /// The message a post became when it was sent the first time.
    async fn find_earlier_post(
        &self,
        channel: ChannelId,
        arrival: u64,
    ) -> Result<RoomAnswer, RequestRefusal> {
        let lines = self
            .store
            .load_history(channel, None, POSTS_LOOKED_THROUGH)
            .await
            .map_err(to_request_refusal)?;
        let earlier = lines
            .into_iter()
            .find(|line| line.message.arrival == arrival);
        earlier
            .map(|line| as_answer(line.message))
            .ok_or_else(|| refuse_bad_request(room_refusals::posted_before()))
    }
}

fn as_answer(message: Message) -> RoomAnswer {
    let line = StoredMessage {
        message,
        edited: false,
        reactions: Vec::new(),
    };
    RoomAnswer::Message(Box::new(to_room_message(line, DecisionReason::default())))
}
