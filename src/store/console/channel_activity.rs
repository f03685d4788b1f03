//! When channels were heard and spoken in last, and what they took today.

use std::collections::HashMap;

use rusqlite::OptionalExtension;

use crate::stored_history::read_channels;
use crate::values::{ReadRow, params};
use crate::{Store, StoreReply};
use kith_core::chat::{Channel, ChannelId, Millis};

/// A channel on record, and when it was alive.
#[derive(Clone, Debug, PartialEq)]
pub struct ChannelActivity {
    pub channel: Channel,
    /// When something was written last.
    pub heard: Option<Millis>,
    /// When the companion spoke last, as far as that is still on record.
    pub spoke: Option<Millis>,
}

impl Store {
    /// Every channel on record.
    pub fn load_channel_activity(&self) -> StoreReply<Vec<ChannelActivity>> {
        self.read(|conn| {
            // Each looks up one entry of an index, not a channel's past.
            let mut find_times = conn.prepare_cached(
                "SELECT (SELECT at FROM messages WHERE channel = ?1 ORDER BY id DESC LIMIT 1),
                     (SELECT journaled_at FROM outbox WHERE channel = ?1 AND state = 1 ORDER BY cursor DESC LIMIT 1)",
            )?;
            let channels = read_channels(conn)?.into_iter();
            let with_times = channels.map(|channel| {
                let times = |row: &rusqlite::Row<'_>| Ok((row.read(0)?, row.read(1)?));
                let (heard, spoke) = find_times.query_row(params![channel.id], times)?;
                Ok(ChannelActivity { channel, heard, spoke })
            });
            with_times.collect()
        })
    }

    /// The name of a channel; empty where it is not on record.
    pub fn find_channel_name(&self, channel: ChannelId) -> StoreReply<String> {
        self.read(move |conn| {
            let mut find = conn.prepare_cached("SELECT name FROM channels WHERE id = ?1")?;
            let name = find.query_row(params![channel], |row| row.read(0));
            Ok(name.optional()?.unwrap_or_default())
        })
    }

    /// The tokens that each channel took since some moment.
    pub fn load_channel_tokens(&self, since: Millis) -> StoreReply<HashMap<ChannelId, u64>> {
        self.read(move |conn| {
            let mut find = conn.prepare_cached(
                "SELECT channel, sum(prompt + completion) FROM model_usage WHERE at >= ?1 GROUP BY channel",
            )?;
            let rows = find.query_map(params![since], |row| {
                Ok((row.read(0)?, row.read::<i64>(1)?.unsigned_abs()))
            })?;
            rows.collect()
        })
    }
}
