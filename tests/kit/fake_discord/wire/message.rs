//! Messages as Discord writes them, over REST and in events.

use serde_json::{Value, json};

use super::{id, partial_member, reaction_emoji, user_of};
use crate::fake_discord::world::{Message, User, World};
use crate::fake_discord::{Id, timestamp};

pub fn message(world: &World, message: &Message) -> Value {
    let mut value = basic(world, message);
    if let Some(reply) = message.replies_to() {
        let original = world.message(message.channel, reply);
        value["referenced_message"] =
            original.map_or(Value::Null, |original| basic(world, original));
    }
    value
}

/// A message as events carry it: with its guild and what its author is there.
pub fn message_event(world: &World, said: &Message) -> Value {
    let mut value = message(world, said);
    let Some(guild) = world.guild_of(said.channel) else {
        return value;
    };
    value["guild_id"] = id(guild.id);
    if said.webhook.is_none()
        && let Some(member) = guild.members.get(&said.author)
    {
        value["member"] = partial_member(member);
    }
    if let Some(mentions) = value["mentions"].as_array_mut() {
        for (mention, user) in mentions.iter_mut().zip(&said.mentions) {
            if let Some(member) = guild.members.get(user) {
                mention["member"] = partial_member(member);
            }
        }
    }
    value
}

/// What a forward keeps of the message it forwards.
pub fn snapshot(world: &World, original: &Message) -> Value {
    let mut value = basic(world, original);
    let map = value.as_object_mut().expect("a message is an object");
    let kept = [
        "type",
        "content",
        "mentions",
        "mention_roles",
        "attachments",
        "embeds",
        "timestamp",
        "edited_timestamp",
        "flags",
        "components",
        "sticker_items",
    ];
    map.retain(|key, _| kept.contains(&key.as_str()));
    json!({"message": value})
}

fn basic(world: &World, message: &Message) -> Value {
    let ids = |ids: &[Id]| ids.iter().map(|one| id(*one)).collect::<Vec<_>>();
    let guild = world.guild_of(message.channel);
    let mut value = json!({
        "id": id(message.id),
        "channel_id": id(message.channel),
        "type": message.kind,
        "content": message.text,
        "author": author(world, message),
        "timestamp": timestamp(message.at.unwrap_or_default()),
        "edited_timestamp": message.edited.map(timestamp),
        "tts": message.tts,
        "pinned": false,
        "flags": message.flags,
        "mentions": message.mentions.iter().map(|user| user_of(world, *user)).collect::<Vec<_>>(),
        "mention_roles": ids(&message.mention_roles),
        "mention_everyone": message.mention_everyone,
        "attachments": message.attachments,
        "embeds": message.embeds,
        "components": message.components,
    });
    if !message.reactions.is_empty() {
        value["reactions"] = message
            .reactions
            .iter()
            .map(|reaction| {
                let count = reaction.users.len();
                json!({
                    "emoji": reaction_emoji(&reaction.emoji),
                    "count": count,
                    "count_details": {"burst": 0, "normal": count},
                    "burst_colors": [],
                    "me_burst": false,
                    "burst_me": false,
                    "me": reaction.users.contains(&world.bot),
                    "burst_count": 0,
                })
            })
            .collect();
    }
    if !message.stickers.is_empty() {
        let name = |sticker: &Id| {
            guild
                .and_then(|guild| guild.stickers.get(sticker))
                .map(|known| known.name.clone())
        };
        let item = |sticker: &Id| json!({"id": id(*sticker), "name": name(sticker).unwrap_or_default(), "format_type": 1});
        value["sticker_items"] = message.stickers.iter().map(item).collect();
    }
    if let Some(nonce) = &message.nonce {
        value["nonce"] = nonce.clone();
    }
    if let Some(reference) = &message.reference {
        let kind = u8::from(reference.forward);
        value["message_reference"] = json!({"type": kind, "message_id": id(reference.message), "channel_id": id(reference.channel)});
        if let Some(guild) = world.guild_of(reference.channel) {
            value["message_reference"]["guild_id"] = id(guild.id);
        }
    }
    if !message.snapshots.is_empty() {
        value["message_snapshots"] = message.snapshots.clone().into();
    }
    if let Some(poll) = &message.poll {
        value["poll"] = poll.clone();
    }
    if message.webhook.is_some() {
        value["webhook_id"] = id(message.author);
    }
    if let Some(interaction) = &message.interaction {
        value["interaction_metadata"] = interaction.clone();
        value["application_id"] = id(world.bot);
        value["webhook_id"] = id(world.bot);
    }
    value
}

fn author(world: &World, message: &Message) -> Value {
    match &message.webhook {
        Some(name) => {
            let mut value = super::user(&User {
                id: message.author,
                name: name.clone(),
                bot: true,
                ..User::default()
            });
            value["discriminator"] = "0000".into();
            value
        }
        None => user_of(world, message.author),
    }
}
