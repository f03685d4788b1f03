//! Discord's ids hold the time they were made (<https://discord.com/developers/docs/reference#snowflakes>).

use kith_core::chat::{MessageId, Millis};

/// Ids count milliseconds from here: 2015-01-01.
const EPOCH: Millis = 1_420_070_400_000;
/// The bits below the milliseconds.
const BELOW: u32 = 22;

pub fn snowflake_time(id: MessageId) -> Millis {
    (id.0 >> BELOW) as Millis + EPOCH
}

/// The smallest id made at a moment; 0 before Discord began.
pub fn smallest_snowflake(at: Millis) -> MessageId {
    MessageId(u64::try_from(at - EPOCH).unwrap_or(0) << BELOW)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of Discord's own documentation.
    #[test]
    fn an_id_holds_the_time_it_was_made() {
        assert_eq!(
            snowflake_time(MessageId(175_928_847_299_117_063)),
            1_462_015_105_796
        );
        assert_eq!(
            snowflake_time(smallest_snowflake(1_462_015_105_796)),
            1_462_015_105_796
        );
        assert_eq!(smallest_snowflake(0), MessageId(0));
    }
}
