//! What a message said is gone: nothing that waits for a prompt repeats it.

use super::Core;
use crate::chat::{Channel, ChannelKind};
use crate::quotes::{ErasedMessage, QuoteRedactor};

impl Core {
    /// Takes a message out of what waits for the next prompt, wherever a prompt may have shown it; where nobody knows its
    /// channel, that may be anywhere.
    pub(super) fn remove_quotes(&mut self, gone: &ErasedMessage) {
        let Some(quotes) = QuoteRedactor::new(gone) else {
            return;
        };
        let source = self.channel_states.get(&gone.channel);
        let source = source.map(|state| state.channel.clone());
        for state in self.channel_states.values_mut() {
            let is_reached = |source: &Channel| may_be_shown_in(source, &state.channel);
            if source.as_ref().is_none_or(is_reached) {
                state.remove_quotes(gone, &quotes);
            }
        }
    }
}

/// Whether a prompt of a channel may show what is said in another: of a server all of it, to its members in direct
/// messages as well.
fn may_be_shown_in(source: &Channel, channel: &Channel) -> bool {
    match (source.kind, channel.kind) {
        (ChannelKind::Direct, _) => source.id == channel.id,
        (_, ChannelKind::Direct) => source.guild.is_some(),
        _ => source.guild == channel.guild,
    }
}
