//! Which turn said which line, and how busy a channel was. Reads only.

use super::{Store, StoreReply};
use crate::sql::SqlRow;
use crate::values::{ReadRow, params};
use kith_core::chat::{AuthorKind, ChannelId, MessageId, Millis, TurnId};

/// What happened in a channel since some moment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Activity {
    /// Messages that were scored.
    pub scored: u64,
    pub turns: u64,
    /// Of these, turns that said or did something people see.
    pub spoke: u64,
    /// Beats at which it would have spoken, had the channel not been only observed: it was addressed, or the score
    /// reached the threshold. A burst counts once.
    pub would_have_spoken: u64,
}

impl Store {
    /// What happened in a channel since `at`.
    pub fn load_activity(&self, channel: ChannelId, at: Millis) -> StoreReply<Activity> {
        self.read(move |conn| {
            let mut turns = conn.prepare_cached(conn.statements().count_turns)?;
            let counts = |row: &SqlRow<'_>| {
                let count = |column| row.read::<i64>(column).map(i64::unsigned_abs);
                Ok((count(0)?, count(1)?))
            };
            let (scored, would_have_spoken) = conn.query_row(
                conn.statements().count_decisions,
                params![channel, at],
                counts,
            )?;
            let (turns, spoke) = turns.query_row(params![channel, at], counts)?;
            Ok(Activity {
                scored,
                turns,
                spoke,
                would_have_spoken,
            })
        })
    }

    /// The turn that said a line of the companion; none for other lines and for unknown ones.
    pub fn find_message_turn(
        &self,
        channel: ChannelId,
        message: MessageId,
    ) -> StoreReply<Option<TurnId>> {
        self.read(move |conn| {
            let mut find = conn.prepare_cached(
                "SELECT nonce, turn FROM messages LEFT JOIN decisions USING (arrival)
                 WHERE channel = ?1 AND id = ?2 AND author_kind = ?3",
            )?;
            let mut rows = find.query(params![channel, message, AuthorKind::Companion])?;
            let Some(row) = rows.next()? else {
                return Ok(None);
            };
            let nonce: Option<String> = row.read(0)?;
            // `turn.part`, or `turn.part.piece` of a line that was split.
            let named = nonce
                .as_deref()
                .and_then(|nonce| nonce.split_once('.')?.0.parse().ok())
                .map(TurnId);
            Ok(named.or(row.read(1)?))
        })
    }

    /// The lines a turn said, in their order. Those that were deleted since are left out.
    pub fn find_turn_messages(&self, turn: TurnId) -> StoreReply<Vec<(ChannelId, MessageId)>> {
        self.read(move |conn| {
            // The character after `.` is `/`.
            let find = "SELECT channel, id FROM messages WHERE nonce >= ?1 AND nonce < ?2 AND author_kind = ?3 ORDER BY id";
            let range = params![format!("{turn}."), format!("{turn}/"), AuthorKind::Companion];
            conn.read_all(find, range)
        })
    }
}
