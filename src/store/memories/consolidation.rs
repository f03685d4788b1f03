//! What of a channel was not made into memories yet. How far that came is kept with the memories themselves.

use crate::preferences;
use crate::sql::{SqlConnection, SqlResult, SqlRow};
use crate::values::{ReadRow, params};
use kith_core::chat::{AuthorKind, ChannelId, MessageId};
use kith_core::consolidation::TalkMessage;

/// What was said in a channel since it was made into memories last.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UnconsolidatedSpan {
    /// The oldest of it, oldest first, without what people said who do not want to be remembered.
    pub messages: Vec<TalkMessage>,
    /// Whether more was said than `messages` holds.
    pub has_more: bool,
    /// The texts said before it, newest first.
    pub earlier: Vec<String>,
}

pub(crate) fn read_messages(
    conn: &SqlConnection,
    channel: ChannelId,
    after: MessageId,
    most: usize,
) -> SqlResult<Vec<TalkMessage>> {
    let unwilling = preferences::bind_unremembered_people(conn)?;
    let find = "SELECT id, at, author, author_name, author_kind, reply_to,
             (SELECT count(DISTINCT user) FROM reactions r
              WHERE r.channel = m.channel AND r.message = m.id AND r.user_kind = ?4), text
         FROM messages m WHERE channel = ?1 AND id > ?2 AND author NOT IN (SELECT value FROM json_each(?5))
         ORDER BY id LIMIT ?3";
    let read = |row: &SqlRow<'_>| {
        Ok(TalkMessage {
            id: row.read(0)?,
            at: row.read(1)?,
            author: row.read(2)?,
            name: row.read(3)?,
            is_by_person: row.read::<AuthorKind>(4)? == AuthorKind::Person,
            reply_to: row.read(5)?,
            reactions: row.read(6)?,
            text: row.read(7)?,
        })
    };
    let values = params![channel, after, most as i64, AuthorKind::Person, unwilling];
    conn.map_all(find, values, read)
}

pub(crate) fn read_earlier(
    conn: &SqlConnection,
    channel: ChannelId,
    until: MessageId,
    most: usize,
) -> SqlResult<Vec<String>> {
    let find =
        "SELECT text FROM messages WHERE channel = ?1 AND id <= ?2 ORDER BY id DESC LIMIT ?3";
    conn.read_all(find, params![channel, until, most as i64])
}
