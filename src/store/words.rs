//! The full-text index: how a text becomes words in it, and how a person's words become a query.
//!
//! Chinese, Japanese and Korean are written without spaces (or with suffixes), so a run of such characters becomes
//! its overlapping pairs, closed by its last character alone: `小花猫` is indexed as `小花 花猫 猫`. A word of two
//! characters is then a word of the index, and a single character is the beginning of one.

use std::borrow::Cow;

use rusqlite::{Connection, ErrorCode, params};

use crate::core::chat::ChannelId;

/// The most words of one query that count; more are a pasted text.
const QUERY_WORDS: usize = 24;

/// Puts a message's text into the index.
pub(super) fn put(conn: &Connection, arrival: i64, channel: ChannelId, text: &str) -> rusqlite::Result<()> {
    mended(conn, arrival, insert(conn, arrival, channel, text), || insert(conn, arrival, channel, text))
}

/// Takes a message's text out again; it has to be the very text that was put in.
pub(super) fn take(conn: &Connection, arrival: i64, channel: ChannelId, text: &str) -> rusqlite::Result<()> {
    let mut delete =
        conn.prepare_cached("INSERT INTO words (words, rowid, scope, text) VALUES ('delete', ?1, ?2, ?3)")?;
    let taken = delete.execute(params![arrival, scope(channel), indexed(text)]).map(drop);
    mended(conn, arrival, taken, || Ok(()))
}

/// Makes the whole index anew.
pub(super) fn rebuild(conn: &Connection) -> rusqlite::Result<()> {
    rebuild_without(conn, i64::MIN)
}

fn insert(conn: &Connection, arrival: i64, channel: ChannelId, text: &str) -> rusqlite::Result<()> {
    let mut insert = conn.prepare_cached("INSERT INTO words (rowid, scope, text) VALUES (?1, ?2, ?3)")?;
    insert.execute(params![arrival, scope(channel), indexed(text)]).map(drop)
}

/// A letter that is another one in the index, or in a text that is in it, is damage no check can see until the index
/// contradicts itself. It holds nothing of its own, so it is made anew, and nobody has to wait for a deletion for ever.
fn mended(
    conn: &Connection,
    arrival: i64,
    done: rusqlite::Result<()>,
    again: impl Fn() -> rusqlite::Result<()>,
) -> rusqlite::Result<()> {
    let contradicts = [ErrorCode::ConstraintViolation, ErrorCode::DatabaseCorrupt];
    match done {
        Err(error) if error.sqlite_error_code().is_some_and(|code| contradicts.contains(&code)) => {
            tracing::warn!(%error, "the full-text index is damaged; it is made anew");
            rebuild_without(conn, arrival)?;
            again()
        }
        done => done,
    }
}

/// Makes the index anew, but for one message.
fn rebuild_without(conn: &Connection, arrival: i64) -> rusqlite::Result<()> {
    conn.execute("INSERT INTO words (words) VALUES ('delete-all')", [])?;
    let mut all = conn.prepare("SELECT arrival, channel, text FROM messages WHERE arrival <> ?1 ORDER BY arrival")?;
    let mut rows = all.query([arrival])?;
    while let Some(row) = rows.next()? {
        let text: String = row.get(2)?;
        insert(conn, row.get(0)?, row.get(1)?, &text)?;
    }
    Ok(())
}

fn scope(channel: ChannelId) -> String {
    channel.0.to_string()
}

/// The text as the index's tokenizer is to see it.
fn indexed(text: &str) -> Cow<'_, str> {
    if text.is_ascii() || !text.chars().any(is_cjk) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() * 2);
    for piece in pieces(text) {
        match piece {
            Piece::Cjk(run) => {
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
            Piece::Other(other) => out.push_str(other),
        }
    }
    Cow::Owned(out)
}

/// A person's words as a query over `channels`; none when there is nothing to look for. What a person types is
/// always quoted and never syntax. Any of the words will do: the ranking puts those with more and rarer ones first.
pub(super) fn query(channels: &[ChannelId], words: &str) -> Option<String> {
    let mut terms: Vec<String> = Vec::new();
    let mut add = |term: String| {
        if terms.len() < QUERY_WORDS && !terms.contains(&term) {
            terms.push(term);
        }
    };
    for piece in pieces(words) {
        match piece {
            Piece::Cjk(run) => {
                let chars: Vec<char> = run.chars().collect();
                match chars[..] {
                    [one] => add(format!("\"{one}\"*")),
                    _ => chars.windows(2).for_each(|pair| add(format!("\"{}{}\"", pair[0], pair[1]))),
                }
            }
            Piece::Other(other) => {
                let words = other.split(ends_word);
                words.filter(|word| word.contains(char::is_alphanumeric)).for_each(|word| add(format!("\"{word}\"")));
            }
        }
    }
    if terms.is_empty() || channels.is_empty() {
        return None;
    }
    let scopes: Vec<String> = channels.iter().map(|channel| scope(*channel)).collect();
    Some(format!("text : ({}) AND scope : ({})", terms.join(" OR "), scopes.join(" OR ")))
}

/// A query for the texts that hold a word beginning with `start`, or this run of CJK characters.
pub(super) fn begins(start: &str) -> String {
    let terms = pieces(start).map(|piece| match piece {
        Piece::Cjk(run) => {
            let chars: Vec<char> = run.chars().collect();
            let pairs: Vec<String> = chars.windows(2).map(String::from_iter).collect();
            format!("\"{}\"", pairs.join(" "))
        }
        Piece::Other(other) => format!("\"{}\"*", other.replace('"', "")),
    });
    format!("text : ({})", terms.collect::<Vec<_>>().join(" AND "))
}

/// Where a word of a query ends; what is joined otherwise (`it's`, `v1.2`) is looked for as it stands.
fn ends_word(c: char) -> bool {
    c.is_whitespace() || c.is_control() || (c.is_ascii_punctuation() && !matches!(c, '\'' | '-' | '_' | '.'))
}

/// A part of a text.
pub(super) enum Piece<'a> {
    /// A run of CJK characters.
    Cjk(&'a str),
    /// What stands before, between and after such runs.
    Other(&'a str),
}

/// The text cut where runs of CJK characters begin and end.
pub(super) fn pieces(text: &str) -> impl Iterator<Item = Piece<'_>> {
    let mut rest = text;
    std::iter::from_fn(move || {
        let cjk = is_cjk(rest.chars().next()?);
        let end = rest.find(|c| is_cjk(c) != cjk).unwrap_or(rest.len());
        let (piece, tail) = rest.split_at(end);
        rest = tail;
        Some(if cjk { Piece::Cjk(piece) } else { Piece::Other(piece) })
    })
}

/// Han, kana and hangul, their letters only: punctuation ends a run.
pub(super) fn is_cjk(c: char) -> bool {
    matches!(c,
        '\u{3005}'..='\u{3007}' | '\u{3041}'..='\u{3096}' | '\u{309D}'..='\u{309F}' | '\u{30A1}'..='\u{30FA}'
        | '\u{30FC}'..='\u{30FF}' | '\u{3400}'..='\u{4DBF}' | '\u{4E00}'..='\u{9FFF}' | '\u{AC00}'..='\u{D7A3}'
        | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFD}')
}
