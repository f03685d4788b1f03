//! Brings a backup up to what was forgotten, deleted, edited and chosen since, before it takes its place. Done through the
//! same ways as it was done the first time, so that every trace of it goes here as well.

use std::collections::{BTreeMap, BTreeSet};

use rusqlite::types::Value;

use super::later_changes::{ForgottenPerson, LaterChanges, Rows, Tombstone, find_people};
use crate::connection_threads::JobKind;
use crate::db::Database;
use crate::error::StoreError;
use crate::from_row::FromRow;
use crate::handle::Store;
use crate::preferences::{hash_person, read_key};
use crate::row_words::bind_values;
use crate::row_writes::row;
use crate::sql::{SqlConnection, SqlResult};
use crate::values::{JsonColumn, params};
use crate::{preferences, write_ahead_log};
use kith_core::chat::{ChannelId, DAY, HOUR, MemoryId, MessageId, Millis, UserId};
use kith_core::event::ChatEvent;
use kith_core::manual_override::OverrideScope;

/// Stands for all channels among who is forgotten, and for memories among what is deleted.
const NO_CHANNEL: ChannelId = ChannelId(0);
/// A backup may have been made while somebody was being forgotten: that is done again.
const UNDER_WAY: Millis = HOUR;
const TOGETHER: usize = 50;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ReappliedChanges {
    pub forgotten: usize,
    /// Messages of the backup that were deleted since, and those that say something else.
    pub deleted: usize,
    pub edited: usize,
    /// Wishes of people that could not be carried over: the two databases hash people differently, and neither knows
    /// their ids.
    pub lost_wishes: usize,
}

/// Does to the store what the changes tell; `now` is the time of day.
pub fn reapply(
    store: &Store,
    changes: &LaterChanges,
    now: Millis,
) -> Result<ReappliedChanges, StoreError> {
    let mut done = ReappliedChanges::default();
    let known = store.read(|conn| Ok(find_people(conn, &mut Vec::new())));
    let known = known.wait()?;
    // Only a database and its own backups agree on numbers that Kith itself gave.
    let own_key = store.read(read_key).wait()?;
    let is_same = changes.key.as_ref() == Some(&own_key);
    // Where the database that was here is itself an older backup put back, the choices in this one are the later ones.
    let arrival = store.read(|conn| conn.read_one::<i64>("SELECT arrival FROM counter", params![]));
    let is_later = is_same && changes.counter >= arrival.wait()?;
    let before = store.read(count_messages).wait()?;
    let people = PeopleByHash::new(changes, &known);
    forget_again(store, changes, &people, (&known, &own_key), &mut done)?;
    carry_wishes(store, changes, &people, (is_same, is_later), &mut done)?;
    while store
        .forget_unremembered(now - DAY)
        .wait()?
        .messages
        .iter()
        .any(|(_, messages)| !messages.is_empty())
    {}
    if is_same {
        erase_places_again(store, changes)?;
    }
    edit_again(store, changes, &mut done)?;
    delete_again(store, changes, is_same)?;
    if is_later {
        adopt_choices(store, changes)?;
    }
    adopt_numbers(store, changes)?;
    done.deleted = before.saturating_sub(store.read(count_messages).wait()?);
    store
        .write_as(JobKind::Upkeep, write_ahead_log::rewrite_database)
        .wait()?;
    Ok(done)
}

fn read_all<T: FromRow + Send + 'static>(
    store: &Store,
    find: &'static str,
) -> Result<Vec<T>, StoreError> {
    store
        .read(move |conn| conn.read_all(find, params![]))
        .wait()
}

fn count_messages(conn: &SqlConnection) -> SqlResult<usize> {
    conn.read_one("SELECT count(*) FROM messages", params![])
}

/// Who is meant by a hash of the database that the backup takes the place of.
struct PeopleByHash(BTreeMap<preferences::HashedPerson, UserId>);

impl PeopleByHash {
    fn new(changes: &LaterChanges, known: &BTreeSet<UserId>) -> Self {
        let Some(key) = &changes.key else {
            return Self(BTreeMap::new());
        };
        let people = known.iter().chain(&changes.people);
        Self(
            people
                .map(|user| (hash_person(key, *user), *user))
                .collect(),
        )
    }

    fn find(&self, person: &preferences::HashedPerson) -> Option<UserId> {
        self.0.get(person).copied()
    }
}

/// Forgets whoever was forgotten since, as if they asked now: up to the moment they did.
fn forget_again(
    store: &Store,
    changes: &LaterChanges,
    people: &PeopleByHash,
    (known, own_key): (&BTreeSet<UserId>, &String),
    done: &mut ReappliedChanges,
) -> Result<(), StoreError> {
    let newest = store.find_newest_time().wait()?.unwrap_or_default();
    let mut asked: BTreeMap<(UserId, Millis), Vec<ChannelId>> = BTreeMap::new();
    let mut nameless = Vec::new();
    for forgotten in &changes.forgotten {
        match people.find(&forgotten.person) {
            Some(user) if known.contains(&user) => {
                let is_done = is_recorded(store, user, *forgotten)?;
                if !is_done || forgotten.until >= newest - UNDER_WAY {
                    let channels = asked.entry((user, forgotten.until)).or_default();
                    channels.push(forgotten.channel);
                }
            }
            _ => nameless.push(*forgotten),
        }
    }
    let users: BTreeSet<_> = asked.keys().map(|(user, _)| user).collect();
    done.forgotten = users.len();
    for ((user, until), channels) in asked {
        let everywhere = channels.contains(&NO_CHANNEL);
        store
            .forget_person(user, (!everywhere).then_some(channels), until)
            .wait()?;
    }
    // Of whom nothing is there nothing goes, but what they wrote may still come in.
    let is_same = changes.key.as_ref() == Some(own_key);
    let mut rows = Vec::new();
    for forgotten in nameless {
        match people.find(&forgotten.person) {
            _ if is_same => rows.push(forgotten),
            Some(user) => rows.push(ForgottenPerson {
                person: hash_person(own_key, user),
                ..forgotten
            }),
            None => done.lost_wishes += 1,
        }
    }
    let put = store.write(move |db| {
        rows.iter().try_for_each(|it| {
            let row = row! { person: it.person, channel: it.channel, until: it.until };
            db.conn.raise_row("forgotten", row)
        })
    });
    put.wait()
}

fn is_recorded(store: &Store, user: UserId, row: ForgottenPerson) -> Result<bool, StoreError> {
    let find = store.read(move |conn| {
        let person = hash_person(&read_key(conn)?, user);
        conn.has_row(
            "SELECT 1 FROM forgotten WHERE person = ?1 AND channel = ?2 AND until >= ?3",
            params![person, row.channel, row.until],
        )
    });
    find.wait()
}

/// What people wished holds as they left it, also where a wish was taken back.
fn carry_wishes(
    store: &Store,
    changes: &LaterChanges,
    people: &PeopleByHash,
    (is_same, is_later): (bool, bool),
    done: &mut ReappliedChanges,
) -> Result<(), StoreError> {
    let stored: Vec<(preferences::HashedPerson, Millis)> =
        read_all(store, "SELECT person, at FROM preferences")?;
    let stored: BTreeMap<_, _> = stored.into_iter().collect();
    let is_outdated = |person: preferences::HashedPerson, at: Millis| {
        is_same && !is_later && stored.get(&person).is_some_and(|stored| *stored >= at)
    };
    if is_later && !changes.unread.contains(&"preferences") {
        let clear = store.write(|db| db.conn.execute("DELETE FROM preferences", params![]));
        clear.wait()?;
    }
    for (person, JsonColumn(preference), at) in changes.preferences.iter().cloned() {
        if is_outdated(person, at) {
            continue;
        }
        match people.find(&person) {
            Some(user) => store.set_preference(user, preference, at).wait()?,
            None if is_same => {
                let put = store.write(move |db| {
                    let row = row! { person, preference: JsonColumn(preference), at };
                    db.conn.put_row("preferences", row)
                });
                put.wait()?;
            }
            None => done.lost_wishes += 1,
        }
    }
    Ok(())
}

fn edit_again(
    store: &Store,
    changes: &LaterChanges,
    done: &mut ReappliedChanges,
) -> Result<(), StoreError> {
    for edits in changes.edits.chunks(TOGETHER) {
        let events = edits.iter().cloned().map(|edit| ChatEvent::Edit {
            channel: edit.channel,
            id: edit.id,
            author: edit.author,
            text: edit.text.into(),
            at: edit.at,
        });
        let outcomes = store.append(events.collect()).wait()?;
        done.edited += outcomes.iter().filter(|outcome| outcome.new).count();
    }
    Ok(())
}

/// Deletes what was deleted since, messages and memories, and keeps that it was.
fn delete_again(store: &Store, changes: &LaterChanges, is_same: bool) -> Result<(), StoreError> {
    let known: Vec<(ChannelId, MessageId)> = read_all(store, "SELECT channel, id FROM tombstones")?;
    let known: BTreeSet<_> = known.into_iter().collect();
    let is_new = |gone: &&Tombstone| !known.contains(&(gone.channel, gone.id));
    let (memories, messages): (Vec<Tombstone>, Vec<Tombstone>) = changes
        .tombstones
        .iter()
        .filter(is_new)
        .partition(|gone| gone.channel == NO_CHANNEL);
    for gone in messages.chunks(TOGETHER) {
        let events = gone.iter().map(|gone| ChatEvent::Delete {
            channel: gone.channel,
            ids: vec![gone.id],
            at: gone.at,
        });
        store.append(events.collect()).wait()?;
    }
    for gone in memories.into_iter().filter(|_| is_same) {
        store.delete_memory(MemoryId(gone.id.0)).wait()?;
    }
    Ok(())
}

/// Erases the channels and guilds that were erased since. What was said there after that is in no backup but those that
/// know of the erasure, and stays.
fn erase_places_again(store: &Store, changes: &LaterChanges) -> Result<(), StoreError> {
    let known: Vec<(JsonColumn<OverrideScope>, Millis)> =
        read_all(store, "SELECT place, at FROM erased_places")?;
    let known = known.into_iter().map(|(JsonColumn(place), at)| (place, at));
    let known: BTreeMap<OverrideScope, Millis> = known.collect();
    let erased = changes
        .erased_places
        .iter()
        .map(|(JsonColumn(place), at)| (place, at));
    for (place, at) in erased.filter(|(place, at)| known.get(place).is_none_or(|known| known < at))
    {
        let (channels, guild) = match place {
            OverrideScope::Channel(channel) => (vec![*channel], None),
            OverrideScope::Guild(guild) => (Vec::new(), Some(*guild)),
        };
        store.erase_places(channels, guild, *at).wait()?;
    }
    Ok(())
}

/// What moderators chose and what core memory says now stays so; what was said is not said again, and who decided what has
/// decided.
fn adopt_choices(store: &Store, changes: &LaterChanges) -> Result<(), StoreError> {
    let overrides =
        (!changes.unread.contains(&"choices by hand")).then(|| changes.overrides.clone());
    let (blocks, versions) = (
        changes.core_memory.clone(),
        changes.core_memory_versions.clone(),
    );
    let (settled, proposals) = (changes.settled.clone(), changes.proposals.clone());
    let intents = changes.intents.clone();
    let adopt = store.write(move |db| {
        if let Some(overrides) = &overrides {
            db.conn.execute("DELETE FROM manual_overrides", params![])?;
            replace_rows(db, "manual_overrides", overrides)?;
        }
        for block in &blocks {
            let key = bind_values(&block[..block.len().min(2)]);
            db.conn.execute(
                "DELETE FROM core_memory_versions WHERE scope = ?1 AND label = ?2",
                &key,
            )?;
        }
        replace_rows(db, "core_memory", &blocks)?;
        replace_rows(db, "core_memory_versions", &versions)?;
        let settle = "UPDATE outbox SET state = ?2, message = ?3, action = NULL, answers = NULL
                      WHERE nonce = ?1 AND state = 0";
        settled
            .iter()
            .try_for_each(|row| db.conn.execute(settle, &bind_values(row)).map(drop))?;
        let open: Vec<i64> = db
            .conn
            .read_all("SELECT id FROM proposals WHERE is_open = 1", params![])?;
        let decided = proposals
            .iter()
            .filter(|row| matches!(row.first(), Some(Value::Integer(id)) if open.contains(id)));
        replace_rows(db, "proposals", &decided.cloned().collect::<Rows>())?;
        if let Some(intents) = &intents {
            db.conn
                .execute_batch("CREATE TEMP TABLE waiting (channel INTEGER, id INTEGER)")?;
            replace_rows(db, "temp.waiting", intents)?;
            db.conn.execute_batch(
                "DELETE FROM intents WHERE (channel, id) NOT IN (SELECT channel, id FROM waiting);
                 DROP TABLE temp.waiting",
            )?;
        }
        db.erased = true;
        Ok(())
    });
    adopt.wait()
}

/// No number is given twice, and what was spent today stays spent.
fn adopt_numbers(store: &Store, changes: &LaterChanges) -> Result<(), StoreError> {
    let (counter, sequences) = (changes.counter, changes.sequences.clone());
    let usage = changes.usage.clone();
    let adopt = store.write(move |db| {
        db.arrival = db.arrival.max(counter.unsigned_abs()) + 1;
        for (table, number) in &sequences {
            let raise = "UPDATE sqlite_sequence SET seq = max(seq, ?2) WHERE name = ?1 RETURNING 1";
            if !db.conn.has_row(raise, params![table, number])? {
                db.conn.execute(
                    "INSERT INTO sqlite_sequence (name, seq) VALUES (?1, ?2)",
                    params![table, number],
                )?;
            }
        }
        let newest: Option<Millis> =
            db.conn
                .read_one("SELECT max(at) FROM model_usage", params![])?;
        let later = usage.iter().filter(|row| {
            matches!(row.first(), Some(Value::Integer(at)) if newest.is_none_or(|newest| *at > newest))
        });
        replace_rows(db, "model_usage", &later.cloned().collect::<Rows>())
    });
    adopt.wait()
}

/// Puts rows into a table, in the place of those with their keys.
fn replace_rows(db: &Database, table: &str, rows: &Rows) -> SqlResult<()> {
    for row in rows {
        let marks = vec!["?"; row.len()].join(", ");
        let put = format!("INSERT OR REPLACE INTO {table} VALUES ({marks})");
        db.conn.execute(&put, &bind_values(row))?;
    }
    Ok(())
}
