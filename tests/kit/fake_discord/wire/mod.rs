//! The world as Discord writes it: complete enough for serenity 0.12.5 to lose nothing and for Discord's own
//! description to find nothing missing.

mod guild;
mod interaction;
mod message;

use serde_json::{Value, json};

use super::clock::{Id, timestamp};
use super::world::{Emoji, Guild, Member, Role, Sticker, User, World};

pub use guild::{channel, guild, guild_create, thread_list};
pub use interaction::{InteractionData, interaction};
pub use message::{message, message_event, snapshot};

pub fn id(id: Id) -> Value {
    Value::String(id.to_string())
}

pub fn user(user: &User) -> Value {
    let mut value = json!({
        "id": id(user.id),
        "username": user.name,
        "global_name": user.global_name,
        "discriminator": if user.bot { "1234" } else { "0" },
        "avatar": user.avatar,
        "avatar_decoration_data": null,
        "banner": null,
        "accent_color": null,
        "collectibles": null,
        "primary_guild": null,
        "public_flags": 0,
        "flags": 0,
    });
    if user.bot {
        value["bot"] = true.into();
        value["global_name"] = Value::Null;
    }
    value
}

/// The bot, as `users/@me` and READY tell it.
pub fn me(world: &World) -> Value {
    let mut value = user(&world.users[&world.bot]);
    value["mfa_enabled"] = true.into();
    value["locale"] = "en-US".into();
    value["verified"] = true.into();
    value["email"] = Value::Null;
    value
}

/// A user of this id; a stranger where there is none.
pub fn user_of(world: &World, id: Id) -> Value {
    match world.users.get(&id) {
        Some(known) => user(known),
        None => user(&User {
            id,
            name: "deleted_user".into(),
            ..User::default()
        }),
    }
}

/// A member without its user, as it stands in messages.
pub fn partial_member(member: &Member) -> Value {
    json!({
        "roles": member.roles.iter().map(|role| id(*role)).collect::<Vec<_>>(),
        "nick": member.nick,
        "avatar": null,
        "banner": null,
        "joined_at": timestamp(member.joined),
        "premium_since": null,
        "pending": false,
        "mute": false,
        "deaf": false,
        "flags": 0,
        "communication_disabled_until": member.timed_out_until.map(timestamp),
    })
}

pub fn member(world: &World, member: &Member) -> Value {
    let mut value = partial_member(member);
    value["user"] = user_of(world, member.user);
    value
}

pub fn role(role: &Role) -> Value {
    let mut value = json!({
        "id": id(role.id),
        "name": role.name,
        "description": null,
        "permissions": role.permissions.to_string(),
        "position": role.position,
        "color": 0,
        "colors": {"primary_color": 0, "secondary_color": null, "tertiary_color": null},
        "hoist": false,
        "managed": role.bot.is_some(),
        "mentionable": role.mentionable,
        "icon": null,
        "unicode_emoji": null,
        "flags": 0,
    });
    if let Some(bot) = role.bot {
        value["tags"] = json!({"bot_id": id(bot)});
    }
    value
}

pub fn emoji(emoji: &Emoji) -> Value {
    json!({
        "id": id(emoji.id),
        "name": emoji.name,
        "roles": [],
        "require_colons": true,
        "managed": false,
        "animated": false,
        "available": emoji.available,
    })
}

pub fn sticker(guild: &Guild, sticker: &Sticker) -> Value {
    json!({
        "id": id(sticker.id),
        "name": sticker.name,
        "tags": "wave",
        "type": 2,
        "format_type": 1,
        "description": sticker.description,
        "asset": "",
        "available": true,
        "guild_id": id(guild.id),
    })
}

/// An emoji as it stands in reactions: the character, or `name:id`.
pub fn reaction_emoji(emoji: &str) -> Value {
    match emoji.rsplit_once(':') {
        Some((name, id)) => json!({"id": id, "name": name, "animated": false}),
        None => json!({"id": null, "name": emoji}),
    }
}

pub fn application(world: &World) -> Value {
    let bot = &world.users[&world.bot];
    let flags = application_flags(world);
    json!({
        "id": id(world.bot),
        "name": bot.global_name,
        "icon": null,
        "description": "",
        "type": null,
        "bot": user(bot),
        "bot_public": true,
        "bot_require_code_grant": false,
        "verify_key": "0".repeat(64),
        "flags": flags,
        "flags_new": flags.to_string(),
        "redirect_uris": [],
        "interactions_endpoint_url": null,
        "role_connections_verification_url": null,
        "owner": user_of(world, world.owner),
        "approximate_guild_count": world.guilds.len(),
        "approximate_user_install_count": 0,
        "approximate_user_authorization_count": 0,
        "explicit_content_filter": 0,
        "team": null,
        "eligible_oauth2_scopes": [],
        "integration_types_config": {},
        "summary": "",
    })
}

/// The application's flags: the switches of the privileged intents, in their form for small bots (`…_LIMITED`).
pub fn application_flags(world: &World) -> u64 {
    let switches = [(1 << 8, 1 << 13), (1 << 1, 1 << 15), (1 << 15, 1 << 19)];
    switches
        .into_iter()
        .filter(|(intent, _)| world.granted & intent != 0)
        .fold(0, |sum, (_, flag)| sum | flag)
}
