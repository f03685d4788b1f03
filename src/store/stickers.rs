//! Pictures of messages that moderators keep for their guild. Each goes with its message: when that is changed or deleted,
//! when its author is forgotten, when its channel is erased.

use super::db::Database;
use super::forget::late_writes;
use super::forget::target::ForgetTarget;
use super::{Store, StoreReply};
use crate::from_row::from_row;
use crate::row_writes::row;
use crate::sql::{SqlConnection, SqlResult};
use crate::values::params;
use kith_core::chat::{ChannelId, GuildId, MessageId, UserId};
use kith_core::sticker::Sticker;

const COLUMNS: &str = "guild, name, channel, message, at";

impl Store {
    /// Keeps a picture, whose file ends in `ending`. Answers whether it is kept: not where its message is gone or says
    /// something else by now, nor where another has its name.
    pub fn keep_sticker(
        &self,
        sticker: Sticker,
        ending: &'static str,
        file: Vec<u8>,
    ) -> StoreReply<bool> {
        self.write(move |db| insert_sticker(db, &sticker, ending, &file))
    }

    /// What a guild keeps, in the order of names.
    pub fn find_stickers(&self, guild: GuildId) -> StoreReply<Vec<Sticker>> {
        self.read(move |conn| {
            let find =
                format!("SELECT {COLUMNS} FROM stickers WHERE guild = ?1 ORDER BY lower(name)");
            conn.read_all(&find, params![guild])
        })
    }

    pub fn find_sticker(
        &self,
        channel: ChannelId,
        message: MessageId,
    ) -> StoreReply<Option<Sticker>> {
        self.read(move |conn| {
            let find =
                format!("SELECT {COLUMNS} FROM stickers WHERE channel = ?1 AND message = ?2");
            conn.read_first(&find, params![channel, message])
        })
    }

    /// The file of what is kept of a message, and its ending.
    pub fn find_sticker_file(
        &self,
        channel: ChannelId,
        message: MessageId,
    ) -> StoreReply<Option<(String, Vec<u8>)>> {
        self.read(move |conn| {
            let find = "SELECT ending, file FROM stickers WHERE channel = ?1 AND message = ?2";
            conn.read_first(find, params![channel, message])
        })
    }

    /// What is kept of a message is kept no more.
    pub fn drop_sticker(&self, channel: ChannelId, message: MessageId) -> StoreReply<()> {
        self.write(move |db| remove_sticker(db, channel, message))
    }
}

from_row! { Sticker { guild, name, channel, message, at } }

fn insert_sticker(db: &Database, kept: &Sticker, ending: &str, file: &[u8]) -> SqlResult<bool> {
    let Sticker {
        guild,
        name,
        channel,
        message,
        at,
    } = kept;
    // It may have been changed, or its author be on the way out, since somebody looked at it.
    let find =
        "SELECT author FROM messages WHERE channel = ?1 AND id = ?2 AND coalesce(edited, ?3) <= ?3";
    let author: Option<UserId> = db.conn.read_first(find, params![channel, message, at])?;
    let is_leaving = |user| {
        db.leaving_people
            .iter()
            .any(|person| person.is_leaving() && Some(person.user) == user)
    };
    let is_gone =
        is_leaving(author) || late_writes::redact_list(db, *channel, *at, name)? != name.as_str();
    let Some(author) = author.filter(|_| !is_gone) else {
        return Ok(false);
    };
    db.conn.add_row(
        "stickers",
        row! { guild, name, channel, message, at, author, ending, file },
    )
}

/// A message says something else, or is gone: its picture may be another's by now.
pub(super) fn remove_sticker(
    db: &mut Database,
    channel: ChannelId,
    message: MessageId,
) -> SqlResult<()> {
    db.erased |= db.conn.delete_rows("stickers", row! { channel, message })?;
    Ok(())
}

pub(super) fn find_for_person(
    conn: &SqlConnection,
    target: &ForgetTarget,
) -> SqlResult<Vec<Sticker>> {
    let find = format!("SELECT {COLUMNS} FROM stickers WHERE author = ?1 ORDER BY at");
    let mut own_stickers: Vec<Sticker> = conn.read_all(&find, params![target.user])?;
    own_stickers.retain(|kept| target.covers(kept.channel));
    Ok(own_stickers)
}
