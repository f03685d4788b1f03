//! How people want to be treated. Who wished it stands nowhere: a row holds the person's id hashed with this database's
//! own key, so that it can be recognised but not read.

use std::collections::HashMap;

use sha2::{Digest, Sha256};

use crate::sql::{SqlConnection, SqlResult};
use crate::values::{JsonColumn, ReadRow, params};
use kith_core::chat::{Millis, UserId};
use kith_core::preference::PersonPreference;

/// A person's id, hashed with the key.
pub(super) type HashedPerson = [u8; 32];

/// Everybody's wishes. Cheap to ask; a copy of what the store held when it answered.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct PersonPreferences {
    key: String,
    by_person: HashMap<HashedPerson, PersonPreference>,
}

impl PersonPreferences {
    /// A person's wish; [`PersonPreference::Remember`] where none is known.
    pub fn get(&self, user: UserId) -> PersonPreference {
        // Hashing costs more than all else that is done for most messages, and most servers need none.
        if self.by_person.is_empty() {
            return PersonPreference::Remember;
        }
        self.by_person
            .get(&hash_person(&self.key, user))
            .copied()
            .unwrap_or_default()
    }

    /// Takes a wish over that is being stored.
    pub fn set(&mut self, user: UserId, preference: PersonPreference) {
        let person = hash_person(&self.key, user);
        if preference == PersonPreference::Remember {
            self.by_person.remove(&person);
        } else {
            self.by_person.insert(person, preference);
        }
    }

    pub(super) fn has_any(&self, preference: PersonPreference) -> bool {
        self.by_person.values().any(|known| *known == preference)
    }
}

impl std::fmt::Debug for PersonPreferences {
    /// Without the key.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Wishes")
            .field("people", &self.by_person.len())
            .finish_non_exhaustive()
    }
}

pub(crate) fn read_preferences(conn: &SqlConnection) -> SqlResult<PersonPreferences> {
    let find = "SELECT person, preference FROM preferences";
    let wishes = conn.map_all(find, params![], |row| Ok((row.read(0)?, row.read_json(1)?)))?;
    Ok(PersonPreferences {
        key: read_key(conn)?,
        by_person: wishes.into_iter().collect(),
    })
}

/// When a person wished to be treated otherwise than everybody; none where they do not.
pub(super) fn find_preference_time(
    conn: &SqlConnection,
    user: UserId,
) -> SqlResult<Option<Millis>> {
    let person = hash_person(&read_key(conn)?, user);
    conn.read_first(
        "SELECT at FROM preferences WHERE person = ?1",
        params![person],
    )
}

/// Made with the table.
pub(super) fn read_key(conn: &SqlConnection) -> SqlResult<String> {
    conn.read_one(
        "SELECT value FROM meta WHERE key = 'preferences.key'",
        params![],
    )
}

/// Key and id are of fixed length, so nothing can be appended to pass for another person.
pub(super) fn hash_person(key: &str, user: UserId) -> HashedPerson {
    Sha256::new()
        .chain_update(key)
        .chain_update(user.0.to_be_bytes())
        .finalize()
        .into()
}

pub(super) fn find_unremembered_people(conn: &SqlConnection) -> SqlResult<Vec<UserId>> {
    let preferences = read_preferences(conn)?;
    if !preferences.has_any(PersonPreference::DontRemember) {
        return Ok(Vec::new());
    }
    let mut people = conn.read_all("SELECT id FROM people", params![])?;
    people.retain(|person| preferences.get(*person) == PersonPreference::DontRemember);
    Ok(people)
}

/// The same as a statement takes them.
pub(super) fn bind_unremembered_people(conn: &SqlConnection) -> SqlResult<JsonColumn<Vec<u64>>> {
    let people = find_unremembered_people(conn)?;
    Ok(JsonColumn(
        people.into_iter().map(|person| person.0).collect(),
    ))
}
