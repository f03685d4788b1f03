//! Ids of a log as numbers. People and channels get theirs when they first occur; messages are numbered as they come,
//! so that ids grow with time whatever the log calls them.

use std::collections::{HashMap, VecDeque};
use std::sync::Arc;

use super::recorded_message::RecordedMessage;
use kith_core::chat::{Author, AuthorKind, ChannelId, Message, MessageId, UserId};

/// How many messages back a typed reply finds its target.
const REPLIES_REACH: usize = 20_000;

/// The ids of one log. Bounded by people and channels, not by messages.
#[derive(Debug, Default)]
pub struct LogIds {
    people: HashMap<String, u64>,
    names: HashMap<u64, Arc<str>>,
    channels: HashMap<String, u64>,
    messages: u64,
    recent: HashMap<String, MessageId>,
    order: VecDeque<String>,
}

impl LogIds {
    pub fn assign_person_id(&mut self, id: &str) -> UserId {
        UserId(assign_number(&mut self.people, id))
    }

    /// A person's name, shared between their messages while it stays the same.
    pub fn intern_name(&mut self, id: UserId, name: &str) -> Arc<str> {
        match self.names.get(&id.0) {
            Some(known) if **known == *name => known.clone(),
            _ => {
                let name: Arc<str> = Arc::from(name);
                self.names.insert(id.0, name.clone());
                name
            }
        }
    }

    /// A channel's id, and whether it is new.
    pub fn channel(&mut self, name: &str) -> (ChannelId, bool) {
        let known = self.channels.len();
        let id = assign_number(&mut self.channels, name);
        (ChannelId(id), self.channels.len() > known)
    }

    /// The id of a message that has just come; `remember` it where replies count.
    pub fn message(&mut self, id: &str, remember: bool) -> MessageId {
        self.messages += 1;
        let number = MessageId(self.messages);
        if remember {
            if self.order.len() >= REPLIES_REACH
                && let Some(oldest) = self.order.pop_front()
            {
                self.recent.remove(&oldest);
            }
            self.recent.insert(id.to_owned(), number);
            self.order.push_back(id.to_owned());
        }
        number
    }

    /// A recorded message as the core hears it, in this channel and by somebody of this kind; its reply counts where it
    /// `is_typed`.
    pub fn build_message(
        &mut self,
        recorded: &RecordedMessage,
        channel: ChannelId,
        kind: AuthorKind,
        is_typed: bool,
    ) -> Message {
        let reply_to = recorded
            .reply_to
            .as_ref()
            .filter(|_| is_typed)
            .and_then(|id| self.find_message_id(id));
        let id = self.assign_person_id(&recorded.author.id);
        let name = self.intern_name(id, &recorded.author.name);
        Message {
            id: self.message(&recorded.id, is_typed),
            channel,
            arrival: 0,
            at: recorded.at,
            author: Author { id, name, kind },
            text: recorded.text.as_str().into(),
            reply_to,
            mentions: recorded
                .mentions
                .iter()
                .map(|mentioned| self.assign_person_id(mentioned))
                .collect(),
        }
    }

    pub fn find_channel_name(&self, id: ChannelId) -> Option<&str> {
        let mut known = self.channels.iter();
        known
            .find(|(_, number)| **number == id.0)
            .map(|(name, _)| name.as_str())
    }

    pub fn find_message_id(&self, id: &str) -> Option<MessageId> {
        self.recent.get(id).copied()
    }
}

fn assign_number(known: &mut HashMap<String, u64>, id: &str) -> u64 {
    if let Some(number) = known.get(id) {
        return *number;
    }
    let number = known.len() as u64 + 1;
    known.insert(id.to_owned(), number);
    number
}
