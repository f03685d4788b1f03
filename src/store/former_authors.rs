//! Who wrote messages that are gone. What was made of a message can outlive it (a prompt, a note, a memory), so that who
//! wants to be forgotten must still be known by the name of that time, and from when on and where they may stand in it.

use crate::catalogue::{ColumnRole, select_texts};
use crate::db::Database;
use crate::from_row::from_row;
use crate::sql::{SqlConnection, SqlResult};
use crate::values::params;
use kith_core::chat::{ChannelId, Millis, UserId};

/// A person by the name they had in a channel, in messages that are gone.
pub(super) struct FormerAuthor {
    pub person: UserId,
    pub channel: ChannelId,
    pub name: String,
    /// When the oldest of these messages was written.
    pub first: Millis,
}

from_row! { FormerAuthor { person, channel, name, first } }

/// A message of theirs is taken away; prompts up to `until` may have shown it.
pub(super) fn record_author(db: &Database, author: &FormerAuthor, until: Millis) -> SqlResult<()> {
    let record = "INSERT INTO former_authors (person, channel, name, first, last) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (person, channel, name)
          DO UPDATE SET first = min(former_authors.first, ?4), last = max(former_authors.last, ?5)";
    let it = author;
    let values = params![it.person, it.channel, it.name, it.first, until];
    db.conn.execute(record, values).map(drop)
}

/// Where and by which names somebody wrote what is gone.
pub(super) fn find_by_person(conn: &SqlConnection, user: UserId) -> SqlResult<Vec<FormerAuthor>> {
    let find = "SELECT person, channel, name, first FROM former_authors WHERE person = ?1";
    conn.read_all(find, params![user])
}

/// Those of whom no prompt, report or note can tell any more go.
pub(super) fn prune(db: &Database, before: Millis) -> SqlResult<()> {
    let noted = select_texts(&[ColumnRole::Words, ColumnRole::Note]);
    let forget = format!(
        "DELETE FROM former_authors WHERE last < ?1 AND NOT EXISTS (SELECT 1 FROM ({noted}) AS noted
         WHERE trim(former_authors.name) <> '' AND instr(lower(noted.text), lower(trim(former_authors.name))) > 0)"
    );
    db.conn.execute(&forget, params![before]).map(drop)
}
