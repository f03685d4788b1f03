//! What of a channel was not made into memories yet. How far that came is kept with the memories themselves.

use super::memories::read_mark;
use super::{Store, StoreReply, preferences};
use crate::sql::{SqlConnection, SqlResult, SqlRow};
use crate::values::{ReadRow, params};
use kith_core::chat::{AuthorKind, ChannelId, MessageId, Millis};
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

impl Store {
    /// At most `most` messages of a channel that were not made into memories yet, later than `after`, and so many texts
    /// from before.
    pub fn read_unconsolidated(
        &self,
        channel: ChannelId,
        after: Option<MessageId>,
        most: usize,
        earlier: usize,
    ) -> StoreReply<UnconsolidatedSpan> {
        self.read(move |conn| {
            let after = read_mark(conn, channel)?.max(after).unwrap_or(MessageId(0));
            let mut messages = read_messages(conn, channel, after, most + 1)?;
            let has_more = messages.len() > most;
            messages.truncate(most);
            let earlier = read_earlier(conn, channel, after, earlier)?;
            Ok(UnconsolidatedSpan {
                messages,
                has_more,
                earlier,
            })
        })
    }

    /// The channels in which something was said that was not made into memories yet, and when the newest of it was said.
    pub fn find_unconsolidated_channels(&self) -> StoreReply<Vec<(ChannelId, Millis)>> {
        self.read(|conn| {
            let newest = conn.read_all::<(ChannelId, Option<Millis>)>(// One look into the index for each channel: a join would walk over all messages.
                "SELECT c.id, (SELECT m.at FROM messages m WHERE m.channel = c.id AND m.id > coalesce(
                     (SELECT d.until FROM consolidated d WHERE d.channel = c.id), 0) ORDER BY m.id DESC LIMIT 1)
                 FROM channels c", params![])?;
            let unconsolidated = newest
                .into_iter()
                .filter_map(|(channel, at)| Some((channel, at?)));
            Ok(unconsolidated.collect())
        })
    }
}

fn read_messages(
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

fn read_earlier(
    conn: &SqlConnection,
    channel: ChannelId,
    until: MessageId,
    most: usize,
) -> SqlResult<Vec<String>> {
    let find =
        "SELECT text FROM messages WHERE channel = ?1 AND id <= ?2 ORDER BY id DESC LIMIT ?3";
    conn.read_all(find, params![channel, until, most as i64])
}
