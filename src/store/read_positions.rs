//! How far each channel and each guild was heard, so that what was missed can be fetched after an outage. Ids only.

use std::collections::BTreeMap;

use super::{Store, StoreReply};
use crate::row_writes::RowStatement;
use crate::values::{ToColumn, params};
use kith_core::chat::{AuthorKind, ChannelId, GuildId, MessageId, Millis};

impl Store {
    /// Notes the newest message heard of channels, also of one that was not stored. An older one changes nothing, so
    /// it may be told late and in any order; once a second is enough, for what is stored counts as heard anyway.
    pub fn record_seen(&self, newest: Vec<(ChannelId, MessageId)>) -> StoreReply<()> {
        let raise = RowStatement::raise("read_positions", &["channel", "message"]);
        self.put_newest(newest, raise)
    }

    /// Notes the newest id heard of guilds, in whatever channel; as [`Store::record_seen`].
    pub fn record_seen_in_guilds(&self, newest: Vec<(GuildId, MessageId)>) -> StoreReply<()> {
        let raise = RowStatement::raise("guild_read_positions", &["guild", "message"]);
        self.put_newest(newest, raise)
    }

    fn put_newest<Place: ToColumn + Ord + Send + 'static>(
        &self,
        mut newest: Vec<(Place, MessageId)>,
        put: RowStatement,
    ) -> StoreReply<()> {
        // Of each place the newest, which comes last: no row is written twice in one statement.
        newest.sort_unstable();
        let newest: BTreeMap<Place, MessageId> = newest.into_iter().collect();
        let newest: Vec<(Place, MessageId)> = newest.into_iter().collect();
        self.write(move |db| {
            db.conn
                .write_rows(&put, &newest, [|(place, _)| place, |(_, message)| message])
        })
    }

    /// The newest id heard of every guild, by guild.
    pub fn last_seen_in_guilds(&self) -> StoreReply<Vec<(GuildId, MessageId)>> {
        self.read(|conn| {
            let find = "SELECT guild, message FROM guild_read_positions ORDER BY guild";
            conn.read_all(find, params![])
        })
    }

    /// The newest message heard of every channel something was heard of, by channel. The companion's own lines do not
    /// count, for it may say them over REST while nothing can be heard. What a channel is heard to say before it was
    /// caught up with moves this on, too: ask before listening.
    pub fn last_seen(&self) -> StoreReply<Vec<(ChannelId, MessageId)>> {
        self.read(|conn| {
            // One look into the index for each channel, never a walk over the messages.
            let find = "SELECT id, newest FROM (
                     SELECT id, max(coalesce(message, 0), coalesce(stored, 0)) AS newest FROM (
                     SELECT id,
                         (SELECT m.id FROM messages m WHERE m.channel = known.id AND m.author_kind <> ?1
                          ORDER BY m.id DESC LIMIT 1) AS stored,
                         (SELECT message FROM read_positions WHERE read_positions.channel = known.id) AS message
                     FROM (SELECT id FROM channels UNION SELECT channel FROM read_positions) AS known
                 ) AS heard) AS newest_heard WHERE newest > 0 ORDER BY id";
            conn.read_all(find, params![AuthorKind::Companion])
        })
    }

    /// The newest stored message of a channel.
    pub fn find_newest_message(&self, channel: ChannelId) -> StoreReply<Option<MessageId>> {
        self.read(move |conn| {
            conn.read_one(
                "SELECT max(id) FROM messages WHERE channel = ?1",
                params![channel],
            )
        })
    }

    /// The time of the newest stored message of all.
    pub fn find_newest_time(&self) -> StoreReply<Option<Millis>> {
        self.read(|conn| conn.read_one("SELECT max(at) FROM messages", params![]))
    }
}
