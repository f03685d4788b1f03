//! What was found with the lines around it, for a ranking that looks at talks and not at single lines.

use std::collections::BTreeMap;

use super::search::{LeftOutMessages, MessageSearch, SearchHit, find_messages, read_hit};
use super::term_counts::TermCounts;
use super::{Store, StoreReply, text_index};
use crate::sql::{OptionalRow, SqlConnection, SqlResult};
use crate::values::{ReadRow, params};
use kith_core::chat::{ChannelId, MessageId};

/// Of so many of the best hits what they answer and what answers them is looked for, …
const ANSWERED: usize = 24;
/// … among so many lines that follow.
const ANSWER_REACH: i64 = 40;

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchContext {
    /// Lines that follow each other in one channel, oldest first: those that were found, and those around them.
    pub stretches: Vec<Vec<SearchHit>>,
    /// The terms of the search, with the number of messages each stands in, wherever they are, but for those that
    /// are left out from some message on.
    pub frequencies: Vec<(String, u64)>,
    /// How many messages there are, or a few more.
    pub messages: u64,
}

impl Store {
    /// Messages that hold a word of the search, and as many lines as `reach` before and after each in its channel.
    pub fn search_with_context(
        &self,
        search: MessageSearch,
        reach: usize,
    ) -> StoreReply<SearchContext> {
        self.read_counting(move |conn, counts| find_context(conn, counts, &search, reach))
    }

    /// A message and as many lines as `reach` before and after it in its channel, oldest first.
    pub fn load_surrounding_lines(
        &self,
        channel: ChannelId,
        id: MessageId,
        reach: usize,
    ) -> StoreReply<Vec<SearchHit>> {
        self.read(move |conn| read_surrounding_lines(conn, channel, id, reach))
    }
}

fn find_context(
    conn: &SqlConnection,
    counts: &mut TermCounts,
    search: &MessageSearch,
    reach: usize,
) -> SqlResult<SearchContext> {
    // A question alone says how rare its words have to be.
    let is_question = search.most_ranked.is_none();
    let terms =
        text_index::count_terms(conn, counts, &search.words, search.most_ranked, is_question)?;
    let found = find_messages(conn, search, terms.searched())?;
    let mut frequencies = terms.all;
    if let Some(left_out) = &search.left_out {
        subtract_left_out(conn, left_out, &mut frequencies)?;
    }
    let stretches = read_stretches(conn, &found, reach)?;
    let messages = text_index::read_newest_arrival(conn)?;
    Ok(SearchContext {
        stretches,
        frequencies,
        messages: u64::try_from(messages).unwrap_or_default(),
    })
}

/// The lines that were found, best first, with those around each, as stretches.
pub(super) fn read_stretches(
    conn: &SqlConnection,
    found: &[SearchHit],
    reach: usize,
) -> SqlResult<Vec<Vec<SearchHit>>> {
    let mut places: BTreeMap<ChannelId, Vec<MessageId>> = BTreeMap::new();
    found
        .iter()
        .for_each(|hit| places.entry(hit.channel).or_default().push(hit.id));
    for hit in found.iter().take(ANSWERED) {
        let linked = find_linked_messages(conn, hit)?;
        places.entry(hit.channel).or_default().extend(linked);
    }
    let mut stretches = Vec::new();
    for (channel, mut ids) in places {
        ids.sort();
        ids.dedup();
        let mut open: Vec<SearchHit> = Vec::new();
        for id in ids {
            let lines = read_surrounding_lines(conn, channel, id, reach)?;
            let meets = open
                .last()
                .is_some_and(|last| lines.iter().any(|line| line.id == last.id));
            if !meets && !open.is_empty() {
                stretches.push(std::mem::take(&mut open));
            }
            append_lines(&mut open, lines);
        }
        if !open.is_empty() {
            stretches.push(open);
        }
    }
    Ok(stretches)
}

/// Counts a word no more in the messages that are left out from some message on: what is on show makes no word common.
fn subtract_left_out(
    conn: &SqlConnection,
    left_out: &LeftOutMessages,
    frequencies: &mut [(String, u64)],
) -> SqlResult<()> {
    let mut find = conn.prepare_cached(
        "SELECT arrival FROM messages WHERE channel = ?1 AND id >= ?2 ORDER BY id LIMIT 1",
    )?;
    let first: Option<i64> = find
        .query_row(params![left_out.channel, left_out.from], |row| row.read(0))
        .optional()?;
    let Some(first) = first else {
        return Ok(());
    };
    let mut count = conn.prepare_cached(conn.statements().count_since)?;
    for entry in frequencies {
        let query = text_index::build_query(&[left_out.channel], std::slice::from_ref(entry));
        let query = query.map(|query| conn.to_query(&query));
        let values = params![query, first, left_out.channel];
        let shown: i64 = count.query_row(values, |row| row.read(0))?;
        entry.1 = entry
            .1
            .saturating_sub(u64::try_from(shown).unwrap_or_default());
    }
    Ok(())
}

/// What a message answers, and what answers it among the lines that follow.
fn find_linked_messages(conn: &SqlConnection, hit: &SearchHit) -> SqlResult<Vec<MessageId>> {
    let mut find = conn.prepare_cached(
        "SELECT id FROM (SELECT id, reply_to FROM messages WHERE channel = ?1 AND id > ?2 ORDER BY id LIMIT ?3) AS following
         WHERE reply_to = ?2",
    )?;
    let answers = find.query_map(params![hit.channel, hit.id, ANSWER_REACH], |row| {
        row.read(0)
    })?;
    hit.reply_to.map(Ok).into_iter().chain(answers).collect()
}

/// Adds what lies behind the last line.
fn append_lines(open: &mut Vec<SearchHit>, lines: Vec<SearchHit>) {
    let last = open.last().map(|line| line.id);
    open.extend(
        lines
            .into_iter()
            .filter(|line| last.is_none_or(|last| line.id > last)),
    );
}

/// A line and those around it, oldest first.
fn read_surrounding_lines(
    conn: &SqlConnection,
    channel: ChannelId,
    id: MessageId,
    reach: usize,
) -> SqlResult<Vec<SearchHit>> {
    const COLUMNS: &str = "channel, id, at, author, author_name, text, 0.0, reply_to, author_kind";
    let reach = i64::try_from(reach).unwrap_or(i64::MAX);
    let mut before = conn.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM messages WHERE channel = ?1 AND id <= ?2 ORDER BY id DESC LIMIT ?3"
    ))?;
    let mut lines: Vec<SearchHit> = before
        .query_map(params![channel, id, reach.saturating_add(1)], read_hit)?
        .collect::<Result<_, _>>()?;
    lines.reverse();
    let mut after = conn.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM messages WHERE channel = ?1 AND id > ?2 ORDER BY id LIMIT ?3"
    ))?;
    let behind: Vec<SearchHit> = after
        .query_map(params![channel, id, reach], read_hit)?
        .collect::<Result<_, _>>()?;
    lines.extend(behind);
    Ok(lines)
}
