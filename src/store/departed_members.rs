//! Who of a guild's people is still a member. Without a privileged intent Discord does not tell who leaves, so whoever
//! has been quiet is asked about one by one, and this keeps what was found.

use super::db::Database;
use super::{Store, StoreReply};
use crate::row_writes::row;
use crate::sql::SqlResult;
use crate::values::{ReadRow, params};
use kith_core::chat::{AuthorKind, ChannelId, DAY, GuildId, Millis, UserId};

/// Whoever said something in this time is a member.
const QUIET: Millis = DAY;
/// A member who stays quiet is asked about this often.
const RECHECK: Millis = 7 * DAY;
/// What is kept of somebody who left is erased after this time.
const KEPT_AFTER_LEAVING: Millis = 30 * DAY;

/// Somebody who wrote in a guild and may have left it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuietMember {
    pub guild: GuildId,
    pub user: UserId,
}

impl Store {
    /// The people of all guilds whose membership is to be looked at now, those first who were looked at the longest ago.
    /// Reads all messages: meant for a few times a day.
    pub fn find_quiet_members(&self, now: Millis, limit: usize) -> StoreReply<Vec<QuietMember>> {
        self.read(move |conn| {
            let find = "SELECT talked.guild, talked.author FROM
                     (SELECT guild, author, max(at) AS newest FROM messages JOIN channels ON channels.id = channel
                      WHERE guild IS NOT NULL AND author_kind = ?1 GROUP BY guild, author) AS talked
                 LEFT JOIN departed_members d ON d.guild = talked.guild AND d.person = talked.author
                 WHERE newest <= ?2 AND CASE
                     WHEN d.person IS NULL THEN TRUE
                     WHEN d.absent_since IS NULL THEN d.checked <= ?3
                     ELSE d.absent_since <= ?4 END
                 ORDER BY d.checked NULLS FIRST, talked.guild, talked.author LIMIT ?5";
            conn.map_all(find, params![
                    AuthorKind::Person,
                    now - QUIET,
                    now - RECHECK,
                    now - KEPT_AFTER_LEAVING,
                    limit as i64
                ], |row| {
                    Ok(QuietMember {
                        guild: row.read(0)?,
                        user: row.read(1)?,
                    })
                })
        })
    }

    /// Keeps whether somebody is a member at this moment. Answers with the channels of the guild if they left so long ago
    /// that what is kept of them there is to be erased.
    pub fn record_membership(
        &self,
        member: QuietMember,
        is_member: bool,
        now: Millis,
    ) -> StoreReply<Option<Vec<ChannelId>>> {
        self.write(move |db| record(db, member, is_member, now))
    }
}

fn record(
    db: &Database,
    QuietMember { guild, user }: QuietMember,
    is_member: bool,
    now: Millis,
) -> SqlResult<Option<Vec<ChannelId>>> {
    let find = "SELECT absent_since FROM departed_members WHERE guild = ?1 AND person = ?2";
    let known: Option<Option<Millis>> = db.conn.read_first(find, params![guild, user])?;
    let absent_since = (!is_member).then(|| known.flatten().unwrap_or(now));
    let row = row! { guild, person: user, checked: now, absent_since };
    db.conn.put_row("departed_members", row)?;
    if absent_since.is_none_or(|since| since > now - KEPT_AFTER_LEAVING) {
        return Ok(None);
    }
    let find = "SELECT id FROM channels WHERE guild = ?1";
    db.conn.read_all(find, params![guild]).map(Some)
}
