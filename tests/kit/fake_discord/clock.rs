//! The fake's time: the real one, shifted by what a test says. Ids are snowflakes of it, so that a message's id tells
//! when it was written, as on Discord.

/// Milliseconds since 1970, UTC.
pub type Millis = i64;

pub type Id = u64;

/// Where Discord's snowflakes begin: 2015-01-01.
const DISCORD_EPOCH_MS: Millis = 1_420_070_400_000;

/// The time of the fake world.
#[derive(Debug, Default)]
pub struct Clock {
    shift: Millis,
    /// Counts ids, so that no two are the same and those of one millisecond grow.
    count: u64,
}

impl Clock {
    /// The time of the fake world now.
    pub fn now(&self) -> Millis {
        kith_system::clock::now() + self.shift
    }

    /// From here on it is this time, and time goes on.
    pub fn set(&mut self, now: Millis) {
        self.shift = now - kith_system::clock::now();
    }

    pub fn snowflake(&mut self, at: Millis) -> Id {
        self.count = (self.count + 1) & 0x3F_FFFF;
        (u64::try_from(at - DISCORD_EPOCH_MS).unwrap_or(0) << 22) | self.count
    }
}

pub fn time_of(id: Id) -> Millis {
    Millis::try_from(id >> 22).unwrap_or(0) + DISCORD_EPOCH_MS
}

/// As Discord writes times: `2026-01-31T12:00:00.000000+00:00`.
pub fn timestamp(at: Millis) -> String {
    let at = chrono::DateTime::from_timestamp_millis(at).unwrap_or_default();
    at.format("%Y-%m-%dT%H:%M:%S%.6f+00:00").to_string()
}

pub fn http_date(at: Millis) -> String {
    let at = chrono::DateTime::from_timestamp_millis(at).unwrap_or_default();
    at.format("%a, %d %b %Y %H:%M:%S GMT").to_string()
}

/// A time as a client may write it.
pub fn parse_timestamp(text: &str) -> Option<Millis> {
    chrono::DateTime::parse_from_rfc3339(text)
        .ok()
        .map(|at| at.timestamp_millis())
}
