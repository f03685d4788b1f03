//! What moderators set by slash command, kept with author and date. Says nothing about who may.

use super::{Store, StoreReply};
use crate::from_row::from_row;
use crate::row_writes::row;
use crate::values::{JsonColumn, params};
use kith_core::manual_override::{OverrideRecord, OverrideScope};

impl Store {
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

    /// All choices, oldest first.
    pub fn overrides(&self) -> StoreReply<Vec<OverrideRecord>> {
        self.read(|conn| {
            let find = "SELECT place, choice, chosen_by, at FROM manual_overrides ORDER BY at, place, about";
            conn.read_all(find, params![])
        })
    }
}

from_row! { OverrideRecord { place: json, choice: json, by, at } }
