//! What was said in a channel, for who looks it through: what was not made into memories yet, and the newest lines, to be
//! counted. What is counted elsewhere is only ever a reason to leave a word out.

use crate::from_row::from_row;
use crate::preferences;
use crate::sql::{SqlConnection, SqlResult};
use crate::values::params;
use kith_core::chat::{AuthorKind, ChannelId, MessageId};
use kith_core::consolidation::TalkMessage;
use kith_core::group_expressions::SampleLine;

/// What was said in a channel since it was made into memories last.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct UnconsolidatedSpan {
    /// The oldest of it, oldest first, without what people said who do not want to be remembered.
    pub messages: Vec<TalkMessage>,
    pub has_more: bool,
    /// The texts said before it, newest first.
    pub earlier: Vec<String>,
}

from_row! { TalkMessage { id, at, author, name, is_by_person, reply_to, reactions, text } }

pub(crate) fn read_messages(
    conn: &SqlConnection,
    channel: ChannelId,
    after: MessageId,
    most: usize,
) -> SqlResult<Vec<TalkMessage>> {
    let unwilling = preferences::bind_unremembered_people(conn)?;
    let find = "SELECT id, at, author, author_name, author_kind = ?4, reply_to,
             (SELECT count(DISTINCT user) FROM reactions r
              WHERE r.channel = m.channel AND r.message = m.id AND r.user_kind = ?4), text
         FROM messages m WHERE channel = ?1 AND id > ?2 AND author NOT IN (SELECT value FROM json_each(?5))
         ORDER BY id LIMIT ?3";
    let values = params![channel, after, most, AuthorKind::Person, unwilling];
    conn.read_all(find, values)
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

#[derive(Clone, Debug, Default, PartialEq)]
pub struct GroupSample {
    /// What people said in the channel, without those who do not want to be remembered.
    pub lines: Vec<SampleLine>,
    pub elsewhere: Vec<String>,
    pub names: Vec<String>,
}

from_row! { SampleLine { author, at, text } }

pub(crate) fn read_lines(
    conn: &SqlConnection,
    channel: ChannelId,
    most: usize,
) -> SqlResult<Vec<SampleLine>> {
    let unwilling = preferences::bind_unremembered_people(conn)?;
    let find = "SELECT author, at, text FROM messages WHERE channel = ?1 AND author_kind = ?2
             AND author NOT IN (SELECT value FROM json_each(?3)) ORDER BY id DESC LIMIT ?4";
    let values = params![channel, AuthorKind::Person, unwilling, most as i64];
    conn.read_all(find, values)
}

pub(crate) fn read_elsewhere(
    conn: &SqlConnection,
    channel: ChannelId,
    most: usize,
) -> SqlResult<Vec<String>> {
    // The newest of all channels, and then those of others among them: a search for others alone could read everything.
    let find = "SELECT text FROM (SELECT channel, author_kind, text FROM messages ORDER BY arrival DESC LIMIT ?2) AS newest
         WHERE channel <> ?1 AND author_kind = ?3";
    let mut texts = conn.read_all(find, params![channel, 3 * most, AuthorKind::Person])?;
    texts.truncate(most);
    Ok(texts)
}

pub(crate) fn read_names(conn: &SqlConnection, channel: ChannelId) -> SqlResult<Vec<String>> {
    let find = "SELECT DISTINCT author_name FROM (SELECT author_name FROM messages WHERE channel = ?1 ORDER BY id DESC LIMIT 1000) AS newest";
    conn.read_all(find, params![channel])
}
