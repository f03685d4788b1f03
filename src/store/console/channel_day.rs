//! What was heard, thought and said in a channel from one moment to another. Holds no text.

use crate::from_row::from_row;
use crate::sql::{SqlConnection, SqlResult};
use crate::values::{ReadRow, params};
use crate::{Store, StoreReply};
use kith_core::chat::{AuthorKind, ChannelId, Millis};
use kith_core::report::TurnReport;

#[derive(Clone, Debug, PartialEq)]
pub struct DayMessage {
    pub at: Millis,
    pub author: AuthorKind,
    /// The willingness; none where it was not scored.
    pub score: Option<f64>,
    /// What it had to reach.
    pub threshold: Option<f64>,
    pub is_addressed: bool,
}

from_row! { DayMessage { at, author, score, threshold, is_addressed } }

#[derive(Clone, Debug, Default, PartialEq)]
pub struct DayRecord {
    /// The newest of them, oldest first.
    pub messages: Vec<DayMessage>,
    /// How many older ones there are.
    pub left_out: usize,
    /// Those that began in that time, oldest first.
    pub turns: Vec<TurnReport>,
}

impl Store {
    /// What happened in a channel from `from` to before `until`: at most `limit` messages, and as many turns.
    pub fn load_channel_day(
        &self,
        channel: ChannelId,
        (from, until): (Millis, Millis),
        limit: usize,
    ) -> StoreReply<DayRecord> {
        self.view(move |conn| {
            let range = |probe| -> SqlResult<(i64, i64)> {
                Ok((
                    find_first_key(conn, probe, channel, from)?,
                    find_first_key(conn, probe, channel, until)?,
                ))
            };
            let messages = range(MESSAGE_PROBE)?;
            let mut record = DayRecord {
                messages: read_messages(conn, channel, messages, limit)?,
                ..DayRecord::default()
            };
            let count = "SELECT count(*) FROM messages WHERE channel = ?1 AND id >= ?2 AND id < ?3";
            let all: i64 = conn.read_one(count, params![channel, messages.0, messages.1])?;
            record.left_out = (all as usize).saturating_sub(record.messages.len());
            let turns = range(TURN_PROBE)?;
            let find = "SELECT report FROM turns WHERE channel = ?1 AND turn >= ?2 AND turn < ?3 ORDER BY turn DESC LIMIT ?4";
            let values = params![channel, turns.0, turns.1, limit as i64];
            record.turns = conn.map_all(find, values, |row| row.read_json(0))?;
            record.turns.reverse();
            Ok(record)
        })
    }
}

const MESSAGE_PROBE: &str =
    "SELECT id, at FROM messages WHERE channel = ?1 AND id >= ?2 ORDER BY id LIMIT 1";
const TURN_PROBE: &str =
    "SELECT turn, started FROM turns WHERE channel = ?1 AND turn >= ?2 ORDER BY turn LIMIT 1";

/// The first id in a channel whose time is `at` or later. Ids grow with time, so that a search by halves finds it in the
/// index there is, and none by time is needed.
fn find_first_key(
    conn: &SqlConnection,
    probe: &str,
    channel: ChannelId,
    at: Millis,
) -> SqlResult<i64> {
    let (mut low, mut high) = (0, i64::MAX);
    while low < high {
        let middle = low + (high - low) / 2;
        let next: Option<(i64, Millis)> = conn.read_first(probe, params![channel, middle])?;
        match next {
            Some((key, time)) if time < at => low = key + 1,
            _ => high = middle,
        }
    }
    Ok(low)
}

fn read_messages(
    conn: &SqlConnection,
    channel: ChannelId,
    (first, end): (i64, i64),
    limit: usize,
) -> SqlResult<Vec<DayMessage>> {
    let values = params![channel, first, end, limit as i64];
    let mut messages = conn.read_all(conn.statements().read_day, values)?;
    messages.reverse();
    Ok(messages)
}
