//! What a message said is gone: nothing that waits for a prompt repeats it.

use std::cell::LazyCell;

use super::Core;
use crate::chat::{Channel, ChannelKind};
use crate::quotes::{ErasedMessage, QuoteRedactor};

impl Core {
    /// Takes a message out of what waits for the next prompt; anywhere, where nobody knows its channel.
    pub(super) fn remove_quotes(&mut self, gone: &ErasedMessage) {
        // Its patterns take longer to make than all else here, and hardly ever does anything wait.
        let quotes = LazyCell::new(|| QuoteRedactor::new(gone));
        let source = self.channel_states.get(&gone.channel);
        let source = source.map(|state| state.channel.clone());
        for state in self.channel_states.values_mut() {
            let is_reached = |source: &Channel| may_be_shown_in(source, &state.channel);
            if !source.as_ref().is_none_or(is_reached) {
                continue;
            }
            state.record_erasure(gone);
            if state.has_leftovers()
                && let Some(quotes) = &*quotes
            {
                state.remove_quotes(quotes);
            }
        }
    }
}

/// Whether a prompt of a channel may show what is said in another: of a server all of it, to its members in direct
/// messages as well. The store asks its tables the same (`prompt_reach.rs`).
fn may_be_shown_in(source: &Channel, channel: &Channel) -> bool {
    match (source.kind, channel.kind) {
        (ChannelKind::Direct, _) => source.id == channel.id,
        (_, ChannelKind::Direct) => source.guild.is_some(),
        _ => source.guild == channel.guild,
    }
}
