//! How the core's plain values stand in a column. Ids are SQLite's signed numbers, so that they sort as they should;
//! one past 2^63 - 1, which no platform gives before the year 2084, is refused and never wraps into a negative.

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSqlOutput, ValueRef};
use rusqlite::{Row, ToSql};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::core::chat::{
    Author, AuthorKind, ChannelId, ChannelKind, GuildId, IntentionId, MessageId, ProposalId, SessionId, TurnId, UserId,
};

macro_rules! id_column {
    ($($name:ident),*) => {$(
        impl ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                signed(self.0).map(Into::into)
            }
        }

        impl FromSql for $name {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                u64::try_from(value.as_i64()?).map(Self).map_err(FromSqlError::other)
            }
        }
    )*};
}

id_column!(ChannelId, GuildId, IntentionId, MessageId, ProposalId, SessionId, TurnId, UserId);

fn signed(id: u64) -> rusqlite::Result<i64> {
    i64::try_from(id).map_err(|_| {
        let reason = format!("the id {id} is too large; the largest that can be kept is {}", i64::MAX);
        rusqlite::Error::ToSqlConversionFailure(reason.into())
    })
}

macro_rules! kind_column {
    ($name:ident { $($variant:ident = $number:literal),* }) => {
        impl ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                let number: i64 = match self { $(Self::$variant => $number,)* };
                Ok(number.into())
            }
        }

        impl FromSql for $name {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                match value.as_i64()? {
                    $($number => Ok(Self::$variant),)*
                    other => Err(FromSqlError::OutOfRange(other)),
                }
            }
        }
    };
}

kind_column!(AuthorKind { Person = 0, Bot = 1, Webhook = 2, Companion = 3 });
kind_column!(ChannelKind { Group = 0, Thread = 1, Direct = 2 });

/// A value that stands as JSON text in its column.
#[derive(Clone, Debug)]
pub(super) struct JsonColumn<T>(pub T);

impl<T: Serialize> ToSql for JsonColumn<T> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        serde_json::to_string(&self.0)
            .map(Into::into)
            .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))
    }
}

impl<T: DeserializeOwned> FromSql for JsonColumn<T> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        serde_json::from_str(value.as_str()?).map(Self).map_err(FromSqlError::other)
    }
}

/// An author from three columns beginning at `first`: id, name, kind.
pub(super) fn author(row: &Row<'_>, first: usize) -> rusqlite::Result<Author> {
    Ok(Author { id: row.get(first)?, name: row.get(first + 1)?, kind: row.get(first + 2)? })
}
