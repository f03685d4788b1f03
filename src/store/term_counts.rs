//! In how many messages each word stands. The index counts by walking through the whole list of a word, which takes
//! milliseconds for those that nearly everybody writes; of them the number is kept.

use std::collections::HashMap;

use rusqlite::{Connection, OptionalExtension};

use crate::values::ReadRow;

/// From so many messages on a word's number is kept: a word so common tells of nobody.
const KEPT_FROM: u64 = 1_000;
/// A number holds until a store has grown by one message in so many.
const GROWTH: i64 = 64;
/// The most words of which a number is kept.
const MOST_WORDS: usize = 4_096;

/// Numbers that were counted.
#[derive(Default)]
pub(super) struct TermCounts {
    kept: HashMap<String, KeptCount>,
}

struct KeptCount {
    messages: u64,
    /// How many messages there were then.
    of: i64,
}

impl TermCounts {
    /// In how many messages a term stands; none where in none. A number of many may be a little old: of a store of `all`
    /// messages, in which 64 were written for each that came since.
    pub fn count(
        &mut self,
        conn: &Connection,
        term: &str,
        all: i64,
    ) -> rusqlite::Result<Option<u64>> {
        if let Some(kept) = self.kept.get(term)
            && (all - kept.of).abs() <= kept.of / GROWTH
        {
            return Ok(Some(kept.messages));
        }
        let mut count = conn.prepare_cached("SELECT doc FROM word_counts WHERE term = ?1")?;
        let messages: Option<i64> = count.query_row([term], |row| row.read(0)).optional()?;
        let messages = messages.map(|messages| u64::try_from(messages).unwrap_or_default());
        if let Some(messages) = messages.filter(|messages| *messages >= KEPT_FROM) {
            if self.kept.len() >= MOST_WORDS {
                self.kept.clear();
            }
            let kept = KeptCount { messages, of: all };
            self.kept.insert(term.to_owned(), kept);
        }
        Ok(messages)
    }
}
