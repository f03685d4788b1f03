//! Guilds, channels, roles, emoji and members from Discord's JSON into the directory's plain data. A bad element is
//! left out, never its neighbours.

use std::sync::Arc;

use serde_json::Value;

use super::json::{field, flag, id, ids, list, number, permissions, text, time};
use super::markup;
use crate::snowflake;
use kith_core::chat::{Channel, ChannelId, ChannelKind, GuildId, MessageId, UserId};
use kith_core::directory::{
    Guild, GuildEmoji, GuildRole, GuildSticker, KnownChannel, PermissionOverwrite, PostRules, PostTag, ThreadSupport,
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
pub(super) fn channel(value: &Value, guild: Option<GuildId>) -> Option<KnownChannel> {
    let kind = field(value, "type").and_then(number).unwrap_or_default();
    let is_thread = THREADS.contains(&kind);
    let kept = match kind {
        DIRECT | GROUP_DIRECT => ChannelKind::Direct,
        _ if is_thread => ChannelKind::Thread,
        _ => ChannelKind::Group,
    };
    let recipient = || text(list(value, "recipients").first()?, "username");
    let listed = list(value, "permission_overwrites");
    let overwrites: Box<[PermissionOverwrite]> = listed.iter().filter_map(overwrite).collect();
    // A rule nobody can read may be the one that hides it.
    let is_unclear = overwrites.len() < listed.len();
    let own = id(value, "id")?;
    let thread = field(value, "thread_metadata");
    Some(KnownChannel {
        channel: Channel {
            id: ChannelId(own),
            guild: id(value, "guild_id").map(GuildId).or(guild),
            name: markup::name(text(value, "name").or_else(recipient).unwrap_or_default()).into(),
            topic: text(value, "topic").unwrap_or_default().into(),
            kind: kept,
            parent: id(value, "parent_id").map(ChannelId).filter(|_| is_thread),
        },
        overwrites,
        nsfw: flag(value, "nsfw"),
        private: kind == PRIVATE_THREAD || is_unclear,
        voice: matches!(kind, VOICE | STAGE),
        has_text: !WITHOUT_TEXT.contains(&kind),
        archived: thread.is_some_and(|thread| flag(thread, "archived")),
        locked: thread.is_some_and(|thread| flag(thread, "locked")),
        threads: threads_below(kind, value),
        // A thread that was opened at a message has the id of that message, however old it is.
        made: thread
            .and_then(|thread| time(thread, "create_timestamp"))
            .unwrap_or_else(|| snowflake::time_of(MessageId(own))),
        newest: MessageId(id(value, "last_message_id").unwrap_or_default()),
    })
}

/// Which threads can be opened below a channel of this kind.
fn threads_below(kind: u64, value: &Value) -> ThreadSupport {
    let tag = |tag: &Value| {
        let name = text(tag, "name").unwrap_or_default().into();
        Some(PostTag { id: id(tag, "id")?, name, moderated: flag(tag, "moderated") })
    };
    match kind {
        TEXT => ThreadSupport::Public,
        ANNOUNCEMENT => ThreadSupport::Announcement,
        FORUM | MEDIA => {
            let flags = field(value, "flags").and_then(number).unwrap_or_default();
            let tags = list(value, "available_tags").iter().filter_map(tag).collect();
            ThreadSupport::Posts(Box::new(PostRules { tags, requires_tag: flags & REQUIRES_TAG != 0 }))
        }
        _ => ThreadSupport::Unsupported,
    }
}

fn overwrite(value: &Value) -> Option<PermissionOverwrite> {
    Some(PermissionOverwrite {
        id: id(value, "id")?,
        // Once written `member`, too.
        member: field(value, "type").is_some_and(|kind| number(kind) == Some(1) || kind == "member"),
        allow: permissions(value, "allow")?,
        deny: permissions(value, "deny")?,
    })
}

/// A guild as it is told whole, without its channels.
pub(super) fn guild(value: &Value, me: UserId) -> Guild {
    let mut guild = Guild { owner: UserId(id(value, "owner_id").unwrap_or_default()), ..Guild::default() };
    update_guild(&mut guild, value);
    let members = list(value, "members");
    let own = members.iter().find(|member| field(member, "user").is_some_and(|user| id(user, "id") == Some(me.0)));
    if let Some(own) = own {
        own_member(&mut guild, own);
    }
    // The role Discord made for the companion is its own even where the member list is cut short.
    let made = guild.roles.iter().find(|(_, role)| role.bot == Some(me)).map(|(id, _)| *id);
    if let Some(made) = made.filter(|made| !guild.my_roles.contains(made)) {
        guild.my_roles = guild.my_roles.iter().copied().chain([made]).collect();
    }
    guild
}

/// What a guild says of itself; what it leaves out stays.
pub(super) fn update_guild(guild: &mut Guild, value: &Value) {
    if let Some(name) = text(value, "name") {
        guild.name = markup::name(name).into();
    }
    if let Some(owner) = id(value, "owner_id") {
        guild.owner = UserId(owner);
    }
    if field(value, "roles").is_some() {
        guild.roles = list(value, "roles").iter().filter_map(role).collect();
    }
    if field(value, "emojis").is_some() {
        guild.emoji = list(value, "emojis").iter().filter_map(emoji).collect();
    }
    if field(value, "stickers").is_some() {
        guild.stickers = list(value, "stickers").iter().filter_map(sticker).collect();
    }
}

/// What the companion is in a guild.
pub(super) fn own_member(guild: &mut Guild, value: &Value) {
    guild.nick = text(value, "nick").map(|nick| markup::name(nick).into());
    guild.my_roles = ids(value, "roles").into();
    guild.timed_out_until = time(value, "communication_disabled_until");
}

/// A role with its id.
pub(super) fn role(value: &Value) -> Option<(u64, GuildRole)> {
    let role = GuildRole {
        name: text(value, "name").unwrap_or_default().into(),
        permissions: permissions(value, "permissions").unwrap_or_default(),
        position: field(value, "position").and_then(number).and_then(|place| place.try_into().ok()).unwrap_or_default(),
        bot: field(value, "tags").and_then(|tags| id(tags, "bot_id")).map(UserId),
    };
    Some((id(value, "id")?, role))
}

fn emoji(value: &Value) -> Option<GuildEmoji> {
    // One that was lost with a boost is still listed.
    let is_gone = field(value, "available").is_some_and(|available| available == false);
    let emoji =
        GuildEmoji { id: id(value, "id")?, name: text(value, "name")?.into(), animated: flag(value, "animated") };
    (!is_gone).then_some(emoji)
}

fn sticker(value: &Value) -> Option<GuildSticker> {
    let is_gone = field(value, "available").is_some_and(|available| available == false);
    let sticker = GuildSticker { id: id(value, "id")?, name: text(value, "name").map(Arc::from)? };
    (!is_gone).then_some(sticker)
}
