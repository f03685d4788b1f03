//! What tools keep and ask. Of a scope small JSON values by key, bounded in number and size: a value goes when what it
//! repeats is erased, and when it tells of somebody who is forgotten. Of a guild the pictures of messages that moderators
//! keep: each goes with its message, its author and its channel.

use std::error::Error;
use std::fmt;

use kith_language::{LocalizedMessage, store};
use serde_json::{Map, Value};

use crate::db::Database;
use crate::from_row::from_row;
use crate::handle::{Store, StoreReply};
use crate::leavers::late_writes;
use crate::leavers::target::ForgetTarget;
use crate::row_writes::row;
use crate::sql::{SqlConnection, SqlResult};
use crate::tool_query::{self, QueryError, QueryRows, ToolQuery};
use crate::values::params;
use kith_core::chat::{ChannelId, GuildId, MessageId, Millis, UserId};
use kith_core::sticker::Sticker;
use kith_system::clock;

/// What the keys of a session's files begin with: they have bounds of their own.
pub const FILE_PREFIX: &str = "file:";
pub const MOST_KEYS: usize = 100;
/// The longest key, in characters.
pub const KEY_CHARACTERS: usize = 64;
/// The largest value, in bytes as JSON.
pub const VALUE_BYTES: usize = 8_192;
/// The most of a scope, and of its files, in bytes: keys and values.
pub const SCOPE_BYTES: usize = 65_536;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ToolDataError {
    Key(String),
    Value(String),
    Keys,
    Scope,
}

const STICKER_COLUMNS: &str = "guild, name, channel, message, at";

impl Store {
    /// Asks a question. One is answered at a time.
    pub fn query(&self, query: ToolQuery) -> StoreReply<Result<QueryRows, QueryError>> {
        let asked = clock::monotonic();
        self.run_in_steps(move |store| tool_query::ask(store, asked, &query))
    }

    pub fn load_tool_data(&self, scope: impl Into<String>) -> StoreReply<Map<String, Value>> {
        let scope = scope.into();
        self.read(move |conn| {
            let rows = read_scope(conn, &scope)?.into_iter();
            Ok(rows
                .map(|(key, value)| (key, serde_json::from_str(&value).unwrap_or_default()))
                .collect())
        })
    }

    /// Changes what tools keep under a scope, all or nothing: a key's value is replaced, null removes it. Without values
    /// that tell of somebody who is just being forgotten, or repeat what was just erased.
    pub fn put_tool_data(
        &self,
        scope: impl Into<String>,
        changes: Map<String, Value>,
        at: Millis,
    ) -> StoreReply<Result<(), ToolDataError>> {
        let scope = scope.into();
        self.write(move |db| save_changes(db, &scope, &changes, at))
    }

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
            let find = format!(
                "SELECT {STICKER_COLUMNS} FROM stickers WHERE guild = ?1 ORDER BY lower(name)"
            );
            conn.read_all(&find, params![guild])
        })
    }

    pub fn find_sticker(
        &self,
        channel: ChannelId,
        message: MessageId,
    ) -> StoreReply<Option<Sticker>> {
        self.read(move |conn| {
            let find = format!(
                "SELECT {STICKER_COLUMNS} FROM stickers WHERE channel = ?1 AND message = ?2"
            );
            conn.read_first(&find, params![channel, message])
        })
    }

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

    pub fn drop_sticker(&self, channel: ChannelId, message: MessageId) -> StoreReply<()> {
        self.write(move |db| remove_sticker(db, channel, message))
    }
}

fn save_changes(
    db: &mut Database,
    scope: &str,
    changes: &Map<String, Value>,
    at: Millis,
) -> SqlResult<Result<(), ToolDataError>> {
    let mut sizes: Vec<(String, usize)> = read_scope(&db.conn, scope)?
        .into_iter()
        .map(|(key, value)| (key, value.len()))
        .collect();
    sizes.retain(|(key, _)| !changes.contains_key(key));
    let mut texts = Vec::new();
    for (key, value) in changes {
        if key.is_empty() || key.chars().count() > KEY_CHARACTERS {
            return Ok(Err(ToolDataError::Key(
                key.chars().take(KEY_CHARACTERS).collect(),
            )));
        }
        let text = (!value.is_null()).then(|| value.to_string());
        let size = text.as_ref().map_or(0, String::len);
        if size > VALUE_BYTES {
            return Ok(Err(ToolDataError::Value(key.clone())));
        }
        if let Some(text) = text {
            sizes.push((key.clone(), size));
            texts.push((key, text));
        }
    }
    for is_file in [false, true] {
        let same = sizes
            .iter()
            .filter(|(key, _)| key.starts_with(FILE_PREFIX) == is_file);
        let bytes = same.clone().map(|(key, size)| key.len() + size);
        if same.count() > MOST_KEYS {
            return Ok(Err(ToolDataError::Keys));
        }
        if bytes.sum::<usize>() > SCOPE_BYTES {
            return Ok(Err(ToolDataError::Scope));
        }
    }
    for key in changes.keys() {
        db.conn.delete_rows("tool_data", row! { scope, key })?;
    }
    for (key, text) in texts {
        let line = format!("{key} {text}");
        let mut erased = db.recent_erasures.find_all();
        if late_writes::redact_memory(db, scope, at, &line)? == line
            && !erased.any(|gone| gone.is_repeated_in(&line))
        {
            let row = row! { scope, key, value: text, at };
            db.conn.insert_row("tool_data", row)?;
        }
    }
    // What a key no longer holds is forgotten as a deleted message is.
    db.erased = true;
    Ok(Ok(()))
}

fn read_scope(conn: &SqlConnection, scope: &str) -> SqlResult<Vec<(String, String)>> {
    let find = "SELECT key, value FROM tool_data WHERE scope = ?1 ORDER BY key";
    conn.read_all(find, params![scope])
}

impl From<ToolDataError> for LocalizedMessage {
    fn from(error: ToolDataError) -> Self {
        match error {
            ToolDataError::Key(key) => store::data_key(key, KEY_CHARACTERS.to_string()),
            ToolDataError::Value(key) => store::data_value(key, VALUE_BYTES.to_string()),
            ToolDataError::Keys => store::data_keys(MOST_KEYS.to_string()),
            ToolDataError::Scope => store::data_scope(SCOPE_BYTES.to_string()),
        }
    }
}

impl fmt::Display for ToolDataError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        LocalizedMessage::from(self.clone()).fmt(f)
    }
}

impl Error for ToolDataError {}

from_row! { Sticker { guild, name, channel, message, at } }

fn insert_sticker(db: &Database, kept: &Sticker, ending: &str, file: &[u8]) -> SqlResult<bool> {
    let (channel, message, at) = (kept.channel, kept.message, kept.at);
    // It may have been changed, or its author be on the way out, since somebody looked at it.
    let find =
        "SELECT author FROM messages WHERE channel = ?1 AND id = ?2 AND coalesce(edited, ?3) <= ?3";
    let author: Option<UserId> = db.conn.read_first(find, params![channel, message, at])?;
    let is_leaving = |user| {
        db.leaving_people
            .iter()
            .any(|person| person.is_leaving() && Some(person.user) == user)
    };
    let is_gone = is_leaving(author)
        || late_writes::redact_list(db, channel, at, &kept.name)? != kept.name.as_str();
    let Some(author) = author.filter(|_| !is_gone) else {
        return Ok(false);
    };
    let row =
        row! { guild: kept.guild, name: kept.name, channel, message, at, author, ending, file };
    db.conn.add_row("stickers", row)
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

pub(super) fn find_stickers_of_person(
    conn: &SqlConnection,
    target: &ForgetTarget,
) -> SqlResult<Vec<Sticker>> {
    let find = format!("SELECT {STICKER_COLUMNS} FROM stickers WHERE author = ?1 ORDER BY at");
    let mut own_stickers: Vec<Sticker> = conn.read_all(&find, params![target.user])?;
    own_stickers.retain(|kept| target.covers(kept.channel));
    Ok(own_stickers)
}
