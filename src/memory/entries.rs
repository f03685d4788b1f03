//! Memories of people and episodes on their way into the store: what nobody may remember of a person unasked stops here,
//! whoever wants to write it down.

use kith_core::chat::{ChannelId, MemoryId, MessageId, Millis, UserId};
use kith_core::context::RecalledMessage;
use kith_core::memory_entry::{
    MEMORY_CHARACTERS, MemoryContent, MemoryEntry, MemoryKind, MemoryOrigin, MemoryOutcome,
    MemoryRefusal, is_contradicted,
};
use kith_core::recall::extract_terms;
use kith_core::sensitive_topics::{asks_to_be_remembered, is_sensitive};
use kith_core::similarity::extract_letters;
use kith_store::{MemoryBatch, MemoryEdit, MemorySearch, StoreError};

use super::Memory;

impl Memory {
    /// Keeps what was found worth remembering, and answers what became of each; see
    /// [`kith_store::Store::put_memories`].
    ///
    /// # Errors
    /// The store failed, and nothing is kept.
    pub async fn remember(&self, mut batch: MemoryBatch) -> Result<Vec<MemoryOutcome>, StoreError> {
        let mut refusals = Vec::new();
        let mut kept = Vec::new();
        for draft in std::mem::take(&mut batch.drafts) {
            let refusal = self.find_refusal(&draft.content).await?;
            if refusal.is_none() {
                kept.push(draft);
            }
            refusals.push(refusal);
        }
        batch.drafts = kept;
        let mut stored = self.store.put_memories(batch).await?.into_iter();
        let outcomes = refusals.into_iter().map(|refusal| match refusal {
            Some(refusal) => Some(MemoryOutcome::Refused(refusal)),
            None => stored.next(),
        });
        Ok(outcomes.flatten().collect())
    }

    /// Says a memory in other words; see [`kith_store::Store::edit_memory`]. None, too, where they may not be kept.
    pub async fn correct(
        &self,
        id: MemoryId,
        edit: MemoryEdit,
        at: Millis,
    ) -> Result<Option<MemoryId>, StoreError> {
        let Some(entry) = self.store.memory(id).await? else {
            return Ok(None);
        };
        let content = edit.apply(entry.content);
        if self.find_refusal(&content).await?.is_some() {
            return Ok(None);
        }
        self.store.edit_memory(id, edit, at).await
    }

    /// What is remembered; see [`kith_store::Store::find_memories`]. The caller names the channels that may be seen.
    pub async fn find_memories(
        &self,
        search: MemorySearch,
    ) -> Result<Vec<MemoryEntry>, StoreError> {
        self.store.find_memories(search).await
    }

    /// The message that a text was most likely taken from: the newest of those that share most of its words.
    pub async fn find_likely_source(
        &self,
        channel: ChannelId,
        messages: Vec<MessageId>,
        text: &str,
    ) -> Result<Option<(MessageId, RecalledMessage)>, StoreError> {
        let wanted = extract_terms(text);
        let said = self.store.find_source_messages(channel, messages).await?;
        let count_shared = |(_, said): &(MessageId, RecalledMessage)| {
            let held = extract_terms(&said.text);
            wanted.iter().filter(|term| held.contains(term)).count()
        };
        Ok(said.into_iter().max_by_key(count_shared))
    }

    /// What a new fact of a kind about somebody takes the place of, among what may be seen in these channels: what holds
    /// the `old` words, where they are named, else what it contradicts.
    pub async fn find_superseded(
        &self,
        channels: Vec<ChannelId>,
        (person, kind): (UserId, MemoryKind),
        old: Option<&str>,
        text: &str,
    ) -> Result<Vec<MemoryEntry>, StoreError> {
        let search = MemorySearch {
            channels,
            people: vec![person],
            kinds: vec![kind],
            limit: usize::MAX,
            ..MemorySearch::default()
        };
        let old = old.map(extract_letters).filter(|old| !old.is_empty());
        let is_meant = |known: &str| match &old {
            Some(old) => extract_letters(known).contains(old),
            None => is_contradicted(known, text),
        };
        let mut found = self.store.find_memories(search).await?;
        found.retain(|entry| {
            let content = &entry.content;
            content.person == Some(person) && is_meant(&content.text)
        });
        Ok(found)
    }

    /// Why something may not be kept, whatever the store knows of it.
    async fn find_refusal(
        &self,
        content: &MemoryContent,
    ) -> Result<Option<MemoryRefusal>, StoreError> {
        if content.text.trim().chars().count() > MEMORY_CHARACTERS {
            return Ok(Some(MemoryRefusal::TooLong));
        }
        if is_sensitive(&content.text) && !self.is_asked_for(content).await? {
            return Ok(Some(MemoryRefusal::Sensitive));
        }
        Ok(None)
    }

    /// Whether the person themselves wants it remembered: they wrote it down, or one message of theirs both tells it and
    /// asks for it. An episode is of several people, none of whom can ask for the others.
    async fn is_asked_for(&self, content: &MemoryContent) -> Result<bool, StoreError> {
        let Some(person) = content.person.filter(|_| !content.is_hearsay()) else {
            return Ok(false);
        };
        if content.origin == MemoryOrigin::Person {
            return Ok(true);
        }
        let sources = self
            .store
            .find_source_messages(content.channel, content.sources.clone())
            .await?;
        Ok(sources.iter().any(|(_, said)| {
            said.author == person && is_sensitive(&said.text) && asks_to_be_remembered(&said.text)
        }))
    }
}
