//! Private stays private (Law 11): which channels' text may be shown where. The members of a guild are not known, so
//! this is proved from the rules alone: no set of roles, and no member that a rule names, may see the one channel and
//! not the other. What cannot be proved is not shown.

use std::rc::Rc;

use super::{Directory, Guild, GuildRole, KnownChannel, PermissionOverwrite, PermissionSet};
use crate::chat::{ChannelId, ChannelKind, GuildId, UserId};

impl Directory {
    /// The channels whose text everybody who can view `channel` can view now; itself always.
    pub fn find_readable_channels(&self, channel: ChannelId) -> Vec<ChannelId> {
        let mut readable = vec![channel];
        if let Some(place) = Place::new(self, channel) {
            let others = self
                .list_channels(place.guild)
                .filter(|known| known.channel.id != channel);
            readable.extend(
                others
                    .filter(|known| place.may_show(known))
                    .map(|known| known.channel.id),
            );
        }
        readable
    }

    /// Whether everybody who can view the channel `here` can view the text of `source` now.
    pub fn is_readable_in(&self, source: ChannelId, here: ChannelId) -> bool {
        let may_show = |place: Place<'_>| {
            self.channels
                .get(&source)
                .is_some_and(|known| place.may_show(known))
        };
        source == here || Place::new(self, here).is_some_and(may_show)
    }

    /// Whether not everybody in the guild sees a channel. Nobody is kept from a direct message.
    pub fn is_hidden(&self, channel: ChannelId) -> bool {
        let Some(known) = self.channels.get(&channel) else {
            return true;
        };
        if known.channel.kind == ChannelKind::Direct {
            return false;
        }
        let place = Place::new(self, channel).filter(|_| !known.private);
        place.is_none_or(|place| !place.viewing.is_open_to_every_member())
    }

    /// Whether everybody in the guild may read a channel's text: what is remembered of it may show up anywhere there.
    /// Not so where age or a voice channel keeps anybody out, which is no secret and yet no reason to tell.
    pub fn is_open(&self, channel: ChannelId) -> bool {
        let Some(known) = self.channels.get(&channel).filter(|known| !known.private) else {
            return false;
        };
        Place::new(self, known.channel.id)
            .is_some_and(|place| !place.rule_channel.nsfw && place.is_readable_by_all())
    }
}

/// A channel of a guild in which text is to be shown.
struct Place<'a> {
    directory: &'a Directory,
    guild: GuildId,
    rule_channel: &'a KnownChannel,
    viewing: Rules,
    /// The guild's rules on reading another channel: seeing it, its history, and joining it where it is a voice channel.
    required_grants: [Grant<'a>; 3],
}

impl<'a> Place<'a> {
    /// None for direct messages and where too little is known. A private thread counts as its parent: its members see that.
    fn new(directory: &'a Directory, channel: ChannelId) -> Option<Self> {
        let ruling = directory
            .find_rule_channel(channel)
            .filter(|ruling| !ruling.private)?;
        let guild = ruling.channel.guild?;
        let known = directory.guilds.get(&guild)?;
        let needed = [
            PermissionSet::VIEW_CHANNEL,
            PermissionSet::READ_MESSAGE_HISTORY,
            PermissionSet::CONNECT,
        ];
        let needed = needed.map(|bit| Grant::new(directory.me, guild, known, bit));
        let viewing = needed[0].derive_rules(ruling);
        Some(Self {
            directory,
            guild,
            rule_channel: ruling,
            viewing,
            required_grants: needed,
        })
    }

    /// Whether everybody who can view this place can view the text of `source`.
    fn may_show(&self, source: &KnownChannel) -> bool {
        // A private thread is read only by whom it was opened for.
        let ruling = self
            .directory
            .find_rule_channel(source.channel.id)
            .filter(|_| !source.private);
        let is_near =
            |ruling: &&KnownChannel| !ruling.private && ruling.channel.guild == Some(self.guild);
        let Some(ruling) = ruling.filter(is_near) else {
            return false;
        };
        if ruling.channel.id == self.rule_channel.channel.id {
            return true;
        }
        // Whoever may not see age-restricted channels is not known either.
        (!ruling.nsfw || self.rule_channel.nsfw)
            && self
                .select_required_grants(ruling)
                .iter()
                .all(|grant| self.viewing.implies(&grant.derive_rules(ruling)))
    }

    fn is_readable_by_all(&self) -> bool {
        self.select_required_grants(self.rule_channel)
            .iter()
            .all(|grant| {
                grant
                    .derive_rules(self.rule_channel)
                    .is_open_to_every_member()
            })
    }

    fn select_required_grants(&self, ruling: &KnownChannel) -> &[Grant<'a>] {
        if ruling.voice {
            &self.required_grants
        } else {
            &self.required_grants[..2]
        }
    }
}

/// What a guild's roles say about one permission. Left out: administrators and the owner, who see all, and the companion.
struct Grant<'a> {
    me: UserId,
    guild: GuildId,
    known: &'a Guild,
    bit: PermissionSet,
    /// Whether everybody has it.
    by_default: bool,
    roles: Rc<[u64]>,
}

impl<'a> Grant<'a> {
    fn new(me: UserId, guild: GuildId, known: &'a Guild, bit: PermissionSet) -> Self {
        let everybody = known
            .roles
            .get(&guild.0)
            .map_or(PermissionSet::NONE, |role| role.permissions);
        let by_default = everybody.has(bit) || everybody.has(PermissionSet::ADMINISTRATOR);
        let mut grant = Self {
            me,
            guild,
            known,
            bit,
            by_default,
            roles: Rc::default(),
        };
        let has_it = |(id, role): &(&u64, &GuildRole)| {
            role.permissions.has(bit) && grant.is_relevant_role(**id)
        };
        grant.roles = known
            .roles
            .iter()
            .filter(has_it)
            .map(|(id, _)| *id)
            .collect();
        grant
    }

    fn is_relevant_role(&self, role: u64) -> bool {
        let is_left_out = |role: &GuildRole| {
            role.permissions.has(PermissionSet::ADMINISTRATOR) || role.bot == Some(self.me)
        };
        role != self.guild.0 && !self.known.roles.get(&role).is_some_and(is_left_out)
    }

    fn derive_rules(&self, channel: &KnownChannel) -> Rules {
        let mut rules = Rules {
            by_default: self.by_default,
            granting: self.roles.clone(),
            ..Rules::default()
        };
        if self
            .known
            .roles
            .get(&self.guild.0)
            .is_some_and(|role| role.permissions.has(PermissionSet::ADMINISTRATOR))
        {
            return rules;
        }
        for one in &channel.overwrites {
            let says = one.allow.has(self.bit);
            if !says && !one.deny.has(self.bit) {
                continue;
            }
            let user = UserId(one.id);
            match one {
                PermissionOverwrite { member: true, .. }
                    if user == self.me || user == self.known.owner => {}
                PermissionOverwrite { member: true, .. } => rules.members.push((user, says)),
                PermissionOverwrite { id, .. } if *id == self.guild.0 => {
                    rules.everybody = Some(says)
                }
                PermissionOverwrite { id, .. } if !self.is_relevant_role(*id) => {}
                PermissionOverwrite { id, .. } if says => rules.allowed.push(*id),
                PermissionOverwrite { id, .. } => rules.denied.push(*id),
            }
        }
        rules
    }
}

/// What a channel says about one permission. Somebody with a set of roles R has it if R holds one of `allowed`; if not,
/// and R holds none of `denied`, as `everybody` says; and where that says nothing, by the guild's roles.
#[derive(Default)]
struct Rules {
    /// Whether everybody has it in the guild.
    by_default: bool,
    /// The roles that have it in the guild.
    granting: Rc<[u64]>,
    /// What the channel says to everybody.
    everybody: Option<bool>,
    allowed: Vec<u64>,
    denied: Vec<u64>,
    /// What the channel says to single members; stronger than all else.
    members: Vec<(UserId, bool)>,
}

impl Rules {
    /// Whether everybody who has the permission by these rules has the other one by `wider`.
    fn implies(&self, wider: &Rules) -> bool {
        let named = self
            .members
            .iter()
            .chain(&wider.members)
            .map(|(user, _)| *user);
        self.roles_imply(wider)
            && named
                .into_iter()
                .all(|user| self.member_implies(wider, user))
    }

    /// The same for people whom no rule names. Looks for a smallest set of roles that breaks it: one role that opens
    /// this channel (or none, where it is open), and one that closes the other (or none, where it is closed).
    fn roles_imply(&self, wider: &Rules) -> bool {
        let closes = |role: &u64| !wider.allowed.contains(role);
        let opened_by_role = self
            .allowed
            .iter()
            .filter(|role| closes(role))
            .any(|role| !wider.denied.is_empty() || !wider.is_open_by_default(Some(*role)));
        let opened_by_default = self
            .find_default_roles(|role| closes(role) && !self.denied.contains(role))
            .any(|role| {
                wider.denied.iter().any(|role| !self.denied.contains(role))
                    || !wider.is_open_by_default(role)
            });
        !opened_by_role && !opened_by_default
    }

    /// The smallest sets of fitting roles, none or one, that have the permission though the channel says nothing to them.
    fn find_default_roles(&self, fits: impl Fn(&u64) -> bool) -> impl Iterator<Item = Option<u64>> {
        let open = self.everybody.unwrap_or(self.by_default);
        let by_role = self.everybody.is_none() && !open;
        let roles = self
            .granting
            .iter()
            .filter(move |role| by_role && fits(role))
            .map(|role| Some(*role));
        open.then_some(None).into_iter().chain(roles)
    }

    /// Whether somebody with this role at most, to which the channel says nothing, has the permission.
    fn is_open_by_default(&self, role: Option<u64>) -> bool {
        let granted = || self.by_default || role.is_some_and(|role| self.granting.contains(&role));
        self.everybody.unwrap_or_else(granted)
    }

    /// The same for a member that a rule names; their roles are not known.
    fn member_implies(&self, wider: &Rules, user: UserId) -> bool {
        let said = |rules: &Rules| {
            rules
                .members
                .iter()
                .find(|(named, _)| *named == user)
                .map(|(_, said)| *said)
        };
        match (said(self), said(wider)) {
            (Some(false), _) | (_, Some(true)) => true,
            (Some(true), Some(false)) => false,
            (Some(true), None) => wider.is_open_to_everybody(),
            (None, Some(false)) => self.is_closed_to_everybody(),
            (None, None) => self.roles_imply(wider),
        }
    }

    /// Whether everybody has the permission, single members aside.
    fn is_open_to_everybody(&self) -> bool {
        self.denied.is_empty() && self.is_open_by_default(None)
    }

    /// Whether everybody has the permission, every single member too.
    fn is_open_to_every_member(&self) -> bool {
        self.is_open_to_everybody() && self.members.iter().all(|(_, has_it)| *has_it)
    }

    /// Whether nobody has it, single members aside.
    fn is_closed_to_everybody(&self) -> bool {
        self.allowed.is_empty()
            && self
                .find_default_roles(|role| !self.denied.contains(role))
                .next()
                .is_none()
    }
}
