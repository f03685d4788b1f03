//! A person decides how they want to be treated, and what follows from it for what is kept of them.

use super::forget::tombstones;
use super::{Store, StoreReply, memories, preferences, vectors};
use crate::row_writes::row;
use crate::values::{JsonColumn, params};
use kith_core::chat::{Millis, UserId};
use kith_core::preference::PersonPreference;

impl Store {
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
}
