//! What the partitions of one database tell each other: what people wish everywhere, and what was spent today. It stands in
//! the schema of the leases (`postgres/leases/book.rs`). A wish is told before it is carried out here: who is cut off
//! between the two asks again. Where nothing is divided, nothing is told.

use serde_json::Value;

use super::{Store, StoreReply, preferences};
use crate::postgres::PartitionLease;
use crate::sql::{SqlConnection, SqlResult};
use crate::values::{JsonColumn, params};
use kith_core::chat::{Millis, UserId};
use kith_core::preference::SharedWish;

/// A wish that another partition was told of, and that is to be carried out here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WishElsewhere {
    /// By which it is settled.
    pub number: i64,
    pub user: UserId,
    pub wish: SharedWish,
    /// When it was wished.
    pub at: Millis,
    /// Whether the person wished something else here since.
    pub is_outdated: bool,
}

/// The lease, where there are other partitions.
fn find_divided(conn: &SqlConnection) -> Option<&PartitionLease> {
    conn.lease().filter(|lease| lease.partition.count() > 1)
}

impl Store {
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
    pub fn load_shared_wishes(&self) -> StoreReply<Vec<WishElsewhere>> {
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
                wishes.push(WishElsewhere {
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

    /// A wish is carried out in this partition.
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
