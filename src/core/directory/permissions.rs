//! Who may do what where, by Discord's own algorithm
//! (<https://discord.com/developers/docs/topics/permissions#permission-hierarchy>). What is unknown is not allowed.

use super::{Directory, Guild, PermissionOverwrite};
use crate::chat::{ChannelId, ChannelKind, GuildId, Millis, UserId};
use crate::permission_set::PermissionSet;

/// What is left to a member who is timed out.
const ONLY_LOOKING: PermissionSet = PermissionSet::union(&[
    PermissionSet::VIEW_CHANNEL,
    PermissionSet::READ_MESSAGE_HISTORY,
]);
/// What counts for nothing where a member may not write: it is about what a message may hold. Reacting is not among it.
const WRITING: PermissionSet = PermissionSet::union(&[
    PermissionSet::SEND_MESSAGES,
    PermissionSet::SEND_MESSAGES_IN_THREADS,
    PermissionSet::SEND_TTS_MESSAGES,
    PermissionSet::EMBED_LINKS,
    PermissionSet::ATTACH_FILES,
    PermissionSet::MENTION_EVERYONE,
    PermissionSet::SEND_POLLS,
]);

#[derive(Clone, Copy, Debug)]
pub struct GuildMember<'a> {
    pub id: UserId,
    /// Their roles; everybody's role need not be among them.
    pub roles: &'a [u64],
    pub timed_out: bool,
}

impl PermissionSet {
    /// These, with and without what overwrites say.
    fn apply_overwrites<'a>(
        self,
        overwrites: impl Iterator<Item = &'a PermissionOverwrite>,
    ) -> Self {
        let (allow, deny) = overwrites.fold((Self::NONE, Self::NONE), |(allow, deny), one| {
            (allow | one.allow, deny | one.deny)
        });
        (self & !deny) | allow
    }
}

impl Directory {
    /// What a member may do in a channel. In a thread, writing means writing in threads, and a locked one lets only those
    /// write and react who manage threads. Without the right to see the channel nothing else counts; without the right to
    /// write nothing that is about messages of one's own.
    pub fn compute_permissions(
        &self,
        channel: ChannelId,
        member: &GuildMember<'_>,
    ) -> PermissionSet {
        let (Some(known), Some(ruling)) =
            (self.channels.get(&channel), self.find_rule_channel(channel))
        else {
            return PermissionSet::NONE;
        };
        let Some(guild) = known.channel.guild else {
            return PermissionSet::ALL;
        };
        let Some(roles) = self.guilds.get(&guild) else {
            return PermissionSet::NONE;
        };
        let mut allowed = compute_base_permissions(roles, guild, member);
        if allowed == PermissionSet::ALL {
            return allowed;
        }
        let role_overwrites = || ruling.overwrites.iter().filter(|one| !one.member);
        allowed = allowed
            .apply_overwrites(role_overwrites().filter(|one| one.id == guild.0))
            .apply_overwrites(
                role_overwrites().filter(|one| one.id != guild.0 && member.roles.contains(&one.id)),
            )
            .apply_overwrites(
                ruling
                    .overwrites
                    .iter()
                    .filter(|one| one.member && one.id == member.id.0),
            );
        let writing = match known.channel.kind {
            ChannelKind::Thread => PermissionSet::SEND_MESSAGES_IN_THREADS,
            ChannelKind::Group | ChannelKind::Direct => PermissionSet::SEND_MESSAGES,
        };
        let is_shut = known.locked && !allowed.has(PermissionSet::MANAGE_THREADS);
        if !allowed.has(PermissionSet::VIEW_CHANNEL) {
            PermissionSet::NONE
        } else if member.timed_out {
            allowed & ONLY_LOOKING
        } else if is_shut {
            allowed & !(WRITING | PermissionSet::ADD_REACTIONS)
        } else if !allowed.has(writing) {
            allowed & !WRITING
        } else {
            allowed | PermissionSet::SEND_MESSAGES
        }
    }

    pub fn compute_own_permissions(&self, channel: ChannelId, now: Millis) -> PermissionSet {
        let guild = self
            .find_guild(channel)
            .and_then(|guild| self.guilds.get(&guild));
        self.compute_permissions(channel, &self.find_own_member(guild, now))
    }

    /// What the companion may do in a guild, channels aside.
    pub fn compute_own_guild_permissions(&self, guild: GuildId, now: Millis) -> PermissionSet {
        let Some(known) = self.guilds.get(&guild) else {
            return PermissionSet::NONE;
        };
        let me = self.find_own_member(Some(known), now);
        let allowed = compute_base_permissions(known, guild, &me);
        if me.timed_out && allowed != PermissionSet::ALL {
            allowed & ONLY_LOOKING
        } else {
            allowed
        }
    }

    pub(super) fn find_own_member<'a>(
        &self,
        guild: Option<&'a Guild>,
        now: Millis,
    ) -> GuildMember<'a> {
        let timed_out = guild
            .and_then(|guild| guild.timed_out_until)
            .is_some_and(|until| now < until);
        GuildMember {
            id: self.me,
            roles: guild.map_or(&[], |guild| &guild.companion_roles),
            timed_out,
        }
    }

    pub fn may_view(&self, channel: ChannelId, now: Millis) -> bool {
        self.compute_own_permissions(channel, now)
            .has(PermissionSet::VIEW_CHANNEL)
    }

    pub fn may_read_history(&self, channel: ChannelId, now: Millis) -> bool {
        self.compute_own_permissions(channel, now)
            .has(PermissionSet::VIEW_CHANNEL | PermissionSet::READ_MESSAGE_HISTORY)
    }

    pub fn may_send(&self, channel: ChannelId, now: Millis) -> bool {
        self.channels
            .get(&channel)
            .is_some_and(|known| known.has_text)
            && self
                .compute_own_permissions(channel, now)
                .has(PermissionSet::SEND_MESSAGES)
    }

    /// Whether the companion can put a reaction on messages of a channel: an emoji that nobody put there yet, or one that
    /// `is_there`, which takes no permission of its own. Nothing is changed in an archived thread.
    pub fn may_react(&self, channel: ChannelId, is_there: bool, now: Millis) -> bool {
        let Some(known) = self
            .channels
            .get(&channel)
            .filter(|known| known.has_text && !known.archived)
        else {
            return false;
        };
        let permissions = self.compute_own_permissions(channel, now);
        let is_shut = known.locked && !permissions.has(PermissionSet::MANAGE_THREADS);
        let adds = is_there || permissions.has(PermissionSet::ADD_REACTIONS);
        let is_timed_out = self
            .find_own_member(
                known
                    .channel
                    .guild
                    .and_then(|guild| self.guilds.get(&guild)),
                now,
            )
            .timed_out
            && permissions != PermissionSet::ALL;
        permissions.has(ONLY_LOOKING) && adds && !is_shut && !is_timed_out
    }
}

/// What a member may do by roles alone; everything for the owner and for administrators.
pub(super) fn compute_base_permissions(
    known: &Guild,
    guild: GuildId,
    member: &GuildMember<'_>,
) -> PermissionSet {
    let roles = member
        .roles
        .iter()
        .chain([&guild.0])
        .filter_map(|id| known.roles.get(id));
    let allowed = roles.fold(PermissionSet::NONE, |allowed, role| {
        allowed | role.permissions
    });
    if member.id == known.owner || allowed.has(PermissionSet::ADMINISTRATOR) {
        PermissionSet::ALL
    } else {
        allowed
    }
}
