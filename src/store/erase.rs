//! Forgetting: a deleted or edited text is taken out of every table, index and file; `prune.rs` does it to outdated ones.

use crate::catalogue::{self, TextLoss};
use crate::db::Database;
use crate::deleted_quotes::{DeletedText, RewordedLine};
use crate::erased_text::{ErasedText, GoneNotes, TurnErasure};
use crate::former_authors::FormerAuthor;
use crate::from_row::from_row;
use crate::row_words::remove_words;
use crate::row_writes::row;
use crate::sql::SqlResult;
use crate::values::params;
use crate::{
    approvals, deleted_quotes, former_authors, memories, notes, sessions, text_index, tools,
    turn_erasure,
};
use kith_core::chat::{AuthorKind, ChannelId, DAY, Message, MessageId, Millis, UserId};
use kith_core::quotes::ErasedMessage;

/// The text of a file that came with a message. It is kept nowhere, but may be repeated like the message's own.
#[derive(Clone, Debug)]
pub struct AttachedText(Row);

impl AttachedText {
    pub fn new(message: &Message, text: &str) -> Self {
        Self(Row {
            arrival: 0,
            channel: message.channel,
            id: message.id,
            at: message.at,
            author: message.author.kind,
            text: text.into(),
            edited: None,
            author_id: message.author.id,
            author_name: String::new(),
        })
    }
}

/// Takes the texts of files that are gone out of whatever repeats them.
pub(crate) fn erase_attached(
    db: &mut Database,
    texts: &mut [AttachedText],
    at: Millis,
) -> SqlResult<MessageErasure> {
    let mut all = MessageErasure::default();
    for AttachedText(file) in texts {
        file.arrival = find_arrival_before(db, file.channel, file.id)?;
        all.append(forget_text(db, file, "", at)?);
    }
    Ok(all)
}

/// When what stands before a message in its channel arrived; 0 where nothing does.
fn find_arrival_before(db: &Database, channel: ChannelId, id: MessageId) -> SqlResult<i64> {
    let find =
        "SELECT arrival FROM messages WHERE channel = ?1 AND id < ?2 ORDER BY id DESC LIMIT 1";
    Ok(db.conn.read_first(find, params![channel, id])?.unwrap_or(0))
}

/// How far this machine's clock may be behind the platform's: a day, for one that takes another zone for its own.
const CLOCKS_DIFFER: Millis = DAY;

/// When something can have been made by this machine's clock that was made after a message was written then by the
/// platform's.
pub(super) fn earliest_time_after(written: Millis) -> Millis {
    written.saturating_sub(CLOCKS_DIFFER)
}

#[derive(Debug, Default)]
pub(super) struct MessageErasure {
    pub changed: bool,
    /// The companion's lines that quoted it, with what they say now.
    pub reworded: Vec<RewordedLine>,
    /// What they said.
    pub erased: Vec<ErasedMessage>,
}

impl MessageErasure {
    pub fn append(&mut self, mut other: Self) {
        self.changed |= other.changed;
        self.reworded.append(&mut other.reworded);
        self.erased.append(&mut other.erased);
    }
}

#[derive(Clone, Debug)]
pub(super) struct Row {
    arrival: i64,
    channel: ChannelId,
    id: MessageId,
    pub at: Millis,
    author: AuthorKind,
    text: String,
    edited: Option<Millis>,
    author_id: UserId,
    author_name: String,
}

pub(super) const ROW: &str =
    "SELECT arrival, channel, id, at, author_kind, text, edited, author, author_name FROM messages";

from_row! { Row { arrival, channel, id, at, author, text, edited, author_id, author_name } }

fn find_message(db: &Database, channel: ChannelId, id: MessageId) -> SqlResult<Option<Row>> {
    let find = format!("{ROW} WHERE channel = ?1 AND id = ?2");
    db.conn.read_first(&find, params![channel, id])
}

/// Gives a message its new text; answers whether it was there, was such an author's, and said something else. What it
/// said before a later edit changes nothing: edits may come out of order.
pub(super) fn edit_message(
    db: &mut Database,
    channel: ChannelId,
    id: MessageId,
    author: AuthorKind,
    text: &str,
    at: Millis,
) -> SqlResult<MessageErasure> {
    let changes = |old: &Row| old.author == author && old.edited.is_none_or(|edited| edited <= at);
    let Some(old) = find_message(db, channel, id)? else {
        // Nobody knows any more whether it says something else; what was taken from it does not outlive the doubt.
        memories::remove_sourced(db, channel, id)?;
        forget_notes(db, channel, at)?;
        return Ok(MessageErasure::default());
    };
    if !changes(&old) {
        return Ok(MessageErasure::default());
    }
    if old.text == text {
        let of = row! { arrival: old.arrival };
        db.conn.update_rows("messages", of, row! { edited: at })?;
        return Ok(MessageErasure::default());
    }
    text_index::remove_text(&db.conn, old.arrival, channel, &old.text)?;
    text_index::add_text(&db.conn, old.arrival, channel, text)?;
    let of = row! { arrival: old.arrival };
    db.conn
        .update_rows("messages", of, row! { text, edited: at })?;
    notes::remove_summary(db, channel, id)?;
    tools::remove_sticker(db, channel, id)?;
    memories::remove_sourced(db, channel, id)?;
    Ok(MessageErasure {
        changed: true,
        ..forget_text(db, &old, text, at)?
    })
}

/// Takes a message out and leaves a tombstone, whether it was known or not.
pub(super) fn delete_message(
    db: &mut Database,
    channel: ChannelId,
    id: MessageId,
    arrival: u64,
    at: Millis,
) -> SqlResult<MessageErasure> {
    let (changed, old) = insert_tombstone(db, channel, id, arrival, at)?;
    let Some(old) = old else {
        forget_notes(db, channel, at)?;
        return Ok(MessageErasure {
            changed,
            ..MessageErasure::default()
        });
    };
    record_author(db, &old, at)?;
    Ok(MessageErasure {
        changed,
        ..forget_text(db, &old, "", at)?
    })
}

/// Keeps who wrote a message that goes; prompts up to `until` may have shown it.
pub(super) fn record_author(db: &Database, old: &Row, until: Millis) -> SqlResult<()> {
    if old.author == AuthorKind::Companion {
        return Ok(());
    }
    let author = FormerAuthor {
        person: old.author_id,
        channel: old.channel,
        name: old.author_name.clone(),
        first: old.at,
    };
    former_authors::record_author(db, &author, until)
}

/// The same without looking for it in the turns, for who sees to them by other means.
pub(super) fn delete_message_only(
    db: &mut Database,
    channel: ChannelId,
    id: MessageId,
    arrival: u64,
    at: Millis,
) -> SqlResult<()> {
    insert_tombstone(db, channel, id, arrival, at)?;
    db.gone_notes.clear();
    Ok(())
}

/// Answers whether it was not buried before, and with the message as it was.
fn insert_tombstone(
    db: &mut Database,
    channel: ChannelId,
    id: MessageId,
    arrival: u64,
    at: Millis,
) -> SqlResult<(bool, Option<Row>)> {
    let tombstone = row! { channel, id, arrival: arrival as i64, at };
    let buried = db.conn.add_row("tombstones", tombstone)?;
    tools::remove_sticker(db, channel, id)?;
    memories::remove_sourced(db, channel, id)?;
    let old = find_message(db, channel, id)?;
    if let Some(old) = &old {
        remove_message(db, old)?;
        notes::remove_summary(db, channel, id)?;
    }
    Ok((buried, old))
}

/// Takes a message's old text out of all that was made of it, and keeps it in memory for turns that run right now.
fn forget_text(
    db: &mut Database,
    old: &Row,
    remaining_text: &str,
    at: Millis,
) -> SqlResult<MessageErasure> {
    db.erased = true;
    let made_since = earliest_time_after(old.at);
    // First: what quotes a line that quotes it has no other source any more.
    let reworded = match old.author {
        AuthorKind::Companion => Vec::new(),
        AuthorKind::Person | AuthorKind::Bot | AuthorKind::Webhook => {
            let gone = DeletedText {
                arrival: old.arrival,
                channel: old.channel,
                made_since,
                text: &old.text,
                remaining_text,
            };
            deleted_quotes::remove_quotes(db, &gone)?
        }
    };
    let text = ErasedText::new(old.channel, &old.text, remaining_text);
    if let Some(gone) = &text {
        approvals::remove_text(db, gone, made_since)?;
        memories::remove_quotes(db, old.channel, gone)?;
        sessions::remove_text(db, gone, made_since)?;
        remove_repeating(db, gone, made_since)?;
    }
    let notes = GoneNotes::new(&std::mem::take(&mut db.gone_notes));
    let gone = TurnErasure {
        channel: old.channel,
        text,
        notes: &notes,
    };
    turn_erasure::forget_in_turns(db, &gone, made_since)?;
    sessions::forget_message(db, old.channel, old.id)?;
    db.recent_erasures
        .add(at, old.channel, &old.text, remaining_text, notes);
    Ok(MessageErasure {
        changed: true,
        reworded,
        erased: vec![ErasedMessage {
            channel: old.channel,
            text: old.text.as_str().into(),
            remaining_text: remaining_text.into(),
        }],
    })
}

/// Takes the notes that went with a message nobody knows any more out of what showed them, and keeps them in memory.
fn forget_notes(db: &mut Database, channel: ChannelId, at: Millis) -> SqlResult<()> {
    let notes = GoneNotes::new(&std::mem::take(&mut db.gone_notes));
    if notes.is_empty() {
        return Ok(());
    }
    let gone = TurnErasure {
        channel,
        text: None,
        notes: &notes,
    };
    turn_erasure::forget_in_turns(db, &gone, Millis::MIN)?;
    db.recent_erasures.add(at, channel, "", "", notes);
    Ok(())
}

/// Takes an erased text out of the rows that repeat it, of those that were written since then.
fn remove_repeating(db: &mut Database, gone: &ErasedText, since: Millis) -> SqlResult<()> {
    let redact = |text: &str| gone.is_repeated_in(text).then(String::new);
    for table in catalogue::tables() {
        let notes = match table.text {
            TextLoss::Repeating(None) => {
                remove_words(&db.conn, table, ("1 = 1", params![]), &redact)?
            }
            TextLoss::Repeating(Some(written)) => {
                let condition = format!("{written} >= ?1");
                remove_words(&db.conn, table, (&condition, params![since]), &redact)?
            }
            _ => continue,
        };
        db.gone_notes.extend(notes);
    }
    Ok(())
}

pub(super) fn remove_message(db: &mut Database, old: &Row) -> SqlResult<()> {
    text_index::remove_text(&db.conn, old.arrival, old.channel, &old.text)?;
    let (arrival, message) = (old.arrival, row! { channel: old.channel, message: old.id });
    db.conn.delete_rows("decisions", row! { arrival })?;
    db.conn.delete_rows("reactions", message)?;
    db.conn.delete_rows("messages", row! { arrival })?;
    db.erased = true;
    Ok(())
}
