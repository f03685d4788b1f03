//! What people wish and moderators choose, who of a guild's people is still there, and what the partitions of one
//! database tell each other of it.

use serde_json::Value;

use crate::catalogue::{self, Column, ColumnRole, select_texts};
use crate::db::Database;
use crate::error::StoreError;
use crate::from_row::from_row;
use crate::handle::{Store, StoreReply};
use crate::leavers::tombstones;
use crate::postgres::PartitionLease;
use crate::preferences::{PersonPreferences, read_preferences};
use crate::row_writes::row;
use crate::search::vectors;
use crate::sql::{SqlConnection, SqlResult};
use crate::values::{JsonColumn, params};
use crate::{memories, preferences};
use kith_core::chat::{AuthorKind, ChannelId, DAY, GuildId, Millis, UserId};
use kith_core::manual_override::{OverrideRecord, OverrideScope};
use kith_core::preference::{PersonPreference, SharedWish};

/// Whoever said something in this time is a member.
const QUIET: Millis = DAY;
/// A member who stays quiet is asked about this often.
const RECHECK: Millis = 7 * DAY;
/// What is kept of somebody who left is erased after this time.
const KEPT_AFTER_LEAVING: Millis = 30 * DAY;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuietMember {
    pub guild: GuildId,
    pub user: UserId,
}

from_row! { QuietMember { guild, user } }

/// Tables that tell of somebody as long as something else refers to them, or have their name themselves.
const UNKNOWING: [&str; 5] = [
    "departed_members",
    "former_authors",
    "people",
    "proposals",
    "stickers",
];

/// Selects the ids of whoever is referred to, besides by name in what is noted. Mentions are kept as JSON, ids as texts.
fn select_known() -> String {
    let columns = catalogue::columns_of(ColumnRole::Person);
    let columns = columns.filter(|(table, _)| !UNKNOWING.contains(&table.name));
    let known: String = columns
        .map(|(table, Column { name, .. })| {
            format!(
                "SELECT {name} FROM {} WHERE {name} IS NOT NULL UNION ",
                table.name
            )
        })
        .collect();
    known
        + "SELECT CAST(value AS BIGINT) FROM messages, json_each(mentions) WHERE mentions IS NOT NULL"
}

/// A wish that another partition was told of, and that is to be carried out here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RemoteRequest {
    /// By which it is settled.
    pub number: i64,
    pub user: UserId,
    pub wish: SharedWish,
    pub at: Millis,
    /// Whether the person wished something else here since.
    pub is_outdated: bool,
}

/// The lease, where there are other partitions.
fn find_divided(conn: &SqlConnection) -> Option<&PartitionLease> {
    conn.lease().filter(|lease| lease.partition.count() > 1)
}

impl Store {
    pub fn load_preferences(&self) -> StoreReply<PersonPreferences> {
        self.read(read_preferences)
    }

    /// Keeps a person's wish; [`PersonPreference::Remember`] takes it back. Erases nothing but what is remembered of them
    /// and the vectors of what they wrote.
    pub fn set_preference(
        &self,
        user: UserId,
        preference: PersonPreference,
        at: Millis,
    ) -> StoreReply<()> {
        self.write(move |db| {
            let person = preferences::hash_person(&preferences::read_key(&db.conn)?, user);
            if preference == PersonPreference::Remember {
                let ignored = JsonColumn(PersonPreference::Ignore);
                let was_ignored = db.conn.has_row(
                    "SELECT 1 FROM preferences WHERE person = ?1 AND preference = ?2",
                    params![person, ignored],
                )?;
                if was_ignored {
                    // A look back may find what they wrote meanwhile.
                    tombstones::record_ignored(db, user, at)?;
                }
                db.conn.delete_rows("preferences", row! { person })?;
            } else {
                db.conn.put_row(
                    "preferences",
                    row! { person, preference: JsonColumn(preference), at },
                )?;
                memories::forget_unwilling(db, user)?;
                vectors::remove_of_person(db, user)?;
            }
            // What was looked through for others has to be looked through for this person, too.
            db.remembered_until = 0;
            Ok(())
        })
    }

    /// Keeps a choice, in the place of one about the same for the same place.
    pub fn set_override(&self, set: OverrideRecord) -> StoreReply<()> {
        self.write(move |db| {
            let OverrideRecord { place, choice, by, at } = &set;
            let about = choice.kind();
            let row = row! { place: JsonColumn(place), about, choice: JsonColumn(choice), chosen_by: by, at };
            db.conn.put_row("manual_overrides", row)?;
            Ok(())
        })
    }

    pub fn reset_overrides(&self, place: OverrideScope) -> StoreReply<()> {
        self.write(move |db| {
            let of_place = row! { place: JsonColumn(place) };
            db.conn.delete_rows("manual_overrides", of_place).map(drop)
        })
    }

    pub fn overrides(&self) -> StoreReply<Vec<OverrideRecord>> {
        self.read(|conn| {
            let find = "SELECT place, choice, chosen_by, at FROM manual_overrides ORDER BY at, place, about";
            conn.read_all(find, params![])
        })
    }

    /// The people of all guilds whose membership is to be looked at now, those first who were looked at the longest ago.
    /// Reads all messages: meant for a few times a day.
    pub fn find_quiet_members(&self, now: Millis, limit: usize) -> StoreReply<Vec<QuietMember>> {
        self.read(move |conn| {
            let find = "SELECT talked.guild, talked.author FROM
                     (SELECT guild, author, max(at) AS newest FROM messages JOIN channels ON channels.id = channel
                      WHERE guild IS NOT NULL AND author_kind = ?1 GROUP BY guild, author) AS talked
                 LEFT JOIN departed_members d ON d.guild = talked.guild AND d.person = talked.author
                 WHERE newest <= ?2 AND CASE
                     WHEN d.person IS NULL THEN TRUE
                     WHEN d.absent_since IS NULL THEN d.checked <= ?3
                     ELSE d.absent_since <= ?4 END
                 ORDER BY d.checked NULLS FIRST, talked.guild, talked.author LIMIT ?5";
            let (quiet, recheck, left) = (now - QUIET, now - RECHECK, now - KEPT_AFTER_LEAVING);
            conn.read_all(find, params![AuthorKind::Person, quiet, recheck, left, limit])
        })
    }

    /// Keeps whether somebody is a member at this moment. Answers with the channels of the guild if they left so long ago
    /// that what is kept of them there is to be erased.
    pub fn record_membership(
        &self,
        member: QuietMember,
        is_member: bool,
        now: Millis,
    ) -> StoreReply<Option<Vec<ChannelId>>> {
        self.write(move |db| record(db, member, is_member, now))
    }

    /// Removes the names and ids of people to whom nothing that is kept refers; answers how many. Looks through all
    /// messages beside the writer, and takes it only for the removal.
    pub fn prune_people(&self) -> StoreReply<usize> {
        self.run_in_steps(prune)
    }

    /// Tells all other partitions what a person wishes. Who waits there to be forgotten waits once.
    pub fn share_wish(&self, user: UserId, wish: SharedWish, at: Millis) -> StoreReply<()> {
        self.write(move |db| {
            let Some(lease) = find_divided(&db.conn) else {
                return Ok(());
            };
            let (table, own) = (lease.table("shared_wish"), lease.partition.number());
            let last = lease.partition.count() - 1;
            let once = match wish {
                SharedWish::Forget => format!(
                    "AND NOT EXISTS (SELECT 1 FROM {table} WHERE partition = other AND person = ?1 AND wish = ?2)"
                ),
                SharedWish::Treat(_) => String::new(),
            };
            db.conn.execute(&format!(
                    "INSERT INTO {table} (partition, person, wish, at) SELECT other, ?1, ?2, ?3
                     FROM generate_series(0, {last}) other WHERE other <> {own} {once}"
                ), params![user, JsonColumn(wish), at])?;
            Ok(())
        })
    }

    /// What people wished in other partitions and is not carried out in this one, oldest first.
    pub fn load_shared_wishes(&self) -> StoreReply<Vec<RemoteRequest>> {
        self.read(|conn| {
            let Some(lease) = find_divided(conn) else {
                return Ok(Vec::new());
            };
            let (table, own) = (lease.table("shared_wish"), lease.partition.number());
            let find = format!(
                "SELECT number, person, wish, at FROM {table} WHERE partition = {own} ORDER BY number"
            );
            let rows: Vec<(i64, UserId, JsonColumn<SharedWish>, Millis)> =
                conn.read_all(&find, params![])?;
            let mut wishes = Vec::with_capacity(rows.len());
            for (number, user, JsonColumn(wish), at) in rows {
                let newer = preferences::find_preference_time(conn, user)?;
                let is_outdated =
                    matches!(wish, SharedWish::Treat(_)) && newer.is_some_and(|newer| newer > at);
                wishes.push(RemoteRequest {
                    number,
                    user,
                    wish,
                    at,
                    is_outdated,
                });
            }
            Ok(wishes)
        })
    }

    pub fn settle_shared_wish(&self, number: i64) -> StoreReply<()> {
        self.write(move |db| {
            if let Some(lease) = find_divided(&db.conn) {
                let table = lease.table("shared_wish");
                db.conn.execute(
                    &format!("DELETE FROM {table} WHERE number = ?1"),
                    params![number],
                )?;
            }
            Ok(())
        })
    }

    /// Hands another partition what somebody asked about a turn of its own, as Discord told it.
    pub fn share_interaction(&self, partition: u16, raw: Value, at: Millis) -> StoreReply<()> {
        self.write(move |db| {
            if let Some(lease) = find_divided(&db.conn) {
                let table = lease.table("shared_interaction");
                db.conn.execute(
                    &format!(
                        "INSERT INTO {table} (partition, raw, at) VALUES ({partition}, ?1, ?2)"
                    ),
                    params![JsonColumn(&raw), at],
                )?;
            }
            Ok(())
        })
    }

    /// Takes what others were asked about turns of this partition since `after`. What is older, Discord takes no answer to:
    /// it goes, too, for it holds what answers are sent with.
    pub fn take_shared_interactions(&self, after: Millis) -> StoreReply<Vec<Value>> {
        self.write(move |db| {
            let Some(lease) = find_divided(&db.conn) else {
                return Ok(Vec::new());
            };
            let (table, own) = (lease.table("shared_interaction"), lease.partition.number());
            let take = format!(
                "DELETE FROM {table} WHERE partition = {own} OR at < ?1 RETURNING raw, at, partition"
            );
            let mut taken: Vec<(JsonColumn<Value>, Millis, i64)> =
                db.conn.read_all(&take, params![after])?;
            taken.retain(|(_, at, partition)| *at >= after && *partition == i64::from(own));
            Ok(taken.into_iter().map(|(JsonColumn(raw), ..)| raw).collect())
        })
    }

    /// Tells all other partitions what this one has spent since the beginning of a day, and answers with what they spent, in
    /// tokens and money.
    pub fn share_spending(&self, day_start: Millis) -> StoreReply<(u64, f64)> {
        self.write(move |db| match find_divided(&db.conn) {
            Some(lease) => exchange_spending(&db.conn, lease, day_start),
            None => Ok((0, 0.0)),
        })
    }
}

from_row! { OverrideRecord { place: json, choice: json, by, at } }

fn record(
    db: &Database,
    QuietMember { guild, user }: QuietMember,
    is_member: bool,
    now: Millis,
) -> SqlResult<Option<Vec<ChannelId>>> {
    let find = "SELECT absent_since FROM departed_members WHERE guild = ?1 AND person = ?2";
    let known: Option<Option<Millis>> = db.conn.read_first(find, params![guild, user])?;
    let absent_since = (!is_member).then(|| known.flatten().unwrap_or(now));
    let row = row! { guild, person: user, checked: now, absent_since };
    db.conn.put_row("departed_members", row)?;
    if absent_since.is_none_or(|since| since > now - KEPT_AFTER_LEAVING) {
        return Ok(None);
    }
    let find = "SELECT id FROM channels WHERE guild = ?1";
    db.conn.read_all(find, params![guild]).map(Some)
}

fn prune(store: &Store) -> Result<usize, StoreError> {
    let (end, unknown) = store.read(find_unreferenced).wait()?;
    if unknown.is_empty() {
        return Ok(0);
    }
    let prune = store.write(move |db| {
        // Who wrote or reacted since is known again.
        let delete = "DELETE FROM people WHERE id IN (SELECT value FROM json_each(?1))
             AND id NOT IN (SELECT author FROM messages WHERE arrival > ?2)
             AND id NOT IN (SELECT user FROM reactions WHERE arrival > ?2)";
        let gone = db
            .conn
            .execute(delete, params![JsonColumn(&unknown), end])?;
        db.erased |= gone > 0;
        Ok(gone)
    });
    prune.wait()
}

/// Asks for who is not referred to. `NOT IN` would do, but a server reads through everybody who is, once for each person,
/// when that is more than it keeps in memory.
pub(crate) fn format_unreferenced() -> String {
    let (known, noted) = (select_known(), select_texts(&[ColumnRole::Note]));
    format!(
        "SELECT id FROM people WHERE id IN (SELECT id FROM people EXCEPT SELECT * FROM ({known}) AS known)
         AND NOT EXISTS (SELECT 1 FROM ({noted}) AS noted WHERE trim(name) <> '' AND instr(lower(text), lower(trim(name))) > 0)"
    )
}

/// The arrival number up to which it was looked, and who is not referred to by then.
fn find_unreferenced(conn: &SqlConnection) -> SqlResult<(i64, Vec<i64>)> {
    let end = conn.read_one("SELECT arrival FROM counter", params![])?;
    Ok((end, conn.read_all(&format_unreferenced(), params![])?))
}

fn exchange_spending(
    conn: &SqlConnection,
    lease: &PartitionLease,
    day_start: Millis,
) -> SqlResult<(u64, f64)> {
    let (table, own) = (lease.table("shared_spending"), lease.partition.number());
    conn.execute(&format!(
        "INSERT INTO {table} (partition, day_start, tokens, cost)
         SELECT {own}, ?1, coalesce(sum(prompt + completion), 0), coalesce(sum(cost), 0) FROM model_usage WHERE at >= ?1
         ON CONFLICT (partition) DO UPDATE
             SET day_start = excluded.day_start, tokens = excluded.tokens, cost = excluded.cost"
    ), params![day_start])?;
    let spent = format!(
        "SELECT coalesce(sum(tokens), 0)::bigint, coalesce(sum(cost), 0)::float8 FROM {table}
         WHERE partition <> {own} AND day_start = ?1"
    );
    conn.read_one(&spent, params![day_start])
}
