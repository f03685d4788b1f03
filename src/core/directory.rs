//! What is known of guilds: channels, roles, emoji, stickers, the members seen. Plain data, filled by events of a
//! platform; it answers who may do what where, and never asks anybody.

mod member_names;
mod permission_check;
mod permissions;
mod readability;
mod recent_map;
mod threads;

use std::collections::HashMap;
use std::sync::Arc;

use super::chat::{Channel, ChannelId, ChannelKind, GuildId, MessageId, Millis, UserId};

pub use super::permission_set::PermissionSet;
pub use member_names::MemberNames;
pub use permissions::GuildMember;
pub use recent_map::RecentMap;
pub use threads::{PostRules, PostTag, ThreadSupport};

#[derive(Clone, Debug, Default)]
pub struct Guild {
    pub name: Arc<str>,
    /// Who owns it: may do everything.
    pub owner: UserId,
    /// Its roles, by id. The role with the guild's own id is everybody's.
    pub roles: HashMap<u64, GuildRole>,
    pub emoji: Box<[GuildEmoji]>,
    pub stickers: Box<[GuildSticker]>,
    /// The companion's nick there.
    pub nick: Option<Arc<str>>,
    pub companion_roles: Box<[u64]>,
    /// Until when the companion is timed out there.
    pub timed_out_until: Option<Millis>,
    /// Its channels and threads, in the order of their ids; kept by the directory.
    pub channels: Vec<ChannelId>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuildRole {
    pub name: Arc<str>,
    pub permissions: PermissionSet,
    /// Higher stands above.
    pub position: u16,
    pub bot: Option<UserId>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuildEmoji {
    pub id: u64,
    /// Its name without colons.
    pub name: Arc<str>,
    pub animated: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GuildSticker {
    pub id: u64,
    pub name: Arc<str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PermissionOverwrite {
    /// The role's or member's id.
    pub id: u64,
    pub member: bool,
    /// What it adds; stronger than what it takes.
    pub allow: PermissionSet,
    pub deny: PermissionSet,
}

#[derive(Clone, Debug)]
pub struct KnownChannel {
    pub channel: Channel,
    /// What it allows and denies; a thread has none of its own, its parent's hold.
    pub overwrites: Box<[PermissionOverwrite]>,
    /// Whether it is age-restricted; a thread is as its parent is, see [`Directory::is_nsfw`].
    pub nsfw: bool,
    /// Whether only who was added can see it: a private thread, or a channel with rules that could not be read.
    pub private: bool,
    /// Whether it is a voice channel: who may not connect may not read its text.
    pub voice: bool,
    /// Whether messages can be written in it at all: not in categories and the like.
    pub has_text: bool,
    /// Whether it is an archived thread: nothing happens there until somebody writes.
    pub archived: bool,
    /// Whether it is a thread that only those who manage threads may go on with.
    pub locked: bool,
    pub threads: ThreadSupport,
    /// When it was made; a thread, when it was opened.
    pub created_at: Millis,
    /// Its newest message when it was told of, if it had one.
    pub newest: MessageId,
}

impl KnownChannel {
    /// A direct message: only its two sides see it.
    pub fn new_direct(channel: Channel) -> Self {
        Self {
            channel,
            overwrites: Box::default(),
            nsfw: false,
            private: true,
            voice: false,
            has_text: true,
            archived: false,
            locked: false,
            threads: ThreadSupport::Unsupported,
            created_at: 0,
            newest: MessageId::default(),
        }
    }
}

#[derive(Clone, Debug, Default)]
pub struct Directory {
    pub me: UserId,
    pub account: Arc<str>,
    /// The application's name: one of the companion's names.
    pub application: Arc<str>,
    pub guilds: HashMap<GuildId, Guild>,
    /// The channels of all guilds, threads and direct messages among them, by id.
    pub channels: HashMap<ChannelId, KnownChannel>,
    /// The names of people seen. Bounded.
    pub names: MemberNames,
}

impl Directory {
    /// Takes a guild over as it is told whole, with all its channels and its active threads. Threads that are known
    /// already stay while their parent does: they are archived. Gives back the channels that are gone.
    pub fn put_guild(
        &mut self,
        id: GuildId,
        mut guild: Guild,
        channels: Vec<KnownChannel>,
    ) -> Vec<ChannelId> {
        guild.channels = channels.iter().map(|known| known.channel.id).collect();
        guild.channels.sort_unstable();
        let before = self
            .guilds
            .remove(&id)
            .map_or_else(Vec::new, |before| before.channels);
        let is_listed = |channel: &ChannelId| guild.channels.binary_search(channel).is_ok();
        let parent = |channel: &ChannelId| {
            self.channels
                .get(channel)
                .and_then(|known| known.channel.parent)
        };
        let unlisted = before.into_iter().filter(|channel| !is_listed(channel));
        let (kept, gone): (Vec<_>, Vec<_>) =
            unlisted.partition(|channel| parent(channel).is_some_and(|parent| is_listed(&parent)));
        gone.iter()
            .for_each(|channel| drop(self.channels.remove(channel)));
        for thread in &kept {
            self.channels
                .entry(*thread)
                .and_modify(|known| known.archived = true);
        }
        guild.channels.extend(kept);
        guild.channels.sort_unstable();
        self.guilds.insert(id, guild);
        self.channels
            .extend(channels.into_iter().map(|known| (known.channel.id, known)));
        gone
    }

    /// Forgets a guild and its channels, and gives these back.
    pub fn remove_guild(&mut self, id: GuildId) -> Vec<ChannelId> {
        let gone = self
            .guilds
            .remove(&id)
            .map_or_else(Vec::new, |guild| guild.channels);
        gone.iter()
            .for_each(|channel| drop(self.channels.remove(channel)));
        gone
    }

    pub fn put_channel(&mut self, known: KnownChannel) {
        let id = known.channel.id;
        if let Some(guild) = known.channel.guild {
            let channels = &mut self.guilds.entry(guild).or_default().channels;
            if let Err(place) = channels.binary_search(&id) {
                channels.insert(place, id);
            }
        }
        self.channels.insert(id, known);
    }

    /// Forgets a channel and the threads below it, and gives back which were known.
    pub fn remove_channel(&mut self, id: ChannelId) -> Vec<ChannelId> {
        let Some(known) = self.channels.remove(&id) else {
            return Vec::new();
        };
        let mut gone = vec![id];
        if let Some(guild) = known
            .channel
            .guild
            .and_then(|guild| self.guilds.get_mut(&guild))
        {
            let is_below = |channel: &ChannelId| {
                self.channels
                    .get(channel)
                    .is_some_and(|known| known.channel.parent == Some(id))
            };
            gone.extend(guild.channels.iter().filter(|channel| is_below(channel)));
            guild.channels.retain(|channel| !gone.contains(channel));
        }
        gone.iter()
            .for_each(|channel| drop(self.channels.remove(channel)));
        gone
    }

    /// The channels and threads of a guild, in the order of their ids.
    pub fn list_channels(&self, guild: GuildId) -> impl Iterator<Item = &KnownChannel> {
        let channels = self
            .guilds
            .get(&guild)
            .map_or(&[][..], |guild| &guild.channels);
        channels
            .iter()
            .filter_map(|channel| self.channels.get(channel))
    }

    pub fn list_threads(&self, channel: ChannelId) -> impl Iterator<Item = &KnownChannel> {
        let guild = self.find_guild(channel);
        let all = guild
            .into_iter()
            .flat_map(|guild| self.list_channels(guild));
        all.filter(move |known| known.channel.parent == Some(channel))
    }

    pub fn find_guild(&self, channel: ChannelId) -> Option<GuildId> {
        self.channels.get(&channel)?.channel.guild
    }

    /// The name a person was last seen with; in a guild their nick there.
    pub fn find_name(&self, guild: Option<GuildId>, user: UserId) -> Option<&Arc<str>> {
        self.names.of(guild, user)
    }

    pub fn forget(&mut self, user: UserId) {
        self.names.forget(user);
    }

    /// Who is named where `text` (behind an `@`) begins, and in how many bytes: the longest name that ends with a word.
    pub fn find_named_user(&self, guild: Option<GuildId>, text: &str) -> Option<(UserId, usize)> {
        self.names.find_named_user(guild, text)
    }

    /// The names the companion has by the platform: its nick in the guild, its account's, its application's.
    pub fn collect_own_names(&self, guild: Option<GuildId>) -> Vec<Arc<str>> {
        let nick = guild
            .and_then(|guild| self.guilds.get(&guild))
            .and_then(|guild| guild.nick.clone());
        let mut names: Vec<Arc<str>> = Vec::new();
        for name in nick
            .into_iter()
            .chain([self.account.clone(), self.application.clone()])
        {
            if !name.is_empty() && !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// Whether a role is the one Discord made for the companion: its mention is a mention of the companion.
    pub fn is_companion_role(&self, guild: GuildId, role: u64) -> bool {
        let role = self
            .guilds
            .get(&guild)
            .and_then(|guild| guild.roles.get(&role));
        role.is_some_and(|role| role.bot == Some(self.me))
    }

    /// The guild's own emoji of this name, without colons.
    pub fn find_emoji(&self, guild: GuildId, name: &str) -> Option<&GuildEmoji> {
        self.guilds
            .get(&guild)?
            .emoji
            .iter()
            .find(|emoji| *emoji.name == *name)
    }

    /// The guild's own sticker of this name, whatever its case.
    pub fn find_sticker(&self, guild: GuildId, name: &str) -> Option<&GuildSticker> {
        let wanted = name.to_lowercase();
        self.guilds
            .get(&guild)?
            .stickers
            .iter()
            .find(|sticker| sticker.name.to_lowercase() == wanted)
    }

    /// Whether a channel is age-restricted: itself, or the channel a thread hangs below.
    pub fn is_nsfw(&self, channel: ChannelId) -> bool {
        self.find_rule_channel(channel)
            .is_none_or(|known| known.nsfw)
    }

    /// The channel whose rules hold in this one: a thread's parent, else the channel itself. None if it is unknown.
    fn find_rule_channel(&self, channel: ChannelId) -> Option<&KnownChannel> {
        let known = self.channels.get(&channel)?;
        match known.channel.kind {
            ChannelKind::Thread => self.channels.get(&known.channel.parent?),
            ChannelKind::Group | ChannelKind::Direct => Some(known),
        }
    }
}
