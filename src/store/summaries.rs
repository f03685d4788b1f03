//! What was said in a channel before what the prompt shows, in short. Made by a model from what people said, so it goes
//! whole when anything it was made from is changed or erased, and when anybody who may be in it is forgotten; the
//! messages themselves stay where they are.

use super::db::Database;
use super::{Store, StoreReply, preferences};
use crate::from_row::from_row;
use crate::row_writes::row;
use crate::sql::{SqlConnection, SqlResult};
use crate::values::{ReadRow, params};
use kith_core::chat::{ChannelId, MessageId};
use kith_core::compaction::{ChannelSummary, SummarySpan};
use kith_core::context::RecalledMessage;

impl Store {
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
            let ChannelSummary {
                since,
                until,
                text,
                begun,
            } = &summary;
            let is_old = db.recent_erasures.has_any_since(channel, *begun);
            if is_old || db.may_hold_leaver(channel, *begun) {
                return Ok(false);
            }
            let still = "SELECT 1 FROM messages WHERE channel = ?1 AND id = ?2";
            let kept = db.conn.has_row(still, params![channel, until])?;
            if kept {
                db.conn.put_row(
                    "summaries",
                    row! { channel, since, until, text, started: begun },
                )?;
            }
            // The one before is gone.
            db.erased |= kept;
            Ok(kept)
        })
    }
}

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
    let find = "SELECT id, at, author_name, text, author FROM messages
         WHERE channel = ?1 AND id > ?2 AND id < ?3 AND text <> '' ORDER BY id DESC LIMIT ?4";
    let after = stretch.after.unwrap_or(MessageId(0));
    let mut said = conn.map_all(
        find,
        params![channel, after, stretch.before, most as i64],
        |row| {
            let name: String = row.read(2)?;
            let text: String = row.read(3)?;
            let author = row.read(4)?;
            let said = RecalledMessage {
                at: row.read(1)?,
                author,
                name: name.into(),
                text: text.into(),
            };
            Ok((row.read(0)?, said))
        },
    )?;
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
