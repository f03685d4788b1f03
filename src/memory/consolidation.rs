//! Makes memories of what was said in a channel, one talk after the other. Each talk is one commit with how far the
//! channel was looked through, so that it can be broken off anywhere and goes on where it was.

use kith_core::chat::{ChannelId, MessageId, Millis};
use kith_core::consolidation::{
    LONGEST_TALK, TalkMessage, WordRarity, extract_episode, find_talk_end,
};
use kith_core::memory_entry::{MemoryDraft, MemoryOutcome};
use kith_store::{MemoryBatch, StoreError, UnconsolidatedSpan};

use super::Memory;

/// So many messages are read at once: enough that the first talk among them can be told.
const READ_AT_ONCE: usize = 2 * LONGEST_TALK;
/// By so many earlier lines it is known which words are rare in a channel.
const EARLIER_LINES: usize = 1_000;

/// A talk that is over, and what was said before it.
#[derive(Clone, Debug)]
pub struct FinishedTalk {
    pub channel: ChannelId,
    pub messages: Vec<TalkMessage>,
    /// When it was read.
    pub read_at: Millis,
    earlier: Vec<String>,
    until: MessageId,
}

/// What is to be done next in a channel.
#[derive(Clone, Debug)]
pub enum ConsolidationStep {
    /// This talk is over and no memories were made of it.
    Talk(Box<FinishedTalk>),
    /// Something was said that may still go on; the newest of it at this time.
    Unfinished(Millis),
    /// Everything was looked at.
    Complete,
}

impl FinishedTalk {
    /// What happened in it, in the words of those who were there.
    pub fn extract(&self) -> Vec<MemoryDraft> {
        let lines = self.messages.iter().map(|said| &*said.text);
        let rarity = WordRarity::from_lines(lines.chain(self.earlier.iter().map(String::as_str)));
        let episode = extract_episode(self.channel, &self.messages, &rarity);
        episode.into_iter().collect()
    }
}

impl Memory {
    /// The first talk of a channel that is over and was not made into memories. `begins_after`: what is left out of its
    /// context for good.
    ///
    /// # Errors
    /// The store failed.
    pub async fn find_finished_talk(
        &self,
        channel: ChannelId,
        begins_after: Option<MessageId>,
        now: Millis,
    ) -> Result<ConsolidationStep, StoreError> {
        let reading =
            self.store
                .read_unconsolidated(channel, begins_after, READ_AT_ONCE, EARLIER_LINES);
        let UnconsolidatedSpan {
            mut messages,
            has_more,
            earlier,
        } = reading.await?;
        let Some(last) = messages.last() else {
            return Ok(ConsolidationStep::Complete);
        };
        let newest = last.at;
        // Where more was said nobody knows whether the last talk is over.
        let until = if has_more { newest } else { now };
        let Some(end) = find_talk_end(&messages, until) else {
            return Ok(ConsolidationStep::Unfinished(newest));
        };
        messages.truncate(end);
        let Some(until) = messages.last().map(|said| said.id) else {
            return Ok(ConsolidationStep::Complete);
        };
        Ok(ConsolidationStep::Talk(Box::new(FinishedTalk {
            channel,
            messages,
            read_at: now,
            earlier,
            until,
        })))
    }

    /// Keeps what was made of a talk, and that it was looked at.
    ///
    /// # Errors
    /// The store failed, and neither is kept.
    pub async fn finish_talk(
        &self,
        talk: &FinishedTalk,
        drafts: Vec<MemoryDraft>,
    ) -> Result<Vec<MemoryOutcome>, StoreError> {
        let batch = MemoryBatch {
            drafts,
            begun: talk.read_at,
            consolidated: Some((talk.channel, talk.until)),
        };
        self.remember(batch).await
    }
}
