//! What moderators set by slash command, kept with author and date. Says nothing about who may.

use super::{Store, StoreReply};
use crate::values::{JsonColumn, ReadRow, params};
use kith_core::manual_override::{OverrideRecord, OverrideScope};

impl Store {
    /// Keeps a choice, in the place of one about the same for the same place.
    pub fn set_override(&self, set: OverrideRecord) -> StoreReply<()> {
        self.write(move |db| {
            let OverrideRecord { place, choice, by, at } = &set;
            let put = "INSERT INTO manual_overrides (place, about, choice, chosen_by, at) VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT (place, about)
                 DO UPDATE SET choice = excluded.choice, chosen_by = excluded.chosen_by, at = excluded.at";
            db.conn.execute(put, params![JsonColumn(place), choice.kind(), JsonColumn(choice), by, at])?;
            Ok(())
        })
    }

    pub fn reset_overrides(&self, place: OverrideScope) -> StoreReply<()> {
        self.write(move |db| {
            db.conn.execute(
                "DELETE FROM manual_overrides WHERE place = ?1",
                params![JsonColumn(place)],
            )?;
            Ok(())
        })
    }

    /// All choices, oldest first.
    pub fn overrides(&self) -> StoreReply<Vec<OverrideRecord>> {
        self.read(|conn| {
            let find = "SELECT place, choice, chosen_by, at FROM manual_overrides ORDER BY at, place, about";
            conn.map_all(find, params![], |row| {
                let (JsonColumn(place), JsonColumn(choice)) = (row.read(0)?, row.read(1)?);
                Ok(OverrideRecord {
                    place,
                    choice,
                    by: row.read(2)?,
                    at: row.read(3)?,
                })
            })
        })
    }
}
