//! What the gateway gives to the rest of the platform: events as Discord wrote them, and what happened to the link.

use std::time::Duration;

use serde_json::Value;

use super::SessionRecord;

/// Something the gateway told. Of one shard they come in the order Discord sent them; duplicates are passed on.
#[derive(Debug)]
pub enum GatewayDispatch {
    /// An event; READY and RESUMED are among them.
    Event {
        kind: String,
        value: Value,
    },
    /// A shard's session is up: it comes right after READY, or after RESUMED, which follows what was missed.
    Connected {
        shard: u16,
        /// Whether the old session goes on. If not, whatever was sent while it was away never comes.
        resumed: bool,
        /// How long nothing could be heard; zero at the first start.
        away: Duration,
    },
    /// Everything up to here was told, by what a session is resumed: it comes now and then.
    Heard(SessionRecord),
    Notice(String),
    /// It cannot go on, and nothing more comes: one sentence that says what to do.
    Fatal(String),
}
