//! Guilds, channels, roles, emoji and members from Discord's JSON into the directory's plain data. A bad element is
//! left out, never its neighbours.

use std::sync::Arc;

use serde_json::Value;

use super::json::{
    read_field, read_flag, read_id, read_ids, read_list, read_number, read_permissions, read_text,
    read_time,
};
use super::markup;
use crate::snowflake;
use kith_core::chat::{Channel, ChannelId, ChannelKind, GuildId, MessageId, UserId};
use kith_core::directory::{
    Guild, GuildEmoji, GuildRole, GuildSticker, KnownChannel, PermissionOverwrite, PostRules,
    PostTag, ThreadSupport,
};

// Types of channels, by Discord's numbers.
const TEXT: u64 = 0;
const DIRECT: u64 = 1;
const VOICE: u64 = 2;
const GROUP_DIRECT: u64 = 3;
const ANNOUNCEMENT: u64 = 5;
const THREADS: std::ops::RangeInclusive<u64> = 10..=12;
const PRIVATE_THREAD: u64 = 12;
const STAGE: u64 = 13;
const FORUM: u64 = 15;
const MEDIA: u64 = 16;
/// Categories, directories, forums and media channels hold other channels, no messages.
const WITHOUT_TEXT: [u64; 4] = [4, 14, FORUM, MEDIA];
/// The flag of a forum in which every post must have a tag.
const REQUIRES_TAG: u64 = 1 << 4;

/// A channel, thread or direct message; none without an id. `guild` is where it stands if it does not say so itself.
pub(super) fn read_channel(value: &Value, guild: Option<GuildId>) -> Option<KnownChannel> {
    let kind = read_field(value, "type")
        .and_then(read_number)
        .unwrap_or_default();
    let is_thread = THREADS.contains(&kind);
    let kept = match kind {
        DIRECT | GROUP_DIRECT => ChannelKind::Direct,
        _ if is_thread => ChannelKind::Thread,
        _ => ChannelKind::Group,
    };
    let recipient = || read_text(read_list(value, "recipients").first()?, "username");
    let listed = read_list(value, "permission_overwrites");
    let overwrites: Box<[PermissionOverwrite]> = listed.iter().filter_map(read_overwrite).collect();
    // A rule nobody can read may be the one that hides it.
    let is_unclear = overwrites.len() < listed.len();
    let own = read_id(value, "id")?;
    let thread = read_field(value, "thread_metadata");
    Some(KnownChannel {
        channel: Channel {
            id: ChannelId(own),
            guild: read_id(value, "guild_id").map(GuildId).or(guild),
            name: markup::sanitize_name(
                read_text(value, "name")
                    .or_else(recipient)
                    .unwrap_or_default(),
            )
            .into(),
            topic: read_text(value, "topic").unwrap_or_default().into(),
            kind: kept,
            parent: read_id(value, "parent_id")
                .map(ChannelId)
                .filter(|_| is_thread),
        },
        overwrites,
        nsfw: read_flag(value, "nsfw"),
        private: kind == PRIVATE_THREAD || is_unclear,
        voice: matches!(kind, VOICE | STAGE),
        has_text: !WITHOUT_TEXT.contains(&kind),
        archived: thread.is_some_and(|thread| read_flag(thread, "archived")),
        locked: thread.is_some_and(|thread| read_flag(thread, "locked")),
        threads: read_thread_support(kind, value),
        // A thread that was opened at a message has the id of that message, however old it is.
        created_at: thread
            .and_then(|thread| read_time(thread, "create_timestamp"))
            .unwrap_or_else(|| snowflake::snowflake_time(MessageId(own))),
        newest: MessageId(read_id(value, "last_message_id").unwrap_or_default()),
    })
}

fn read_thread_support(kind: u64, value: &Value) -> ThreadSupport {
    let tag = |tag: &Value| {
        let name = read_text(tag, "name").unwrap_or_default().into();
        Some(PostTag {
            id: read_id(tag, "id")?,
            name,
            moderated: read_flag(tag, "moderated"),
        })
    };
    match kind {
        TEXT => ThreadSupport::Public,
        ANNOUNCEMENT => ThreadSupport::Announcement,
        FORUM | MEDIA => {
            let flags = read_field(value, "flags")
                .and_then(read_number)
                .unwrap_or_default();
            let tags = read_list(value, "available_tags")
                .iter()
                .filter_map(tag)
                .collect();
            ThreadSupport::Posts(Box::new(PostRules {
                tags,
                requires_tag: flags & REQUIRES_TAG != 0,
            }))
        }
        _ => ThreadSupport::Unsupported,
    }
}

fn read_overwrite(value: &Value) -> Option<PermissionOverwrite> {
    Some(PermissionOverwrite {
        id: read_id(value, "id")?,
        // Once written `member`, too.
        member: read_field(value, "type")
            .is_some_and(|kind| read_number(kind) == Some(1) || kind == "member"),
        allow: read_permissions(value, "allow")?,
        deny: read_permissions(value, "deny")?,
    })
}

/// A guild as it is told whole, without its channels.
pub(super) fn read_guild(value: &Value, me: UserId) -> Guild {
    let mut guild = Guild {
        owner: UserId(read_id(value, "owner_id").unwrap_or_default()),
        ..Guild::default()
    };
    update_guild(&mut guild, value);
    let members = read_list(value, "members");
    let own = members.iter().find(|member| {
        read_field(member, "user").is_some_and(|user| read_id(user, "id") == Some(me.0))
    });
    if let Some(own) = own {
        update_own_member(&mut guild, own);
    }
    // The role Discord made for the companion is its own even where the member list is cut short.
    let made = guild
        .roles
        .iter()
        .find(|(_, role)| role.bot == Some(me))
        .map(|(id, _)| *id);
    if let Some(made) = made.filter(|made| !guild.companion_roles.contains(made)) {
        guild.companion_roles = guild
            .companion_roles
            .iter()
            .copied()
            .chain([made])
            .collect();
    }
    guild
}

/// What a guild says of itself; what it leaves out stays.
pub(super) fn update_guild(guild: &mut Guild, value: &Value) {
    if let Some(name) = read_text(value, "name") {
        guild.name = markup::sanitize_name(name).into();
    }
    if let Some(owner) = read_id(value, "owner_id") {
        guild.owner = UserId(owner);
    }
    if read_field(value, "roles").is_some() {
        guild.roles = read_list(value, "roles")
            .iter()
            .filter_map(read_role)
            .collect();
    }
    if read_field(value, "emojis").is_some() {
        guild.emoji = read_list(value, "emojis")
            .iter()
            .filter_map(read_emoji)
            .collect();
    }
    if read_field(value, "stickers").is_some() {
        guild.stickers = read_list(value, "stickers")
            .iter()
            .filter_map(read_sticker)
            .collect();
    }
}

pub(super) fn update_own_member(guild: &mut Guild, value: &Value) {
    guild.nick = read_text(value, "nick").map(|nick| markup::sanitize_name(nick).into());
    guild.companion_roles = read_ids(value, "roles").into();
    guild.timed_out_until = read_time(value, "communication_disabled_until");
}

pub(super) fn read_role(value: &Value) -> Option<(u64, GuildRole)> {
    let role = GuildRole {
        name: read_text(value, "name").unwrap_or_default().into(),
        permissions: read_permissions(value, "permissions").unwrap_or_default(),
        position: read_field(value, "position")
            .and_then(read_number)
            .and_then(|place| place.try_into().ok())
            .unwrap_or_default(),
        bot: read_field(value, "tags")
            .and_then(|tags| read_id(tags, "bot_id"))
            .map(UserId),
    };
    Some((read_id(value, "id")?, role))
}

fn read_emoji(value: &Value) -> Option<GuildEmoji> {
    // One that was lost with a boost is still listed.
    let is_gone = read_field(value, "available").is_some_and(|available| available == false);
    let emoji = GuildEmoji {
        id: read_id(value, "id")?,
        name: read_text(value, "name")?.into(),
        animated: read_flag(value, "animated"),
    };
    (!is_gone).then_some(emoji)
}

fn read_sticker(value: &Value) -> Option<GuildSticker> {
    let is_gone = read_field(value, "available").is_some_and(|available| available == false);
    let sticker = GuildSticker {
        id: read_id(value, "id")?,
        name: read_text(value, "name").map(Arc::from)?,
    };
    (!is_gone).then_some(sticker)
}
