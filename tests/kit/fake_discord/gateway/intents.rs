//! Gateway intents: what a session asked to hear, and what is left out where it did not.

use serde_json::Value;

pub const GUILDS: u64 = 1 << 0;
pub const GUILD_MEMBERS: u64 = 1 << 1;
pub const GUILD_MODERATION: u64 = 1 << 2;
pub const GUILD_EXPRESSIONS: u64 = 1 << 3;
pub const GUILD_MESSAGES: u64 = 1 << 9;
pub const GUILD_REACTIONS: u64 = 1 << 10;
pub const GUILD_TYPING: u64 = 1 << 11;
pub const DIRECT_MESSAGES: u64 = 1 << 12;
pub const DIRECT_REACTIONS: u64 = 1 << 13;
pub const DIRECT_TYPING: u64 = 1 << 14;
pub const MESSAGE_CONTENT: u64 = 1 << 15;

/// All bits that mean something.
pub const KNOWN: u64 =
    0x1_FFFF & !(1 << 17) | (1 << 16) | (1 << 20) | (1 << 21) | (1 << 24) | (1 << 25);

/// A message as those see it who may not read its text.
pub fn without_content(mut message: Value) -> Value {
    message["content"] = "".into();
    for list in ["embeds", "attachments", "components"] {
        message[list] = Value::Array(Vec::new());
    }
    let fields = message.as_object_mut().expect("a message is an object");
    fields.shift_remove("poll");
    if let Some(snapshots) = fields
        .get_mut("message_snapshots")
        .and_then(Value::as_array_mut)
    {
        for snapshot in snapshots {
            snapshot["message"] = without_content(snapshot["message"].take());
        }
    }
    if let Some(original) = fields
        .get_mut("referenced_message")
        .filter(|original| original.is_object())
    {
        *original = without_content(original.take());
    }
    message
}
