//! Makes memories of what was said in a channel, one talk after the other. Each talk is one commit with how far the
//! channel was looked through, so that it can be broken off anywhere and goes on where it was.

use kith_core::chat::{ChannelId, MessageId, Millis};
use kith_core::consolidation::{
    GroupNote, LEAST_TELLABLE_LINES, LONGEST_TALK, TalkEpisode, TalkMessage, WordRarity,
    count_tellable_lines, extract_episode, find_talk_end,
};
use kith_core::context::RecalledMessage;
use kith_core::memory_entry::{MemoryDraft, MemoryOutcome};
use kith_core::persona::Persona;
use kith_core::preference::PersonPreference;
use kith_store::{MemoryBatch, StoreError, UnconsolidatedSpan};

use super::{BlockEditError, Memory, MemoryScope};

/// So many messages are read at once: enough that the first talk among them can be told.
const READ_AT_ONCE: usize = 2 * LONGEST_TALK;
/// The blocks for what everybody in a group should know: the first of them that a persona has.
const GROUP_BLOCKS: [&str; 2] = ["group", "notes"];
/// By so many earlier lines it is known which words are rare in a channel.
const EARLIER_LINES: usize = 1_000;

/// A talk that is over, and what was said before it.
#[derive(Clone, Debug)]
pub struct FinishedTalk {
    pub channel: ChannelId,
    pub messages: Vec<TalkMessage>,
    pub read_at: Millis,
    earlier: Vec<String>,
    until: MessageId,
}

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
    /// Whether so much was told that it may be worth remembering.
    pub fn tells_enough(&self) -> bool {
        count_tellable_lines(&self.messages) >= LEAST_TELLABLE_LINES
    }

    /// What happened in it, in the words of those who were there.
    fn extract(&self) -> Option<MemoryDraft> {
        let lines = self.messages.iter().map(|said| &*said.text);
        let rarity = WordRarity::from_lines(lines.chain(self.earlier.iter().map(String::as_str)));
        extract_episode(self.channel, &self.messages, &rarity)
    }
}

impl Memory {
    /// The first finished talk without memories. `begins_after`: what is left out of the channel's context for good.
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

    /// Keeps what is known of a talk, and that it was looked at; where a model did not say what happened, the lines that
    /// tell most. Notes go to the core memory of `home`, before all else: a line that a block holds is not added again, so
    /// that nothing is kept twice where this is broken off between the two.
    ///
    /// # Errors
    /// The store failed: that the talk was looked at is not kept.
    pub async fn finish_talk(
        &self,
        talk: &FinishedTalk,
        account: TalkEpisode,
        home: (MemoryScope, &Persona),
        now: Millis,
    ) -> Result<Vec<MemoryOutcome>, StoreError> {
        if let Some(note) = &account.note {
            self.append_note(talk, home, note, now).await?;
        }
        let has_episode = account.has_episode();
        let mut drafts = account.drafts;
        if !has_episode {
            drafts.extend(talk.extract());
        }
        for draft in &mut drafts {
            self.find_contradicted(talk.channel, draft).await?;
        }
        let batch = MemoryBatch {
            drafts,
            begun: talk.read_at,
            consolidated: Some((talk.channel, talk.until)),
        };
        self.remember(batch).await
    }

    /// A fact takes the place of what it contradicts in its channel.
    async fn find_contradicted(
        &self,
        channel: ChannelId,
        draft: &mut MemoryDraft,
    ) -> Result<(), StoreError> {
        let content = &draft.content;
        let Some(person) = content.person else {
            return Ok(());
        };
        let of = (person, content.kind);
        let old = self
            .find_superseded(vec![channel], of, None, &content.text)
            .await?;
        draft.supersedes = old.into_iter().map(|entry| entry.id).collect();
        Ok(())
    }

    /// Adds a line to the block of core memory for what everybody should know, unless a message that says it was changed or
    /// erased since, or its author does not want to be remembered. What does not fit is left out: a model's proposal pushes
    /// nothing out.
    pub async fn append_note(
        &self,
        talk: &FinishedTalk,
        (scope, persona): (MemoryScope, &Persona),
        note: &GroupNote,
        now: Millis,
    ) -> Result<(), StoreError> {
        if !self.is_still_said(talk, &note.sources).await? {
            return Ok(());
        }
        for label in GROUP_BLOCKS {
            match self.append(scope, persona, label, &note.text, now).await {
                Ok(_) => return Ok(()),
                Err(BlockEditError::NoBlock { .. }) => {}
                Err(BlockEditError::Store(error)) => return Err(error),
                Err(reason) => {
                    tracing::debug!(%reason, "a proposal for core memory was left out");
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Whether messages of a talk say what they said when it was read, by people who want to be remembered.
    async fn is_still_said(
        &self,
        talk: &FinishedTalk,
        sources: &[MessageId],
    ) -> Result<bool, StoreError> {
        let found = self
            .store
            .find_source_messages(talk.channel, sources.to_vec());
        let preferences = self.store.load_preferences();
        let (found, preferences) = (found.await?, preferences.await?);
        let is_same = |said: &TalkMessage| {
            let is_it =
                |(id, now): &(MessageId, RecalledMessage)| *id == said.id && now.text == said.text;
            found.iter().any(is_it) && preferences.get(said.author) == PersonPreference::Remember
        };
        let mut named = talk
            .messages
            .iter()
            .filter(|said| sources.contains(&said.id));
        Ok(named.all(is_same))
    }
}
