//! Where a prompt may have shown what was said in a channel: there the companion may have repeated it.

use crate::sql::{SqlConnection, SqlResult};
use crate::values::params;
use kith_core::chat::{ChannelId, ChannelKind};

/// The channels whose prompts may have shown what was said in channel `?1`, where `?2` is [`ChannelKind::Direct`]: itself;
/// the rest of its guild, and direct messages with who is in it; for a room the other rooms; for a direct message nothing
/// else. All channels where nobody knows any more what it was. The core says the same of the channels it knows
/// (`engine/erased_messages.rs`).
pub(super) const REACHED_CHANNELS: &str = "
    SELECT ?1 UNION
    SELECT b.id FROM channels b LEFT JOIN channels a ON a.id = ?1
    WHERE a.id IS NULL OR a.guild = b.guild OR a.guild IS NOT NULL AND b.kind = ?2
        OR a.guild IS NULL AND b.guild IS NULL AND ?2 NOT IN (a.kind, b.kind)";

/// Whether a prompt of `to` may have shown what was said in `from`.
pub(super) fn is_in_reach(conn: &SqlConnection, from: ChannelId, to: ChannelId) -> SqlResult<bool> {
    let mut find = conn.prepare_cached(&format!("SELECT 1 WHERE ?3 IN ({REACHED_CHANNELS})"))?;
    find.exists(params![from, ChannelKind::Direct, to])
}
