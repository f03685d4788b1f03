//! When channels were heard and spoken in last, and what they took today.

use std::collections::HashMap;

use crate::from_row::FromRow;
use crate::values::{ReadRow, params};
use crate::{Store, StoreReply};
use kith_core::chat::{Channel, ChannelId, Millis};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ChannelRecency {
    /// Where something was written last.
    Heard,
    /// Where the companion spoke last.
    Spoken,
    /// Nothing: each is as recent as any other.
    Any,
}

#[derive(Clone, Debug, PartialEq)]
pub struct ChannelActivity {
    pub channel: Channel,
    pub heard: Option<Millis>,
    /// When the companion spoke last, as far as that is still on record.
    pub spoke: Option<Millis>,
}

/// When the companion spoke in a channel last.
const LAST_SPOKEN: &str = "SELECT journaled_at FROM outbox WHERE channel = channels.id AND state = 1 ORDER BY cursor DESC LIMIT 1";

impl Store {
    /// Every channel on record with a number that is larger the more recent it is; 0 where nothing happened. Of thousands
    /// no more is looked up than their order takes: one entry of an index each.
    pub fn load_channels(&self, recency: ChannelRecency) -> StoreReply<Vec<(Channel, i64)>> {
        let number = match recency {
            ChannelRecency::Heard => {
                "SELECT max(m.id) FROM messages m WHERE m.channel = channels.id"
            }
            ChannelRecency::Spoken => LAST_SPOKEN,
            ChannelRecency::Any => "0",
        };
        let query = format!(
            "SELECT id, guild, name, topic, kind, parent, coalesce(({number}), 0) FROM channels"
        );
        self.view(move |conn| {
            conn.map_all(&query, params![], |row| {
                Ok((Channel::from_row(row)?, row.read(6)?))
            })
        })
    }

    /// When these channels were heard and spoken in last.
    pub fn load_channel_activity(
        &self,
        channels: Vec<Channel>,
    ) -> StoreReply<Vec<ChannelActivity>> {
        self.view(move |conn| {
            let find = format!(
                "SELECT (SELECT at FROM messages WHERE channel = channels.id ORDER BY messages.id DESC LIMIT 1), ({LAST_SPOKEN})
                 FROM (SELECT CAST(?1 AS BIGINT) AS id) channels"
            );
            let with_times = channels.iter().map(|channel| {
                let (heard, spoke) = conn.read_one(&find, params![channel.id])?;
                Ok(ChannelActivity { channel: channel.clone(), heard, spoke })
            });
            with_times.collect()
        })
    }

    /// The name of a channel; empty where it is not on record.
    pub fn find_channel_name(&self, channel: ChannelId) -> StoreReply<String> {
        self.view(move |conn| {
            let find = "SELECT name FROM channels WHERE id = ?1";
            Ok(conn.read_first(find, params![channel])?.unwrap_or_default())
        })
    }

    /// The tokens that each channel took since some moment.
    pub fn load_channel_tokens(&self, since: Millis) -> StoreReply<HashMap<ChannelId, u64>> {
        self.view(move |conn| {
            let find = "SELECT channel, sum(prompt + completion) FROM model_usage WHERE at >= ?1 GROUP BY channel";
            let rows: Vec<(ChannelId, i64)> = conn.read_all(find, params![since])?;
            let tokens = rows.into_iter().map(|(channel, tokens)| (channel, tokens.unsigned_abs()));
            Ok(tokens.collect())
        })
    }
}
