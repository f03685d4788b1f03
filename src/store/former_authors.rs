//! Who wrote messages that are gone. What was made of a message can outlive it (a prompt, a note, a memory), so that who
//! wants to be forgotten must still be known by the name of that time, and from when on and where they may stand in it.

use super::db::Database;
use super::forget::target::ForgetTarget;
use crate::sql::{SqlConnection, SqlResult};
use crate::values::{ReadRow, params};
use kith_core::chat::{ChannelId, Millis, UserId};

/// A person by the name they had in a channel, in messages that are gone.
pub(super) struct FormerAuthor {
    pub person: UserId,
    pub channel: ChannelId,
    pub name: String,
    /// When the oldest of these messages was written.
    pub first: Millis,
}

/// What is kept and may name somebody long after their messages are gone.
const NOTED: &str = "SELECT text FROM core_memory UNION ALL
    SELECT text FROM core_memory_versions UNION ALL SELECT text FROM memories UNION ALL SELECT list FROM todos
    UNION ALL SELECT key || value FROM tool_data UNION ALL SELECT label || config FROM sessions
    UNION ALL SELECT name FROM stickers UNION ALL SELECT name || topic FROM channels";

/// A message of theirs is taken away; prompts up to `until` may have shown it.
pub(super) fn record_author(db: &Database, author: &FormerAuthor, until: Millis) -> SqlResult<()> {
    let mut record = db.conn.prepare_cached(
        "INSERT INTO former_authors (person, channel, name, first, last) VALUES (?1, ?2, ?3, ?4, ?5)
         ON CONFLICT (person, channel, name)
          DO UPDATE SET first = min(former_authors.first, ?4), last = max(former_authors.last, ?5)",
    )?;
    let FormerAuthor {
        person,
        channel,
        name,
        first,
    } = author;
    record
        .execute(params![person, channel, name, first, until])
        .map(drop)
}

/// Where and by which names somebody wrote what is gone.
pub(super) fn find_by_person(conn: &SqlConnection, user: UserId) -> SqlResult<Vec<FormerAuthor>> {
    let mut find = conn.prepare_cached(
        "SELECT person, channel, name, first FROM former_authors WHERE person = ?1",
    )?;
    let rows = find.query_map(params![user], |row| {
        Ok(FormerAuthor {
            person: row.read(0)?,
            channel: row.read(1)?,
            name: row.read(2)?,
            first: row.read(3)?,
        })
    })?;
    rows.collect()
}

/// Somebody is forgotten.
pub(super) fn forget_person(db: &Database, target: &ForgetTarget) -> SqlResult<()> {
    let mut forget = db
        .conn
        .prepare_cached("DELETE FROM former_authors WHERE person = ?1 AND channel = ?2")?;
    find_by_person(&db.conn, target.user)?
        .iter()
        .filter(|known| target.covers(known.channel))
        .try_for_each(|known| {
            forget
                .execute(params![known.person, known.channel])
                .map(drop)
        })
}

/// Those of whom no prompt, report or note can tell any more go.
pub(super) fn prune(db: &Database, before: Millis) -> SqlResult<()> {
    let mut forget = db.conn.prepare_cached(&format!(
        "DELETE FROM former_authors WHERE last < ?1 AND NOT EXISTS (SELECT 1 FROM (SELECT NULL AS text WHERE FALSE UNION ALL {NOTED}) AS noted
         WHERE trim(name) <> '' AND instr(lower(noted.text), lower(trim(name))) > 0)"
    ))?;
    forget.execute(params![before]).map(drop)
}
