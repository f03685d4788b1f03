//! Until when somebody is forgotten: what they wrote up to then may still be on its way, and does not come in any more.
//! Holds a keyed hash of the person, never their id.

use super::target::ForgetTarget;
use crate::db::Database;
use crate::preferences;
use crate::row_writes::row;
use crate::sql::{SqlConnection, SqlResult};
use crate::values::params;
use kith_core::chat::{Author, AuthorKind, ChannelId, Millis, UserId};

/// Stands for all channels, also for those that nobody knows yet.
const EVERYWHERE: ChannelId = ChannelId(0);

/// From now on nothing comes in that they wrote up to `at`.
pub(crate) fn record_forgotten(
    db: &mut Database,
    target: &ForgetTarget,
    at: Millis,
) -> SqlResult<()> {
    record_unheard(
        db,
        target.user,
        target.channels().unwrap_or(&[EVERYWHERE]),
        at,
    )
}

/// From now on nothing comes in that somebody wrote up to `at`: they were ignored.
pub fn record_ignored(db: &mut Database, user: UserId, at: Millis) -> SqlResult<()> {
    record_unheard(db, user, &[EVERYWHERE], at)
}

fn record_unheard(
    db: &mut Database,
    user: UserId,
    channels: &[ChannelId],
    at: Millis,
) -> SqlResult<()> {
    let person = preferences::hash_person(&preferences::read_key(&db.conn)?, user);
    channels.iter().try_for_each(|channel| {
        db.conn
            .raise_row("forgotten", row! { person, channel, until: at })
    })?;
    db.forgotten_until = db.forgotten_until.max(at);
    Ok(())
}

/// Whether somebody who is forgotten wrote a message before that.
pub fn is_forgotten(
    db: &Database,
    channel: ChannelId,
    author: &Author,
    at: Millis,
) -> SqlResult<bool> {
    if author.kind == AuthorKind::Companion {
        return Ok(false);
    }
    is_person_forgotten(db, channel, author.id, at)
}

/// Whether somebody wanted to be forgotten at that time or later.
pub fn is_person_forgotten(
    db: &Database,
    channel: ChannelId,
    user: UserId,
    at: Millis,
) -> SqlResult<bool> {
    // Almost everything is newer than the last request; hashing costs more than the look at the clock.
    if at > db.forgotten_until {
        return Ok(false);
    }
    let person = preferences::hash_person(&preferences::read_key(&db.conn)?, user);
    let find = "SELECT 1 FROM forgotten WHERE person = ?1 AND channel IN (?2, ?3) AND until >= ?4";
    db.conn
        .has_row(find, params![person, channel, EVERYWHERE, at])
}

pub fn find_forgotten_until(conn: &SqlConnection) -> SqlResult<Millis> {
    let newest: Option<Millis> = conn.read_one("SELECT max(until) FROM forgotten", params![])?;
    Ok(newest.unwrap_or(Millis::MIN))
}
