//! What was found with the lines around it, for a ranking that looks at talks and not at single lines.

use std::collections::BTreeMap;

use rusqlite::Connection;

use super::search::{MessageSearch, SearchHit, find_messages, read_hit};
use super::{Store, StoreReply, text_index};
use crate::values::{ReadRow, params};
use kith_core::chat::{ChannelId, MessageId};

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SearchContext {
    /// Lines that follow each other in one channel, oldest first: those that were found, and those around them.
    pub stretches: Vec<Vec<SearchHit>>,
    /// The terms that were looked for, with the number of messages each stands in, wherever they are.
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
        self.read(move |conn| find_context(conn, &search, reach))
    }
}

fn find_context(
    conn: &Connection,
    search: &MessageSearch,
    reach: usize,
) -> rusqlite::Result<SearchContext> {
    let frequencies = text_index::find_rarest_terms(conn, &search.words)?;
    let found = find_messages(conn, search, &frequencies)?;
    let mut places: BTreeMap<ChannelId, Vec<MessageId>> = BTreeMap::new();
    found
        .iter()
        .for_each(|hit| places.entry(hit.channel).or_default().push(hit.id));
    let mut stretches = Vec::new();
    for (channel, mut ids) in places {
        ids.sort();
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
    let messages: i64 = conn.query_row(
        "SELECT coalesce(max(arrival), 0) FROM messages",
        [],
        |row| row.read(0),
    )?;
    Ok(SearchContext {
        stretches,
        frequencies,
        messages: u64::try_from(messages).unwrap_or_default(),
    })
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
    conn: &Connection,
    channel: ChannelId,
    id: MessageId,
    reach: usize,
) -> rusqlite::Result<Vec<SearchHit>> {
    const COLUMNS: &str = "channel, id, at, author, author_name, text, 0.0";
    let reach = i64::try_from(reach).unwrap_or(i64::MAX);
    let mut before = conn.prepare_cached(&format!(
        "SELECT {COLUMNS} FROM messages WHERE channel = ?1 AND id <= ?2 ORDER BY id DESC LIMIT ?3 + 1"
    ))?;
    let mut lines: Vec<SearchHit> = before
        .query_map(params![channel, id, reach], read_hit)?
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
