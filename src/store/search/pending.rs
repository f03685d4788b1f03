//! Which messages have no vector yet, and keeping those that were made. What was looked through is known for each channel as
//! the span from one message to another: the newest messages are looked through first, then what follows, then what came
//! before. What is edited (a trigger sees to that) or comes late inside the span is marked and is done before all else.

use std::sync::Arc;

use crate::from_row::from_row;
use crate::preferences::{PersonPreferences, read_preferences};
use crate::row_writes::row;
use crate::sql::{SqlConnection, SqlParams, SqlResult};
use crate::values::params;
use kith_core::chat::{ChannelId, MessageId, UserId};
use kith_core::preference::PersonPreference;
use kith_core::recall::{TextVector, has_meaning};

/// How many messages are looked at for one batch: most of a lively chat say too little to have a vector.
const LOOKED_AT: i64 = 400;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnembeddedMessage {
    pub(crate) arrival: i64,
    pub text: Arc<str>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnembeddedBatch {
    /// Where they stand.
    pub channel: ChannelId,
    /// Those of them that are to have a vector; there may be none.
    pub messages: Vec<UnembeddedMessage>,
    /// How many numbers the model's vectors have; none where there are none yet.
    pub dimensions: Option<usize>,
    /// Those of them that say too little, or whose author does not want to be remembered.
    passed_over: Vec<UnembeddedMessage>,
    /// What is looked through once this is kept.
    span: MessageSpan,
}

/// Marks a message that was just stored where it stands among those that are looked through. A trigger would do it as well,
/// but with one on it each row that is stored would open a savepoint.
pub(crate) fn mark_late_message(
    conn: &SqlConnection,
    channel: ChannelId,
    id: MessageId,
    arrival: i64,
) -> SqlResult<()> {
    let find = "SELECT model FROM vector_coverage WHERE channel = ?1 AND ?2 BETWEEN first AND last";
    let models: Vec<i64> = conn.read_all(find, params![channel, id])?;
    let vector: Option<&[u8]> = None;
    models.iter().try_for_each(|model| {
        conn.put_row("message_vectors", row! { channel, arrival, model, vector })
    })
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct MessageSpan {
    first: MessageId,
    last: MessageId,
}

impl MessageSpan {
    fn new(only: MessageId) -> Self {
        Self {
            first: only,
            last: only,
        }
    }

    fn extend(self, to: Self) -> Self {
        Self {
            first: self.first.min(to.first),
            last: self.last.max(to.last),
        }
    }
}

struct Coverage {
    model: i64,
    dimensions: Option<usize>,
    span: Option<MessageSpan>,
}

fn read_coverage(
    conn: &SqlConnection,
    model: &str,
    channel: ChannelId,
) -> SqlResult<Option<Coverage>> {
    let find = "SELECT id, dimensions, first, last FROM vector_models
         LEFT JOIN vector_coverage ON model = id AND channel = ?2 WHERE name = ?1";
    type Found = (i64, Option<usize>, Option<(MessageId, MessageId)>);
    let found: Option<Found> = conn.read_first(find, params![model, channel])?;
    Ok(found.map(|(model, dimensions, span)| Coverage {
        model,
        dimensions,
        span: span.map(|(first, last)| MessageSpan { first, last }),
    }))
}

pub(crate) fn find_unembedded(
    conn: &SqlConnection,
    model: &str,
    channels: &[ChannelId],
    limit: usize,
) -> SqlResult<Option<UnembeddedBatch>> {
    let unwilling = read_preferences(conn)?;
    for channel in channels {
        let coverage = read_coverage(conn, model, *channel)?;
        let Some((lines, span)) = find_lines(conn, *channel, coverage.as_ref())? else {
            continue;
        };
        let mut batch = UnembeddedBatch {
            channel: *channel,
            messages: Vec::new(),
            dimensions: coverage.and_then(|known| known.dimensions),
            passed_over: Vec::new(),
            span,
        };
        for line in lines {
            if batch.messages.len() == limit {
                break;
            }
            batch.span = batch.span.extend(MessageSpan::new(line.id));
            let is_wanted = has_meaning(&line.text) && is_remembered(&unwilling, line.author);
            let (arrival, text) = (line.arrival, line.text);
            let list = if is_wanted {
                &mut batch.messages
            } else {
                &mut batch.passed_over
            };
            list.push(UnembeddedMessage { arrival, text });
        }
        return Ok(Some(batch));
    }
    Ok(None)
}

fn is_remembered(preferences: &PersonPreferences, author: UserId) -> bool {
    preferences.get(author) == PersonPreference::Remember
}

struct PendingLine {
    arrival: i64,
    id: MessageId,
    author: UserId,
    text: Arc<str>,
}

from_row! { PendingLine { arrival, id, author, text } }

/// The lines of a channel that are looked through next, and the span that is looked through already, or begins with them.
fn find_lines(
    conn: &SqlConnection,
    channel: ChannelId,
    coverage: Option<&Coverage>,
) -> SqlResult<Option<(Vec<PendingLine>, MessageSpan)>> {
    const COLUMNS: &str = "m.arrival, m.id, m.author, m.text FROM messages m";
    let read = |rest: &str, values: SqlParams<'_>| -> SqlResult<Vec<PendingLine>> {
        let find = format!("SELECT {COLUMNS} {rest} LIMIT {LOOKED_AT}");
        conn.read_all(&find, values)
    };
    let found = match coverage.and_then(|known| Some((known.model, known.span?))) {
        None => {
            let lines = read("WHERE channel = ?1 ORDER BY id DESC", params![channel])?;
            let newest = lines.first().map(|line| line.id);
            newest.map(|newest| (lines, MessageSpan::new(newest)))
        }
        Some((model, span)) => {
            let mut lines = read(
                "JOIN message_vectors v ON v.channel = m.channel AND v.arrival = m.arrival
                 WHERE v.model = ?2 AND v.channel = ?1 AND v.vector IS NULL",
                params![channel, model],
            )?;
            if lines.is_empty() {
                lines = read(
                    "WHERE channel = ?1 AND id > ?2 ORDER BY id",
                    params![channel, span.last],
                )?;
            }
            if lines.is_empty() {
                lines = read(
                    "WHERE channel = ?1 AND id < ?2 ORDER BY id DESC",
                    params![channel, span.first],
                )?;
            }
            (!lines.is_empty()).then_some((lines, span))
        }
    };
    Ok(found)
}

pub(crate) fn keep_vectors(
    conn: &SqlConnection,
    model: &str,
    batch: &UnembeddedBatch,
    vectors: &[Option<TextVector>],
) -> SqlResult<()> {
    let first = vectors.iter().flatten().next();
    let dimensions = first.map(|vector| vector.dimensions() as i64);
    conn.execute("INSERT INTO vector_models (name, dimensions) VALUES (?1, ?2)
         ON CONFLICT (name) DO UPDATE SET dimensions = coalesce(vector_models.dimensions, excluded.dimensions)", params![model, dimensions])?;
    let Some(Coverage { model, span, .. }) = read_coverage(conn, model, batch.channel)? else {
        return Ok(());
    };
    let none = std::iter::repeat(&None);
    let made = batch.messages.iter().zip(vectors);
    let unwilling = read_preferences(conn)?;
    for (message, vector) in made.chain(batch.passed_over.iter().zip(none)) {
        keep_vector(
            conn,
            (batch.channel, model),
            message,
            vector.as_ref(),
            &unwilling,
        )?;
    }
    let span = span.unwrap_or(batch.span).extend(batch.span);
    let MessageSpan { first, last } = span;
    conn.put_row(
        "vector_coverage",
        row! { channel: batch.channel, model, first, last },
    )
}

fn keep_vector(
    conn: &SqlConnection,
    (channel, model): (ChannelId, i64),
    message: &UnembeddedMessage,
    vector: Option<&TextVector>,
    preferences: &PersonPreferences,
) -> SqlResult<()> {
    let read = "SELECT author, text FROM messages WHERE channel = ?1 AND arrival = ?2";
    let now: Option<(UserId, Arc<str>)> =
        conn.read_first(read, params![channel, message.arrival])?;
    let is_same = now.as_ref().is_some_and(|(_, text)| *text == message.text);
    let is_wanted = now.is_some_and(|(author, _)| is_remembered(preferences, author));
    // What says something else by now is looked at once more.
    if is_wanted && (vector.is_some() || !is_same) {
        let vector = vector.filter(|_| is_same).map(TextVector::to_bytes);
        conn.put_row(
            "message_vectors",
            row! { channel, arrival: message.arrival, model, vector },
        )?;
    } else {
        conn.delete_rows(
            "message_vectors",
            row! { channel, arrival: message.arrival, model },
        )?;
    }
    Ok(())
}
