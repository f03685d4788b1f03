//! What of the channel a prompt shows.

use super::channel_state::ChannelState;
use crate::chat::MessageId;

/// The most messages that are named as the conversation a turn joins.
const CONVERSATION_SHOWN: usize = 8;

impl ChannelState {
    /// The oldest message the prompt shows: what came before it can be recalled. Before the first prompt everything that
    /// is kept counts as shown.
    pub fn first_shown_message(&self) -> Option<MessageId> {
        self.window
            .first()
            .or_else(|| self.timeline.messages().next().map(|said| said.message.id))
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
