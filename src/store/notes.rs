//! What the companion writes down for itself, text of its own making that may repeat what people said: core memory, lists
//! of steps, summaries, what it waits for. A line goes when what it repeats is erased, and when whom it tells of is
//! forgotten; a summary goes whole. Small values by key stand beside them.

use std::borrow::Cow;

use crate::block_versions::{BlockVersion, SEEN, undo};
use crate::db::Database;
use crate::from_row::from_row;
use crate::handle::{Store, StoreReply};
use crate::leavers::late_writes;
use crate::row_words::remove_lines;
use crate::row_writes::row;
use crate::sql::{SqlConnection, SqlResult};
use crate::values::{JsonColumn, ReadRow, params};
use crate::{block_versions, deleted_quotes, meta, preferences};
use kith_core::chat::{ChannelId, IntentionId, MessageId, Millis};
use kith_core::compaction::{ChannelSummary, SummarySpan};
use kith_core::context::RecalledMessage;
use kith_core::intent::{FiredIntent, ScheduledIntent};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredBlock {
    /// Its label, unique in its scope.
    pub label: String,
    pub text: String,
    /// The most it may hold, in characters. Kept, not checked.
    pub limit: usize,
    pub updated_at: Millis,
}

from_row! { StoredBlock { label, text, limit, updated_at } }

const INTENT_COLUMNS: &str =
    "id, made, after, expires, person, name, word, time, note, fired, reminder";

impl Store {
    pub fn load_core_memory(&self, scope: impl Into<String>) -> StoreReply<Vec<StoredBlock>> {
        let scope = scope.into();
        self.read(move |conn| {
            let find = "SELECT label, text, max_chars, updated_at FROM core_memory WHERE scope = ?1 ORDER BY label";
            conn.read_all(find, params![&scope])
        })
    }

    pub fn all_core_memory(&self) -> StoreReply<Vec<(String, StoredBlock)>> {
        self.read(|conn| {
            let find = "SELECT scope, label, text, max_chars, updated_at FROM core_memory ORDER BY scope, label";
            conn.read_all(find, params![])
        })
    }

    /// Writes a block, in the place of one with its label; without the lines that tell of somebody who is just being
    /// forgotten, or of a message that was just deleted.
    pub fn put_core_memory(&self, scope: impl Into<String>, block: StoredBlock) -> StoreReply<()> {
        let scope = scope.into();
        self.write(move |db| {
            let (label, updated_at) = (&block.label, block.updated_at);
            let text = late_writes::redact_memory(db, &scope, updated_at, &block.text)?;
            let text = deleted_quotes::redact_late_note(db, &text)?;
            let row = row! { scope, label, text, max_chars: block.limit, updated_at };
            db.conn.put_row("core_memory", row)?;
            block_versions::add_version(db, &scope, label, &text, updated_at)?;
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

    pub fn find_block_versions(
        &self,
        scope: impl Into<String>,
        label: impl Into<String>,
    ) -> StoreReply<Vec<BlockVersion>> {
        let (scope, label) = (scope.into(), label.into());
        self.read(move |conn| {
            let find = "SELECT number, at, text, dates FROM core_memory_versions
                 WHERE scope = ?1 AND label = ?2 ORDER BY number DESC LIMIT ?3";
            conn.read_all(find, params![&scope, &label, SEEN])
        })
    }

    /// When each line of a scope's blocks was written, by label.
    pub fn load_line_dates(
        &self,
        scope: impl Into<String>,
    ) -> StoreReply<Vec<(String, Vec<Option<Millis>>)>> {
        let scope = scope.into();
        self.read(move |conn| {
            let find = "SELECT label, dates FROM core_memory_versions v WHERE scope = ?1 AND number =
                     (SELECT max(number) FROM core_memory_versions WHERE scope = ?1 AND label = v.label)";
            conn.map_all(find, params![&scope], |row| Ok((row.read(0)?, row.read_json(1)?)))
        })
    }

    /// Takes the newest version of a block back: it says again what it said before. Answers with that; None where there
    /// is no version before it.
    pub fn undo_block(
        &self,
        scope: impl Into<String>,
        label: impl Into<String>,
    ) -> StoreReply<Option<BlockVersion>> {
        let (scope, label) = (scope.into(), label.into());
        self.write(move |db| undo(db, &scope, &label))
    }

    /// Erases all versions of a block but the newest, as a deleted message is erased.
    pub fn forget_earlier_versions(
        &self,
        scope: impl Into<String>,
        label: impl Into<String>,
    ) -> StoreReply<()> {
        let (scope, label) = (scope.into(), label.into());
        self.write(move |db| {
            db.conn.execute(
                "DELETE FROM core_memory_versions WHERE scope = ?1 AND label = ?2 AND number <
                 (SELECT max(number) FROM core_memory_versions WHERE scope = ?1 AND label = ?2)",
                params![scope, label],
            )?;
            db.erased = true;
            Ok(())
        })
    }

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

    /// Keeps an intention, without what was just erased; none that may tell of somebody who is being forgotten.
    pub fn put_intention(&self, channel: ChannelId, intention: ScheduledIntent) -> StoreReply<()> {
        self.write(move |db| {
            if db.may_hold_leaver(channel, intention.made)
            {
                return Ok(());
            }
            let mut it = intention.clone();
            for gone in db.recent_erasures.find_in_channel(channel) {
                // Half of a note is worth nothing.
                if gone.is_repeated_in(&it.note) {
                    it.note.clear();
                }
                it.word.take_if(|word| gone.is_repeated_in(word));
            }
            let row = row! {
                channel, id: it.id, made: it.made, after: it.after as i64, expires: it.expires, person: it.person,
                name: it.name, word: it.word, time: it.time, note: it.note, fired: it.came.map(JsonColumn),
                reminder: it.reminder.map(JsonColumn),
            };
            db.conn.put_row("intents", row)
        })
    }

    pub fn save_fired_intention(
        &self,
        channel: ChannelId,
        id: IntentionId,
        fired: FiredIntent,
    ) -> StoreReply<()> {
        self.write(move |db| {
            let fired = row! { fired: JsonColumn(fired) };
            db.conn.update_rows("intents", row! { channel, id }, fired)
        })
    }

    pub fn drop_intention(&self, channel: ChannelId, id: IntentionId) -> StoreReply<()> {
        self.write(move |db| {
            db.erased |= db.conn.delete_rows("intents", row! { channel, id })?;
            Ok(())
        })
    }

    /// What is waited for in a channel, oldest first.
    pub fn find_intentions(&self, channel: ChannelId) -> StoreReply<Vec<ScheduledIntent>> {
        self.read(move |conn| {
            // What earlier versions kept as minutes of silence comes after those minutes.
            let columns =
                INTENT_COLUMNS.replace(" time,", " coalesce(time, made + silence * 60000),");
            let find = format!("SELECT {columns} FROM intents WHERE channel = ?1 ORDER BY id");
            conn.read_all(&find, params![channel])
        })
    }

    pub fn summary(&self, channel: ChannelId) -> StoreReply<Option<ChannelSummary>> {
        self.read(move |conn| read_summary(conn, channel))
    }

    /// What is missing in a channel's summary up to a message, and at most so many of the messages it is missing, the
    /// newest, oldest first; without those of people who do not want to be remembered. A summary of messages that are not
    /// kept any more is not taken up: it would outlive them for ever.
    pub fn find_missing_span(
        &self,
        channel: ChannelId,
        before: MessageId,
        begins_after: Option<MessageId>,
        most: usize,
    ) -> StoreReply<Option<SummarySpan>> {
        self.read(move |conn| {
            let mut summary = read_summary(conn, channel)?;
            if let Some(ChannelSummary { since, .. }) = &summary {
                let find = "SELECT 1 FROM messages WHERE channel = ?1 AND id <= ?2 LIMIT 1";
                if !conn.has_row(find, params![channel, since])? {
                    summary = None;
                }
            }
            let mut missing = SummarySpan::find_missing(before, summary, begins_after);
            if let Some(stretch) = &mut missing {
                stretch.said = read_messages(conn, channel, stretch, most)?;
            }
            Ok(missing)
        })
    }

    /// Keeps a channel's summary in the place of the one before; not one of lines that were changed or erased since it
    /// was begun, or whose channel was, nor one that may tell of somebody who is being forgotten. Answers whether it was
    /// kept.
    pub fn put_summary(&self, channel: ChannelId, summary: ChannelSummary) -> StoreReply<bool> {
        self.write(move |db| {
            let it = &summary;
            let is_old = db.recent_erasures.has_any_since(channel, it.begun);
            if is_old || db.may_hold_leaver(channel, it.begun) {
                return Ok(false);
            }
            let still = "SELECT 1 FROM messages WHERE channel = ?1 AND id = ?2";
            let kept = db.conn.has_row(still, params![channel, it.until])?;
            if kept {
                let row = row! { channel, since: it.since, until: it.until, text: it.text, started: it.begun };
                db.conn.put_row("summaries", row)?;
            }
            // The one before is gone.
            db.erased |= kept;
            Ok(kept)
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

from_row! { ScheduledIntent {
    id, made, after, expires, person, name, word, time, note, came: json, reminder: json
} }

from_row! { ChannelSummary { since, until, text, begun } }

fn read_summary(conn: &SqlConnection, channel: ChannelId) -> SqlResult<Option<ChannelSummary>> {
    let find = "SELECT since, until, text, started FROM summaries WHERE channel = ?1";
    conn.read_first(find, params![channel])
}

fn read_messages(
    conn: &SqlConnection,
    channel: ChannelId,
    stretch: &SummarySpan,
    most: usize,
) -> SqlResult<Vec<(MessageId, RecalledMessage)>> {
    let unwilling = preferences::find_unremembered_people(conn)?;
    let find = "SELECT id, at, author, author_name, text FROM messages
         WHERE channel = ?1 AND id > ?2 AND id < ?3 AND text <> '' ORDER BY id DESC LIMIT ?4";
    let after = stretch.after.unwrap_or(MessageId(0));
    let values = params![channel, after, stretch.before, most];
    let mut said: Vec<(MessageId, RecalledMessage)> = conn.read_all(find, values)?;
    said.retain(|(_, said)| !unwilling.contains(&said.author));
    said.reverse();
    Ok(said)
}

/// A message was changed or erased: the summary it is in goes, also that of a thread which begins with it and bears its id.
pub(super) fn remove_summary(
    db: &mut Database,
    channel: ChannelId,
    id: MessageId,
) -> SqlResult<()> {
    let delete = "DELETE FROM summaries WHERE channel IN (?1, ?2) AND since <= ?2 AND until >= ?2 RETURNING text";
    let gone: Vec<String> = db.conn.read_all(delete, params![channel, id])?;
    db.erased |= !gone.is_empty();
    db.gone_notes.extend(gone);
    Ok(())
}
