//! Makes memories of what was said in a channel once it is quiet: in the background, one channel at a time, and nothing at
//! all where nothing was said.

use super::loop_message::LoopMessage;
use super::state::Daemon;
use kith_core::chat::{ChannelId, MessageId, Millis};
use kith_core::consolidation::TALK_PAUSE;
use kith_core::memory_entry::MemoryOutcome;
use kith_core::policy::ChannelMode;
use kith_memory::{ConsolidationStep, Memory};
use kith_store::StoreError;
use kith_system::clock;

/// A channel was made into memories, as far as that goes now.
pub(super) struct ConsolidationProgress {
    channel: ChannelId,
    /// When it is to be looked at again: something was said that may still go on, or the store failed.
    again: Option<Millis>,
}

impl Daemon {
    /// Begins with the next channel that is due, unless one is under way.
    pub(super) fn start_due_consolidation(&mut self, now: Millis) {
        while let Some(channel) = self.consolidation.start_due(now) {
            match self.core.channel_state(channel) {
                // It may be heard of later, as on Discord, or never again.
                None => self.consolidation.finish(channel, Some(now + TALK_PAUSE)),
                Some(state) if state.policy().mode == ChannelMode::Off => {
                    self.consolidation.finish(channel, None)
                }
                Some(state) => {
                    let work = ConsolidationWork {
                        memory: self.memory.clone(),
                        channel,
                        begins_after: state.state().begins_after,
                    };
                    let loop_sender = self.loop_sender.clone();
                    tokio::spawn(async move {
                        let progress = work.run().await;
                        let _ = loop_sender.send(LoopMessage::Consolidation(progress)).await;
                    });
                }
            }
        }
    }

    pub(super) fn handle_consolidation_progress(&mut self, progress: ConsolidationProgress) {
        self.consolidation.finish(progress.channel, progress.again);
    }
}

/// A channel on its way into memories.
struct ConsolidationWork {
    memory: Memory,
    channel: ChannelId,
    begins_after: Option<MessageId>,
}

impl ConsolidationWork {
    async fn run(self) -> ConsolidationProgress {
        let channel = self.channel;
        let again = self.consolidate_talks().await.unwrap_or_else(|error| {
            tracing::warn!(%channel, %error, "what was said was not made into memories; trying again later");
            Some(clock::now() + TALK_PAUSE)
        });
        ConsolidationProgress { channel, again }
    }

    /// Takes talk after talk; answers with when the next may be over.
    async fn consolidate_talks(&self) -> Result<Option<Millis>, StoreError> {
        loop {
            let step = self
                .memory
                .find_finished_talk(self.channel, self.begins_after, clock::now())
                .await?;
            let talk = match step {
                ConsolidationStep::Talk(talk) => talk,
                ConsolidationStep::Unfinished(newest) => return Ok(Some(newest + TALK_PAUSE)),
                ConsolidationStep::Complete => return Ok(None),
            };
            let outcomes = self.memory.finish_talk(&talk, talk.extract()).await?;
            let is_kept = |outcome: &&MemoryOutcome| !matches!(outcome, MemoryOutcome::Refused(_));
            let kept = outcomes.iter().filter(is_kept).count();
            tracing::debug!(channel = %self.channel, lines = talk.messages.len(), kept, "a talk was made into memories");
        }
    }
}
