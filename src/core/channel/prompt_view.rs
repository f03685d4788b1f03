//! What of the channel a prompt shows.

use super::channel_state::ChannelState;
use crate::chat::{AuthorKind, MessageId, Millis};
use crate::message_links::find_linked_message;
use crate::recall::{RecallCue, TALK_GAP, find_time_range};

/// The most messages that are named as the conversation a turn joins.
const CONVERSATION_SHOWN: usize = 8;
/// Of so many of the newest lines of others something may come to mind.
const CUES: usize = 4;

impl ChannelState {
    /// The oldest message the prompt shows; what came before can be recalled. Before the first prompt all counts as shown.
    pub fn first_shown_message(&self) -> Option<MessageId> {
        self.window
            .first()
            .or_else(|| self.timeline.messages().next().map(|said| said.message.id))
    }

    /// The newest lines of others, newest first. Its own lines are no cues, or it would come back to the same things.
    pub fn recall_cues(&self, now: Millis) -> Vec<RecallCue> {
        let zone = self.policy().persona.timezone();
        let mut newest = self.timeline.messages().rev().map(|said| &said.message);
        let mut cues: Vec<RecallCue> = Vec::new();
        let mut last = None;
        while cues.len() < CUES
            && let Some(line) = newest.next()
            && last.is_none_or(|last: Millis| last - line.at <= TALK_GAP)
        {
            last.get_or_insert(line.at);
            if line.author.kind != AuthorKind::Companion {
                cues.push(RecallCue {
                    author: line.author.id,
                    text: line.text.clone(),
                    answers: line
                        .reply_to
                        .or_else(|| find_linked_message(&line.text))
                        .filter(|id| self.is_out_of_view(*id)),
                    period: find_time_range(&line.text, now, zone),
                });
            }
        }
        cues
    }

    fn is_out_of_view(&self, id: MessageId) -> bool {
        self.first_shown_message().is_some_and(|first| id < first)
    }

    /// The newest messages of the conversation a message belongs to, oldest first; empty where it stands alone.
    pub fn find_conversation(&self, message: MessageId) -> Vec<MessageId> {
        let lines = self.state.sense.links().lines();
        let Some(number) = lines
            .iter()
            .find(|line| line.id == message)
            .map(|line| line.conversation)
        else {
            return Vec::new();
        };
        let mut ids: Vec<MessageId> = lines
            .iter()
            .rev()
            .filter(|line| line.conversation == number && Some(line.id) > self.state.begins_after)
            .take(CONVERSATION_SHOWN)
            .map(|line| line.id)
            .collect();
        ids.reverse();
        if ids.len() < 2 { Vec::new() } else { ids }
    }
}
