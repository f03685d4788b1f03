//! Erasing places: channels that are deleted, and guilds the companion is in no more. All that was said there goes, with
//! the turns, and every trace of it elsewhere.

use super::db::Database;
use super::forget::run_in_commits;
use super::{Store, StoreError, StoreReply, departed_members, erase, memories, sessions};
use crate::sql::{SqlConnection, SqlResult};
use crate::values::{JsonColumn, ReadRow, params};
use kith_core::chat::{ChannelId, GuildId, MessageId, Millis, TurnId};
use kith_core::manual_override::OverrideScope;

/// Turns dropped in one commit.
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
            let small = move |db: &mut Database| {
                erase_scope(db, OverrideScope::Guild(guild), at)?;
                departed_members::forget_guild(db, guild)?;
                db.conn
                    .execute(
                        "DELETE FROM guild_read_positions WHERE guild = ?1",
                        params![guild],
                    )
                    .map(drop)
            };
            store.write(small).wait()
        })
    }
}

/// Erases what is remembered of a place as a whole, and keeps that all of it was erased. A backup that does not know that
/// holds it from before.
fn erase_scope(db: &mut Database, place: OverrideScope, at: Millis) -> SqlResult<()> {
    db.erased = true;
    let scope = match place {
        OverrideScope::Guild(guild) => format!("guild:{guild}"),
        OverrideScope::Channel(channel) => format!("channel:{channel}"),
    };
    for forget in [
        "DELETE FROM core_memory WHERE scope = ?1",
        "DELETE FROM core_memory_versions WHERE scope = ?1",
        "DELETE FROM tool_data WHERE scope = ?1",
    ] {
        db.conn.execute(forget, params![scope])?;
    }
    db.conn
        .prepare_cached(
            "INSERT INTO erased_places (place, at) VALUES (?1, ?2)
             ON CONFLICT (place) DO UPDATE SET at = ?2 WHERE erased_places.at < ?2",
        )?
        .execute(params![JsonColumn(place), at])
        .map(drop)
}

fn erase_channel(store: &Store, channel: ChannelId, at: Millis) -> Result<(), StoreError> {
    let turns = store
        .read(move |conn| read_numbers(conn, "SELECT turn FROM turns WHERE channel = ?1", channel))
        .wait()?;
    run_in_commits(store, turns.into_iter().map(TurnId), TURNS, |db, turns| {
        turns
            .iter()
            .try_for_each(|turn| erase::drop_turn(db, *turn))
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
    let small = [
        "DELETE FROM intents WHERE channel = ?1",
        "DELETE FROM todos WHERE channel = ?1",
        "DELETE FROM summaries WHERE channel = ?1",
        "DELETE FROM stickers WHERE channel = ?1",
        "DELETE FROM outbox WHERE channel = ?1 AND state <> 0",
        "DELETE FROM channel_states WHERE channel = ?1",
        "DELETE FROM read_positions WHERE channel = ?1",
        "DELETE FROM former_authors WHERE channel = ?1",
        "DELETE FROM channels WHERE id = ?1",
    ];
    let small = move |db: &mut Database| {
        erase_scope(db, OverrideScope::Channel(channel), at)?;
        sessions::erase_channel(db, channel)?;
        memories::erase_channel(db, channel)?;
        let proposals = db.conn.statements().delete_proposals;
        db.conn.execute(proposals, params![channel])?;
        small
            .iter()
            .try_for_each(|delete| db.conn.execute(delete, params![channel]).map(drop))
    };
    store.write(small).wait()
}

fn read_numbers(conn: &SqlConnection, find: &str, channel: ChannelId) -> SqlResult<Vec<u64>> {
    let mut find = conn.prepare_cached(find)?;
    find.query_map(params![channel], |row| {
        row.read::<i64>(0).map(|number| number as u64)
    })?
    .collect()
}
