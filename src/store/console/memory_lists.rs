//! What is remembered, in lists for people.

use crate::memories::{MemorySearch, find_entries, find_people};
use crate::values::{ReadRow, params};
use crate::{Store, StoreReply};
use kith_core::chat::{Author, ChannelId};
use kith_core::memory_entry::MemoryEntry;

impl Store {
    /// How much is remembered in each channel that holds anything, the most first; what is superseded does not count.
    pub fn count_memories(&self) -> StoreReply<Vec<(ChannelId, usize)>> {
        self.view(|conn| {
            let find = "SELECT channel, count(*) FROM memories WHERE superseded_by IS NULL GROUP BY channel ORDER BY 2 DESC, 1";
            conn.map_all(find, params![], |row| Ok((row.read(0)?, row.read::<i64>(1)? as usize)))
        })
    }

    /// What [`Store::find_memories`] finds, beside what the companion reads itself: there may be much of it.
    pub fn list_memories(&self, search: MemorySearch) -> StoreReply<Vec<MemoryEntry>> {
        self.view(move |conn| find_entries(conn, &search))
    }

    /// Whom [`Store::find_known_people`] finds, in the same way.
    pub fn list_known_people(&self, channels: Vec<ChannelId>) -> StoreReply<Vec<Author>> {
        self.view(move |conn| find_people(conn, &channels))
    }
}
