//! What a guild is made of: guilds, channels, threads, roles, emoji, stickers, members. All of it goes into the
//! directory; the daemon only hears that something is new, changed or gone.

use serde_json::Value;

use super::json::{field, flag, id, ids, list, number, text};
use super::{EventConverter, guild_in, markup, places};
use crate::event::{DiscordEvent, SessionGuilds};
use kith_core::chat::{ChannelId, GuildId, UserId};
use kith_core::directory::{Guild, KnownChannel};

impl EventConverter {
    /// None where the event cannot be read; nothing where nothing is made of it.
    pub(super) fn structure(&mut self, kind: &str, value: &Value) -> Option<Vec<DiscordEvent>> {
        match kind {
            "READY" => self.ready(value),
            "GUILD_CREATE" => self.guild(value),
            "GUILD_DELETE" => self.guild_gone(value),
            "GUILD_UPDATE" => self.in_guild(id(value, "id").map(GuildId)?, |guild| places::update_guild(guild, value)),
            "GUILD_EMOJIS_UPDATE" | "GUILD_STICKERS_UPDATE" => {
                // Its `id` would be no guild's; only the lists are read.
                self.in_guild(guild_in(value)?, |guild| places::update_guild(guild, value))
            }
            "GUILD_ROLE_CREATE" | "GUILD_ROLE_UPDATE" => {
                let told = field(value, "role")?;
                let (id, role) = places::role(told)?;
                self.in_guild(guild_in(value).or_else(|| guild_in(told))?, |guild| drop(guild.roles.insert(id, role)))
            }
            "GUILD_ROLE_DELETE" => {
                let role = id(value, "role_id")?;
                self.in_guild(guild_in(value)?, |guild| drop(guild.roles.remove(&role)))
            }
            "GUILD_MEMBER_ADD" | "GUILD_MEMBER_UPDATE" => self.member(value),
            "USER_UPDATE" => self.account(value),
            "CHANNEL_CREATE" | "CHANNEL_UPDATE" | "THREAD_CREATE" | "THREAD_UPDATE" => {
                let known = places::channel(value, None)?;
                Some(vec![self.put(known)])
            }
            "CHANNEL_DELETE" | "THREAD_DELETE" => {
                let deleted = ChannelId(id(value, "id")?);
                // One that nobody told of, as an archived thread, may be on record.
                let below = self.write().remove_channel(deleted).into_iter().filter(|gone| *gone != deleted);
                Some(std::iter::once(deleted).chain(below).map(DiscordEvent::ChannelDeleted).collect())
            }
            "THREAD_LIST_SYNC" => {
                let guild = guild_in(value)?;
                let threads: Vec<_> = self.channels(list(value, "threads"), guild);
                Some(threads.into_iter().map(|known| self.put(known)).collect())
            }
            "THREAD_MEMBERS_UPDATE" => {
                let thread = ChannelId(id(value, "id")?);
                let directory = self.read();
                let is_closed = directory.channels.get(&thread).is_some_and(|known| known.private);
                let is_out = is_closed && ids(value, "removed_member_ids").contains(&directory.me.0);
                drop(directory);
                Some(if is_out { self.channel_gone(thread) } else { Vec::new() })
            }
            _ => Some(Vec::new()),
        }
    }

    /// A new session: who the companion is, and which guilds it is in.
    fn ready(&mut self, value: &Value) -> Option<Vec<DiscordEvent>> {
        let user = field(value, "user")?;
        self.write().me = UserId(id(user, "id")?);
        self.account(user)?;
        let guilds: Vec<_> = list(value, "guilds").iter().filter_map(|guild| id(guild, "id")).map(GuildId).collect();
        let listed = SessionGuilds { guilds, shard: ids_of_shard(value) };
        let gone: Vec<_> = self.read().guilds.keys().copied().filter(|guild| listed.lacks(*guild)).collect();
        gone.into_iter().for_each(|guild| drop(self.remove_guild(guild)));
        self.awaited.session(&listed);
        Some(std::iter::once(DiscordEvent::Listed(listed)).chain(self.all_there()).collect())
    }

    fn account(&mut self, user: &Value) -> Option<Vec<DiscordEvent>> {
        let name = text(user, "global_name").or_else(|| text(user, "username"))?;
        self.write().account = markup::name(name).into();
        Some(Vec::new())
    }

    /// A guild, whole.
    fn guild(&mut self, value: &Value) -> Option<Vec<DiscordEvent>> {
        let id = GuildId(id(value, "id")?);
        // An outage: it comes again, whole, when it is over.
        if flag(value, "unavailable") {
            return Some(vec![DiscordEvent::GuildAway(id)]);
        }
        let mut channels = self.channels(list(value, "channels"), id);
        channels.extend(self.channels(list(value, "threads"), id));
        let mut directory = self.write();
        let guild = places::guild(value, directory.me);
        let gone = directory.put_guild(id, guild, channels);
        drop(directory);
        let gone = gone.into_iter().map(DiscordEvent::ChannelGone);
        self.awaited.came(id);
        Some(std::iter::once(DiscordEvent::Guild(id)).chain(gone).chain(self.all_there()).collect())
    }

    fn guild_gone(&mut self, value: &Value) -> Option<Vec<DiscordEvent>> {
        let id = GuildId(id(value, "id")?);
        if flag(value, "unavailable") {
            return Some(vec![DiscordEvent::GuildAway(id)]);
        }
        let gone = self.remove_guild(id);
        Some(std::iter::once(gone).chain(self.all_there()).collect())
    }

    fn remove_guild(&mut self, id: GuildId) -> DiscordEvent {
        self.write().remove_guild(id);
        self.awaited.came(id);
        DiscordEvent::GuildGone(id)
    }

    fn all_there(&mut self) -> Option<DiscordEvent> {
        self.awaited.are_complete().then_some(DiscordEvent::AllThere)
    }

    /// Something changed in a guild that is known.
    fn in_guild(&mut self, id: GuildId, change: impl FnOnce(&mut Guild)) -> Option<Vec<DiscordEvent>> {
        let mut directory = self.write();
        let heard = directory.guilds.get_mut(&id).map(|guild| {
            change(guild);
            DiscordEvent::Guild(id)
        });
        Some(heard.into_iter().collect())
    }

    /// A member joined or changed: their name is taken note of, and what the companion itself may do.
    fn member(&mut self, value: &Value) -> Option<Vec<DiscordEvent>> {
        let guild = guild_in(value)?;
        let user = field(value, "user")?;
        let who = UserId(id(user, "id")?);
        let told = text(value, "nick").or_else(|| text(user, "global_name")).or_else(|| text(user, "username"));
        let name = told.map(markup::name).filter(|name| !name.is_empty());
        let mut directory = self.write();
        // Only of people who were seen: a large guild has more members than there is room for names.
        if let Some(name) = name.filter(|_| directory.name_of(Some(guild), who).is_some()) {
            directory.names.put(Some(guild), who, name.into());
        }
        let is_me = who == directory.me;
        drop(directory);
        if is_me { self.in_guild(guild, |guild| places::own_member(guild, value)) } else { Some(Vec::new()) }
    }

    fn put(&mut self, known: KnownChannel) -> DiscordEvent {
        let id = known.channel.id;
        self.write().put_channel(known);
        DiscordEvent::Channel(id)
    }

    fn channel_gone(&mut self, id: ChannelId) -> Vec<DiscordEvent> {
        self.write().remove_channel(id).into_iter().map(DiscordEvent::ChannelGone).collect()
    }

    /// The channels of a list; those that cannot be read are counted and left out.
    fn channels(&mut self, list: &[Value], guild: GuildId) -> Vec<KnownChannel> {
        let known: Vec<_> = list.iter().filter_map(|one| places::channel(one, Some(guild))).collect();
        self.counts.lost += (list.len() - known.len()) as u64;
        known
    }
}

/// Which shard a session is of, and of how many.
fn ids_of_shard(ready: &Value) -> (u64, u64) {
    match list(ready, "shard") {
        [shard, shards] => number(shard).zip(number(shards)).filter(|(_, shards)| *shards > 0).unwrap_or((0, 1)),
        _ => (0, 1),
    }
}
