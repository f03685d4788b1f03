//! Discord's permissions: the bits, and what somebody may where. The order is Discord's: base roles, then overwrites
//! for everyone, for roles, for the member; a timed-out member keeps only looking.

use super::{Channel, For, Guild, World};
use crate::fake_discord::{Id, Millis};

pub const KICK_MEMBERS: u64 = 1 << 1;
pub const BAN_MEMBERS: u64 = 1 << 2;
pub const ADMINISTRATOR: u64 = 1 << 3;
pub const MANAGE_CHANNELS: u64 = 1 << 4;
pub const MANAGE_GUILD: u64 = 1 << 5;
pub const ADD_REACTIONS: u64 = 1 << 6;
pub const VIEW_CHANNEL: u64 = 1 << 10;
pub const SEND_MESSAGES: u64 = 1 << 11;
pub const MANAGE_MESSAGES: u64 = 1 << 13;
pub const EMBED_LINKS: u64 = 1 << 14;
pub const ATTACH_FILES: u64 = 1 << 15;
pub const READ_MESSAGE_HISTORY: u64 = 1 << 16;
pub const MENTION_EVERYONE: u64 = 1 << 17;
pub const USE_EXTERNAL_EMOJIS: u64 = 1 << 18;
pub const CHANGE_NICKNAME: u64 = 1 << 26;
pub const MANAGE_NICKNAMES: u64 = 1 << 27;
pub const MANAGE_ROLES: u64 = 1 << 28;
pub const USE_APPLICATION_COMMANDS: u64 = 1 << 31;
pub const MANAGE_THREADS: u64 = 1 << 34;
pub const CREATE_PUBLIC_THREADS: u64 = 1 << 35;
pub const USE_EXTERNAL_STICKERS: u64 = 1 << 37;
pub const SEND_MESSAGES_IN_THREADS: u64 = 1 << 38;
pub const SEND_POLLS: u64 = 1 << 49;
pub const MODERATE_MEMBERS: u64 = 1 << 40;
pub const BYPASS_SLOWMODE: u64 = 1 << 52;
pub const ALL: u64 = (1 << 53) - 1;

/// Gateway intents that must be granted in the developer portal: members, presences, message content.
pub const PRIVILEGED_INTENTS: u64 = (1 << 1) | (1 << 8) | (1 << 15);

/// What a member may in the guild as a whole.
pub fn in_guild(guild: &Guild, user: Id, now: Millis) -> u64 {
    let Some(member) = guild.members.get(&user) else {
        return 0;
    };
    if guild.owner == user {
        return ALL;
    }
    let roles = std::iter::once(&guild.id)
        .chain(&member.roles)
        .filter_map(|role| guild.roles.get(role));
    let base = roles.fold(0, |sum, role| sum | role.permissions);
    if base & ADMINISTRATOR != 0 {
        return ALL;
    }
    if member.timed_out_until.is_some_and(|until| until > now) {
        return base & (VIEW_CHANNEL | READ_MESSAGE_HISTORY);
    }
    base
}

/// What somebody may in a channel. Threads go by their parent; direct messages let their two sides do all they can do.
pub fn in_channel(world: &World, channel: &Channel, user: Id, now: Millis) -> u64 {
    let Some(guild) = channel.guild.and_then(|guild| world.guilds.get(&guild)) else {
        return if channel.recipient == Some(user) || user == world.bot {
            ALL & !ADMINISTRATOR
        } else {
            0
        };
    };
    let base = in_guild(guild, user, now);
    if base == ALL || base == 0 {
        return base;
    }
    let Some(member) = guild.members.get(&user) else {
        return 0;
    };
    let place = channel
        .parent
        .filter(|_| channel.thread.is_some())
        .and_then(|parent| world.channels.get(&parent));
    let overwrites = &place.unwrap_or(channel).overwrites;
    let mut result = base;
    let mut apply = |fits: &dyn Fn(For) -> bool| {
        let those = overwrites.iter().filter(|overwrite| fits(overwrite.whom));
        let (allow, deny) = those.fold((0, 0), |(allow, deny), one| {
            (allow | one.allow, deny | one.deny)
        });
        result = (result & !deny) | allow;
    };
    apply(&|whom| whom == For::Role(guild.id));
    apply(
        &|whom| matches!(whom, For::Role(role) if role != guild.id && member.roles.contains(&role)),
    );
    apply(&|whom| whom == For::Member(user));
    if member.timed_out_until.is_some_and(|until| until > now) {
        result &= VIEW_CHANNEL | READ_MESSAGE_HISTORY;
    }
    let private = channel.kind == 12
        && channel
            .thread
            .as_ref()
            .is_some_and(|thread| !thread.members.contains(&user));
    if result & VIEW_CHANNEL == 0 || (private && result & MANAGE_THREADS == 0) {
        return 0;
    }
    result
}

/// The place of somebody's highest role; the owner is above all.
pub fn rank(guild: &Guild, user: Id) -> u64 {
    if guild.owner == user {
        return u64::MAX;
    }
    let roles = guild
        .members
        .get(&user)
        .map(|member| member.roles.as_slice())
        .unwrap_or_default();
    roles
        .iter()
        .filter_map(|role| guild.roles.get(role))
        .map(|role| role.position)
        .max()
        .unwrap_or(0)
}
