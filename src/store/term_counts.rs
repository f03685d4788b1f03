//! In how many messages each word stands. The index counts by walking through the whole list of a word, which takes
//! milliseconds for those that nearly everybody writes; of them the number is kept.

use std::collections::HashMap;

use crate::engine_statements::WordCountSql;
use crate::sql::{SqlConnection, SqlResult};
use crate::text_query::{QueryTerm, TextQuery};
use crate::values::{JsonColumn, params};
use crate::vector_words;

/// From so many messages on a word's number is kept: a word so common tells of nobody.
const KEPT_FROM: u64 = 1_000;
/// A number holds until a store has grown by one message in so many.
const GROWTH: i64 = 64;
const MOST_WORDS: usize = 4_096;

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
    /// In how many messages each of these terms stands; left out is what stands in none. A number of many may be a little
    /// old: of a store of `all` messages, in which 64 were written for each that came since.
    pub fn count(
        &mut self,
        conn: &SqlConnection,
        terms: &[String],
        all: i64,
    ) -> SqlResult<HashMap<String, u64>> {
        let mut counted = HashMap::new();
        let mut unknown: Vec<&str> = Vec::new();
        for term in terms {
            match self.kept.get(term) {
                Some(kept) if (all - kept.of).abs() <= kept.of / GROWTH => {
                    counted.insert(term.clone(), kept.messages);
                }
                _ => unknown.push(term),
            }
        }
        for (term, messages) in count_unknown(conn, unknown)? {
            let messages = u64::try_from(messages).unwrap_or_default();
            if messages >= KEPT_FROM {
                if self.kept.len() >= MOST_WORDS {
                    self.kept.clear();
                }
                let kept = KeptCount { messages, of: all };
                self.kept.insert(term.clone(), kept);
            }
            counted.insert(term, messages);
        }
        Ok(counted)
    }
}

fn count_unknown(conn: &SqlConnection, terms: Vec<&str>) -> SqlResult<Vec<(String, i64)>> {
    if let Some(counting) = conn.statements().count_holding {
        return count_on_server(conn, counting, &terms);
    }
    // All at once: SQLite prepares a statement of its own each time it begins to read this table.
    let count = "SELECT term, doc FROM json_each(?1) CROSS JOIN word_counts ON term = value";
    conn.read_all(count, params![JsonColumn(terms)])
}

/// As the index holds them. What is several words there is asked of it.
fn count_on_server(
    conn: &SqlConnection,
    counting: WordCountSql,
    terms: &[&str],
) -> SqlResult<Vec<(String, i64)>> {
    let words = terms.iter().map(|term| vector_words::split_words(term));
    let words: Vec<Vec<String>> = words.collect();
    let whole: Vec<&str> = words
        .iter()
        .map(|words| words.first().map_or("", String::as_str))
        .collect();
    let counts: Vec<i64> = conn.read_all(counting.each, params![JsonColumn(whole)])?;
    let mut counted = Vec::new();
    for ((term, words), messages) in terms.iter().zip(&words).zip(counts) {
        let messages = match words.len() {
            0 | 1 => messages,
            _ => count_messages(conn, counting.by_query, term)?,
        };
        if messages > 0 {
            counted.push(((*term).to_owned(), messages));
        }
    }
    Ok(counted)
}

/// In how many messages a term stands whose words follow each other in the index.
fn count_messages(conn: &SqlConnection, by_query: &str, term: &str) -> SqlResult<i64> {
    let query = TextQuery {
        terms: vec![QueryTerm {
            text: term.to_owned(),
            is_start: false,
        }],
        is_any: true,
        channels: Vec::new(),
    };
    conn.read_one(by_query, params![conn.to_query(&query)])
}
