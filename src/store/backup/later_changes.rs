//! What the database that a backup takes the place of knows and the backup does not: who was forgotten since, what was
//! deleted and edited, what people and moderators chose, what was spent. Only reads; a damaged database is read as far as
//! that goes.

use std::collections::BTreeSet;
use std::ops::RangeFrom;
use std::path::Path;

use rusqlite::types::Value;

use crate::catalogue::{self, Column, ColumnRole};
use crate::from_row::{FromRow, from_row};
use crate::preferences::{self, HashedPerson};
use crate::recover::to_readable;
use crate::sql::{SqlConnection, SqlResult, SqlRow};
use crate::sqlite::connection::connect_reading;
use crate::sqlite::damage;
use crate::values::{JsonColumn, params};
use kith_core::chat::{AuthorKind, ChannelId, MessageId, Millis, UserId};
use kith_core::manual_override::OverrideScope;
use kith_core::preference::PersonPreference;

/// The tables without which nobody knows what was to be gone for good.
const ERASURES: [&str; 5] = [
    "forgotten",
    "preferences",
    "tombstones",
    "erased places",
    "edited messages",
];

/// Somebody, until when they are forgotten in a channel.
#[derive(Clone, Copy, Debug)]
pub struct ForgottenPerson {
    pub person: HashedPerson,
    /// 0 for all channels.
    pub channel: ChannelId,
    pub until: Millis,
}

#[derive(Clone, Debug)]
pub struct EditedMessage {
    pub channel: ChannelId,
    pub id: MessageId,
    pub author: AuthorKind,
    pub text: String,
    pub at: Millis,
}

/// A deleted message; in channel 0 a memory by its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Tombstone {
    pub channel: ChannelId,
    pub id: MessageId,
    pub at: Millis,
}

from_row! { ForgottenPerson { person, channel, until } }
from_row! { EditedMessage { channel, id, author, text, at } }
from_row! { Tombstone { channel, id, at } }

pub type Rows = Vec<Vec<Value>>;

#[derive(Default)]
pub struct LaterChanges {
    /// The key people are hashed with; the same in a database and its backups.
    pub key: Option<String>,
    pub forgotten: Vec<ForgottenPerson>,
    pub preferences: Vec<(HashedPerson, JsonColumn<PersonPreference>, Millis)>,
    pub tombstones: Vec<Tombstone>,
    /// Channels and guilds that were erased, and when.
    pub erased_places: Vec<(JsonColumn<OverrideScope>, Millis)>,
    pub edits: Vec<EditedMessage>,
    pub people: BTreeSet<UserId>,
    /// What it waits for, by channel and number; none where that could not all be read.
    pub intents: Option<Rows>,
    pub overrides: Rows,
    pub core_memory: Rows,
    pub core_memory_versions: Rows,
    /// What was delivered or dropped: nonce, state, message.
    pub settled: Rows,
    pub proposals: Rows,
    pub usage: Rows,
    /// The arrival number and the numbers of memories and sessions that were given last.
    pub counter: i64,
    pub sequences: Vec<(String, i64)>,
    /// What could not all be read.
    pub unread: Vec<&'static str>,
}

impl LaterChanges {
    pub fn read(path: &Path) -> Self {
        let mut found = Self::default();
        let Ok(conn) = connect_reading(path) else {
            found.unread = ERASURES.to_vec();
            return found;
        };
        let is_whole = damage::find_damage(&conn).is_ok_and(|damage| damage.is_none());
        let conn = SqlConnection::from(conn);
        found.read_erasures(&conn);
        found.read_choices(&conn);
        let mut unread = Vec::new();
        let intents = "SELECT channel, id FROM intents";
        let intents = read_rows(&conn, "intents", intents, &mut unread);
        // What is not there was dropped only where nothing is damaged.
        found.intents = (is_whole && unread.is_empty()).then_some(intents);
        found
    }

    /// The parts of what was to be gone for good that could not be read.
    pub fn unread_erasures(&self) -> Vec<&'static str> {
        let lost = |part: &&&str| self.unread.contains(part);
        ERASURES.iter().filter(lost).copied().collect()
    }

    fn read_erasures(&mut self, conn: &SqlConnection) {
        let unread = &mut self.unread;
        self.key = preferences::read_key(conn).ok();
        let wanted = "SELECT person, channel, until FROM forgotten";
        self.forgotten = read_rows(conn, "forgotten", wanted, unread);
        let wanted = "SELECT person, preference, at FROM preferences";
        self.preferences = read_rows(conn, "preferences", wanted, unread);
        let wanted = "SELECT channel, id, at FROM tombstones";
        self.tombstones = read_rows(conn, "tombstones", wanted, unread);
        let wanted = "SELECT place, at FROM erased_places";
        self.erased_places = read_rows(conn, "erased places", wanted, unread);
        let wanted =
            "SELECT channel, id, author_kind, text, edited FROM messages WHERE edited IS NOT NULL";
        self.edits = read_rows(conn, "edited messages", wanted, unread);
        if self.key.is_none() {
            // Without it nobody can be told from anybody.
            unread.extend(["forgotten", "preferences"]);
        }
        self.people = find_people(conn, unread);
    }

    fn read_choices(&mut self, conn: &SqlConnection) {
        let mut rows = |what, select| read_rows(conn, what, select, &mut self.unread);
        self.overrides = rows("choices by hand", "SELECT * FROM manual_overrides");
        self.core_memory = rows("core memory", "SELECT * FROM core_memory");
        self.core_memory_versions = rows("core memory", "SELECT * FROM core_memory_versions");
        self.settled = rows(
            "outbox",
            "SELECT nonce, state, message FROM outbox WHERE state <> 0",
        );
        self.proposals = rows("proposals", "SELECT * FROM proposals");
        self.usage = rows("model usage", "SELECT * FROM model_usage");
        self.sequences = read_rows(
            conn,
            "numbers given",
            "SELECT name, seq FROM sqlite_sequence WHERE name IN ('memories', 'sessions')",
            &mut self.unread,
        );
        self.counter = conn
            .read_one("SELECT arrival FROM counter", params![])
            .unwrap_or_default();
    }
}

/// Everybody a database may know by id: as a column, or as a number in what the room, the core and mentions keep. That some
/// of these numbers are nobody's does no harm, for they are only looked up by their hash. A key or a token made at random
/// holds nobody.
pub fn find_people(conn: &SqlConnection, unread: &mut Vec<&'static str>) -> BTreeSet<UserId> {
    let mut people = BTreeSet::new();
    for (table, Column { name, .. }) in catalogue::columns_of(ColumnRole::Person) {
        let ids = format!(
            "SELECT DISTINCT {name} FROM {} WHERE {name} IS NOT NULL",
            table.name
        );
        people.extend(read_rows::<UserId>(conn, "people", &ids, unread));
    }
    let mut texts = Vec::new();
    for (table, Column { name, .. }) in catalogue::columns_of(ColumnRole::People) {
        let rows = match table.name {
            "meta" => "key NOT IN ('preferences.key', 'lock')".to_owned(),
            _ => format!("{name} IS NOT NULL"),
        };
        let find = format!("SELECT {name} FROM {} WHERE {rows}", table.name);
        texts.extend(read_rows::<String>(conn, "people", &find, unread));
    }
    for text in texts {
        let numbers = text.split(|c: char| !c.is_ascii_digit());
        people.extend(numbers.filter_map(|number| number.parse().ok().map(UserId)));
    }
    people
}

/// What can be read of a selection; notes `what` as not read where that is not all of it.
fn read_rows<T: FromRow>(
    conn: &SqlConnection,
    what: &'static str,
    select: &str,
    unread: &mut Vec<&'static str>,
) -> Vec<T> {
    let mut found = Vec::new();
    let mut read_all = || -> SqlResult<()> {
        let mut find = conn.prepare_cached(select)?;
        let mut rows = find.query(params![])?;
        while let Some(row) = rows.next()? {
            found.push(T::from_row(&row)?);
        }
        Ok(())
    };
    if read_all().is_err() && !unread.contains(&what) {
        unread.push(what);
    }
    found
}

impl FromRow for Vec<Value> {
    fn from_columns(row: &SqlRow<'_>, next: &mut RangeFrom<usize>) -> SqlResult<Self> {
        let columns = next.take(row.count_columns());
        columns
            .map(|column| row.get_value(column).map(to_readable))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::schema;

    #[test]
    fn a_number_within_the_key_of_people_is_nobody() {
        let mut conn = rusqlite::Connection::open_in_memory().expect("opened");
        schema::migrate(&mut conn).expect("made");
        let conn = SqlConnection::from(conn);
        let fill = "UPDATE meta SET value = 'ab88cd' WHERE key = 'preferences.key';
                    INSERT INTO meta VALUES ('lock', 'ef99'), ('room.people', '[{\"id\":7}]')";
        conn.execute_batch(fill).expect("put");
        let people = find_people(&conn, &mut Vec::new());
        assert_eq!(people, BTreeSet::from([UserId(7)]));
    }
}
