//! The blocks of core memory for the page: what the prompts of a channel show, what stood there before, and changes by who
//! runs Kith.

use std::sync::Arc;

use super::MemoryReply;
use crate::daemon::reply::{refuse_bad_request, refuse_missing, reply_later, to_request_refusal};
use crate::daemon::state::Daemon;
use kith_core::chat::{ChannelId, Millis};
use kith_core::persona::Persona;
use kith_language::room_refusals;
use kith_memory::{BlockEditError, Memory, MemoryScope};
use kith_room::{CoreMemoryBlock, EarlierBlock, MemoryAnswer, RequestRefusal};
use kith_system::clock;

pub(super) enum BlockChange {
    Rewrite(String),
    Undo,
    /// Nobody learns any more what it said before.
    ForgetHistory,
}

struct ChannelBlocks {
    memory: Memory,
    scope: MemoryScope,
    persona: Arc<Persona>,
}

impl Daemon {
    pub(super) fn answer_core_memory(&self, channel: ChannelId, to: MemoryReply) {
        let blocks = self.find_blocks(channel);
        reply_later(to, async move { blocks?.load().await });
    }

    /// Changes a block, and answers with all blocks.
    pub(super) fn change_block(
        &self,
        channel: ChannelId,
        label: String,
        change: BlockChange,
        to: MemoryReply,
    ) {
        let blocks = self.find_blocks(channel);
        reply_later(to, async move {
            let blocks = blocks?;
            blocks.change(&label, change).await?;
            blocks.load().await
        });
    }

    fn find_blocks(&self, channel: ChannelId) -> Result<ChannelBlocks, RequestRefusal> {
        let known = self.find_channel(channel);
        let known = known.ok_or_else(|| refuse_missing(room_refusals::no_channel()))?;
        let persona = match self.core.channel_state(channel) {
            Some(state) => state.policy().persona.clone(),
            None => self.resolve_policy(&known).persona,
        };
        let scope = MemoryScope::from_channel(channel, self.find_public_guild(&known));
        Ok(ChannelBlocks {
            memory: self.memory.clone(),
            scope,
            persona,
        })
    }
}

impl ChannelBlocks {
    async fn load(&self) -> Result<MemoryAnswer, RequestRefusal> {
        let loaded = self
            .memory
            .load_core_memory(self.scope, &self.persona)
            .await;
        let mut shown = Vec::new();
        for block in loaded.map_err(to_request_refusal)? {
            let versions = self.memory.find_block_versions(self.scope, &block.label);
            let versions = versions.await.map_err(to_request_refusal)?;
            // The newest version is what the block says now.
            let earlier = versions.into_iter().skip(1).map(|version| EarlierBlock {
                at: Some(version.at).filter(|at: &Millis| *at != 0),
                text: version.text,
            });
            shown.push(CoreMemoryBlock {
                label: block.label,
                description: block.description,
                text: block.text,
                dates: block.dates,
                limit: block.limit,
                history: earlier.collect(),
            });
        }
        Ok(MemoryAnswer::CoreMemory { blocks: shown })
    }

    async fn change(&self, label: &str, change: BlockChange) -> Result<(), RequestRefusal> {
        let (memory, scope) = (&self.memory, self.scope);
        match change {
            BlockChange::Rewrite(text) => {
                let written =
                    memory.rewrite_block(scope, &self.persona, label, &text, clock::now());
                written.await.map_err(to_block_refusal)?;
            }
            BlockChange::Undo => {
                let undone = memory.undo_block(scope, label).await;
                if undone.map_err(to_request_refusal)?.is_none() {
                    return Err(refuse_bad_request(room_refusals::no_earlier_block()));
                }
            }
            BlockChange::ForgetHistory => {
                let forgotten = memory.forget_earlier_versions(scope, label).await;
                forgotten.map_err(to_request_refusal)?;
            }
        }
        Ok(())
    }
}

fn to_block_refusal(error: BlockEditError) -> RequestRefusal {
    match error {
        BlockEditError::Store(error) => to_request_refusal(error),
        BlockEditError::NoBlock { .. } => RequestRefusal::not_found(error.to_string()),
        other => RequestRefusal::bad_request(other.to_string()),
    }
}
