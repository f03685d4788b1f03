//! Who may do something about a member by hand: permissions, and who stands above whom. What is unknown is not allowed.

use super::permissions::compute_base_permissions;
use super::{Directory, Guild, GuildMember, GuildRole, PermissionSet};
use crate::chat::{GuildId, Millis};
use crate::moderation::{DenialReason, ModerationAction};

impl Directory {
    /// What keeps `hand` from a deed; none if they can do it. `target` is whom it is about; none if they are no member.
    pub fn find_denial_reason(
        &self,
        action: &ModerationAction,
        actor: &GuildMember<'_>,
        target: Option<&GuildMember<'_>>,
    ) -> Option<DenialReason> {
        let Some(guild) = self
            .guilds
            .get(&action.guild)
            .filter(|_| self.find_guild(action.channel) == Some(action.guild))
        else {
            return Some(DenialReason::NoGuild);
        };
        let about_member = action.deed.is_about_member();
        if action.user == actor.id {
            return Some(DenialReason::Oneself);
        }
        if about_member && target.is_none() {
            return Some(DenialReason::NoMember);
        }
        if action.user == guild.owner {
            return Some(DenialReason::Owner);
        }
        if target.is_some_and(|target| {
            compute_base_permissions(guild, action.guild, target).has(PermissionSet::ADMINISTRATOR)
        }) {
            return Some(DenialReason::Administrator);
        }
        let allowed = match about_member {
            true if actor.timed_out => PermissionSet::NONE,
            true => compute_base_permissions(guild, action.guild, actor),
            false => self.compute_permissions(action.channel, actor),
        };
        if !allowed.has(action.deed.permission()) {
            return Some(DenialReason::NoPermission(action.deed));
        }
        let is_above = target.is_none_or(|target| is_above(guild, actor, target));
        (about_member && !is_above).then_some(DenialReason::NotAbove)
    }

    /// Whether a member may manage the server.
    pub fn is_moderator(&self, guild: GuildId, member: &GuildMember<'_>) -> bool {
        let known = self.guilds.get(&guild).filter(|_| !member.timed_out);
        known.is_some_and(|known| {
            compute_base_permissions(known, guild, member).has(PermissionSet::MANAGE_GUILD)
        })
    }

    /// What a member's roles can be called: each by its id and by its name, unless that could be taken for an id.
    pub fn collect_role_names(&self, guild: GuildId, member: &GuildMember<'_>) -> Vec<String> {
        let Some(known) = self.guilds.get(&guild) else {
            return Vec::new();
        };
        let named = member
            .roles
            .iter()
            .filter_map(|id| Some((id, known.roles.get(id)?)));
        let name = |role: &GuildRole| {
            Some(role.name.to_string()).filter(|name| !name.bytes().all(|c| c.is_ascii_digit()))
        };
        named
            .flat_map(|(id, role)| name(role).into_iter().chain([id.to_string()]))
            .collect()
    }

    pub fn find_own_denial_reason(
        &self,
        action: &ModerationAction,
        target: Option<&GuildMember<'_>>,
        now: Millis,
    ) -> Option<DenialReason> {
        self.find_denial_reason(
            action,
            &self.find_own_member(self.guilds.get(&action.guild), now),
            target,
        )
    }
}

/// Whether one could ban or time out the other: the highest role decides, and nobody stands above the owner.
pub(super) fn is_above(guild: &Guild, one: &GuildMember<'_>, other: &GuildMember<'_>) -> bool {
    let highest = |roles: &[u64]| {
        // Of two roles in one place the older one stands above.
        let places = roles.iter().filter_map(|id| {
            guild
                .roles
                .get(id)
                .map(|role| (role.position, u64::MAX - id))
        });
        places.max().unwrap_or_default()
    };
    other.id != guild.owner && (one.id == guild.owner || highest(one.roles) > highest(other.roles))
}
