//! What a table holds, in two numbers: how many rows, and a sum over all of them in which their order does not count.

use rusqlite::types::ValueRef;
use sha2::{Digest, Sha256};

const HASH_BYTES: usize = 16;
/// What stands in a server's texts where a character of number 0 was.
const REPLACEMENT: &[u8] = "\u{FFFD}".as_bytes();

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TableDigest {
    pub rows: u64,
    /// The first half of each row's SHA-256, added modulo 2^128.
    sum: u128,
}

impl TableDigest {
    pub fn add(&mut self, values: &[ValueRef<'_>]) {
        let mut hash = Sha256::new();
        for value in values {
            add_value(&mut hash, *value);
        }
        let mut half = [0; HASH_BYTES];
        half.copy_from_slice(&hash.finalize()[..HASH_BYTES]);
        self.sum = self.sum.wrapping_add(u128::from_be_bytes(half));
        self.rows += 1;
    }
}

/// A value so that no two rows of values look alike, and so that it is the same in both engines.
fn add_value(hash: &mut Sha256, value: ValueRef<'_>) {
    match value {
        ValueRef::Null => hash.update([0]),
        ValueRef::Integer(number) => {
            hash.update([1]);
            hash.update(number.to_be_bytes());
        }
        ValueRef::Real(number) => {
            hash.update([2]);
            // SQLite keeps no sign of a zero.
            hash.update((number + 0.0).to_be_bytes());
        }
        ValueRef::Text(text) => {
            let zeros = text.iter().filter(|byte| **byte == 0).count();
            let length = text.len() + zeros * (REPLACEMENT.len() - 1);
            hash.update([3]);
            hash.update((length as u64).to_be_bytes());
            let mut pieces = text.split(|byte| *byte == 0);
            hash.update(pieces.next().unwrap_or_default());
            for piece in pieces {
                hash.update(REPLACEMENT);
                hash.update(piece);
            }
        }
        ValueRef::Blob(bytes) => {
            hash.update([4]);
            hash.update((bytes.len() as u64).to_be_bytes());
            hash.update(bytes);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(rows: &[&[ValueRef<'_>]]) -> TableDigest {
        let mut digest = TableDigest::default();
        rows.iter().for_each(|row| digest.add(row));
        digest
    }

    fn text(text: &str) -> ValueRef<'_> {
        ValueRef::Text(text.as_bytes())
    }

    #[test]
    fn the_order_of_rows_does_not_count_and_that_of_values_does() {
        let (one, two) = (ValueRef::Integer(1), ValueRef::Integer(2));
        assert_eq!(digest(&[&[one], &[two]]), digest(&[&[two], &[one]]));
        assert_ne!(digest(&[&[one, two]]), digest(&[&[two, one]]));
        assert_ne!(digest(&[&[one], &[one]]), digest(&[&[one]]));
        assert_ne!(
            digest(&[&[text("ab"), text("c")]]),
            digest(&[&[text("a"), text("bc")]])
        );
        assert_ne!(digest(&[&[text("a")]]), digest(&[&[ValueRef::Blob(b"a")]]));
        assert_ne!(digest(&[&[ValueRef::Null]]), digest(&[&[text("")]]));
        assert_ne!(digest(&[&[ValueRef::Real(1.0)]]), digest(&[&[one]]));
    }

    #[test]
    fn what_an_engine_keeps_in_another_way_counts_as_the_same() {
        assert_eq!(
            digest(&[&[text("a\0b\0")]]),
            digest(&[&[text("a\u{FFFD}b\u{FFFD}")]])
        );
        assert_eq!(
            digest(&[&[ValueRef::Real(-0.0)]]),
            digest(&[&[ValueRef::Real(0.0)]])
        );
    }
}
