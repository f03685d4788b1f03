//! How many shards the bot has.

use std::fmt;

use serde::de::{Error, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use kith_core::partition::Partition;

const AUTO: &str = "auto";

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ShardCount {
    #[default]
    Auto,
    /// So many, at least one.
    Exactly(u16),
}

impl ShardCount {
    /// The number, where Discord recommends so many. It is a multiple of that of the partitions.
    pub fn resolve(self, recommended: u16, partition: Partition) -> u16 {
        match self {
            Self::Auto => partition.round_up(recommended.max(1)),
            Self::Exactly(count) => partition.round_up(count),
        }
    }
}

impl Serialize for ShardCount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Auto => AUTO.serialize(serializer),
            Self::Exactly(count) => count.serialize(serializer),
        }
    }
}

impl<'de> Deserialize<'de> for ShardCount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(ShardCountVisitor)
    }
}

struct ShardCountVisitor;

impl Visitor<'_> for ShardCountVisitor {
    type Value = ShardCount;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"auto\" or a number of shards from 1 to 65535")
    }

    fn visit_str<E: Error>(self, word: &str) -> Result<ShardCount, E> {
        match word {
            AUTO => Ok(ShardCount::Auto),
            other => Err(E::invalid_value(Unexpected::Str(other), &self)),
        }
    }

    fn visit_u64<E: Error>(self, count: u64) -> Result<ShardCount, E> {
        match u16::try_from(count) {
            Ok(count) if count > 0 => Ok(ShardCount::Exactly(count)),
            _ => Err(E::invalid_value(Unexpected::Unsigned(count), &self)),
        }
    }

    fn visit_i64<E: Error>(self, count: i64) -> Result<ShardCount, E> {
        match u64::try_from(count) {
            Ok(count) => self.visit_u64(count),
            Err(_) => Err(E::invalid_value(Unexpected::Signed(count), &self)),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{from_str, to_string};

    use super::*;

    #[test]
    fn it_is_a_word_or_a_number_and_anything_else_is_told_what_it_may_be() {
        for (text, count) in [
            ("\"auto\"", ShardCount::Auto),
            ("16", ShardCount::Exactly(16)),
        ] {
            assert_eq!(from_str::<ShardCount>(text).ok(), Some(count));
            assert_eq!(to_string(&count).unwrap(), text);
        }
        for wrong in ["0", "-3", "70000", "\"many\"", "1.5"] {
            let error = from_str::<ShardCount>(wrong).unwrap_err().to_string();
            assert!(error.contains("\"auto\" or a number"), "{error}");
        }
    }

    #[test]
    fn each_partition_has_as_many_shards_as_every_other() {
        let part = Partition::new(1, 4).unwrap();
        assert_eq!(ShardCount::Auto.resolve(5, part), 8);
        assert_eq!(ShardCount::Exactly(12).resolve(5, part), 12);
        assert_eq!(ShardCount::Auto.resolve(0, Partition::WHOLE), 1);
    }
}
