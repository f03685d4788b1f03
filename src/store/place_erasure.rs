//! Erasing places: channels that are deleted, and guilds the companion is in no more. All that was said there goes, with
//! the turns, and every trace of it elsewhere.

use super::db::Database;
use super::forget::run_in_commits;
use super::{Store, StoreError, StoreReply, erase, memories, sessions, turn_erasure};
use crate::catalogue::{self, PlaceLoss};
use crate::row_writes::row;
use crate::sql::{SqlConnection, SqlResult};
use crate::values::{JsonColumn, ReadRow, params};
use kith_core::chat::{ChannelId, GuildId, MessageId, Millis, TurnId};
use kith_core::manual_override::OverrideScope;

const TURNS: usize = 20;
/// Messages erased in one commit: each is looked for in all turns elsewhere, for it may have been recalled there.
const MESSAGES: usize = 5;

impl Store {
    /// Erases channels, of a `guild` how far it was heard, and what the companion and its tools remember of these places
    /// as a whole. In many commits, so that nobody waits long behind it.
    ///
    /// # Errors
    /// Part of it may be done; asked again it does the rest.
    pub fn erase_places(
        &self,
        channels: Vec<ChannelId>,
        guild: Option<GuildId>,
        at: Millis,
    ) -> StoreReply<()> {
        self.run_in_steps(move |store| {
            channels
                .iter()
                .try_for_each(|channel| erase_channel(store, *channel, at))?;
            let Some(guild) = guild else {
                return Ok(());
            };
            let small = move |db: &mut Database| erase_rows(db, OverrideScope::Guild(guild), at);
            store.write(small).wait()
        })
    }
}

/// Erases the rows of a place, and keeps that all of it was erased. A backup that does not know that holds it from before.
fn erase_rows(db: &mut Database, place: OverrideScope, at: Millis) -> SqlResult<()> {
    db.erased = true;
    let (scope, id) = match place {
        OverrideScope::Guild(guild) => (format!("guild:{guild}"), guild.0),
        OverrideScope::Channel(channel) => (format!("channel:{channel}"), channel.0),
    };
    for table in catalogue::tables() {
        let delete = |of: &str| format!("DELETE FROM {} WHERE {of}", table.name);
        match (table.place, place) {
            (PlaceLoss::Scope(of), _) => db.conn.execute(&delete(of), params![scope])?,
            (PlaceLoss::Channel(of), OverrideScope::Channel(_))
            | (PlaceLoss::Guild(of), OverrideScope::Guild(_)) => {
                db.conn.execute(&delete(of), params![ChannelId(id)])?
            }
            _ => 0,
        };
    }
    db.conn
        .raise_row("erased_places", row! { place: JsonColumn(place), at })
}

fn erase_channel(store: &Store, channel: ChannelId, at: Millis) -> Result<(), StoreError> {
    let turns = store
        .read(move |conn| read_numbers(conn, "SELECT turn FROM turns WHERE channel = ?1", channel))
        .wait()?;
    run_in_commits(store, turns.into_iter().map(TurnId), TURNS, |db, turns| {
        turns
            .iter()
            .try_for_each(|turn| turn_erasure::drop_turn(db, *turn))
    })?;
    let messages = store
        .read(move |conn| read_numbers(conn, "SELECT id FROM messages WHERE channel = ?1", channel))
        .wait()?;
    run_in_commits(
        store,
        messages.into_iter().map(MessageId),
        MESSAGES,
        move |db, said| {
            let arrival = db.advance_arrival();
            said.iter()
                .try_for_each(|id| erase::delete_message(db, channel, *id, arrival, at).map(drop))
        },
    )?;
    let small = move |db: &mut Database| {
        sessions::erase_channel(db, channel)?;
        memories::erase_channel(db, channel)?;
        erase_rows(db, OverrideScope::Channel(channel), at)
    };
    store.write(small).wait()
}

fn read_numbers(conn: &SqlConnection, find: &str, channel: ChannelId) -> SqlResult<Vec<u64>> {
    conn.map_all(find, params![channel], |row| {
        row.read::<i64>(0).map(|number| number as u64)
    })
}
