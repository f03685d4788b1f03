//! Interactions as Discord writes them: who asks, what they may here, and what they ask.

use serde_json::{Value, json};

use super::{id, member, user_of};
use crate::fake_discord::Millis;
use crate::fake_discord::world::{Interaction, World, permissions};

/// What is asked: Discord's number (2 command, 3 button) and its data.
#[derive(Debug)]
pub struct InteractionData {
    pub kind: u64,
    pub data: Value,
    /// The message whose button was pressed.
    pub message: Option<Value>,
}

pub fn interaction(
    world: &World,
    what: &Interaction,
    asked: InteractionData,
    now: Millis,
) -> Value {
    let channel = world.channel(what.channel);
    let may = |user| permissions::in_channel(world, channel, user, now).to_string();
    let locale = world.users.get(&what.user).map(|user| user.locale.clone());
    let mut place = super::channel(world, channel);
    place["permissions"] = may(what.user).into();
    let mut value = json!({
        "id": id(what.id),
        "application_id": id(world.bot),
        "type": asked.kind,
        "token": what.token,
        "version": 1,
        "data": asked.data,
        "channel_id": id(what.channel),
        "channel": place,
        "app_permissions": may(world.bot),
        "locale": locale,
        "entitlements": [],
        "entitlement_sku_ids": [],
        "authorizing_integration_owners": {"0": channel.guild.map_or("0".into(), |guild| guild.to_string())},
        "attachment_size_limit": 10_485_760,
        "context": if channel.guild.is_some() { 0 } else { 1 },
    });
    if let Some(message) = asked.message {
        value["message"] = message;
    }
    match world.guild_of(what.channel) {
        Some(guild) => {
            value["guild_id"] = id(guild.id);
            value["guild_locale"] = guild.locale.clone().into();
            value["guild"] = json!({"id": id(guild.id), "locale": guild.locale, "features": []});
            let caller = guild
                .members
                .get(&what.user)
                .unwrap_or_else(|| panic!("{} is not a member", what.user));
            value["member"] = member(world, caller);
            value["member"]["permissions"] = may(what.user).into();
        }
        None => value["user"] = user_of(world, what.user),
    }
    value
}
