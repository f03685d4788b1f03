//! What the companion says and keeps that repeats a message which is deleted or edited: its own lines, those on their way,
//! core memory, summaries, names of threads and stickers. Taken away at once, for afterwards nobody knows what the message
//! said, also not when its author wants to be forgotten. Words that somebody else says as well, and short sayings, are
//! nobody's in particular and stay.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

use crate::catalogue::{self, TextLoss};
use crate::db::Database;
use crate::from_row::from_row;
use crate::prompt_reach::is_in_reach;
use crate::recent_erasures::RepeatedText;
use crate::row_words::remove_words;
use crate::row_writes::row;
use crate::sql::{SqlConnection, SqlError, SqlResult};
use crate::text_query::TextQuery;
use crate::values::params;
use crate::{block_versions, journal, text_index};
use kith_core::chat::{AuthorKind, ChannelId, MessageId, Millis};
use kith_core::outgoing::STALE;
use kith_core::quotes::{
    ErasedPassages, QuotedWords, extract_distinctive_words, is_quote, list_forms,
};

/// A line that says something else now.
pub type RewordedLine = (ChannelId, MessageId, Arc<str>);

pub(super) struct DeletedText<'a> {
    /// The message's arrival number: whatever quotes it came later.
    pub arrival: i64,
    pub channel: ChannelId,
    /// What was made of it was not made before, by this machine's clock.
    pub made_since: Millis,
    pub text: &'a str,
    /// What the message says now; empty if it is gone.
    pub remaining_text: &'a str,
}

/// How the companion's own texts are told to quote a message.
struct QuoteMatcher {
    texts: ErasedPassages,
    words: QuotedWords,
}

impl QuoteMatcher {
    /// Of the words those count that nobody else says.
    fn new(conn: &SqlConnection, text: &str, remaining_text: &str) -> SqlResult<Self> {
        let (mut texts, mut still) = (ErasedPassages::default(), ErasedPassages::default());
        still.add(remaining_text);
        if still.redact(text).is_none() && !is_quoted_by_others(conn, text)? {
            texts.add(text);
        }
        Ok(Self {
            texts,
            words: QuotedWords::new(find_unique_words(conn, text)?),
        })
    }

    fn redact(&self, text: &str) -> Option<String> {
        let unquoted = self.texts.redact(text);
        let untold = self.words.redact(unquoted.as_deref().unwrap_or(text));
        untold.or(unquoted)
    }
}

/// Takes a message's text out of what the companion said since, and what quotes it out of its core memory and summaries;
/// answers with its lines that say something else now.
pub(super) fn remove_quotes(
    db: &mut Database,
    gone: &DeletedText<'_>,
) -> SqlResult<Vec<RewordedLine>> {
    let looked_for = QuoteMatcher::new(&db.conn, gone.text, gone.remaining_text)
        .and_then(|quote| Ok((quote, find_own_lines(&db.conn, gone)?)));
    let (quote, lines) = match looked_for {
        // A message can be deleted all the same.
        Err(error) if is_damage(&error) => {
            tracing::warn!(%error, "what quotes a deleted message cannot be found: the index of words is damaged");
            return Ok(Vec::new());
        }
        looked_for => looked_for?,
    };
    for (nonce, channel, text) in journal::find_pending_messages(&db.conn)? {
        if quote.redact(&text).is_some() && is_in_reach(&db.conn, gone.channel, channel)? {
            journal::withdraw_action(db, &nonce)?;
        }
    }
    let mut reworded = Vec::new();
    for line in lines {
        let Some(text) = quote.redact(&line.text) else {
            continue;
        };
        text_index::remove_text(&db.conn, line.arrival, line.channel, &line.text)?;
        text_index::add_text(&db.conn, line.arrival, line.channel, &text)?;
        let of = row! { arrival: line.arrival };
        db.conn.update_rows("messages", of, row! { text })?;
        reworded.push((line.channel, line.id, Arc::from(text)));
    }
    let find = "SELECT DISTINCT scope FROM core_memory WHERE updated_at >= ?1";
    let scopes: Vec<String> = db.conn.read_all(find, params![gone.made_since])?;
    let is_meant = |scope: &str| scopes.iter().any(|known| known == scope);
    let quotes = |line: &str| quote.redact(line).is_some();
    let mut notes = block_versions::remove_lines(&db.conn, is_meant, quotes)?;
    let redact = |text: &str| quote.redact(text);
    for table in catalogue::tables() {
        notes.extend(match table.text {
            TextLoss::QuotingSince(written) => {
                let condition = format!("{written} >= ?1");
                let since = (&*condition, params![gone.made_since]);
                remove_words(&db.conn, table, since, &redact)?
            }
            TextLoss::QuotingWhere(of) => remove_words(&db.conn, table, (of, params![]), &redact)?,
            _ => continue,
        });
    }
    db.gone_notes.extend(notes);
    Ok(reworded)
}

fn is_damage(error: &SqlError) -> bool {
    error.sqlite_code() == Some(rusqlite::ErrorCode::DatabaseCorrupt)
}

/// Whether a line of the companion's, of which only the platform tells, may be one that was given up for what it repeats
/// before this process began: what it repeats nobody knows any more.
pub(super) fn may_be_withdrawn(db: &Database, channel: ChannelId, at: Millis) -> bool {
    let is_near = |journaled: Millis| (journaled - STALE..=journaled + STALE).contains(&at);
    let mut withdrawn = db.withdrawn.iter();
    at < db.opened_at
        && withdrawn.any(|(its_channel, journaled)| *its_channel == channel && is_near(*journaled))
}

/// A line that the companion says now, without what it quotes of messages erased a moment ago; none if it quotes none.
pub(super) fn redact_late_line(
    db: &Database,
    channel: ChannelId,
    text: &str,
) -> SqlResult<Option<String>> {
    redact_erased(db, channel, text, db.recent_erasures.find_in_text(text))
}

/// Whether what is to be said quotes a message that was erased since then.
pub(super) fn is_erased_since(
    db: &Database,
    channel: ChannelId,
    text: &str,
    since: Millis,
) -> SqlResult<bool> {
    let erased = db.recent_erasures.find_in_text_since(text, since);
    Ok(redact_erased(db, channel, text, erased)?.is_some())
}

/// A text for a channel without what it quotes of these erased messages; none if it quotes none.
fn redact_erased<'a>(
    db: &Database,
    channel: ChannelId,
    text: &str,
    erased: impl Iterator<Item = RepeatedText<'a>>,
) -> SqlResult<Option<String>> {
    let mut redacted: Option<String> = None;
    for gone in erased {
        if !is_in_reach(&db.conn, gone.channel, channel)? {
            continue;
        }
        let now = redacted.as_deref().unwrap_or(text);
        let quote = QuoteMatcher::new(&db.conn, gone.text, gone.remaining_text)?;
        redacted = quote.redact(now).or(redacted);
    }
    Ok(redacted)
}

/// A note that is written now, without the lines that quote messages deleted a moment ago. Edits mostly mend a word, and
/// what a message says still tells whose it is.
pub(super) fn redact_late_note<'a>(db: &Database, text: &'a str) -> SqlResult<Cow<'a, str>> {
    let recent = db.recent_erasures.find_in_text(text);
    let mut text = Cow::Borrowed(text);
    for gone in recent.filter(|gone| gone.remaining_text.is_empty()) {
        let quote = QuoteMatcher::new(&db.conn, gone.text, "")?;
        let lines = text.lines();
        let kept: Vec<&str> = lines.filter(|line| quote.redact(line).is_none()).collect();
        if kept.len() < text.lines().count() {
            text = Cow::Owned(kept.join("\n"));
        }
    }
    Ok(text)
}

from_row! { CompanionLine { arrival, channel, id, text } }

pub(super) struct CompanionLine {
    pub arrival: i64,
    pub channel: ChannelId,
    pub id: MessageId,
    pub text: String,
}

/// The companion's later lines that hold one of its words, or how it begins.
fn find_own_lines(conn: &SqlConnection, gone: &DeletedText<'_>) -> SqlResult<Vec<CompanionLine>> {
    let words = find_unique_words(conn, gone.text)?;
    let mut queries: Vec<TextQuery> = words
        .iter()
        .map(|word| text_index::build_prefix_query(word))
        .collect();
    queries.extend(list_forms(gone.text).filter_map(build_whole_query));
    let mut seen = BTreeSet::new();
    let mut lines = Vec::new();
    for query in queries {
        let values = params![conn.to_query(&query), gone.arrival, AuthorKind::Companion];
        for line in conn.read_all::<CompanionLine>(conn.statements().find_lines_after, values)? {
            if seen.insert(line.arrival) && is_in_reach(conn, gone.channel, line.channel)? {
                lines.push(line);
            }
        }
    }
    Ok(lines)
}

/// Whether a word is part of a person's name: naming somebody quotes nobody.
fn is_name(conn: &SqlConnection, word: &str) -> SqlResult<bool> {
    let find = "SELECT 1 FROM people WHERE instr(lower(name), ?1) > 0 LIMIT 1";
    conn.has_row(find, params![word])
}

/// The telling words of a text that nobody says any more.
fn find_unique_words(conn: &SqlConnection, text: &str) -> SqlResult<Vec<String>> {
    let words: BTreeSet<String> = extract_distinctive_words(text).collect();
    let mut unique = Vec::new();
    for word in words {
        if !text_index::is_said_by_others(conn, &word)? && !is_name(conn, &word)? {
            unique.push(word);
        }
    }
    Ok(unique)
}

/// A query for whole quotes of a text; none of one that is anybody's words.
fn build_whole_query(text: &str) -> Option<TextQuery> {
    is_quote(text)
        .then(|| text_index::build_quote_query(text))
        .flatten()
}

/// Whether anybody else says a message's words as a whole.
fn is_quoted_by_others(conn: &SqlConnection, text: &str) -> SqlResult<bool> {
    for query in list_forms(text).filter_map(build_whole_query) {
        if text_index::is_matched_by_others(conn, &query)? {
            return Ok(true);
        }
    }
    Ok(false)
}
