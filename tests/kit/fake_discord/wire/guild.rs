//! Guilds, channels and threads as Discord writes them.

use serde_json::{Map, Value, json};

use super::{emoji, id, member, role, sticker, user_of};
use crate::fake_discord::world::{Channel, For, Guild, Tag, World};
use crate::fake_discord::{Id, timestamp};

/// A channel, thread or direct message.
pub fn channel(world: &World, channel: &Channel) -> Value {
    let last = channel.messages.last_key_value().map(|(last, _)| id(*last));
    let mut value = json!({
        "id": id(channel.id),
        "type": channel.kind,
        "flags": 0,
        "last_message_id": last,
    });
    if let Some(recipient) = channel.recipient {
        value["recipients"] = json!([user_of(world, recipient)]);
        return value;
    }
    value["guild_id"] = id(channel.guild.unwrap_or_default());
    value["name"] = channel.name.clone().into();
    value["parent_id"] = channel.parent.map_or(Value::Null, id);
    value["rate_limit_per_user"] = channel.slow_mode.into();
    let Some(thread) = &channel.thread else {
        value["position"] = channel.position.into();
        value["topic"] = channel.topic.clone().into();
        value["nsfw"] = channel.nsfw.into();
        if matches!(channel.kind, 15 | 16) {
            let tag = |tag: &Tag| {
                json!({
                    "id": id(tag.id),
                    "name": tag.name,
                    "moderated": tag.moderated,
                    "emoji_id": null,
                    "emoji_name": null,
                })
            };
            value["flags"] = (u64::from(channel.requires_tag) << 4).into();
            value["available_tags"] = channel.tags.iter().map(tag).collect();
        }
        value["permission_overwrites"] = channel
            .overwrites
            .iter()
            .map(|overwrite| {
                let (kind, whom) = match overwrite.whom {
                    For::Role(role) => (0, role),
                    For::Member(user) => (1, user),
                };
                json!({
                    "id": id(whom),
                    "type": kind,
                    "allow": overwrite.allow.to_string(),
                    "deny": overwrite.deny.to_string(),
                })
            })
            .collect();
        return value;
    };
    value["owner_id"] = id(thread.owner);
    value["message_count"] = channel.messages.len().into();
    value["total_message_sent"] = channel.messages.len().into();
    value["member_count"] = thread.members.len().min(50).into();
    value["thread_metadata"] = json!({
        "archived": thread.archived,
        "archive_timestamp": timestamp(thread.created),
        "auto_archive_duration": 1440,
        "locked": thread.locked,
        "create_timestamp": timestamp(thread.created),
    });
    if !thread.tags.is_empty() {
        value["applied_tags"] = thread.tags.iter().map(|tag| id(*tag)).collect();
    }
    if thread.members.contains(&world.bot) {
        value["member"] = json!({
            "id": id(channel.id),
            "user_id": id(world.bot),
            "join_timestamp": timestamp(thread.created),
            "flags": 1,
        });
    }
    value
}

/// The active threads of a guild, as `threads/active` lists them.
pub fn thread_list(world: &World, guild: Id) -> Value {
    let threads = world
        .channels
        .values()
        .filter(|channel| channel.guild == Some(guild))
        .filter_map(|place| {
            let active = place.thread.as_ref().is_some_and(|thread| !thread.archived);
            active.then(|| channel(world, place))
        });
    let threads: Vec<Value> = threads.collect();
    let members: Vec<Value> = threads
        .iter()
        .filter_map(|thread| thread.get("member").cloned())
        .collect();
    json!({"threads": threads, "members": members, "has_more": false})
}

pub fn guild(guild: &Guild) -> Value {
    let mut value = Value::Object(common(guild));
    let members = guild.members.len();
    value["region"] = "deprecated".into();
    value["nsfw"] = false.into();
    value["home_header"] = Value::Null;
    value["widget_enabled"] = false.into();
    value["widget_channel_id"] = Value::Null;
    value["approximate_member_count"] = members.into();
    value["approximate_presence_count"] = members.into();
    value
}

/// A guild with these channels as the gateway announces it: of the members only the bot, as for every bot without
/// presences.
pub fn guild_create(world: &World, guild: &Guild, own: &[&Channel], large_threshold: u64) -> Value {
    let mut value = Value::Object(common(guild));
    let (threads, channels): (Vec<&Channel>, Vec<&Channel>) =
        own.iter().partition(|channel| channel.thread.is_some());
    let active = |channel: &&&Channel| {
        channel
            .thread
            .as_ref()
            .is_some_and(|thread| !thread.archived)
    };
    let bot = guild.members.get(&world.bot);
    value["joined_at"] = timestamp(bot.map_or(0, |bot| bot.joined)).into();
    value["large"] = (guild.members.len() as u64 > large_threshold).into();
    value["unavailable"] = false.into();
    value["member_count"] = guild.members.len().into();
    value["members"] = bot.map(|bot| member(world, bot)).into_iter().collect();
    value["channels"] = channels
        .into_iter()
        .map(|place| channel(world, place))
        .collect();
    value["threads"] = threads
        .iter()
        .filter(active)
        .map(|place| channel(world, place))
        .collect();
    for empty in [
        "voice_states",
        "presences",
        "stage_instances",
        "guild_scheduled_events",
        "soundboard_sounds",
    ] {
        value[empty] = json!([]);
    }
    value
}

fn common(guild: &Guild) -> Map<String, Value> {
    let value = json!({
        "id": id(guild.id),
        "name": guild.name,
        "icon": null,
        "description": null,
        "splash": null,
        "discovery_splash": null,
        "features": [],
        "banner": null,
        "owner_id": id(guild.owner),
        "application_id": null,
        "afk_channel_id": null,
        "afk_timeout": 300,
        "system_channel_id": null,
        "system_channel_flags": 0,
        "verification_level": 0,
        "default_message_notifications": 1,
        "mfa_level": 0,
        "explicit_content_filter": 0,
        "max_presences": null,
        "max_members": 25_000_000,
        "max_stage_video_channel_users": 50,
        "max_video_channel_users": 25,
        "vanity_url_code": null,
        "premium_tier": 0,
        "premium_subscription_count": 0,
        "preferred_locale": guild.locale,
        "rules_channel_id": null,
        "safety_alerts_channel_id": null,
        "public_updates_channel_id": null,
        "premium_progress_bar_enabled": false,
        "nsfw_level": 0,
        "incidents_data": null,
        "roles": guild.roles.values().map(role).collect::<Vec<_>>(),
        "emojis": guild.emojis.values().map(emoji).collect::<Vec<_>>(),
        "stickers": guild.stickers.values().map(|one| sticker(guild, one)).collect::<Vec<_>>(),
    });
    match value {
        Value::Object(map) => map,
        _ => Map::new(),
    }
}
