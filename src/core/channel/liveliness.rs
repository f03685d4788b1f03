//! Who wrote last and whether it was lively here: what silences and lulls are told by. Kept as messages come in, so that
//! no look has to go through what was said; in memory only, for the stored tail brings it back.

use std::collections::VecDeque;

use crate::chat::{AuthorKind, HOUR, Message, MessageId, Millis, UserId};
use crate::policy::BotPolicy;

/// So many lines of people in so short a time make a channel lively, where more than one of them wrote.
const LIVELY_LINES: usize = 12;
const LIVELY_WITHIN: Millis = HOUR;
/// So long ago at most it was lively, where a lull is broken.
const LIVELY_LATELY: Millis = 12 * HOUR;

/// Who wrote last in a channel, and when it was lively. Bots that are ignored, and webhooks, are nobody.
#[derive(Clone, Debug, Default)]
pub(super) struct ChannelLiveliness {
    /// The newest lines of people, oldest first.
    lines: VecDeque<(UserId, Millis)>,
    /// The newest line with which it was lively.
    lively_at: Option<Millis>,
    /// What somebody else wrote last.
    last: Option<(MessageId, Millis)>,
    spoke_at: Option<Millis>,
}

impl ChannelLiveliness {
    pub fn record_message(&mut self, message: &Message, me: UserId, bots: BotPolicy) {
        match message.author.kind {
            _ if message.author.id == me => self.spoke_at = self.spoke_at.max(Some(message.at)),
            AuthorKind::Companion => self.spoke_at = self.spoke_at.max(Some(message.at)),
            AuthorKind::Person => {
                self.record_latest(message);
                self.record_line(message.author.id, message.at);
            }
            AuthorKind::Bot if bots == BotPolicy::Limited => self.record_latest(message),
            AuthorKind::Bot | AuthorKind::Webhook => {}
        }
    }

    fn record_latest(&mut self, message: &Message) {
        if self.last.is_none_or(|(id, _)| id < message.id) {
            self.last = Some((message.id, message.at));
        }
    }

    fn record_line(&mut self, author: UserId, at: Millis) {
        // What was missed comes in after what is newer.
        if self.lines.back().is_some_and(|(_, newest)| at < *newest) {
            return;
        }
        if self.lines.len() == LIVELY_LINES {
            self.lines.pop_front();
        }
        self.lines.push_back((author, at));
        let since = self
            .lines
            .front()
            .filter(|_| self.lines.len() == LIVELY_LINES)
            .map(|(_, first)| *first);
        if since.is_some_and(|first| at - first <= LIVELY_WITHIN)
            && self.lines.iter().any(|(by, _)| *by != author)
        {
            self.lively_at = Some(at);
        }
    }

    /// A lull after a lively talk: the message it follows, and since when. What the companion says into it starts none.
    pub fn lull(&self) -> Option<(MessageId, Millis)> {
        let (id, at) = self.last.filter(|(_, at)| {
            self.lively_at
                .is_some_and(|lively| lively > at - LIVELY_LATELY)
        })?;
        Some((id, self.spoke_at.map_or(at, |spoke| spoke.max(at))))
    }

    pub fn forget_person(&mut self, user: UserId) {
        self.lines.retain(|(by, _)| *by != user);
    }
}
