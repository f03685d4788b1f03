//! The messages that hold a term of a search, on a server: there each of them has to be visited, also by who only wants its
//! number, and of most nobody wants it. So they are found in parts, the best first: at once what holds several terms, and
//! what holds one alone when nothing better is left. The order is the same as if all were known.

use std::collections::{BinaryHeap, HashSet};

use super::term_weights::WeighedTerm;
use crate::engine_statements::FindingInParts;
use crate::sql::{SqlConnection, SqlResult};
use crate::values::{JsonColumn, ReadRow, bind_channels, params};
use crate::{text_index, vector_words};
use kith_core::chat::ChannelId;

/// To read so many messages in their order takes no longer than to visit one that the index tells of.
const READ_FOR_A_VISIT: i64 = 10;
/// Where too little was found among the newest, so many times as many are read next.
const GROWTH: i64 = 4;

/// What was found, and what can be found yet.
pub(crate) struct CandidateParts<'c> {
    conn: &'c SqlConnection,
    statements: FindingInParts,
    channels: Vec<ChannelId>,
    /// No message has a greater arrival number.
    newest: i64,
    /// What holds a term alone and was not found yet.
    parts: Vec<CandidatePart>,
    sharing: HashSet<i64>,
    best: BinaryHeap<(u64, i64)>,
}

struct CandidatePart {
    term: WeighedTerm,
    below: i64,
    /// Among so many they were looked for last.
    looked_through: i64,
}

impl CandidatePart {
    /// The first that may be among them.
    fn limit(&self) -> (u64, i64) {
        (self.term.weight.to_bits(), self.below.saturating_sub(1))
    }
}

impl<'c> CandidateParts<'c> {
    pub fn find(
        conn: &'c SqlConnection,
        statements: FindingInParts,
        channels: &[ChannelId],
        mut terms: Vec<WeighedTerm>,
        before_arrival: i64,
    ) -> SqlResult<Self> {
        // What has no words finds nothing.
        terms.retain(|term| !term.query.is_empty());
        let newest = text_index::read_newest_arrival(conn)?;
        let mut found = Self {
            conn,
            statements,
            channels: channels.to_vec(),
            newest,
            parts: Vec::new(),
            sharing: HashSet::new(),
            best: BinaryHeap::new(),
        };
        found.find_sharing(&terms, before_arrival)?;
        let parts = terms.into_iter().map(|term| CandidatePart {
            term,
            below: before_arrival.min(newest.saturating_add(1)),
            looked_through: 0,
        });
        found.parts.extend(parts);
        Ok(found)
    }

    fn find_sharing(&mut self, terms: &[WeighedTerm], before_arrival: i64) -> SqlResult<()> {
        let queries: Vec<&str> = terms.iter().map(|term| &*term.query).collect();
        let Some(query) = vector_words::format_sharing_query(&queries) else {
            return Ok(());
        };
        let mut find = self.conn.prepare_cached(self.statements.find_sharing)?;
        let channels = bind_channels(&self.channels);
        let mut rows = find.query(params![
            query,
            before_arrival,
            channels,
            JsonColumn(queries)
        ])?;
        while let Some(row) = rows.next()? {
            let arrival: i64 = row.read(0)?;
            let places: Vec<u8> = row.read(1)?;
            let held = read_numbers(&places, u32::from_be_bytes);
            let held = held.filter_map(|place| terms.get((place as usize).checked_sub(1)?));
            let weight: f64 = held.map(|term| term.weight).sum();
            self.sharing.insert(arrival);
            self.best.push((weight.to_bits(), arrival));
        }
        Ok(())
    }

    /// The best that is left, by weight and arrival number, for who wants so many.
    pub fn next(&mut self, wanted: usize) -> SqlResult<Option<(u64, i64)>> {
        let first = |part: &(usize, &CandidatePart)| part.1.limit();
        while let Some((place, part)) = self.parts.iter().enumerate().max_by_key(first)
            && self.best.peek().is_none_or(|best| *best < part.limit())
        {
            let part = self.parts.swap_remove(place);
            let rest = self.find_part(part, wanted)?;
            self.parts.extend(rest);
        }
        Ok(self.best.pop())
    }

    /// Finds messages that hold a term alone; answers with what is left of them.
    fn find_part(
        &mut self,
        part: CandidatePart,
        wanted: usize,
    ) -> SqlResult<Option<CandidatePart>> {
        let among = self.choose_among(&part, wanted);
        let from = among.map_or(0, |among| part.below.saturating_sub(among).max(0));
        let find = match among {
            Some(_) => self.statements.find_within,
            None => self.statements.find_holding,
        };
        let channels = bind_channels(&self.channels);
        let values = params![part.term.query, part.below, channels, from];
        let found: Option<Vec<u8>> = self.conn.read_one(find, values)?;
        let found = found.unwrap_or_default();
        let weight = part.term.weight.to_bits();
        let alone = read_numbers(&found, i64::from_be_bytes)
            .filter(|arrival| !self.sharing.contains(arrival));
        self.best.extend(alone.map(|arrival| (weight, arrival)));
        Ok((from > 0).then(|| CandidatePart {
            below: from,
            looked_through: among.unwrap_or_default(),
            ..part
        }))
    }

    /// Among how many of the newest messages so many of a part are to be expected; none where the index finds all of it sooner.
    fn choose_among(&self, part: &CandidatePart, wanted: usize) -> Option<i64> {
        let messages = i64::try_from(part.term.messages).ok()?;
        let wanted = i64::try_from(wanted).unwrap_or(i64::MAX);
        let expected = self.newest.saturating_mul(wanted).checked_div(messages)?;
        let among = expected
            .saturating_add(expected / GROWTH)
            .max(part.looked_through.saturating_mul(GROWTH))
            .max(1);
        (among <= messages.saturating_mul(READ_FOR_A_VISIT)).then_some(among)
    }
}

/// Numbers that follow each other.
fn read_numbers<const SIZE: usize, T>(
    bytes: &[u8],
    read: fn([u8; SIZE]) -> T,
) -> impl Iterator<Item = T> {
    bytes.as_chunks().0.iter().map(move |bytes| read(*bytes))
}
