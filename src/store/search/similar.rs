//! Finding the messages that mean most nearly what a question means: every vector in scope is held against it. That is
//! exact, and fast enough for what a server says in a season; an index of neighbours would be approximate, and would rank
//! before it knows the scope.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::context::read_stretches;
use super::messages::{LAST_MESSAGE, MessageSearch, SearchHit, read_hits};
use crate::sql::{SqlConnection, SqlResult};
use crate::values::{ReadRow, bind_channels, params};
use kith_core::chat::Millis;
use kith_core::recall::{SimilarityStats, TextVector};

#[derive(Clone, Debug, PartialEq)]
pub struct VectorSearch {
    /// The model that made the vector, by its name: only its own are held against it.
    pub model: String,
    pub vector: TextVector,
    /// Where, by whom and when; the words do not matter.
    pub within: MessageSearch,
    /// How many lines around each are wanted as well.
    pub reach: usize,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct SimilarMessages {
    /// Nearest first; the score is the cosine.
    pub hits: Vec<SearchHit>,
    /// They and the lines around them, as stretches of lines that follow each other, oldest first.
    pub stretches: Vec<Vec<SearchHit>>,
    /// The cosines of everything in scope.
    pub spread: SimilarityStats,
}

/// A cosine as it is sorted, with the arrival number of its message: of two the same the newer first.
type RatedMessage = (i64, i64);

/// Cosines are compared as whole numbers of a millionth.
const PARTS: f64 = 1e6;

pub(crate) fn find_similar(
    conn: &SqlConnection,
    search: &VectorSearch,
) -> SqlResult<SimilarMessages> {
    let within = &search.within;
    let (id, name) = within.split_author();
    let model = "SELECT id FROM vector_models WHERE name = ?1";
    let model: Option<i64> = conn.read_first(model, params![search.model])?;
    let mut find = conn.prepare_cached(
        "SELECT v.vector, v.arrival, m.author_name FROM message_vectors v JOIN messages m ON m.arrival = v.arrival
         WHERE v.channel IN (SELECT value FROM json_each(?1)) AND v.model = ?2 AND v.vector IS NOT NULL
           AND m.at >= ?3 AND m.at < ?4 AND (m.author = ?5 OR ?5 IS NULL)
           AND (m.channel IS DISTINCT FROM ?6 OR m.id < ?7 AND m.id > coalesce(?8, CAST(-1 AS BIGINT)))",
    )?;
    let mut rows = find.query_paged(params![
        bind_channels(&within.channels),
        model,
        within.from.unwrap_or(Millis::MIN),
        within.to.unwrap_or(Millis::MAX),
        id,
        within.left_out.map(|out| out.channel),
        within
            .left_out
            .and_then(|out| out.from)
            .unwrap_or(LAST_MESSAGE),
        within.left_out.and_then(|out| out.until),
    ])?;
    let mut spread = SimilarityStats::default();
    let mut nearest: BinaryHeap<Reverse<RatedMessage>> = BinaryHeap::new();
    while let Some(row) = rows.next()? {
        let vector = row.get_value(0)?.as_bytes()?;
        let Some(cosine) = search.vector.cosine(vector) else {
            continue;
        };
        spread.add(cosine);
        if let Some(name) = &name {
            let author: String = row.read(2)?;
            if !author.to_lowercase().contains(name) {
                continue;
            }
        }
        nearest.push(Reverse(((cosine * PARTS) as i64, row.read(1)?)));
        if nearest.len() > within.limit {
            nearest.pop();
        }
    }
    let nearest = nearest.into_sorted_vec().into_iter();
    let nearest = nearest.map(|Reverse((cosine, arrival))| (arrival, cosine as f64 / PARTS));
    let hits = read_hits(conn, &nearest.collect::<Vec<(i64, f64)>>())?;
    Ok(SimilarMessages {
        stretches: read_stretches(conn, &hits, search.reach)?,
        hits,
        spread,
    })
}
