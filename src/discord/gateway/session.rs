//! A session: what it is resumed by, and what Discord is told to begin one or to go on with it. `shard/run.rs` decides
//! which of the two.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use serenity::model::gateway::GatewayIntents;

use kith_core::chat::{ChannelId, Millis};
use kith_core::secret::Secret;

/// Opcodes of the gateway (Discord's documentation, "Gateway Opcodes").
pub mod op {
    pub const DISPATCH: u8 = 0;
    pub const HEARTBEAT: u8 = 1;
    pub const IDENTIFY: u8 = 2;
    pub const RESUME: u8 = 6;
    pub const RECONNECT: u8 = 7;
    pub const INVALID_SESSION: u8 = 9;
    pub const HELLO: u8 = 10;
    pub const ACKNOWLEDGED: u8 = 11;
}

/// Above this many members a guild comes without those who are offline. The companion asks for no list at all, and this
/// is the fewest Discord takes.
const LARGE_GUILD: u8 = 50;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GatewaySession {
    id: String,
    seq: u64,
    pub resume_url: Option<String>,
}

impl GatewaySession {
    /// The one that READY tells of; none if it has no id.
    pub fn from_ready(ready: &Value, seq: u64) -> Option<Self> {
        let text = |key: &str| {
            ready[key]
                .as_str()
                .filter(|text| !text.is_empty())
                .map(str::to_owned)
        };
        Some(Self {
            id: text("session_id")?,
            seq,
            resume_url: text("resume_gateway_url"),
        })
    }

    pub fn record_seq(&mut self, seq: u64) {
        self.seq = seq;
    }

    /// An event came that is told once more, or the next one. Answers whether none is missing before it.
    pub fn follow_seq(&mut self, seq: u64) -> bool {
        let is_next = seq <= self.seq + 1;
        self.seq = self.seq.max(seq);
        is_next
    }

    pub fn build_resume_payload(&self, token: &Secret) -> String {
        let d = json!({ "token": token.expose(), "session_id": self.id, "seq": self.seq });
        json!({ "op": op::RESUME, "d": d }).to_string()
    }
}

/// Up to where a shard's session was heard, kept so that whoever starts after a kill can hear what came since.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionRecord {
    /// Which shard, and of how many.
    pub shard: (u16, u16),
    pub at: Millis,
    pub(super) session: GatewaySession,
}

/// What a process left that was killed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct FormerSessions {
    pub records: Vec<SessionRecord>,
    /// Channels in which not all that was heard before is stored: they have to be looked back at further.
    pub behind: BTreeSet<ChannelId>,
}

/// Begins a session. Without a presence the bot is simply online.
pub fn build_identify_payload(
    token: &Secret,
    intents: GatewayIntents,
    (shard, shards): (u16, u16),
) -> String {
    let d = json!({
        "token": token.expose(),
        "intents": intents.bits(),
        "shard": [shard, shards],
        "large_threshold": LARGE_GUILD,
        "properties": { "os": std::env::consts::OS, "browser": "kith", "device": "kith" },
    });
    json!({ "op": op::IDENTIFY, "d": d }).to_string()
}

/// A heartbeat, with the number of the last event of the session that is there.
pub fn build_heartbeat_payload(session: Option<&GatewaySession>) -> String {
    json!({ "op": op::HEARTBEAT, "d": session.map(|session| session.seq) }).to_string()
}
