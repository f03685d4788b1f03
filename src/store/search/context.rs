//! What was found with the lines around it, for a ranking that looks at talks and not at single lines.

use std::collections::BTreeSet;

use super::messages::{LeftOutMessages, MessageSearch, SearchHit, find_messages};
use crate::engine_statements::CountingSince;
use crate::from_row::FromRow;
use crate::sql::{SqlConnection, SqlResult};
use crate::term_counts::TermCounts;
use crate::text_index;
use crate::values::{JsonColumn, params};
use kith_core::chat::{ChannelId, MessageId};

/// Of so many of the best hits what they answer and what answers them is looked for, …
const ANSWERED: usize = 24;
/// … among so many lines that follow.
const ANSWER_REACH: i64 = 40;

/// The lines around so many places are read together.
const READ_TOGETHER: usize = 200;
/// Nobody wants more lines around one.
const MOST_AROUND: i64 = 1_000_000;

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

pub(crate) fn find_context(
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
pub(crate) fn read_stretches(
    conn: &SqlConnection,
    found: &[SearchHit],
    reach: usize,
) -> SqlResult<Vec<Vec<SearchHit>>> {
    let places = found.iter().map(|hit| (hit.channel, hit.id));
    let mut places: BTreeSet<(ChannelId, MessageId)> = places.collect();
    let linked = &found[..found.len().min(ANSWERED)];
    for (hit, answers) in linked.iter().zip(find_answers(conn, linked)?) {
        let linked = hit.reply_to.into_iter().chain(answers);
        places.extend(linked.map(|id| (hit.channel, id)));
    }
    let mut open: Vec<SearchHit> = Vec::new();
    let mut stretches = Vec::new();
    let places: Vec<(ChannelId, MessageId)> = places.into_iter().collect();
    for together in places.chunks(READ_TOGETHER) {
        for lines in read_lines_around(conn, together, reach)? {
            let meets = open.last().is_some_and(|last| {
                let is_last = |line: &SearchHit| (line.channel, line.id) == (last.channel, last.id);
                lines.iter().any(is_last)
            });
            if !meets && !open.is_empty() {
                stretches.push(std::mem::take(&mut open));
            }
            append_lines(&mut open, lines);
        }
    }
    if !open.is_empty() {
        stretches.push(open);
    }
    Ok(stretches)
}

/// Counts a word no more in the messages that are left out from some message on: what is on show makes no word common.
fn subtract_left_out(
    conn: &SqlConnection,
    left_out: &LeftOutMessages,
    frequencies: &mut [(String, u64)],
) -> SqlResult<()> {
    let find = "SELECT arrival FROM messages WHERE channel = ?1 AND id >= ?2 ORDER BY id LIMIT 1";
    let first: Option<i64> = conn.read_first(find, params![left_out.channel, left_out.from])?;
    let Some(first) = first else {
        return Ok(());
    };
    let queries = frequencies.iter().map(|entry| {
        let query = text_index::build_query(&[left_out.channel], std::slice::from_ref(entry));
        query.map(|query| conn.to_query(&query))
    });
    let shown = count_shown(conn, queries.collect(), first, left_out)?;
    for (entry, shown) in frequencies.iter_mut().zip(shown) {
        entry.1 = entry
            .1
            .saturating_sub(u64::try_from(shown).unwrap_or_default());
    }
    Ok(())
}

/// How many of the messages that are left out from some message on each of these queries finds; that message arrived as
/// `first`.
fn count_shown(
    conn: &SqlConnection,
    queries: Vec<Option<String>>,
    first: i64,
    left_out: &LeftOutMessages,
) -> SqlResult<Vec<i64>> {
    let LeftOutMessages { channel, from, .. } = left_out;
    match conn.statements().count_since {
        CountingSince::Together(count) => {
            let values = params![JsonColumn(queries), first, channel, from];
            conn.read_all(count, values)
        }
        CountingSince::EachAlone(count) => {
            let counts = queries.into_iter().map(|query| {
                let values = params![query, first, channel, from];
                conn.read_one(count, values)
            });
            counts.collect()
        }
    }
}

/// What answers each of these messages among the lines that follow it.
fn find_answers(conn: &SqlConnection, hits: &[SearchHit]) -> SqlResult<Vec<Vec<MessageId>>> {
    if let Some(together) = conn.statements().find_answers {
        let places: Vec<(ChannelId, MessageId)> =
            hits.iter().map(|hit| (hit.channel, hit.id)).collect();
        let reach = ANSWER_REACH;
        return read_at_places(conn, together, &places, reach);
    }
    let find = "SELECT id FROM (SELECT id, reply_to FROM messages WHERE channel = ?1 AND id > ?2 ORDER BY id LIMIT ?3) AS following
         WHERE reply_to = ?2";
    let answers = hits
        .iter()
        .map(|hit| conn.read_all(find, params![hit.channel, hit.id, ANSWER_REACH]));
    answers.collect()
}

/// The lines at each of these places and those around it, oldest first.
fn read_lines_around(
    conn: &SqlConnection,
    places: &[(ChannelId, MessageId)],
    reach: usize,
) -> SqlResult<Vec<Vec<SearchHit>>> {
    if let Some(together) = conn.statements().read_around {
        let reach = i64::try_from(reach).unwrap_or(MOST_AROUND).min(MOST_AROUND);
        return read_at_places(conn, together, places, reach);
    }
    let lines = places
        .iter()
        .map(|(channel, id)| read_surrounding_lines(conn, *channel, *id, reach));
    lines.collect()
}

/// What a server tells of many places at once, by place: it answers with the number of each, from 1 on.
fn read_at_places<T: FromRow>(
    conn: &SqlConnection,
    together: &str,
    places: &[(ChannelId, MessageId)],
    reach: i64,
) -> SqlResult<Vec<Vec<T>>> {
    let channels: Vec<u64> = places.iter().map(|(channel, _)| channel.0).collect();
    let ids: Vec<u64> = places.iter().map(|(_, id)| id.0).collect();
    let mut of_places: Vec<Vec<T>> = places.iter().map(|_| Vec::new()).collect();
    let values = params![JsonColumn(channels), JsonColumn(ids), reach];
    for (told, place) in conn.read_all::<(T, usize)>(together, values)? {
        if let Some(of_place) = of_places.get_mut(place.wrapping_sub(1)) {
            of_place.push(told);
        }
    }
    Ok(of_places)
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
pub(crate) fn read_surrounding_lines(
    conn: &SqlConnection,
    channel: ChannelId,
    id: MessageId,
    reach: usize,
) -> SqlResult<Vec<SearchHit>> {
    const COLUMNS: &str = "channel, id, at, author, author_name, text, 0.0, reply_to, author_kind";
    let reach = i64::try_from(reach).unwrap_or(i64::MAX);
    let before = format!(
        "SELECT {COLUMNS} FROM messages WHERE channel = ?1 AND id <= ?2 ORDER BY id DESC LIMIT ?3"
    );
    let mut lines: Vec<SearchHit> =
        conn.read_all(&before, params![channel, id, reach.saturating_add(1)])?;
    lines.reverse();
    let after = format!(
        "SELECT {COLUMNS} FROM messages WHERE channel = ?1 AND id > ?2 ORDER BY id LIMIT ?3"
    );
    lines.extend(conn.read_all::<SearchHit>(&after, params![channel, id, reach])?);
    Ok(lines)
}

#[cfg(test)]
mod tests {
    use crate::Store;
    use crate::postgres::PostgresAddress;
    use kith_core::chat::{Author, AuthorKind, Message, UserId};
    use kith_core::event::ChatEvent;

    use super::*;

    /// Every other message answers the one before; the first ten say something rare, too.
    fn said(id: u64) -> ChatEvent {
        ChatEvent::Message(Message {
            id: MessageId(id),
            channel: ChannelId(1 + id / 60),
            arrival: 0,
            at: 1,
            author: Author {
                id: UserId(7),
                name: "Anna".into(),
                kind: AuthorKind::Person,
            },
            text: if id < 10 { "rare oats" } else { "oats" }.into(),
            reply_to: id.is_multiple_of(2).then_some(MessageId(id - 1)),
            mentions: Vec::new(),
        })
    }

    /// The stretches of what holds a word by their ids, how common it is, and how often a server was waited for.
    fn find(store: &Store, word: &str) -> (Vec<Vec<u64>>, u64, u32) {
        let search = MessageSearch {
            channels: (1..=5).map(ChannelId).collect(),
            words: word.into(),
            left_out: Some(LeftOutMessages {
                channel: ChannelId(1),
                from: Some(MessageId(8)),
                until: None,
            }),
            limit: 300,
            ..MessageSearch::default()
        };
        let find = store.read_counting(move |conn, counts| {
            let before = conn.count_trips()?;
            let found = find_context(conn, counts, &search, 1)?;
            Ok((found, conn.count_trips()? - before))
        });
        let (found, trips) = find.wait().expect("searched");
        let ids = |lines: &Vec<SearchHit>| lines.iter().map(|line| line.id.0).collect();
        (
            found.stretches.iter().map(ids).collect(),
            found.frequencies[0].1,
            trips,
        )
    }

    #[test]
    fn a_search_finds_on_a_server_what_it_finds_in_a_file_and_waits_no_more_often_for_much() {
        let Some(address) = PostgresAddress::of_new_schema() else {
            return;
        };
        let on_server = Store::open_server(&address).expect("opened");
        let in_memory = Store::open_in_memory().expect("opened");
        for store in [&on_server, &in_memory] {
            store
                .append((1..250).map(said).collect())
                .wait()
                .expect("stored");
        }
        // Statements are prepared once.
        find(&on_server, "oats");
        let (rare, much) = (find(&on_server, "rare"), find(&on_server, "oats"));
        let found =
            |(stretches, common, _): &(Vec<Vec<u64>>, u64, u32)| (stretches.clone(), *common);
        assert_eq!(found(&rare), found(&find(&in_memory, "rare")));
        assert_eq!(found(&much), found(&find(&in_memory, "oats")));
        // Of the first channel what is not left out, with one line around it.
        assert_eq!(much.0.concat().len(), 8 + 190);
        assert!(
            much.2 <= rare.2 + 2,
            "{} for much, {} for little",
            much.2,
            rare.2
        );
    }
}
