//! Which turn said which line, and how busy a channel was. Reads only.

use super::{Store, StoreReply};
use crate::values::params;
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
            let statements = conn.statements();
            let count = |statement| conn.read_one(statement, params![channel, at]);
            let (scored, would_have_spoken) = count(statements.count_decisions)?;
            let (turns, spoke) = count(statements.count_turns)?;
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
            let find = "SELECT nonce, turn FROM messages LEFT JOIN decisions USING (arrival)
                 WHERE channel = ?1 AND id = ?2 AND author_kind = ?3";
            let values = params![channel, message, AuthorKind::Companion];
            let known: Option<(Option<String>, _)> = conn.read_first(find, values)?;
            let Some((nonce, turn)) = known else {
                return Ok(None);
            };
            // `turn.part`, or `turn.part.piece` of a line that was split.
            let named = nonce
                .as_deref()
                .and_then(|nonce| nonce.split_once('.')?.0.parse().ok())
                .map(TurnId);
            Ok(named.or(turn))
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
