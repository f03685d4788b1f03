//! What is written down of a forgetting before anything is erased, so that what the end of the process cut off is finished
//! by the next. Who quotes somebody is known by what they wrote, and that is erased first: so the traces are written down.

use serde::{Deserialize, Serialize};

use super::person_traces::{PersonRecords, UnrememberedMessage};
use crate::db::Database;
use crate::error::StoreError;
use crate::handle::Store;
use crate::leavers::target::ForgetTarget;
use crate::meta;
use crate::row_writes::row;
use crate::sql::SqlResult;
use crate::values::{JsonColumn, ReadRow, params};
use kith_core::chat::{ChannelId, Millis, UserId};

/// What the keys in `meta` begin with; a number follows.
pub(super) const KEY: &str = "forgetting.";

pub type RecordKey = String;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum ForgettingStep {
    /// Something of the person may still be there.
    Erase(Box<UnfinishedForgetting>),
    /// Messages of people who are not remembered are erased, or are about to be, and the companion may still quote them.
    RemoveQuotes(Vec<UnrememberedMessage>),
    /// All rows are clean, and unused pages may not be. Names nobody.
    Rewrite,
}

impl ForgettingStep {
    /// Whether it is about a person, or about nobody whose name is known any more.
    pub fn may_concern(&self, user: UserId) -> bool {
        match self {
            Self::Erase(record) => record.user == user,
            Self::RemoveQuotes(messages) => messages.iter().any(|message| message.author == user),
            Self::Rewrite => true,
        }
    }
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct UnfinishedForgetting {
    pub user: UserId,
    /// Everywhere where there are none.
    pub channels: Option<Vec<ChannelId>>,
    pub at: Millis,
    pub arrival: i64,
    /// None before all was looked through: then nothing is erased.
    pub traces: Option<PersonRecords>,
}

impl UnfinishedForgetting {
    fn new(db: &Database, target: &ForgetTarget, at: Millis) -> Self {
        Self {
            user: target.user,
            channels: target.channels().map(<[_]>::to_vec),
            at,
            arrival: db.arrival as i64,
            traces: None,
        }
    }
}

pub fn begin(
    db: &mut Database,
    target: &ForgetTarget,
    at: Millis,
) -> SqlResult<(RecordKey, UnfinishedForgetting)> {
    let record = UnfinishedForgetting::new(db, target, at);
    let key = begin_step(db, &ForgettingStep::Erase(Box::new(record.clone())))?;
    Ok((key, record))
}

pub fn begin_step(db: &mut Database, step: &ForgettingStep) -> SqlResult<RecordKey> {
    let key = format!("{KEY}{}", db.advance_arrival());
    set_step(db, &key, step)?;
    Ok(key)
}

pub fn set_step(db: &Database, key: &str, step: &ForgettingStep) -> SqlResult<()> {
    meta::put_meta(&db.conn, key, &JsonColumn(step))
}

/// Before anything is erased: what was found of them.
pub fn record_traces(
    store: &Store,
    key: &RecordKey,
    record: UnfinishedForgetting,
    traces: &PersonRecords,
) -> Result<(), StoreError> {
    let key = key.clone();
    let step = ForgettingStep::Erase(Box::new(UnfinishedForgetting {
        traces: Some(traces.clone()),
        ..record
    }));
    store.write(move |db| set_step(db, &key, &step)).wait()
}

/// Nothing is left to be done.
pub fn remove(store: &Store, key: &RecordKey) -> Result<(), StoreError> {
    let key = key.clone();
    store.write(move |db| delete(db, &key)).wait()
}

/// The same within a transaction.
pub fn delete(db: &Database, key: &RecordKey) -> SqlResult<()> {
    db.conn.delete_rows("meta", row! { key }).map(drop)
}

pub fn find_all(store: &Store) -> Result<Vec<(RecordKey, ForgettingStep)>, StoreError> {
    let find = store.read(|conn| {
        let find = "SELECT key, value FROM meta WHERE substr(key, 1, length(?1)) = ?1 ORDER BY length(key), key";
        conn.map_all(find, params![KEY], |row| Ok((row.read(0)?, row.read_json(1)?)))
    });
    find.wait()
}
