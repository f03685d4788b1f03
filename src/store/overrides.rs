//! What moderators set by slash command, kept with author and date. Says nothing about who may.

use super::{Store, StoreReply};
use crate::values::{JsonColumn, ReadRow, params};
use kith_core::manual_override::{OverrideRecord, OverrideScope};

impl Store {
    /// Keeps a choice, in the place of one about the same for the same place.
    pub fn set_override(&self, set: OverrideRecord) -> StoreReply<()> {
        self.write(move |db| {
            let OverrideRecord { place, choice, by, at } = &set;
            let mut put = db.conn.prepare_cached(
                "INSERT INTO manual_overrides (place, about, choice, chosen_by, at) VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT (place, about)
                 DO UPDATE SET choice = excluded.choice, chosen_by = excluded.chosen_by, at = excluded.at",
            )?;
            put.execute(params![JsonColumn(place), choice.kind(), JsonColumn(choice), by, at])?;
            Ok(())
        })
    }

    /// Takes all choices of a place back.
    pub fn reset_overrides(&self, place: OverrideScope) -> StoreReply<()> {
        self.write(move |db| {
            db.conn
                .prepare_cached("DELETE FROM manual_overrides WHERE place = ?1")?
                .execute(params![JsonColumn(place)])?;
            Ok(())
        })
    }

    /// All choices, oldest first.
    pub fn overrides(&self) -> StoreReply<Vec<OverrideRecord>> {
        self.read(|conn| {
            let mut find = conn.prepare_cached(
                "SELECT place, choice, chosen_by, at FROM manual_overrides ORDER BY at, place, about",
            )?;
            let rows = find.query_map(params![], |row| {
                let (JsonColumn(place), JsonColumn(choice)) = (row.read(0)?, row.read(1)?);
                Ok(OverrideRecord {
                    place,
                    choice,
                    by: row.read(2)?,
                    at: row.read(3)?,
                })
            })?;
            rows.collect()
        })
    }
}
