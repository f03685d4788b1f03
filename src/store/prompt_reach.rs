//! Where a prompt may have shown what was said in a channel: there the companion may have repeated it.

use crate::sql::{SqlConnection, SqlResult};
use crate::values::params;
use kith_core::chat::{ChannelId, ChannelKind};

/// Whether `b` is reached from `a`, which is null where nobody knows any more what it was: the rest of its guild, and
/// direct messages with who is in it; for a room the other rooms; for a direct message nothing else. `?2` is
/// [`ChannelKind::Direct`]. The core says the same of the channels it knows (`engine/erased_messages.rs`).
macro_rules! is_reached {
    () => {
        "(a.id IS NULL OR a.guild = b.guild OR a.guild IS NOT NULL AND b.kind = ?2
            OR a.guild IS NULL AND b.guild IS NULL AND ?2 NOT IN (a.kind, b.kind))"
    };
}

/// The channels whose prompts may have shown what was said in channel `?1`, where `?2` is [`ChannelKind::Direct`]: itself
/// and those that are reached from it.
pub(super) const REACHED_CHANNELS: &str = concat!(
    "SELECT ?1 UNION SELECT b.id FROM channels b LEFT JOIN channels a ON a.id = ?1 WHERE ",
    is_reached!()
);

/// The same of one channel, `?3`: to list all of a large server for each line that is said would take far longer.
const IS_REACHED: &str = concat!(
    "SELECT 1 FROM channels b LEFT JOIN channels a ON a.id = ?1 WHERE b.id = ?3 AND ",
    is_reached!()
);

pub(super) fn is_in_reach(conn: &SqlConnection, from: ChannelId, to: ChannelId) -> SqlResult<bool> {
    if from == to {
        return Ok(true);
    }
    conn.has_row(IS_REACHED, params![from, ChannelKind::Direct, to])
}
