//! The signatures of turns in the database. A trigger takes one with any change of its turn, so that none tells of what is
//! gone.

use super::db::Database;
use super::erased_text::{ErasedText, TurnSignature};
use crate::sql::SqlResult;
use crate::values::{ReadRow, params};
use kith_core::chat::{ChannelId, Millis, TurnId};
use kith_core::quotes::TextSignature;

pub(super) fn save(
    db: &Database,
    signature: &TurnSignature,
    turn: TurnId,
    channel: ChannelId,
) -> SqlResult<()> {
    let mut save = db.conn.prepare_cached(
        "INSERT INTO turn_signatures (turn, channel, told, shown) VALUES (?1, ?2, ?3, ?4)
         ON CONFLICT (turn) DO UPDATE SET channel = excluded.channel, told = excluded.told, shown = excluded.shown",
    )?;
    let (told, shown) = (signature.told.as_bytes(), signature.shown.as_bytes());
    save.execute(params![turn, channel, told, shown]).map(drop)
}

/// The turns that ended since then and may show an erased text, and whether each is signed: what is not may show anything.
pub(super) fn find_showing_turns(
    db: &Database,
    gone: &ErasedText,
    ended_since: Millis,
) -> SqlResult<Vec<(TurnId, bool)>> {
    let mut find = db.conn.prepare_cached(
        "SELECT t.turn, s.channel, s.told, s.shown FROM turns t LEFT JOIN turn_signatures s ON s.turn = t.turn
         WHERE t.ended >= ?1",
    )?;
    let turns = find.query_map(params![ended_since], |row| {
        let channel: Option<ChannelId> = row.read(1)?;
        let part = |column| -> SqlResult<Option<TextSignature>> {
            let bytes: Option<Vec<u8>> = row.read(column)?;
            Ok(bytes.and_then(TextSignature::from_bytes))
        };
        let signature = part(2)?.zip(part(3)?);
        let signature = signature.map(|(told, shown)| TurnSignature { told, shown });
        let may_show = signature.as_ref().is_none_or(|signature| {
            signature.may_show(&gone.traces, channel == Some(gone.channel))
        });
        Ok(may_show.then_some((row.read(0)?, signature.is_some())))
    })?;
    turns.filter_map(Result::transpose).collect()
}
