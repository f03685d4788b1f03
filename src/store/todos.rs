//! What the companion means to do step by step, a list a channel. Text of its own making that may repeat what people said:
//! a line goes when what it repeats is erased, and when whom it tells of is forgotten.

use std::borrow::Cow;

use super::db::Database;
use super::forget::late_writes;
use super::{Store, StoreReply};
use crate::row_words::remove_lines;
use crate::row_writes::row;
use crate::sql::SqlResult;
use crate::values::params;
use kith_core::chat::{ChannelId, Millis};

impl Store {
    /// A channel's list, a step a line; empty where there is none.
    pub fn load_todos(&self, channel: ChannelId) -> StoreReply<String> {
        self.read(move |conn| {
            Ok(conn
                .read_first(
                    "SELECT list FROM todos WHERE channel = ?1",
                    params![channel],
                )?
                .unwrap_or_default())
        })
    }

    /// Keeps a channel's list, written at some time, in the place of the one before; without the lines that repeat what
    /// was just erased, and those that tell of somebody who is just being forgotten.
    pub fn put_todos(&self, channel: ChannelId, list: String, at: Millis) -> StoreReply<()> {
        self.write(move |db| {
            let list = late_writes::redact_list(db, channel, at, &list)?;
            let list = db
                .recent_erasures
                .find_in_channel(channel)
                .fold(list, |list, gone| {
                    remove_lines(&list, |line| gone.is_repeated_in(line)).map_or(list, Cow::Owned)
                });
            save_list(db, channel, &list, at)
        })
    }
}

fn save_list(db: &mut Database, channel: ChannelId, list: &str, at: Millis) -> SqlResult<()> {
    // What a list no longer says is forgotten as a deleted message is.
    db.erased = true;
    if list.is_empty() {
        return db.conn.delete_rows("todos", row! { channel }).map(drop);
    }
    db.conn.put_row("todos", row! { channel, list, at })
}
