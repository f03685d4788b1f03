//! Core memory: the labelled blocks a persona starts with, and the companion's edits of them. A block enters the store
//! with its first edit; until then the persona's text counts, so that a persona can still be improved.

use kith_language::{LocalizedMessage, memory};
use std::error::Error;
use std::fmt;

use super::{Memory, MemoryScope};
use kith_core::chat::Millis;
use kith_core::context::CoreBlock;
use kith_core::persona::{MemoryBlock, Persona};
use kith_store::{BlockVersion, StoreError, StoredBlock};

/// The block a persona has that names none.
const DEFAULT_LABEL: &str = "notes";

fn drop_empty_lines(text: &str) -> String {
    let lines = text.lines().map(str::trim_end);
    let lines: Vec<&str> = lines.filter(|line| !line.is_empty()).collect();
    lines.join("\n")
}

/// Why a block was not changed, in a sentence for the model.
#[derive(Clone, Debug)]
pub enum BlockEditError {
    NoBlock {
        label: String,
        /// The labels there are, separated by commas.
        known: String,
    },
    NothingToAdd,
    /// The words to be changed are not named.
    NothingToChange,
    /// The words to be replaced are not there.
    NotFound {
        label: String,
        /// The words that were looked for.
        old: String,
    },
    /// The words to be replaced are there more than once.
    Ambiguous {
        label: String,
        old: String,
        times: usize,
    },
    TooLong {
        label: String,
        /// By how many characters.
        over: usize,
        /// The most it may hold, in characters.
        limit: usize,
    },
    Store(StoreError),
}

impl Memory {
    /// The blocks of a scope as prompts show them: the persona's by label, then older ones. The persona's limits hold.
    pub async fn load_core_memory(
        &self,
        scope: MemoryScope,
        persona: &Persona,
    ) -> Result<Vec<CoreBlock>, StoreError> {
        let stored = self.store.load_core_memory(scope.to_string());
        let dates = self.store.load_line_dates(scope.to_string());
        let (stored, dates) = (stored.await?, dates.await?);
        let fallback = (DEFAULT_LABEL.to_owned(), MemoryBlock::default());
        let start: Vec<(&String, &MemoryBlock)> = match persona.core_memory.is_empty() {
            true => vec![(&fallback.0, &fallback.1)],
            false => persona.core_memory.iter().collect(),
        };
        let mut blocks: Vec<CoreBlock> = start
            .into_iter()
            .map(|(label, block)| CoreBlock {
                label: label.clone(),
                description: block.description.clone(),
                text: block.text.trim().to_owned(),
                limit: block.limit,
                dates: Vec::new(),
            })
            .collect();
        for edited in stored {
            match blocks.iter_mut().find(|block| block.label == edited.label) {
                Some(block) => block.text = edited.text,
                None => blocks.push(CoreBlock {
                    label: edited.label,
                    text: edited.text,
                    limit: edited.limit,
                    ..CoreBlock::default()
                }),
            }
        }
        for (label, dates) in dates {
            if let Some(block) = blocks.iter_mut().find(|block| block.label == label) {
                block.dates = dates;
            }
        }
        Ok(blocks)
    }

    /// Adds a line to a block, once, and answers with the block. An error is what the model can mend, or the store's.
    pub async fn append(
        &self,
        scope: MemoryScope,
        persona: &Persona,
        label: &str,
        text: &str,
        now: Millis,
    ) -> Result<CoreBlock, BlockEditError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(BlockEditError::NothingToAdd);
        }
        self.edit(scope, persona, label, now, |block| {
            if !block.text.lines().any(|line| line.trim() == text) {
                if !block.text.is_empty() {
                    block.text.push('\n');
                }
                block.text.push_str(text);
            }
            Ok(())
        })
        .await
    }

    /// Replaces words that a block holds exactly once, and answers with the block; an empty `new` deletes them.
    /// An error is what the model can mend, or the store's.
    pub async fn replace(
        &self,
        scope: MemoryScope,
        persona: &Persona,
        label: &str,
        change: BlockEdit<'_>,
        now: Millis,
    ) -> Result<CoreBlock, BlockEditError> {
        let (old, new) = (change.old.trim(), change.new.trim());
        if old.is_empty() {
            return Err(BlockEditError::NothingToChange);
        }
        self.edit(scope, persona, label, now, |block| {
            let (label, words) = (block.label.clone(), old.to_owned());
            match block.text.matches(old).count() {
                0 => return Err(BlockEditError::NotFound { label, old: words }),
                1 => block.text = block.text.replacen(old, new, 1),
                times => {
                    return Err(BlockEditError::Ambiguous {
                        label,
                        old: words,
                        times,
                    });
                }
            }
            block.text = drop_empty_lines(&block.text);
            Ok(())
        })
        .await
    }

    /// Gives a block another text without its empty lines, and answers with the block. An error: no such block,
    /// too long a text, or the store's.
    pub async fn rewrite_block(
        &self,
        scope: MemoryScope,
        persona: &Persona,
        label: &str,
        text: &str,
        now: Millis,
    ) -> Result<CoreBlock, BlockEditError> {
        self.edit(scope, persona, label, now, |block| {
            block.text = drop_empty_lines(text);
            Ok(())
        })
        .await
    }

    /// Erases what a block said before, for good: its edits cannot be undone any more.
    pub async fn forget_earlier_versions(
        &self,
        scope: MemoryScope,
        label: &str,
    ) -> Result<(), StoreError> {
        let _held = self.edits.lock().await;
        self.store
            .forget_earlier_versions(scope.to_string(), label)
            .await
    }

    /// The versions of a block that are kept, newest first.
    pub async fn find_block_versions(
        &self,
        scope: MemoryScope,
        label: &str,
    ) -> Result<Vec<BlockVersion>, StoreError> {
        self.store
            .find_block_versions(scope.to_string(), label)
            .await
    }

    /// Takes the newest edit of a block back. Answers with what it says then; None where there is no edit to take back.
    pub async fn undo_block(
        &self,
        scope: MemoryScope,
        label: &str,
    ) -> Result<Option<BlockVersion>, StoreError> {
        let _held = self.edits.lock().await;
        self.store.undo_block(scope.to_string(), label).await
    }

    async fn edit(
        &self,
        scope: MemoryScope,
        persona: &Persona,
        label: &str,
        now: Millis,
        change: impl FnOnce(&mut CoreBlock) -> Result<(), BlockEditError>,
    ) -> Result<CoreBlock, BlockEditError> {
        let _held = self.edits.lock().await;
        let mut blocks = self.load_core_memory(scope, persona).await?;
        let found = blocks
            .iter()
            .position(|block| block.label.eq_ignore_ascii_case(label.trim()));
        let Some(at) = found else {
            let known: Vec<&str> = blocks.iter().map(|block| block.label.as_str()).collect();
            return Err(BlockEditError::NoBlock {
                label: label.trim().to_owned(),
                known: known.join(", "),
            });
        };
        let mut block = blocks.swap_remove(at);
        let before = block.text.clone();
        let length_before = before.chars().count();
        change(&mut block)?;
        let (label, text, limit) = (block.label.clone(), block.text.clone(), block.limit);
        let after = text.chars().count();
        // A block over its limit (the persona lowered it) may still be made shorter.
        if after > limit && after >= length_before {
            return Err(BlockEditError::TooLong {
                label,
                over: after - limit,
                limit,
            });
        }
        let version = |text, updated_at| StoredBlock {
            label: label.clone(),
            text,
            limit,
            updated_at,
        };
        let versions = self
            .store
            .find_block_versions(scope.to_string(), label.clone())
            .await?;
        // What the persona began with is its first version, of no date, so that the first edit can be undone, too.
        if versions.is_empty() {
            let start = version(before, 0);
            self.store.put_core_memory(scope.to_string(), start).await?;
        }
        let written = version(text, now);
        self.store
            .put_core_memory(scope.to_string(), written)
            .await?;
        Ok(block)
    }
}

#[derive(Clone, Copy, Debug)]
pub struct BlockEdit<'a> {
    /// The words as the block shows them.
    pub old: &'a str,
    pub new: &'a str,
}

impl From<BlockEditError> for LocalizedMessage {
    fn from(error: BlockEditError) -> Self {
        match error {
            BlockEditError::NoBlock { label, known } => memory::no_block(known, label),
            BlockEditError::NothingToAdd => memory::nothing_to_add(),
            BlockEditError::NothingToChange => memory::nothing_to_change(),
            BlockEditError::NotFound { label, old } => memory::words_not_found(label, old),
            BlockEditError::Ambiguous { label, old, times } => {
                memory::words_ambiguous(label, old, times)
            }
            BlockEditError::TooLong { label, over, limit } => {
                memory::block_too_long(label, limit, over)
            }
            BlockEditError::Store(error) => memory::block_not_saved(error.to_string()),
        }
    }
}

impl fmt::Display for BlockEditError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        LocalizedMessage::from(self.clone()).fmt(f)
    }
}

impl Error for BlockEditError {}

impl From<StoreError> for BlockEditError {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}
