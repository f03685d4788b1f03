//! Coming back: what was on its way out is settled first, then every channel is put back from its saved state and the
//! stored tail.

use std::sync::Arc;

use super::state::Daemon;
use kith_core::channel::SavedChannelState;
use kith_core::chat::{AuthorKind, Channel, ChannelId, ChannelKind, MINUTE, MessageId, Millis};
use kith_core::event::{ChatEvent, Event};
use kith_core::intent::ScheduledIntent;
use kith_core::timeline::TIMELINE_ENTRIES;
use kith_store::{RestoredChannel, StoreError, StoredReaction};

impl Daemon {
    /// Puts one channel back from its saved state and the stored tail.
    pub(super) async fn restore_channel(
        &mut self,
        now: Millis,
        channel: Channel,
    ) -> Result<(), StoreError> {
        let restored = self.store.restore(channel.id, TIMELINE_ENTRIES).await?;
        let state = self.restore_state(channel.id, &restored);
        let policy = Arc::new(self.resolve_policy(&channel));
        let (id, kind, parent) = (channel.id, channel.kind, channel.parent);
        let intentions = self.store.find_intentions(id).await?;
        log_given_up(id, &state, &intentions);
        // Who is to be reminded is to be called by a mention, whether or not they have written since.
        for intention in intentions.iter().filter(|known| !known.name.is_empty()) {
            if let Some(whom) = intention.reminder.and_then(|reminder| reminder.whom) {
                self.platform.remember_name(id, whom, &intention.name);
            }
        }
        let tail = restored
            .tail
            .iter()
            .map(|line| line.message.clone())
            .collect();
        let effects = self
            .core
            .restore_channel(now, channel, policy, state, intentions, tail);
        self.execute_effects(effects);
        if let Some(parent) = parent.filter(|_| kind == ChannelKind::Thread) {
            // Where it was opened at a message it bears that one's id. Who sees a thread sees what it was opened at.
            let opening = self.store.find_message(parent, MessageId(id.0)).await?;
            let opening = opening.map(|line| ChatEvent::Earlier(line.message));
            if let Some(event) = opening {
                self.handle_event(Event::Chat(event));
            }
        }
        self.start_tool_session(id);
        self.restore_outcomes(id).await;
        if self.platform.abilities().backfill {
            // No decision looks at the tail alone: what was missed comes after it.
            self.handle_event(Event::BackfillRunning {
                channel: id,
                until: now + MINUTE,
            });
        }
        for line in restored.tail {
            for StoredReaction { author, emoji, at } in line.reactions {
                let message = line.message.id;
                self.handle_event(Event::Chat(ChatEvent::Reaction {
                    channel: id,
                    message,
                    author,
                    emoji,
                    added: true,
                    at,
                }));
            }
        }
        Ok(())
    }

    /// A channel's state as it was saved, with what was said since.
    fn restore_state(&self, channel: ChannelId, restored: &RestoredChannel) -> SavedChannelState {
        let saved = restored.state.as_ref().and_then(|json| match serde_json::from_str::<SavedChannelState>(json) {
            Ok(state) => Some(state),
            Err(error) => {
                // Numbers only: they grow again from the stored tail.
                tracing::warn!(%error, %channel, "the saved state cannot be read; it starts anew");
                None
            }
        });
        let mut state = saved.unwrap_or_default();
        state.seen = state.seen.max(restored.cursor);
        // What was said after they were put off answers them, unless it went to another of them.
        let is_answered = |message| {
            let mut said = restored
                .tail
                .iter()
                .filter(|line| line.message.author.kind == AuthorKind::Companion);
            said.any(|line| line.message.reply_to == Some(message))
        };
        state
            .put_off
            .retain(|put_off| restored.cursor <= put_off.after && !is_answered(put_off.message));
        state
    }
}

/// What was begun twice and ended the process both times is not begun again.
fn log_given_up(id: ChannelId, state: &SavedChannelState, intentions: &[ScheduledIntent]) {
    for message in state.given_up_messages() {
        tracing::warn!(
            channel = %id,
            %message,
            "answering this message was begun twice and the process ended without being told to: it is given up, and \
             who asked sees that it failed. What ended the process stands above or in the system's journal, often a \
             tool the turn called; once that is mended, ask again"
        );
    }
    for intention in intentions
        .iter()
        .filter(|intention| state.attempts.is_intention_given_up(intention.id))
    {
        tracing::warn!(
            channel = %id,
            intention = %intention.id,
            reminder = intention.reminder.is_some(),
            "coming back to what it waited for was begun twice and the process ended without being told to: it is given \
             up, and who asked for a reminder sees that it failed. What ended the process stands above or in the \
             system's journal, often a tool the turn called"
        );
    }
}
