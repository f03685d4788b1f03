//! Finding what was said, best first. What is out of scope is left out before anything is ranked.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::candidates::{Candidates, RANKED_BY_INDEX};
use super::term_weights::{rate_texts, weigh_lengths};
use crate::from_row::{FromRow, from_row};
use crate::sql::{SqlConnection, SqlResult};
use crate::text_index;
use crate::values::{JsonColumn, bind_channels, params};
use kith_core::chat::{AuthorKind, ChannelId, MessageId, Millis, UserId};

#[derive(Clone, Debug, Default, PartialEq)]
pub struct MessageSearch {
    /// Where: only what stands in these channels is looked at.
    pub channels: Vec<ChannelId>,
    /// Words, any of which will do, in any of their forms; those with more and rarer ones of them come first (BM25).
    /// Never syntax. Without words the newest messages are found.
    pub words: String,
    pub author: Option<SearchAuthor>,
    /// Not before this.
    pub from: Option<Millis>,
    /// Before this.
    pub to: Option<Millis>,
    /// Only what arrived before this: what came since is in the prompt already.
    pub before_arrival: Option<u64>,
    pub left_out: Option<LeftOutMessages>,
    /// Only those of the words are looked for, rarest first, that together stand in hardly more than so many messages;
    /// without a number, in as many as can be ranked quickly.
    pub most_ranked: Option<u64>,
    pub limit: usize,
}

impl MessageSearch {
    /// Whether a message is by the author, of the time and not of what is left out; whatever channel it stands in.
    pub fn admits(&self, hit: &SearchHit) -> bool {
        let (id, name) = self.split_author();
        self.from.is_none_or(|from| hit.at >= from)
            && self.to.is_none_or(|to| hit.at < to)
            && id.is_none_or(|id| hit.author == id)
            && name.is_none_or(|name| hit.author_name.to_lowercase().contains(&name))
            && self
                .left_out
                .is_none_or(|out| !out.contains(hit.channel, hit.id))
    }

    /// Whose messages are meant: by id, which a statement looks for, or by a part of the name in small letters.
    pub(crate) fn split_author(&self) -> (Option<UserId>, Option<String>) {
        match &self.author {
            None => (None, None),
            Some(SearchAuthor::Id(id)) => (Some(*id), None),
            Some(SearchAuthor::Name(name)) => (None, Some(name.trim().to_lowercase())),
        }
    }
}

/// The ends of a channel that a search leaves out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LeftOutMessages {
    pub channel: ChannelId,
    /// This message and what came after it.
    pub from: Option<MessageId>,
    /// This message and what came before it.
    pub until: Option<MessageId>,
}

impl LeftOutMessages {
    pub fn contains(&self, channel: ChannelId, id: MessageId) -> bool {
        let is_after = self.from.is_some_and(|first| id >= first);
        channel == self.channel && (is_after || self.until.is_some_and(|last| id <= last))
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SearchAuthor {
    Id(UserId),
    /// By a part of the name they wrote under, in any case.
    Name(String),
}

#[derive(Clone, Debug, PartialEq)]
pub struct SearchHit {
    pub channel: ChannelId,
    pub id: MessageId,
    pub at: Millis,
    pub author: UserId,
    /// Their name then.
    pub author_name: Arc<str>,
    pub author_kind: AuthorKind,
    pub reply_to: Option<MessageId>,
    pub text: Arc<str>,
    /// How well it fits: larger is better, comparable within one answer only. 0 without words.
    pub score: f64,
}

/// No message has a greater id.
pub(crate) const LAST_MESSAGE: MessageId = MessageId(i64::MAX as u64);

/// Of so many times the messages that are wanted the texts are read, …
const READ_FOR_EACH: usize = 3;
/// … and of so many at least.
const LEAST_READ: usize = 150;
/// So many are asked for together.
const READ_TOGETHER: usize = 200;
const BY_WORDS: &str = "
    SELECT m.channel, m.id, m.at, m.author, m.author_name, m.text, -w.rank, m.reply_to, m.author_kind
    FROM words w JOIN messages m ON m.arrival = w.rowid
    WHERE w.words MATCH ?1 AND w.rowid < ?2 AND m.channel IN (SELECT value FROM json_each(?3))
      AND m.at >= ?4 AND m.at < ?5 AND (m.author = ?6 OR ?6 IS NULL)
      AND (m.channel IS DISTINCT FROM ?7 OR m.id < ?8 AND m.id > coalesce(?9, CAST(-1 AS BIGINT)))
    ORDER BY w.rank LIMIT ?10";
const BY_TIME: &str = "
    SELECT channel, id, at, author, author_name, text, 0.0, reply_to, author_kind FROM messages
    WHERE ?1 = '' AND arrival < ?2 AND channel IN (SELECT value FROM json_each(?3))
      AND at >= ?4 AND at < ?5 AND (author = ?6 OR ?6 IS NULL)
      AND (channel IS DISTINCT FROM ?7 OR id < ?8 AND id > coalesce(?9, CAST(-1 AS BIGINT)))
    ORDER BY arrival DESC LIMIT ?10";

/// Messages that fit, of whose words these terms are looked for.
pub(crate) fn find_messages(
    conn: &SqlConnection,
    search: &MessageSearch,
    terms: &[(String, u64)],
) -> SqlResult<Vec<SearchHit>> {
    let words = text_index::build_query(&search.channels, terms);
    if words.is_none() && !search.words.trim().is_empty() {
        return Ok(Vec::new());
    }
    let before_arrival = search.before_arrival;
    let before_arrival = before_arrival.and_then(|arrival| i64::try_from(arrival).ok());
    let before_arrival = before_arrival.unwrap_or(i64::MAX);
    let is_ranked_here = !conn.ranks_words() && words.is_some();
    if is_ranked_here || terms.iter().map(|(_, messages)| messages).sum::<u64>() > RANKED_BY_INDEX {
        return find_best(conn, search, terms, before_arrival);
    }
    let (id, name) = search.split_author();
    let mut query = conn.prepare_cached(if words.is_some() { BY_WORDS } else { BY_TIME })?;
    let mut rows = query.query_paged(params![
        words.map(|words| conn.to_query(&words)).unwrap_or_default(),
        before_arrival,
        bind_channels(&search.channels),
        search.from.unwrap_or(Millis::MIN),
        search.to.unwrap_or(Millis::MAX),
        id,
        search.left_out.map(|out| out.channel),
        search
            .left_out
            .and_then(|out| out.from)
            .unwrap_or(LAST_MESSAGE),
        search.left_out.and_then(|out| out.until),
        // A part of a name is looked for here.
        if name.is_some() {
            i64::MAX
        } else {
            search.limit as i64
        },
    ])?;
    let mut found = Vec::new();
    while found.len() < search.limit
        && let Some(row) = rows.next()?
    {
        let hit = SearchHit::from_row(&row)?;
        if name
            .as_ref()
            .is_none_or(|name| hit.author_name.to_lowercase().contains(name))
        {
            found.push(hit);
        }
    }
    Ok(found)
}

/// Messages that fit, best first: by how rare their words of the search are, of those the best by BM25 in which a word counts
/// once a message. What is out of the search's limits is left out before anything is counted as one of its hits.
fn find_best(
    conn: &SqlConnection,
    search: &MessageSearch,
    terms: &[(String, u64)],
    before_arrival: i64,
) -> SqlResult<Vec<SearchHit>> {
    let mut candidates = Candidates::find(conn, &search.channels, terms, before_arrival)?;
    let channels: HashSet<ChannelId> = search.channels.iter().copied().collect();
    let most = search.limit.saturating_mul(READ_FOR_EACH).max(LEAST_READ);
    let mut found: Vec<SearchHit> = Vec::new();
    while found.len() < most {
        // Never more than are still wanted.
        let wanted = (most - found.len()).min(READ_TOGETHER);
        let next = candidates.take(wanted)?;
        if next.is_empty() {
            break;
        }
        let hits = read_hits(conn, &next)?.into_iter();
        found.extend(hits.filter(|hit| channels.contains(&hit.channel) && search.admits(hit)));
    }
    let texts = found.iter().map(|hit| &*hit.text);
    let weights = if conn.ranks_words() {
        let lengths = weigh_lengths(texts);
        found
            .iter()
            .zip(lengths)
            .map(|(hit, weight)| hit.score * weight)
            .collect()
    } else {
        rate_texts(texts, terms, text_index::read_newest_arrival(conn)?)
    };
    for (hit, weight) in found.iter_mut().zip::<Vec<f64>>(weights) {
        hit.score = weight;
    }
    found.sort_by(|a, b| b.score.total_cmp(&a.score));
    found.truncate(search.limit);
    Ok(found)
}

/// Messages by their arrival numbers, with these scores, in this order; those that are gone are left out. A server is asked
/// for all of them at once.
pub(crate) fn read_hits(conn: &SqlConnection, scores: &[(i64, f64)]) -> SqlResult<Vec<SearchHit>> {
    if let Some(together) = conn.statements().read_together {
        let arrivals: Vec<i64> = scores.iter().map(|(arrival, _)| *arrival).collect();
        let hits: Vec<(SearchHit, i64)> = conn.read_all(together, params![JsonColumn(arrivals)])?;
        let hits = hits.into_iter().map(|(hit, arrival)| (arrival, hit));
        let mut hits: HashMap<i64, SearchHit> = hits.collect();
        let in_order = scores.iter().filter_map(|(arrival, score)| {
            let hit = hits.remove(arrival)?;
            Some(SearchHit {
                score: *score,
                ..hit
            })
        });
        return Ok(in_order.collect());
    }
    let read = "SELECT channel, id, at, author, author_name, text, CAST(?2 AS DOUBLE PRECISION), reply_to, author_kind FROM messages
         WHERE arrival = ?1";
    let mut found = Vec::with_capacity(scores.len());
    for (arrival, score) in scores {
        found.extend(conn.read_first::<SearchHit>(read, params![arrival, score])?);
    }
    Ok(found)
}

from_row! { SearchHit { channel, id, at, author, author_name, text, score, reply_to, author_kind } }
