//! A small guild, and an ear that hears what Discord says. serenity's models vouch for what is given as Discord's.

use std::sync::{Arc, RwLock, RwLockReadGuard};

use kith_core::chat::{ChannelId, GuildId, Message, UserId};
use kith_core::directory::Directory;
use kith_core::event::ChatEvent;
use kith_core::partition::Partition;
use kith_core::persona::Language;
use kith_discord::DiscordEvent;
use kith_discord::convert::EventConverter;
use serde_json::{Value, json};
use serenity::model::event::Event;

pub const ME: u64 = 900;
pub const GUILD: GuildId = GuildId(100);
pub const GENERAL: ChannelId = ChannelId(10);
pub const SECRET: ChannelId = ChannelId(11);
pub const THREAD: ChannelId = ChannelId(12);
pub const MODS: u64 = 201;
pub const MY_ROLE: u64 = 202;
/// View, write, look back and react.
pub const USUAL: u64 = (1 << 10) | (1 << 11) | (1 << 16) | (1 << 6);

/// Hears, and keeps the directory it fills.
pub struct ConverterTest {
    pub converter: EventConverter,
    directory: Arc<RwLock<Directory>>,
}

impl ConverterTest {
    /// In the guild of [`guild`].
    pub fn new() -> Self {
        Self::of(Language::EN)
    }

    pub fn of(language: Language) -> Self {
        let mut test = Self::nowhere(language);
        test.hear("READY", ready(&[GUILD.0]));
        test.hear("GUILD_CREATE", guild());
        test
    }

    pub fn nowhere(language: Language) -> Self {
        let directory = Arc::new(RwLock::new(Directory::default()));
        Self {
            converter: EventConverter::new(directory.clone(), language, Partition::WHOLE),
            directory,
        }
    }

    pub fn directory(&self) -> RwLockReadGuard<'_, Directory> {
        self.directory.read().unwrap()
    }

    /// An event as Discord sends it: serenity's models read it, too.
    pub fn hear(&mut self, kind: &str, value: Value) -> Vec<DiscordEvent> {
        let event: Event = serde_json::from_value(json!({ "t": kind, "d": value })).unwrap();
        assert!(
            !matches!(event, Event::Unknown(_)),
            "serenity does not read this {kind}: {value}"
        );
        self.hear_raw(kind, &value)
    }

    /// Whatever is said.
    pub fn hear_raw(&mut self, kind: &str, value: &Value) -> Vec<DiscordEvent> {
        self.converter.convert_event(kind, value)
    }
}

/// What is heard of an event in a guild of its own.
pub fn hears(language: Language, kind: &str, value: &Value) -> Vec<DiscordEvent> {
    ConverterTest::of(language).hear(kind, value.clone())
}

/// What comes of a message.
pub fn message(value: &Value) -> Option<Message> {
    hears(Language::EN, "MESSAGE_CREATE", value)
        .into_iter()
        .find_map(|heard| match heard {
            DiscordEvent::Chat {
                event: ChatEvent::Message(message),
                ..
            } => Some(message),
            _ => None,
        })
}

/// `base` with the fields of `more` in the place of its own.
pub fn with(mut base: Value, more: Value) -> Value {
    let Value::Object(more) = more else {
        panic!("no object")
    };
    base.as_object_mut().unwrap().extend(more);
    base
}

/// A message of Anna's in the general channel, with `more`.
pub fn says(more: Value) -> Value {
    let plain = json!({
        "id": "175928847299117063", "channel_id": GENERAL.to_string(), "guild_id": GUILD.to_string(), "type": 0,
        "author": user(1, "anna"), "member": member(None), "content": "hi", "timestamp": "2016-04-30T11:18:25.796Z",
        "edited_timestamp": null, "tts": false, "mention_everyone": false, "mentions": [], "mention_roles": [],
        "attachments": [], "embeds": [], "pinned": false, "flags": 0, "components": [],
    });
    with(plain, more)
}

pub fn user(id: u64, name: &str) -> Value {
    json!({"id": id.to_string(), "username": name, "discriminator": "0", "global_name": null, "avatar": null})
}

pub fn member(nick: Option<&str>) -> Value {
    json!({"nick": nick, "roles": [], "joined_at": "2020-01-01T00:00:00Z", "deaf": false, "mute": false, "flags": 0})
}

pub fn role(id: u64, name: &str, permissions: u64) -> Value {
    json!({
        "id": id.to_string(), "name": name, "color": 0, "hoist": false, "managed": false, "mentionable": false,
        "colors": {"primary_color": 0, "secondary_color": null, "tertiary_color": null},
        "permissions": permissions.to_string(), "position": 1, "flags": 0,
    })
}

pub fn channel(id: ChannelId, kind: u8, name: &str, overwrites: Value) -> Value {
    json!({
        "id": id.to_string(), "type": kind, "name": name, "position": 0, "permission_overwrites": overwrites,
        "nsfw": false, "parent_id": null, "guild_id": GUILD.to_string(),
    })
}

pub fn thread(id: ChannelId, kind: u8, name: &str, parent: ChannelId) -> Value {
    let metadata = json!({
        "archived": false, "auto_archive_duration": 1440, "archive_timestamp": "2024-01-01T00:00:00Z", "locked": false
    });
    let more = json!({"parent_id": parent.to_string(), "thread_metadata": metadata});
    with(channel(id, kind, name, json!([])), more)
}

pub fn ready(guilds: &[u64]) -> Value {
    let guilds: Vec<_> = guilds
        .iter()
        .map(|id| json!({"id": id.to_string(), "unavailable": true}))
        .collect();
    let me = with(
        user(ME, "kith-bot"),
        json!({"bot": true, "verified": true, "mfa_enabled": false, "email": null}),
    );
    json!({
        "v": 10, "user": me, "guilds": guilds, "session_id": "s", "resume_gateway_url": "wss://gateway.invalid",
        "shard": [0, 1], "application": {"id": "901", "flags": 0},
    })
}

/// `#general` for everybody with a thread, `#secret` for moderators.
pub fn guild() -> Value {
    let everybody = |allow: u64, deny: u64| json!({"id": GUILD.to_string(), "type": 0, "allow": allow.to_string(), "deny": deny.to_string()});
    let mods =
        json!({"id": MODS.to_string(), "type": 0, "allow": (1 << 10).to_string(), "deny": "0"});
    let me = json!({
        "user": with(user(ME, "kith-bot"), json!({"bot": true})), "nick": "Kith", "roles": [MY_ROLE.to_string()],
        "joined_at": "2020-01-01T00:00:00Z", "deaf": false, "mute": false, "flags": 0,
    });
    let my_role = with(
        role(MY_ROLE, "Kith", USUAL),
        json!({"managed": true, "tags": {"bot_id": ME.to_string()}}),
    );
    let emoji = json!({"id": "301", "name": "smile", "animated": true, "roles": [], "require_colons": true,
        "managed": false, "available": true});
    let sticker = json!({"id": "401", "name": "Wave", "tags": "wave", "type": 2, "format_type": 1, "available": true,
        "description": null, "guild_id": GUILD.to_string()});
    let roles = [
        role(GUILD.0, "@everyone", USUAL | (1 << 38)),
        role(MODS, "Mods", 0),
        my_role,
    ];
    let channels = [
        channel(GENERAL, 0, "general", json!([everybody(0, 0)])),
        channel(SECRET, 0, "secret", json!([everybody(0, 1 << 10), mods])),
    ];
    let here = json!({
        "id": GUILD.to_string(), "name": "The Pub", "owner_id": "1", "emojis": [emoji], "stickers": [sticker],
        "members": [me], "roles": roles, "channels": channels, "threads": [thread(THREAD, 11, "plans", GENERAL)],
    });
    with(what_serenity_needs(), here)
}

/// The fields of a guild that serenity does not do without.
fn what_serenity_needs() -> Value {
    let guild = json!({
        "icon": null, "splash": null, "discovery_splash": null, "afk_channel_id": null, "afk_timeout": 60,
        "verification_level": 0, "default_message_notifications": 0, "explicit_content_filter": 0, "features": [],
        "mfa_level": 0, "application_id": null, "system_channel_id": null, "system_channel_flags": 0,
        "rules_channel_id": null, "vanity_url_code": null, "description": null, "banner": null, "premium_tier": 0,
        "preferred_locale": "en-US", "public_updates_channel_id": null, "nsfw_level": 0,
    });
    let more = json!({
        "premium_progress_bar_enabled": false, "safety_alerts_channel_id": null, "large": false, "unavailable": false,
        "joined_at": "2020-01-01T00:00:00Z", "member_count": 3, "voice_states": [], "presences": [],
        "stage_instances": [], "guild_scheduled_events": [],
    });
    with(guild, more)
}

pub fn anna() -> UserId {
    UserId(1)
}
