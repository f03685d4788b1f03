//! The best of very many messages that hold a word of a search, where ranking each of them by the index would take tens of
//! milliseconds: the index looks up the length of every message it ranks.

use std::collections::BinaryHeap;
use std::slice;

use super::text_index;
use crate::sql::{SqlConnection, SqlResult};
use crate::values::{ReadRow, bind_channels, params};
use kith_core::chat::ChannelId;
use kith_core::recall::is_cjk;

/// So many messages the index ranks by itself; of more, those that are worth it are chosen here first.
pub(super) const RANKED_BY_INDEX: u64 = 1_500;
/// How strongly a message's length counts: the parameters of BM25 that SQLite's index uses.
const SATURATION: f64 = 1.2;
const LENGTH_SHARE: f64 = 0.75;

/// The messages that hold a term, by arrival: those with more and rarer ones first, of equals the newest. Hardly anybody
/// wants all of them, so each is put in its place only when it is asked for.
pub(super) fn weigh_messages(
    conn: &SqlConnection,
    channels: &[ChannelId],
    terms: &[(String, u64)],
    before_arrival: i64,
) -> SqlResult<impl Iterator<Item = (i64, f64)>> {
    let newest = text_index::read_newest_arrival(conn)?;
    let mut find = conn.prepare_cached(conn.statements().find_holding)?;
    let mut weighed: Vec<(i64, f64)> = Vec::new();
    for term in terms {
        let query = text_index::build_query(channels, slice::from_ref(term));
        let query = query.map(|query| conn.to_query(&query));
        let mut holding: Vec<i64> = Vec::new();
        let mut rows = find.query_paged(params![query, before_arrival, bind_channels(channels)])?;
        while let Some(row) = rows.next()? {
            holding.push(row.read(0)?);
        }
        weighed = add_weight(&weighed, &holding, rate_rarity(term.1, newest));
    }
    // Weights are above 0, and the bits of such numbers have the order of the numbers.
    let by_weight = weighed
        .into_iter()
        .map(|(arrival, weight)| (weight.to_bits(), arrival));
    let mut best: BinaryHeap<(u64, i64)> = by_weight.collect();
    Ok(std::iter::from_fn(move || {
        let (weight, arrival) = best.pop()?;
        Some((arrival, f64::from_bits(weight)))
    }))
}

/// Messages and their weights, in the order of their arrival, with the weight of one more term for those that hold it.
fn add_weight(weighed: &[(i64, f64)], holding: &[i64], weight: f64) -> Vec<(i64, f64)> {
    let mut sums = Vec::with_capacity(weighed.len() + holding.len());
    let mut known = weighed.iter().copied().peekable();
    for &arrival in holding {
        while let Some(before) = known.next_if(|(other, _)| *other < arrival) {
            sums.push(before);
        }
        let held = known.next_if(|(other, _)| *other == arrival);
        sums.push((arrival, held.map_or(0.0, |(_, held)| held) + weight));
    }
    sums.extend(known);
    sums
}

/// What BM25 makes of texts that hold terms, each with the number of messages it stands in, of so many: where the index does
/// not rank. Lengths are held against those of these texts.
pub(super) fn rate_texts<'a>(
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_weighs_as_much_as_all_terms_it_holds() {
        let one = add_weight(&[], &[2, 5, 9], 0.5);
        let two = add_weight(&one, &[1, 5, 11], 0.25);
        assert_eq!(two, [(1, 0.25), (2, 0.5), (5, 0.75), (9, 0.5), (11, 0.25)]);
    }
}
