//! The full-text index: how a text becomes words in it, and how a person's words become a query.
//!
//! Chinese, Japanese and Korean are written without spaces (or with suffixes), so a run of such characters becomes
//! its overlapping pairs, closed by its last character alone: `小花猫` is indexed as `小花 花猫 猫`. A word of two
//! characters is then a word of the index, and a single character is the beginning of one. English words are followed, at
//! the end of the text, by their stems, so that `exam` finds `exams` and whole names are still found as they stand.

use std::borrow::Cow;

use rusqlite::ErrorCode;

use crate::sql::{SqlConnection, SqlResult};
use crate::term_counts::TermCounts;
use crate::text_query::{QueryTerm, TextQuery, format_scope};
use crate::values::{ReadRow, params};
use crate::{meta, vector_words};
use kith_core::chat::{AuthorKind, ChannelId};
pub(super) use kith_core::recall::is_cjk;
use kith_core::recall::{extract_question_terms, extract_single_characters, extract_stems};
use kith_core::text_piece::{TextPiece, split_pieces};

/// The most words of one query that count; more are a pasted text.
const QUERY_WORDS: usize = 24;
const MOST_SCOPES: usize = 4;
const MOST_RANKED: u64 = 20_000;
/// So many letters and digits of a text show that it is quoted.
const QUOTE_LETTERS: usize = 40;
/// How texts become words of the index: what was put in another way has to be put in again.
const FORMAT: &str = "3";
const FORMAT_KEY: &str = "words.format";

pub(super) fn add_text(
    conn: &SqlConnection,
    arrival: i64,
    channel: ChannelId,
    text: &str,
) -> SqlResult<()> {
    let add = || change_words(conn, conn.statements().add_words, arrival, channel, text);
    repair_and_retry(conn, arrival, add(), add)
}

pub(super) fn format_words(conn: &SqlConnection, text: &str) -> String {
    conn.to_words(to_indexed_text(text)).into_owned()
}

/// Takes a message's text out again; it has to be the very text that was put in.
pub(super) fn remove_text(
    conn: &SqlConnection,
    arrival: i64,
    channel: ChannelId,
    text: &str,
) -> SqlResult<()> {
    let remove = conn.statements().remove_words;
    let taken = change_words(conn, remove, arrival, channel, text);
    repair_and_retry(conn, arrival, taken, || Ok(()))
}

fn change_words(
    conn: &SqlConnection,
    change: &str,
    arrival: i64,
    channel: ChannelId,
    text: &str,
) -> SqlResult<()> {
    let text = conn.to_words(to_indexed_text(text));
    let values = params![arrival, text, format_scope(channel)];
    conn.execute(change, values).map(drop)
}

/// Makes the index anew where an earlier version put texts in another way.
pub(super) fn rebuild_if_outdated(conn: &SqlConnection) -> SqlResult<()> {
    if meta::read_meta::<String>(conn, FORMAT_KEY)?.as_deref() == Some(FORMAT) {
        return Ok(());
    }
    conn.execute_batch("BEGIN")?;
    rebuild(conn)?;
    note_format(conn)?;
    conn.execute_batch("COMMIT")
}

/// Says that what stands in the index is put as it is to be put now.
pub(super) fn note_format(conn: &SqlConnection) -> SqlResult<()> {
    meta::put_meta(conn, FORMAT_KEY, &FORMAT)
}

/// A message's text as the vector a server is sent with many others.
pub(super) fn encode_words(text: &str) -> Vec<u8> {
    vector_words::encode_vector(&to_indexed_text(text))
}

pub(super) fn rebuild(conn: &SqlConnection) -> SqlResult<()> {
    rebuild_without(conn, i64::MIN)
}

/// A letter that is another one in the index, or in a text that is in it, is damage no check can see until the index
/// contradicts itself. It holds nothing of its own, so it is made anew, and nobody has to wait for a deletion for ever.
fn repair_and_retry(
    conn: &SqlConnection,
    arrival: i64,
    done: SqlResult<()>,
    again: impl Fn() -> SqlResult<()>,
) -> SqlResult<()> {
    let contradicts = [ErrorCode::ConstraintViolation, ErrorCode::DatabaseCorrupt];
    match done {
        Err(error)
            if error
                .sqlite_code()
                .is_some_and(|code| contradicts.contains(&code)) =>
        {
            tracing::warn!(%error, "the full-text index is damaged; it is made anew");
            rebuild_without(conn, arrival)?;
            again()
        }
        done => done,
    }
}

fn rebuild_without(conn: &SqlConnection, arrival: i64) -> SqlResult<()> {
    conn.execute(conn.statements().empty_index, params![])?;
    let mut all = conn.prepare_cached(
        "SELECT arrival, channel, text FROM messages WHERE arrival <> ?1 ORDER BY arrival",
    )?;
    let mut rows = all.query(params![arrival])?;
    while let Some(row) = rows.next()? {
        let text: String = row.read(2)?;
        let add = conn.statements().add_words;
        change_words(conn, add, row.read(0)?, row.read(1)?, &text)?;
    }
    Ok(())
}

fn to_indexed_text(text: &str) -> Cow<'_, str> {
    let stems = extract_stems(text);
    let has_cjk = !text.is_ascii() && text.chars().any(is_cjk);
    if !has_cjk && stems.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() * 2);
    for piece in split_pieces(text) {
        match piece {
            TextPiece::Cjk(run) => {
                let mut before = None;
                for c in run.chars() {
                    if let Some(before) = before {
                        out.extend([' ', before, c]);
                    }
                    before = Some(c);
                }
                out.push(' ');
                out.extend(before);
                out.push(' ');
            }
            TextPiece::Other(other) => out.push_str(other),
        }
    }
    for stem in stems {
        out.push(' ');
        out.push_str(&stem);
    }
    Cow::Owned(out)
}

/// Terms as a query over `channels`; none when there is nothing to look for. Of many channels the query names none: their
/// lists would be longer than those of the words, and whoever asks looks at each message's channel before it is ranked. Any
/// of the terms will do: the ranking puts those with more and rarer ones first.
pub(super) fn build_query(channels: &[ChannelId], terms: &[(String, u64)]) -> Option<TextQuery> {
    if terms.is_empty() || channels.is_empty() {
        return None;
    }
    let term = |(term, _): &(String, u64)| QueryTerm {
        text: term.clone(),
        is_start: is_start(term),
    };
    let is_few = channels.len() <= MOST_SCOPES;
    Some(TextQuery {
        terms: terms.iter().map(term).collect(),
        is_any: true,
        channels: if is_few {
            channels.to_vec()
        } else {
            Vec::new()
        },
    })
}

/// The terms of a person's words, with the number of messages each stands in, rarest first; what nobody wrote is left out.
#[derive(Clone, Debug, Default)]
pub(super) struct CountedTerms {
    pub(super) all: Vec<(String, u64)>,
    /// So many of them are looked for.
    searched: usize,
}

impl CountedTerms {
    /// Those that are looked for. Everyday words are not where rarer ones are there: ranking all their messages would take
    /// long and change little.
    pub(super) fn searched(&self) -> &[(String, u64)] {
        &self.all[..self.searched]
    }
}

/// Counts the terms of words, of which those are looked for that together stand in hardly more than so many messages; on
/// request also the single characters of what is no word that anybody wrote, for who ranks what is found.
pub(super) fn count_terms(
    conn: &SqlConnection,
    counts: &mut TermCounts,
    words: &str,
    most_ranked: Option<u64>,
    with_characters: bool,
) -> SqlResult<CountedTerms> {
    let mut wanted: Vec<String> = Vec::new();
    for term in extract_question_terms(words) {
        if wanted.len() < QUERY_WORDS && !wanted.contains(&term) {
            wanted.push(term);
        }
    }
    let newest = read_newest_arrival(conn)?;
    let counted = counts.count(conn, &wanted, newest)?;
    let mut all = Vec::new();
    for term in wanted {
        let messages = counted.get(&term).copied();
        if messages.is_some() || is_start(&term) {
            all.push((term, messages.unwrap_or_default()));
        }
    }
    if with_characters {
        let is_said = |pair: &str| all.iter().any(|(term, _)| term == pair);
        for single in extract_single_characters(words, is_said) {
            let messages = count_beginnings(conn, &single)?;
            all.push((single, messages));
        }
    }
    all.sort_by_key(|(_, messages)| *messages);
    let most_ranked = most_ranked.unwrap_or(MOST_RANKED);
    let mut sum = 0;
    let mut is_searched = |(_, messages): &&(String, u64)| {
        let is_first = sum == 0;
        sum += (*messages).max(1);
        is_first || sum <= most_ranked
    };
    let searched = all.iter().take_while(|entry| is_searched(entry)).count();
    Ok(CountedTerms { all, searched })
}

/// How many messages there are, or a few more.
pub(super) fn read_newest_arrival(conn: &SqlConnection) -> SqlResult<i64> {
    conn.read_one("SELECT coalesce(max(arrival), 0) FROM messages", params![])
}

/// In how many messages a character stands, or a few more: what holds it in two pairs may count twice.
fn count_beginnings(conn: &SqlConnection, character: &str) -> SqlResult<u64> {
    let count = "SELECT coalesce(sum(doc), 0) FROM word_counts WHERE term >= ?1 AND term < ?2";
    let end = format!("{character}{}", char::MAX);
    let messages: i64 = conn.read_one(count, params![character, &end])?;
    Ok(u64::try_from(messages).unwrap_or_default())
}

pub(super) fn split_indexed_words(text: &str) -> Vec<String> {
    vector_words::split_words(&to_indexed_text(text))
}

/// How often a term stands among such words.
pub(super) fn count_term(words: &[String], term: &str) -> usize {
    let is_start = is_start(term);
    let is_it = |word: &&String| *word == term || is_start && word.starts_with(term);
    words.iter().filter(is_it).count()
}

/// Whether a term is a single character, which stands at the beginning of pairs that are not counted one by one.
fn is_start(term: &str) -> bool {
    let mut chars = term.chars();
    chars.next().is_some_and(is_cjk) && chars.next().is_none()
}

/// A query for the texts that hold a word beginning with `start`, or this run of CJK characters.
pub(super) fn build_prefix_query(start: &str) -> TextQuery {
    let terms = split_pieces(start).map(|piece| match piece {
        TextPiece::Cjk(run) => QueryTerm {
            text: join_pairs(run),
            is_start: false,
        },
        TextPiece::Other(other) => QueryTerm {
            text: other.replace('"', ""),
            is_start: true,
        },
    });
    build_whole(terms.collect())
}

/// A query for texts that hold all of this, wherever it is.
fn build_whole(terms: Vec<QueryTerm>) -> TextQuery {
    TextQuery {
        terms,
        is_any: false,
        channels: Vec::new(),
    }
}

fn join_pairs(run: &str) -> String {
    let chars: Vec<char> = run.chars().collect();
    let pairs: Vec<String> = chars.windows(2).map(String::from_iter).collect();
    pairs.join(" ")
}

/// A query for the texts that hold the beginning of `text` word for word; none if it has no words.
pub(super) fn build_quote_query(text: &str) -> Option<TextQuery> {
    let mut seen = 0;
    let end = text.char_indices().find(|(_, c)| {
        seen += usize::from(c.is_alphanumeric());
        seen > QUOTE_LETTERS
    });
    let start = match end {
        Some((index, _)) => cut_at_word(&text[..index]),
        None => text,
    };
    let terms = split_pieces(start).filter_map(|piece| {
        let (text, is_told) = match piece {
            TextPiece::Cjk(run) => (join_pairs(run), run.chars().nth(1).is_some()),
            TextPiece::Other(other) => (other.to_owned(), other.contains(char::is_alphanumeric)),
        };
        let is_start = false;
        is_told.then_some(QueryTerm { text, is_start })
    });
    let terms: Vec<QueryTerm> = terms.collect();
    (!terms.is_empty()).then(|| build_whole(terms))
}

/// A text that was cut, without the half word at its end.
fn cut_at_word(text: &str) -> &str {
    let end = text.rfind(|c: char| !c.is_alphanumeric() || is_cjk(c));
    match end {
        Some(end) => &text[..end + text[end..].chars().next().map_or(0, char::len_utf8)],
        None => text,
    }
}

pub(super) fn is_said_by_others(conn: &SqlConnection, word: &str) -> SqlResult<bool> {
    // All words that begin so are gathered before the first is answered with; the word itself is found at once.
    if let Some(query) = build_quote_query(word)
        && is_matched_by_others(conn, &query)?
    {
        return Ok(true);
    }
    is_matched_by_others(conn, &build_prefix_query(word))
}

/// Whether anybody but the companion wrote something that a query finds.
pub(super) fn is_matched_by_others(conn: &SqlConnection, query: &TextQuery) -> SqlResult<bool> {
    conn.has_row(
        conn.statements().find_by_others,
        params![conn.to_query(query), AuthorKind::Companion],
    )
}
