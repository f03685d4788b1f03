//! What was said in one channel, by id: duplicates dropped, edits and deletions honoured, gaps kept as gaps.
//! Bounded: the oldest entries go first. Short ids are handed out once and stay with their message.

use std::collections::VecDeque;
use std::sync::Arc;

use super::chat::{Author, AuthorKind, Message, MessageId, Millis, UserId};

/// The most entries a timeline keeps: what the default history budget shows, about 200 lines, and some to spare.
pub const TIMELINE_ENTRIES: usize = 240;
/// The most reactions among them. Past this the older half of them goes at once, so that neither a storm of reactions
/// drives out what was said nor each new one changes what was shown before.
const REACTIONS: usize = TIMELINE_ENTRIES / 4;
/// Short ids run from 1 to this and start over; up to three digits cost one token.
const LARGEST_SHORT_ID: u16 = 999;

/// A message and the short id the model knows it by.
#[derive(Clone, Debug, PartialEq)]
pub struct TimelineMessage {
    /// 1 … 999, unique within the timeline.
    pub short_id: u16,
    /// The message, its text as it is now.
    pub message: Message,
    /// The short id of the message it was typed as a reply to. Kept from when it arrived, so that its line in the
    /// prompt stays the same when the other message has left the timeline.
    pub replies_to: Option<u16>,
    pub edited: bool,
}

/// One entry of a timeline, in the order the model sees.
#[derive(Clone, Debug, PartialEq)]
pub enum TimelineEntry {
    Message(TimelineMessage),
    Reaction {
        /// The message's short id.
        to: u16,
        message: MessageId,
        by: Author,
        emoji: Arc<str>,
        at: Millis,
    },
    Gap {
        /// The first message after it.
        before: MessageId,
    },
}

/// The newest part of a channel's history.
#[derive(Clone, Debug, Default)]
pub struct Timeline {
    entries: VecDeque<TimelineEntry>,
    /// Whether older entries were dropped: what is older than the oldest kept one then stays out.
    trimmed: bool,
    /// Up to this message everything stays out: the context was started afresh.
    begins_after: Option<MessageId>,
    last_short_id: u16,
}

impl Timeline {
    /// Adds a message at its place by id and answers with its short id; none if it is there already or too old to be kept.
    pub fn say(&mut self, message: Message) -> Option<u16> {
        if self.begins_after.is_some_and(|id| message.id <= id) {
            return None;
        }
        let newest = self.messages().next_back().map(|said| said.message.id);
        let gap_ahead = matches!(self.entries.back(), Some(TimelineEntry::Gap { before }) if *before > message.id);
        let place = match newest {
            Some(id) if message.id <= id || gap_ahead => {
                let mut place = 0;
                for (index, entry) in self.entries.iter().enumerate() {
                    match entry {
                        TimelineEntry::Message(said) if said.message.id == message.id => {
                            return None;
                        }
                        TimelineEntry::Message(said) if said.message.id < message.id => {
                            place = index + 1
                        }
                        TimelineEntry::Gap { before } if *before <= message.id => place = index + 1,
                        _ => {}
                    }
                }
                if place == 0 && self.trimmed {
                    return None;
                }
                place
            }
            _ => self.entries.len(),
        };
        self.last_short_id = self.last_short_id % LARGEST_SHORT_ID + 1;
        let short = self.last_short_id;
        let replies_to = message
            .reply_to
            .and_then(|id| self.find(id))
            .map(|said| said.short_id);
        self.entries.insert(
            place,
            TimelineEntry::Message(TimelineMessage {
                short_id: short,
                message,
                replies_to,
                edited: false,
            }),
        );
        self.trim();
        Some(short)
    }

    /// Changes a message's text; answers whether it was there.
    pub fn edit(&mut self, id: MessageId, text: Arc<str>) -> bool {
        for entry in &mut self.entries {
            if let TimelineEntry::Message(said) = entry
                && said.message.id == id
            {
                said.message.text = text;
                said.edited = true;
                return true;
            }
        }
        false
    }

    /// Takes a message out, with the reactions on it.
    pub fn delete(&mut self, id: MessageId) {
        self.entries.retain(|entry| match entry {
            TimelineEntry::Message(said) => said.message.id != id,
            TimelineEntry::Reaction { message, .. } => *message != id,
            TimelineEntry::Gap { .. } => true,
        });
    }

    /// Adds a reaction as a line of its own, so that lines already sent stay as they are.
    pub fn react(&mut self, message: MessageId, by: Author, emoji: Arc<str>, at: Millis) {
        let Some(to) = self.find(message).map(|said| said.short_id) else {
            return;
        };
        let known = self.entries.iter().any(|entry| {
            matches!(entry, TimelineEntry::Reaction { message: m, by: b, emoji: e, .. }
                if *m == message && b.id == by.id && *e == emoji)
        });
        if !known {
            self.entries.push_back(TimelineEntry::Reaction {
                to,
                message,
                by,
                emoji,
                at,
            });
            self.thin_reactions();
            self.trim();
        }
    }

    fn thin_reactions(&mut self) {
        let is_reaction = |entry: &TimelineEntry| matches!(entry, TimelineEntry::Reaction { .. });
        let count = self
            .entries
            .iter()
            .filter(|entry| is_reaction(entry))
            .count();
        let mut surplus = if count > REACTIONS {
            count - REACTIONS / 2
        } else {
            0
        };
        self.entries.retain(|entry| {
            let goes = surplus > 0 && is_reaction(entry);
            surplus -= usize::from(goes);
            !goes
        });
    }

    pub fn remove_reaction(&mut self, message: MessageId, by: &Author, emoji: &str) {
        self.entries.retain(|entry| {
            !matches!(entry, TimelineEntry::Reaction { message: m, by: b, emoji: e, .. }
                if *m == message && b.id == by.id && **e == *emoji)
        });
    }

    /// Marks a gap right before a message, which may still have to come. Before the oldest entry it would not be shown.
    pub fn mark_gap(&mut self, before: MessageId) {
        let follows = |entry: &TimelineEntry| matches!(entry, TimelineEntry::Message(said) if said.message.id >= before);
        let place = self
            .entries
            .iter()
            .position(follows)
            .unwrap_or(self.entries.len());
        let marked =
            |place: usize| matches!(self.entries.get(place), Some(TimelineEntry::Gap { .. }));
        if place > 0 && !marked(place - 1) {
            self.entries.insert(place, TimelineEntry::Gap { before });
            self.trim();
        }
    }

    /// The messages before which something is missing, oldest first.
    pub fn gaps(&self) -> impl Iterator<Item = MessageId> {
        self.entries.iter().filter_map(|entry| match entry {
            TimelineEntry::Gap { before } => Some(*before),
            _ => None,
        })
    }

    /// Drops everything up to a message, and keeps it out.
    pub fn begin_after(&mut self, id: MessageId) {
        self.begins_after = self.begins_after.max(Some(id));
        self.entries.retain(|entry| match entry {
            TimelineEntry::Message(said) => said.message.id > id,
            TimelineEntry::Reaction { message, .. } => *message > id,
            TimelineEntry::Gap { .. } => true,
        });
        while matches!(self.entries.front(), Some(TimelineEntry::Gap { .. })) {
            self.entries.pop_front();
        }
    }

    /// Takes out all of a person, mentions and reactions included. Answers with the messages that are gone.
    pub fn forget(&mut self, user: UserId) -> Vec<MessageId> {
        let gone: Vec<MessageId> = self
            .messages()
            .map(|said| &said.message)
            .filter(|message| message.author.id == user)
            .map(|m| m.id)
            .collect();
        self.entries.retain_mut(|entry| match entry {
            TimelineEntry::Message(said) => {
                said.message.mentions.retain(|id| *id != user);
                said.message.author.id != user
            }
            TimelineEntry::Reaction { message, by, .. } => by.id != user && !gone.contains(message),
            TimelineEntry::Gap { .. } => true,
        });
        gone
    }

    fn trim(&mut self) {
        while self.entries.len() > TIMELINE_ENTRIES {
            self.entries.pop_front();
            self.trimmed = true;
        }
    }

    /// The entries, oldest first.
    pub fn entries(&self) -> impl DoubleEndedIterator<Item = &TimelineEntry> + ExactSizeIterator {
        self.entries.iter()
    }

    /// The messages, oldest first.
    pub fn messages(&self) -> impl DoubleEndedIterator<Item = &TimelineMessage> {
        self.entries.iter().filter_map(|entry| match entry {
            TimelineEntry::Message(said) => Some(said),
            _ => None,
        })
    }

    /// The companion's own messages, newest first.
    pub fn own(&self) -> impl Iterator<Item = &TimelineMessage> {
        self.messages()
            .rev()
            .filter(|said| said.message.author.kind == AuthorKind::Companion)
    }

    pub fn find(&self, id: MessageId) -> Option<&TimelineMessage> {
        self.messages().rev().find(|said| said.message.id == id)
    }

    pub fn find_by_short_id(&self, short: u16) -> Option<&TimelineMessage> {
        self.messages().rev().find(|said| said.short_id == short)
    }

    /// The largest arrival number in the timeline.
    pub fn cursor(&self) -> u64 {
        self.messages()
            .map(|said| said.message.arrival)
            .max()
            .unwrap_or(0)
    }

    pub fn len(&self) -> usize {
        self.entries.len()
    }

    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }
}
