//! How the core's plain values stand in a column. Ids are SQLite's signed numbers, so that they sort as they should;
//! one past 2^63 - 1, which no platform gives before the year 2084, is refused and never wraps into a negative.

use std::borrow::Cow;
use std::sync::Arc;

use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, Null, ToSqlOutput, ValueRef};
use rusqlite::{Row, ToSql};
use serde::Serialize;
use serde::de::DeserializeOwned;

use kith_core::chat::{
    AuthorKind, ChannelId, ChannelKind, GuildId, IntentionId, MemoryId, MessageId, ProposalId,
    SessionId, TurnId, UserId,
};
use kith_core::memory_entry::{MemoryKind, MemoryOrigin};

/// A value that can be bound to a parameter of a statement. Rusqlite's own trait cannot be given to the core's types
/// from here: neither of them is this crate's.
pub(crate) trait ToColumn {
    fn to_column(&self) -> rusqlite::Result<ToSqlOutput<'_>>;
}

pub(crate) trait FromColumn: Sized {
    fn from_column(value: ValueRef<'_>) -> FromSqlResult<Self>;
}

pub(crate) struct BoundValue<'a, T: ?Sized>(pub &'a T);

impl<T: ToColumn + ?Sized> ToSql for BoundValue<'_, T> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        self.0.to_column()
    }
}

macro_rules! params {
    ($($value:expr),* $(,)?) => {
        &[$(&$crate::values::BoundValue(&$value) as &dyn rusqlite::ToSql),*] as &[&dyn rusqlite::ToSql]
    };
}
pub(crate) use params;

pub(crate) struct ReadColumn<T>(pub T);

impl<T: FromColumn> FromSql for ReadColumn<T> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        T::from_column(value).map(Self)
    }
}

pub(crate) trait ReadRow {
    type Error;

    fn read<T: FromColumn>(&self, column: usize) -> Result<T, Self::Error>;

    /// Reads a value that stands as JSON in its column, where nothing is `null`.
    fn read_json<T: DeserializeOwned>(&self, column: usize) -> Result<T, Self::Error> {
        self.read::<JsonColumn<T>>(column)
            .map(|JsonColumn(value)| value)
    }
}

impl ReadRow for Row<'_> {
    type Error = rusqlite::Error;

    fn read<T: FromColumn>(&self, column: usize) -> rusqlite::Result<T> {
        self.get::<_, ReadColumn<T>>(column).map(|read| read.0)
    }
}

impl<T: ToColumn + ?Sized> ToColumn for &T {
    fn to_column(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        (**self).to_column()
    }
}

impl<T: ToColumn> ToColumn for Option<T> {
    fn to_column(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        self.as_ref().map_or(Ok(Null.into()), T::to_column)
    }
}

impl<T: FromColumn> FromColumn for Option<T> {
    fn from_column(value: ValueRef<'_>) -> FromSqlResult<Self> {
        match value {
            ValueRef::Null => Ok(None),
            value => T::from_column(value).map(Some),
        }
    }
}

macro_rules! plain_column {
    (to: $($to:ty),*; from: $($from:ty),*) => {
        $(impl ToColumn for $to {
            fn to_column(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                self.to_sql()
            }
        })*
        $(impl FromColumn for $from {
            fn from_column(value: ValueRef<'_>) -> FromSqlResult<Self> {
                Self::column_result(value)
            }
        })*
    };
}

plain_column!(
    to: bool, f64, i64, u32, str, String, Arc<str>, Cow<'_, str>, [u8], [u8; 32], Vec<u8>;
    from: bool, f64, i64, u32, String, Arc<str>, [u8; 32], Vec<u8>
);

macro_rules! id_column {
    ($($name:ident),*) => {$(
        impl ToColumn for $name {
            fn to_column(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                self.0.to_column()
            }
        }

        impl FromColumn for $name {
            fn from_column(value: ValueRef<'_>) -> FromSqlResult<Self> {
                u64::from_column(value).map(Self)
            }
        }
    )*};
}

impl ToColumn for u64 {
    fn to_column(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        i64::try_from(*self).map(Into::into).map_err(|_| {
            let reason = format!(
                "the number {self} is too large; the largest that can be kept is {}",
                i64::MAX
            );
            rusqlite::Error::ToSqlConversionFailure(reason.into())
        })
    }
}

impl ToColumn for usize {
    fn to_column(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(i64::try_from(*self).unwrap_or(i64::MAX).into())
    }
}

impl FromColumn for usize {
    fn from_column(value: ValueRef<'_>) -> FromSqlResult<Self> {
        Self::try_from(value.as_i64()?).map_err(FromSqlError::other)
    }
}

impl FromColumn for u64 {
    fn from_column(value: ValueRef<'_>) -> FromSqlResult<Self> {
        u64::try_from(value.as_i64()?).map_err(FromSqlError::other)
    }
}

id_column!(
    ChannelId,
    GuildId,
    IntentionId,
    MemoryId,
    MessageId,
    ProposalId,
    SessionId,
    TurnId,
    UserId
);

/// Channels as a statement takes them, with `json_each`. No column holds an id that is too large for one.
pub(crate) fn bind_channels(channels: &[ChannelId]) -> JsonColumn<Vec<u64>> {
    let ids = channels.iter().map(|channel| channel.0);
    JsonColumn(ids.filter(|id| i64::try_from(*id).is_ok()).collect())
}

macro_rules! kind_column {
    ($name:ident { $($variant:ident = $number:literal),* }) => {
        impl ToColumn for $name {
            fn to_column(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                let number: i64 = match self { $(Self::$variant => $number,)* };
                Ok(number.into())
            }
        }

        impl FromColumn for $name {
            fn from_column(value: ValueRef<'_>) -> FromSqlResult<Self> {
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
kind_column!(MemoryKind { Name = 0, About = 1, Relation = 2, Manner = 3, Promise = 4, Episode = 5 });
kind_column!(MemoryOrigin { Companion = 0, Consolidation = 1, Person = 2, Host = 3 });

#[derive(Clone, Debug)]
pub(crate) struct JsonColumn<T>(pub T);

impl<T: Serialize> ToColumn for JsonColumn<T> {
    fn to_column(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        serde_json::to_string(&self.0)
            .map(Into::into)
            .map_err(|error| rusqlite::Error::ToSqlConversionFailure(Box::new(error)))
    }
}

impl<T: DeserializeOwned> FromColumn for JsonColumn<T> {
    fn from_column(value: ValueRef<'_>) -> FromSqlResult<Self> {
        serde_json::from_str(value.as_str_or_null()?.unwrap_or("null"))
            .map(Self)
            .map_err(FromSqlError::other)
    }
}
