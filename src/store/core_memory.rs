//! Core memory blocks, and small values by key. Plain rows: what they mean is others' business.

use super::forget::late_writes;
use super::{Store, StoreReply, block_versions, deleted_quotes, meta};
use crate::row_writes::row;
use crate::values::{ReadRow, params};
use kith_core::chat::Millis;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredBlock {
    /// Its label, unique in its scope.
    pub label: String,
    pub text: String,
    /// The most it may hold, in characters. Kept, not checked.
    pub limit: usize,
    pub updated_at: Millis,
}

impl Store {
    pub fn load_core_memory(&self, scope: impl Into<String>) -> StoreReply<Vec<StoredBlock>> {
        let scope = scope.into();
        self.read(move |conn| {
            let find = "SELECT label, text, max_chars, updated_at FROM core_memory WHERE scope = ?1 ORDER BY label";
            conn.map_all(find, params![&scope], |row| {
                Ok(StoredBlock {
                    label: row.read(0)?,
                    text: row.read(1)?,
                    limit: row.read::<i64>(2)? as usize,
                    updated_at: row.read(3)?,
                })
            })
        })
    }

    /// The blocks of all scopes, each with its scope.
    pub fn all_core_memory(&self) -> StoreReply<Vec<(String, StoredBlock)>> {
        self.read(|conn| {
            let find = "SELECT scope, label, text, max_chars, updated_at FROM core_memory ORDER BY scope, label";
            conn.map_all(find, params![], |row| {
                let block = StoredBlock {
                    label: row.read(1)?,
                    text: row.read(2)?,
                    limit: row.read::<i64>(3)? as usize,
                    updated_at: row.read(4)?,
                };
                Ok((row.read(0)?, block))
            })
        })
    }

    /// Writes a block, in the place of one with its label; without the lines that tell of somebody who is just being
    /// forgotten, or of a message that was just deleted.
    pub fn put_core_memory(&self, scope: impl Into<String>, block: StoredBlock) -> StoreReply<()> {
        let scope = scope.into();
        self.write(move |db| {
            let StoredBlock {
                label,
                text,
                limit,
                updated_at,
            } = &block;
            let text = late_writes::redact_memory(db, &scope, *updated_at, text)?;
            let text = deleted_quotes::redact_late_note(db, &text)?;
            let row = row! { scope, label, text, max_chars: *limit as i64, updated_at };
            db.conn.put_row("core_memory", row)?;
            block_versions::add_version(db, &scope, label, &text, *updated_at)?;
            // What a block no longer says is forgotten as a deleted message is.
            db.erased = true;
            Ok(())
        })
    }

    pub fn load_meta(&self, key: impl Into<String>) -> StoreReply<Option<String>> {
        let key = key.into();
        self.read(move |conn| meta::read_meta(conn, &key))
    }

    pub fn set_meta(&self, key: impl Into<String>, value: impl Into<String>) -> StoreReply<()> {
        let (key, value) = (key.into(), value.into());
        self.write(move |db| meta::put_meta(&db.conn, &key, &value))
    }
}
