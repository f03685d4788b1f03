//! What a reaction of a member changes: any on a line of the companion says that it was welcome, 🤫 asks for quiet.

use std::sync::Arc;

use super::channel_state::ChannelState;
use super::demands::DecisionContext;
use crate::chat::{Author, AuthorKind, MessageId, Millis};
use crate::effect::Effect;
use crate::quiet_request::is_hush_emoji;

impl ChannelState {
    /// Somebody put a reaction on a message; answers whether that asks for quiet: 🤫 on one of its own lines.
    pub fn handle_reaction(
        &mut self,
        message: MessageId,
        by: Author,
        emoji: Arc<str>,
        at: Millis,
        context: DecisionContext<'_>,
        effects: &mut Vec<Effect>,
    ) -> bool {
        let said = self.timeline.find(message);
        let own = said.map(|said| said.message.author.kind) == Some(AuthorKind::Companion);
        let asks = own && by.kind == AuthorKind::Person && is_hush_emoji(&emoji);
        self.timeline.react(message, by.clone(), emoji, at);
        if by.kind == AuthorKind::Person && !asks {
            self.state.sense.record_reaction(message, by.id, at);
            self.changed = true;
        }
        if asks {
            self.keep_quiet(message, &by, at, context, effects);
        }
        asks
    }

    pub fn remove_reaction(&mut self, message: MessageId, by: &Author, emoji: &str) {
        self.timeline.remove_reaction(message, by, emoji);
    }
}
