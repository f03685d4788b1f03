//! Reading back: what a channel needs after a restart, and pages of its history.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use super::connection_threads::JobKind;
use super::forget::leaving_people;
use super::{Store, StoreReply};
use crate::author_columns::read_author;
use crate::from_row::from_row;
use crate::row_writes::RowStatement;
use crate::sql::{SqlConnection, SqlResult};
use crate::values::{ReadRow, params};
use kith_core::chat::{Author, Channel, ChannelId, Message, MessageId, Millis};

/// A message with what happened to it since.
#[derive(Clone, Debug, PartialEq)]
pub struct StoredMessage {
    /// The message, its text as it is now.
    pub message: Message,
    /// Whether its text was changed after it was written.
    pub edited: bool,
    /// The reactions on it, oldest first.
    pub reactions: Vec<StoredReaction>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct StoredReaction {
    pub author: Author,
    pub emoji: Arc<str>,
    pub at: Millis,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct RestoredChannel {
    /// Its newest messages, by id, oldest first.
    pub tail: Vec<StoredMessage>,
    /// The channel's state as it was saved last.
    pub state: Option<String>,
    /// The largest cursor in its outbox and of the sessions asked for there: messages up to this arrival number must not be answered again.
    pub cursor: u64,
}

impl Store {
    /// A channel's newest `limit` messages, its saved state and its outbox's cursor.
    pub fn restore(&self, channel: ChannelId, limit: usize) -> StoreReply<RestoredChannel> {
        self.read(move |conn| {
            let state = "SELECT state FROM channel_states WHERE channel = ?1";
            let cursor = "SELECT max(
                     (SELECT coalesce(max(cursor), 0) FROM outbox WHERE channel = ?1),
                     (SELECT coalesce(max(cursor), 0) FROM sessions WHERE source = ?1))";
            Ok(RestoredChannel {
                tail: read_history(conn, channel, None, limit)?,
                state: conn.read_first(state, params![channel])?,
                cursor: conn.read_one(cursor, params![channel])?,
            })
        })
    }

    /// The ids of a channel's newest `limit` messages, newest first.
    pub fn find_newest_ids(&self, channel: ChannelId, limit: usize) -> StoreReply<Vec<MessageId>> {
        self.read(move |conn| {
            let find = "SELECT id FROM messages WHERE channel = ?1 ORDER BY id DESC LIMIT ?2";
            conn.read_all(find, params![channel, limit as i64])
        })
    }

    /// The ids of a channel's first `limit` messages after one, oldest first.
    pub fn find_ids_after(
        &self,
        channel: ChannelId,
        after: MessageId,
        limit: usize,
    ) -> StoreReply<Vec<MessageId>> {
        self.read(move |conn| {
            let find =
                "SELECT id FROM messages WHERE channel = ?1 AND id > ?2 ORDER BY id LIMIT ?3";
            conn.read_all(find, params![channel, after, limit as i64])
        })
    }

    /// The `limit` newest messages with an id below `before`, oldest first.
    pub fn load_history(
        &self,
        channel: ChannelId,
        before: Option<MessageId>,
        limit: usize,
    ) -> StoreReply<Vec<StoredMessage>> {
        self.read(move |conn| read_history(conn, channel, before, limit))
    }

    /// A message, where it is kept.
    pub fn find_message(
        &self,
        channel: ChannelId,
        id: MessageId,
    ) -> StoreReply<Option<StoredMessage>> {
        self.read(move |conn| {
            let after = MessageId(id.0.saturating_add(1));
            let newest = read_history(conn, channel, Some(after), 1)?.pop();
            Ok(newest.filter(|line| line.message.id == id))
        })
    }

    /// Every channel ever seen, by id.
    pub fn channels(&self) -> StoreReply<Vec<Channel>> {
        self.read(read_channels)
    }

    /// Everybody who ever wrote, with the name last seen, by id.
    pub fn people(&self) -> StoreReply<Vec<Author>> {
        self.read(|conn| {
            conn.map_all(
                "SELECT id, name, kind FROM people ORDER BY id",
                params![],
                |row| read_author(row, 0),
            )
        })
    }

    /// Keeps the states of channels, each as text that only its channel reads. They must hold no text of a message: what is
    /// deleted is not looked for in them. Of people they hold nothing but ids, which are taken out when somebody is
    /// forgotten.
    pub fn save_channel_states(
        &self,
        states: BTreeMap<ChannelId, String>,
        at: Millis,
    ) -> StoreReply<()> {
        let kind = JobKind::Write {
            rows: states.len().max(1),
        };
        self.write_as(kind, move |db| {
            leaving_people::drop_old_names(&mut db.leaving_people, at);
            let people = &db.leaving_people;
            let states: Vec<ChannelStateRow> = states
                .iter()
                .map(|(channel, state)| ChannelStateRow {
                    channel: *channel,
                    state: leaving_people::redact_channel_state(people, *channel, at, state),
                    at,
                })
                .collect();
            let save = RowStatement::put("channel_states", &["channel", "state", "saved_at"]);
            db.conn.write_rows(
                &save,
                &states,
                [|row| &row.channel, |row| &row.state, |row| &row.at],
            )
        })
    }
}

struct ChannelStateRow<'s> {
    channel: ChannelId,
    state: Cow<'s, str>,
    at: Millis,
}

pub(super) fn read_history(
    conn: &SqlConnection,
    channel: ChannelId,
    before: Option<MessageId>,
    limit: usize,
) -> SqlResult<Vec<StoredMessage>> {
    let mut find = conn.prepare_cached(
        "SELECT id, arrival, at, author, author_name, author_kind, text, reply_to, mentions, edited IS NOT NULL
         FROM messages WHERE channel = ?1 AND id < ?2 ORDER BY id DESC LIMIT ?3",
    )?;
    // No id that is kept is larger.
    let before = before
        .and_then(|id| i64::try_from(id.0).ok())
        .unwrap_or(i64::MAX);
    let rows = find.query_map(params![channel, before, limit as i64], |row| {
        let message = Message {
            id: row.read(0)?,
            channel,
            arrival: row.read::<i64>(1)? as u64,
            at: row.read(2)?,
            author: read_author(row, 3)?,
            text: row.read(6)?,
            reply_to: row.read(7)?,
            mentions: row.read_json::<Option<_>>(8)?.unwrap_or_default(),
        };
        Ok(StoredMessage {
            message,
            edited: row.read(9)?,
            reactions: Vec::new(),
        })
    })?;
    let mut lines: Vec<StoredMessage> = rows.collect::<Result<_, _>>()?;
    lines.reverse();
    let (Some(first), Some(last)) = (lines.first(), lines.last()) else {
        return Ok(lines);
    };
    let (first, last) = (first.message.id, last.message.id);
    let mut find = conn.prepare_cached(
        "SELECT message, user, user_name, user_kind, emoji, at FROM reactions
         WHERE channel = ?1 AND message BETWEEN ?2 AND ?3 ORDER BY arrival",
    )?;
    let mut rows = find.query(params![channel, first, last])?;
    while let Some(row) = rows.next()? {
        let message: MessageId = row.read(0)?;
        if let Ok(index) = lines.binary_search_by_key(&message, |line| line.message.id) {
            let mark = StoredReaction {
                author: read_author(&row, 1)?,
                emoji: row.read(4)?,
                at: row.read(5)?,
            };
            lines[index].reactions.push(mark);
        }
    }
    Ok(lines)
}

pub(super) fn read_channels(conn: &SqlConnection) -> SqlResult<Vec<Channel>> {
    let find = "SELECT id, guild, name, topic, kind, parent FROM channels ORDER BY id";
    conn.read_all(find, params![])
}

from_row! { Channel { id, guild, name, topic, kind, parent } }
