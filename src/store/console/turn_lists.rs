//! Turns of all channels: the newest, and those in which something failed.

use crate::from_row::from_row;
use crate::values::params;
use crate::{Store, StoreReply};
use kith_core::chat::{ChannelId, TurnId};
use kith_core::report::TurnReport;

#[derive(Clone, Debug, PartialEq)]
pub struct NamedTurn {
    pub report: TurnReport,
    /// Empty where the channel is not on record.
    pub channel_name: String,
}

from_row! { NamedTurn { report: json, channel_name } }

impl Store {
    /// The `limit` newest turns with an id below `before`, of one channel or of all, newest first.
    pub fn find_named_turns(
        &self,
        channel: Option<ChannelId>,
        before: Option<TurnId>,
        limit: usize,
    ) -> StoreReply<Vec<NamedTurn>> {
        let of_channel = channel.map_or("", |_| "channel = ?3 AND ");
        let query = format!(
            "SELECT report, coalesce(name, '') FROM turns LEFT JOIN channels ON id = channel
             WHERE {of_channel} turn < ?1 ORDER BY turn DESC LIMIT ?2"
        );
        self.view(move |conn| {
            let before = before
                .and_then(|turn| i64::try_from(turn.0).ok())
                .unwrap_or(i64::MAX);
            match channel {
                Some(channel) => conn.read_all(&query, params![before, limit as i64, channel]),
                None => conn.read_all(&query, params![before, limit as i64]),
            }
        })
    }

    /// The `limit` newest turns in which a model, a tool or the turn itself failed, newest first.
    pub fn find_faulty_turns(&self, limit: usize) -> StoreReply<Vec<NamedTurn>> {
        self.view(move |conn| {
            // The condition of the index `turns_with_faults`, word for word.
            let find = "SELECT report, coalesce(name, '') FROM turns INDEXED BY turns_with_faults LEFT JOIN channels ON id = channel
                 WHERE instr(report, '\"failure\":{') + instr(report, '\"is_error\":true') + instr(report, '\"outcome\":{\"failed\"') > 0
                 ORDER BY turn DESC LIMIT ?1";
            conn.read_all(find, params![limit as i64])
        })
    }
}
