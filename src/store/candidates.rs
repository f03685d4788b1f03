//! The best of very many messages that hold a word of a search, where ranking each of them by the index would take tens of
//! milliseconds: the index looks up the length of every message it ranks.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::slice;

use rusqlite::Connection;

use super::text_index;
use crate::values::{ReadRow, params};
use kith_core::chat::ChannelId;
use kith_core::recall::is_cjk;

/// So many messages the index ranks by itself; of more, those that are worth it are chosen here first.
pub(super) const RANKED_BY_INDEX: u64 = 1_500;
/// How strongly a message's length counts: the parameters of BM25 that SQLite's index uses.
const SATURATION: f64 = 1.2;
const LENGTH_SHARE: f64 = 0.75;

/// The messages that hold a term, by arrival: those with more and rarer ones first, of equals the newest.
pub(super) fn weigh_messages(
    conn: &Connection,
    channels: &[ChannelId],
    terms: &[(String, u64)],
    before_arrival: i64,
) -> rusqlite::Result<Vec<(i64, f64)>> {
    let newest = text_index::read_newest_arrival(conn)?;
    let mut find =
        conn.prepare_cached("SELECT rowid FROM words WHERE words MATCH ?1 AND rowid < ?2")?;
    let mut weights: HashMap<i64, f64> = HashMap::new();
    for term in terms {
        let weight = rate_rarity(term.1, newest);
        let query = text_index::build_query(channels, slice::from_ref(term));
        let mut rows = find.query(params![query, before_arrival])?;
        while let Some(row) = rows.next()? {
            *weights.entry(row.read(0)?).or_default() += weight;
        }
    }
    let mut weighed: Vec<(i64, f64)> = weights.into_iter().collect();
    weighed.sort_unstable_by(|a, b| {
        let by_weight = b.1.total_cmp(&a.1);
        by_weight.then(Reverse(a.0).cmp(&Reverse(b.0)))
    });
    Ok(weighed)
}

/// The inverse document frequency of BM25, as SQLite's index computes it.
fn rate_rarity(holding: u64, messages: i64) -> f64 {
    let holding = holding as f64;
    ((messages as f64 - holding + 0.5) / (holding + 0.5))
        .ln()
        .max(1e-6)
}

/// What BM25 makes of the weights of messages by their length: less of long ones, which hold any word sooner. A word counts
/// once a message.
pub(super) fn weigh_lengths<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<f64> {
    let lengths: Vec<f64> = texts.map(count_words).collect();
    let average = (lengths.iter().sum::<f64>() / lengths.len().max(1) as f64).max(1.0);
    let weigh = |length: f64| {
        let length = 1.0 - LENGTH_SHARE + LENGTH_SHARE * length / average;
        (SATURATION + 1.0) / (SATURATION * length + 1.0)
    };
    lengths.into_iter().map(weigh).collect()
}

fn count_words(text: &str) -> f64 {
    let spaced = text.split_whitespace().count();
    (spaced + text.chars().filter(|c| is_cjk(*c)).count()) as f64
}
