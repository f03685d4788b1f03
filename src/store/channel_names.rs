//! The names and topics of channels, taken out where they tell what is erased. A thread may be named after what somebody
//! said; where it is a platform's name, the platform may tell it again.

use crate::sql::{SqlConnection, SqlResult};
use crate::values::{ReadRow, params};
use kith_core::chat::{ChannelId, ChannelKind};

/// Gives the channels that are meant the names and topics that `redact` answers with; none leaves one as it is.
pub(super) fn redact_names(
    conn: &SqlConnection,
    is_meant: impl Fn(ChannelId, ChannelKind) -> bool,
    redact: impl Fn(&str) -> Option<String>,
) -> SqlResult<()> {
    let mut find = conn.prepare_cached("SELECT id, kind, name, topic FROM channels")?;
    let named = find.query_map(params![], |row| {
        Ok((row.read(0)?, row.read(1)?, row.read(2)?, row.read(3)?))
    })?;
    let named = named.collect::<Result<Vec<(ChannelId, ChannelKind, String, String)>, _>>()?;
    let mut rename =
        conn.prepare_cached("UPDATE channels SET name = ?2, topic = ?3 WHERE id = ?1")?;
    for (channel, kind, name, topic) in named {
        if !is_meant(channel, kind) {
            continue;
        }
        let new = (redact(&name), redact(&topic));
        if new != (None, None) {
            rename.execute(params![
                channel,
                new.0.unwrap_or(name),
                new.1.unwrap_or(topic)
            ])?;
        }
    }
    Ok(())
}
