//! Values on their way to a server and back. A character of number 0, which no text of PostgreSQL's can hold, is kept as
//! the replacement character: a message is stored all the same.

use std::error::Error;
use std::fmt;

use bytes::BytesMut;
use rusqlite::ToSql as SqliteToSql;
use rusqlite::types::{ToSqlOutput, ValueRef};
use tokio_postgres::types::{FromSql, IsNull, Kind, ToSql, Type};

use crate::values::ToColumn;

/// A value that its place in the statement cannot take.
#[derive(Clone, Debug)]
pub(super) struct UnfitValue(String);

impl fmt::Display for UnfitValue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl Error for UnfitValue {}

#[derive(Debug)]
pub(super) struct BoundColumn<'a>(ToSqlOutput<'a>);

impl<'a> BoundColumn<'a> {
    pub fn new(value: &'a dyn SqliteToSql) -> rusqlite::Result<Self> {
        value.to_sql().map(Self)
    }

    pub fn from_column(value: &'a (impl ToColumn + ?Sized)) -> rusqlite::Result<Self> {
        value.to_column().map(Self)
    }

    fn value(&self) -> Result<ValueRef<'_>, UnfitValue> {
        match &self.0 {
            ToSqlOutput::Borrowed(value) => Ok(*value),
            ToSqlOutput::Owned(value) => Ok(ValueRef::from(value)),
            _ => Err(UnfitValue("a value that only SQLite has".into())),
        }
    }
}

impl ToSql for BoundColumn<'_> {
    fn to_sql(
        &self,
        kind: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        match (self.value()?, kind) {
            (ValueRef::Null, _) => return Ok(IsNull::Yes),
            (ValueRef::Integer(whole), &Type::INT8) => out.extend_from_slice(&whole.to_be_bytes()),
            (ValueRef::Integer(whole), &Type::INT4) => {
                let whole = i32::try_from(whole)
                    .map_err(|_| UnfitValue(format!("{whole} is too large for {kind}")))?;
                out.extend_from_slice(&whole.to_be_bytes());
            }
            (ValueRef::Integer(whole), &Type::BOOL) => {
                out.extend_from_slice(&[u8::from(whole != 0)])
            }
            (ValueRef::Integer(whole), &Type::FLOAT8) => {
                out.extend_from_slice(&(whole as f64).to_be_bytes());
            }
            (ValueRef::Real(real), &Type::FLOAT8) => out.extend_from_slice(&real.to_be_bytes()),
            (ValueRef::Text(text), &Type::TEXT) => put_text(text, out),
            (ValueRef::Blob(bytes), &Type::BYTEA | &Type::TS_VECTOR) => {
                out.extend_from_slice(bytes);
            }
            (value, kind) => {
                let value = value.data_type();
                return Err(UnfitValue(format!(
                    "a value of kind {value} cannot stand where {kind} must"
                ))
                .into());
            }
        }
        Ok(IsNull::No)
    }

    fn accepts(_: &Type) -> bool {
        true
    }

    fn to_sql_checked(
        &self,
        kind: &Type,
        out: &mut BytesMut,
    ) -> Result<IsNull, Box<dyn Error + Sync + Send>> {
        self.to_sql(kind, out)
    }
}

fn put_text(text: &[u8], out: &mut BytesMut) {
    let mut pieces = text.split(|byte| *byte == 0);
    out.extend_from_slice(pieces.next().unwrap_or_default());
    for piece in pieces {
        out.extend_from_slice("\u{FFFD}".as_bytes());
        out.extend_from_slice(piece);
    }
}

/// What stands in a column, as the store's kinds of values.
pub(super) struct ReadValue<'a>(pub ValueRef<'a>);

impl<'a> FromSql<'a> for ReadValue<'a> {
    fn from_sql(kind: &Type, raw: &'a [u8]) -> Result<Self, Box<dyn Error + Sync + Send>> {
        let value = match *kind {
            Type::INT8 => ValueRef::Integer(i64::from_be_bytes(read_bytes(raw)?)),
            Type::INT4 => ValueRef::Integer(i32::from_be_bytes(read_bytes(raw)?).into()),
            Type::INT2 => ValueRef::Integer(i16::from_be_bytes(read_bytes(raw)?).into()),
            Type::BOOL => ValueRef::Integer(i64::from(raw != [0])),
            Type::FLOAT8 => ValueRef::Real(f64::from_be_bytes(read_bytes(raw)?)),
            Type::NUMERIC => read_number(raw)?,
            Type::TEXT | Type::VARCHAR | Type::NAME | Type::UNKNOWN => ValueRef::Text(raw),
            Type::BYTEA => ValueRef::Blob(raw),
            _ => return Err(UnfitValue(format!("a column of kind {kind}")).into()),
        };
        Ok(Self(value))
    }

    fn from_sql_null(_: &Type) -> Result<Self, Box<dyn Error + Sync + Send>> {
        Ok(Self(ValueRef::Null))
    }

    fn accepts(_: &Type) -> bool {
        true
    }
}

fn read_bytes<const SIZE: usize>(raw: &[u8]) -> Result<[u8; SIZE], UnfitValue> {
    let unfit = |_| UnfitValue(format!("{} bytes for a number of {SIZE}", raw.len()));
    raw.try_into().map_err(unfit)
}

/// Whether what is bound may be of this kind. The store binds whole numbers of 64 bits: where PostgreSQL takes a place for a
/// smaller kind (a bare `-1` beside it is enough), most of them fit, and an id does not.
pub(super) fn is_bindable(kind: &Type) -> bool {
    if let Kind::Array(of) = kind.kind() {
        return is_bindable(of);
    }
    [
        Type::INT8,
        Type::TEXT,
        Type::BYTEA,
        Type::FLOAT8,
        Type::BOOL,
    ]
    .contains(kind)
}

/// A sum, or a number with a point, which PostgreSQL answers with as digits of base 10,000.
fn read_number(raw: &[u8]) -> Result<ValueRef<'static>, UnfitValue> {
    let word = |at: usize| {
        let bytes = raw.get(2 * at..2 * at + 2)?;
        Some(i16::from_be_bytes([bytes[0], bytes[1]]))
    };
    let read = || {
        let (count, weight, sign, scale) = (word(0)?, word(1)?, word(2)?, word(3)?);
        let is_negative = sign == 0x4000;
        let mut whole: i64 = 0;
        let mut real = 0.0;
        for place in 0..count.max(weight + 1) {
            let digit = if place < count {
                word(4 + usize::try_from(place).ok()?)?
            } else {
                0
            };
            if place <= weight {
                whole = whole.checked_mul(10_000)?.checked_add(digit.into())?;
            }
            real += f64::from(digit) * 10_000_f64.powi(i32::from(weight - place));
        }
        Some(match scale {
            0 => ValueRef::Integer(if is_negative { -whole } else { whole }),
            _ => ValueRef::Real(if is_negative { -real } else { real }),
        })
    };
    read().ok_or_else(|| UnfitValue("a number too large to be kept".into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use rusqlite::types::Value;

    #[test]
    fn a_text_with_a_character_of_number_0_is_kept_with_another_in_its_place() {
        let mut out = BytesMut::new();
        put_text(b"a\0b\0", &mut out);
        assert_eq!(&out[..], "a\u{FFFD}b\u{FFFD}".as_bytes());
    }

    #[test]
    fn sums_are_whole_numbers_and_others_keep_their_point() {
        let raw = |words: &[i16]| {
            words
                .iter()
                .flat_map(|word| word.to_be_bytes())
                .collect::<Vec<u8>>()
        };
        let read = |words: &[i16]| read_number(&raw(words)).ok();
        assert_eq!(read(&[0, 0, 0, 0]), Some(ValueRef::Integer(0)));
        assert_eq!(
            read(&[2, 1, 0, 0, 1, 2345]),
            Some(ValueRef::Integer(12_345))
        );
        assert_eq!(
            read(&[1, 1, 0x4000, 0, 7]),
            Some(ValueRef::Integer(-70_000))
        );
        assert_eq!(read(&[0, 0, 0, 1]), Some(ValueRef::Real(0.0)));
        assert_eq!(read(&[2, 0, 0, 2, 3, 2500]), Some(ValueRef::Real(3.25)));
    }

    #[test]
    fn a_value_is_bound_only_where_it_fits() {
        let mut out = BytesMut::new();
        let bound = BoundColumn(ToSqlOutput::Owned(Value::Integer(7)));
        assert!(bound.to_sql(&Type::INT8, &mut out).is_ok());
        assert_eq!(&out[..], 7_i64.to_be_bytes());
        assert!(bound.to_sql(&Type::TEXT, &mut out).is_err());
    }

    #[test]
    fn a_number_too_large_for_its_place_is_told_as_such() {
        let mut out = BytesMut::new();
        let bound = BoundColumn(ToSqlOutput::Owned(Value::Integer(1 << 40)));
        let told = bound.to_sql(&Type::INT4, &mut out);
        assert!(told.is_err_and(|error| error.is::<UnfitValue>()));
    }
}
