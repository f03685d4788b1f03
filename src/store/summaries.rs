//! What was said in a channel before what the prompt shows, in short. Made by a model from what people said, so it goes
//! whole when anything it was made from is changed or erased, and when anybody who may be in it is forgotten; the
//! messages themselves stay where they are.

use std::collections::BTreeSet;

use rusqlite::{OptionalExtension, params};

use super::db::Db;
use super::forget::Whom;
use super::{Pending, Store, erase, unremembered};
use crate::core::chat::{ChannelId, MessageId, Millis};
use crate::core::compaction::Summary;
use crate::core::context::Recalled;

impl Store {
    /// A channel's summary.
    pub fn summary(&self, channel: ChannelId) -> Pending<Option<Summary>> {
        self.read(move |conn| {
            let mut find = conn.prepare_cached("SELECT since, until, text, begun FROM summaries WHERE channel = ?1")?;
            let read = |row: &rusqlite::Row<'_>| {
                Ok(Summary { since: row.get(0)?, until: row.get(1)?, text: row.get(2)?, begun: row.get(3)? })
            };
            find.query_row([channel], read).optional()
        })
    }

    /// The newest messages between two, `after` and `before` themselves not among them, oldest first, with their ids;
    /// without those of people who do not want to be remembered.
    pub fn between(
        &self,
        channel: ChannelId,
        after: Option<MessageId>,
        before: MessageId,
        most: usize,
    ) -> Pending<Vec<(MessageId, Recalled)>> {
        self.read(move |conn| {
            let unwilling = unremembered::people(conn)?;
            let mut find = conn.prepare_cached(
                "SELECT id, at, author_name, text, author FROM messages
                 WHERE channel = ?1 AND id > ?2 AND id < ?3 AND text <> '' ORDER BY id DESC LIMIT ?4",
            )?;
            let after = after.unwrap_or(MessageId(0));
            let rows = find.query_map(params![channel, after, before, most as i64], |row| {
                let name: String = row.get(2)?;
                let text: String = row.get(3)?;
                let said = Recalled { at: row.get(1)?, name: name.into(), text: text.into() };
                Ok((row.get(4)?, (row.get(0)?, said)))
            })?;
            let mut said = rows.collect::<Result<Vec<_>, _>>()?;
            said.retain(|(author, _)| !unwilling.contains(author));
            Ok(said.into_iter().rev().map(|(_, said)| said).collect())
        })
    }

    /// Keeps a channel's summary in the place of the one before; not one of lines that were changed or erased since it
    /// was begun, nor one that may tell of somebody who is being forgotten. Answers whether it was kept.
    pub fn put_summary(&self, channel: ChannelId, summary: Summary) -> Pending<bool> {
        self.write(move |db| {
            let Summary { since, until, text, begun } = &summary;
            let is_old = erase::is_changed(db, channel, *begun);
            if is_old || db.leaving.iter().any(|person| person.may_be_in(channel, *begun)) {
                return Ok(false);
            }
            let mut put = db.conn.prepare_cached(
                "INSERT OR REPLACE INTO summaries (channel, since, until, text, begun) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?;
            put.execute(params![channel, since, until, text, begun])?;
            drop(put);
            db.erased = true;
            Ok(true)
        })
    }
}

/// A message was changed or erased: the summary it is in goes.
pub(super) fn take_out(db: &mut Db, channel: ChannelId, id: MessageId) -> rusqlite::Result<()> {
    let mut delete =
        db.conn.prepare_cached("DELETE FROM summaries WHERE channel = ?1 AND since <= ?2 AND until >= ?2")?;
    let gone = delete.execute(params![channel, id])?;
    drop(delete);
    db.erased |= gone > 0;
    Ok(())
}

/// Somebody is forgotten: the summaries of all channels where they are, and where they may have been seen.
pub(super) fn forget(db: &Db, whom: &Whom, reach: &BTreeSet<ChannelId>) -> rusqlite::Result<()> {
    let mut find = db.conn.prepare_cached("SELECT channel FROM summaries")?;
    let channels = find.query_map([], |row| row.get(0))?.collect::<Result<Vec<ChannelId>, _>>()?;
    let mut delete = db.conn.prepare_cached("DELETE FROM summaries WHERE channel = ?1")?;
    let mut meant = channels.into_iter().filter(|channel| whom.covers(*channel) || reach.contains(channel));
    meant.try_for_each(|channel| delete.execute([channel]).map(drop))
}

/// Those of channels where nothing was said for as long as messages are kept.
pub(super) fn prune(db: &Db, before: Millis) -> rusqlite::Result<()> {
    db.conn.prepare_cached("DELETE FROM summaries WHERE begun < ?1")?.execute([before]).map(drop)
}
