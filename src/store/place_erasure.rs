//! Erasing places: channels that are deleted, and guilds the companion is in no more. All that was said there goes, with
//! the turns, and every trace of it elsewhere.

use crate::catalogue::{self, PlaceLoss};
use crate::db::Database;
use crate::error::StoreError;
use crate::forget::run_in_commits;
use crate::handle::Store;
use crate::row_writes::row;
use crate::sql::SqlResult;
use crate::values::{JsonColumn, params};
use crate::{erase, memories, sessions, turn_erasure};
use kith_core::chat::{ChannelId, MessageId, Millis, TurnId};
use kith_core::manual_override::OverrideScope;

const TURNS: usize = 20;
/// Messages erased in one commit: each is looked for in all turns elsewhere, for it may have been recalled there.
const MESSAGES: usize = 5;

/// Erases the rows of a place, and keeps that all of it was erased. A backup that does not know that holds it from before.
pub(crate) fn erase_rows(db: &mut Database, place: OverrideScope, at: Millis) -> SqlResult<()> {
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

pub(crate) fn erase_channel(
    store: &Store,
    channel: ChannelId,
    at: Millis,
) -> Result<(), StoreError> {
    let turns = "SELECT turn FROM turns WHERE channel = ?1";
    let turns = store.read(move |conn| conn.read_all::<TurnId>(turns, params![channel]));
    run_in_commits(store, turns.wait()?.into_iter(), TURNS, |db, turns| {
        turns
            .iter()
            .try_for_each(|turn| turn_erasure::drop_turn(db, *turn))
    })?;
    let said = "SELECT id FROM messages WHERE channel = ?1";
    let said = store.read(move |conn| conn.read_all::<MessageId>(said, params![channel]));
    run_in_commits(
        store,
        said.wait()?.into_iter(),
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
