//! How much the terms of a search weigh: rare ones more, and in long messages less.

use std::slice;

use crate::sql::{SqlConnection, SqlResult};
use crate::text_index;
use kith_core::chat::ChannelId;
use kith_core::recall::is_cjk;

/// How strongly a message's length counts: the parameters of BM25 that SQLite's index uses.
const SATURATION: f64 = 1.2;
const LENGTH_SHARE: f64 = 0.75;

pub(crate) struct WeighedTerm {
    pub query: String,
    /// In about how many messages it stands.
    pub messages: u64,
    /// What a message weighs for holding it, above 0: the bits of such numbers have the order of the numbers.
    pub weight: f64,
}

/// Terms of a search over channels, each with about the number of messages it stands in.
pub(crate) fn weigh_terms(
    conn: &SqlConnection,
    channels: &[ChannelId],
    terms: &[(String, u64)],
) -> SqlResult<Vec<WeighedTerm>> {
    let newest = text_index::read_newest_arrival(conn)?;
    let terms = terms.iter().filter_map(|term| {
        let query = text_index::build_query(channels, slice::from_ref(term))?;
        Some(WeighedTerm {
            query: conn.to_query(&query),
            messages: term.1,
            weight: rate_rarity(term.1, newest),
        })
    });
    Ok(terms.collect())
}

/// What BM25 makes of texts that hold terms, each with the number of messages it stands in, of so many: where the index does
/// not rank. Lengths are held against those of these texts.
pub(crate) fn rate_texts<'a>(
    texts: impl Iterator<Item = &'a str>,
    terms: &[(String, u64)],
    messages: i64,
) -> Vec<f64> {
    let words: Vec<Vec<String>> = texts.map(text_index::split_indexed_words).collect();
    let total: usize = words.iter().map(Vec::len).sum();
    let average = (total as f64 / words.len().max(1) as f64).max(1.0);
    let rate = |words: &Vec<String>| {
        let length = 1.0 - LENGTH_SHARE + LENGTH_SHARE * words.len() as f64 / average;
        let of_term = |(term, holding): &(String, u64)| {
            let count = text_index::count_term(words, term) as f64;
            let weight = count * (SATURATION + 1.0) / (count + SATURATION * length);
            rate_rarity(*holding, messages) * weight
        };
        terms.iter().map(of_term).sum()
    };
    words.iter().map(rate).collect()
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
pub(crate) fn weigh_lengths<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<f64> {
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
