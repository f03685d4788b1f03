//! What a guild is made of: guilds, channels, threads, roles, emoji, stickers, members. All of it goes into the
//! directory; the daemon only hears that something is new, changed or gone.

use serde_json::Value;

use super::json::{read_field, read_flag, read_id, read_ids, read_list, read_number, read_text};
use super::{EventConverter, guild_objects, markup, read_guild_id};
use crate::event::{DiscordEvent, SessionGuilds};
use kith_core::chat::{ChannelId, GuildId, UserId};
use kith_core::directory::{Guild, KnownChannel};

impl EventConverter {
    /// None where the event cannot be read; nothing where nothing is made of it.
    pub(super) fn convert_structure_event(
        &mut self,
        kind: &str,
        value: &Value,
    ) -> Option<Vec<DiscordEvent>> {
        match kind {
            "READY" => self.convert_ready(value),
            "GUILD_CREATE" => self.convert_guild(value),
            "GUILD_DELETE" => self.convert_guild_removal(value),
            "GUILD_UPDATE" => self.update_guild(read_id(value, "id").map(GuildId)?, |guild| {
                guild_objects::update_guild(guild, value)
            }),
            "GUILD_EMOJIS_UPDATE" | "GUILD_STICKERS_UPDATE" => {
                // Its `id` would be no guild's; only the lists are read.
                self.update_guild(read_guild_id(value)?, |guild| {
                    guild_objects::update_guild(guild, value)
                })
            }
            "GUILD_ROLE_CREATE" | "GUILD_ROLE_UPDATE" => {
                let role_json = read_field(value, "role")?;
                let (id, role) = guild_objects::read_role(role_json)?;
                self.update_guild(
                    read_guild_id(value).or_else(|| read_guild_id(role_json))?,
                    |guild| drop(guild.roles.insert(id, role)),
                )
            }
            "GUILD_ROLE_DELETE" => {
                let role = read_id(value, "role_id")?;
                self.update_guild(read_guild_id(value)?, |guild| {
                    drop(guild.roles.remove(&role))
                })
            }
            "GUILD_MEMBER_ADD" | "GUILD_MEMBER_UPDATE" => self.convert_member(value),
            "USER_UPDATE" => self.update_account(value),
            "CHANNEL_CREATE" | "CHANNEL_UPDATE" | "THREAD_CREATE" | "THREAD_UPDATE" => {
                let known = guild_objects::read_channel(value, None)?;
                Some(vec![self.put_channel(known)])
            }
            "CHANNEL_DELETE" | "THREAD_DELETE" => self.convert_channel_removal(value),
            "THREAD_LIST_SYNC" => {
                let guild = read_guild_id(value)?;
                let threads: Vec<_> = self.read_channels(read_list(value, "threads"), guild);
                Some(
                    threads
                        .into_iter()
                        .map(|known| self.put_channel(known))
                        .collect(),
                )
            }
            "THREAD_MEMBERS_UPDATE" => self.convert_thread_members(value),
            _ => Some(Vec::new()),
        }
    }

    fn convert_channel_removal(&mut self, value: &Value) -> Option<Vec<DiscordEvent>> {
        let deleted = ChannelId(read_id(value, "id")?);
        // A thread that no event named, such as an archived one, may be on record.
        let below = self
            .write_directory()
            .remove_channel(deleted)
            .into_iter()
            .filter(|gone| *gone != deleted);
        Some(
            std::iter::once(deleted)
                .chain(below)
                .map(DiscordEvent::ChannelDeleted)
                .collect(),
        )
    }

    fn convert_thread_members(&mut self, value: &Value) -> Option<Vec<DiscordEvent>> {
        let thread = ChannelId(read_id(value, "id")?);
        let directory = self.read_directory();
        let is_private = directory
            .channels
            .get(&thread)
            .is_some_and(|known| known.private);
        let is_removed =
            is_private && read_ids(value, "removed_member_ids").contains(&directory.me.0);
        drop(directory);
        Some(if is_removed {
            self.remove_channel(thread)
        } else {
            Vec::new()
        })
    }

    fn convert_ready(&mut self, value: &Value) -> Option<Vec<DiscordEvent>> {
        let user = read_field(value, "user")?;
        self.write_directory().me = UserId(read_id(user, "id")?);
        self.update_account(user)?;
        let guilds: Vec<_> = read_list(value, "guilds")
            .iter()
            .filter_map(|guild| read_id(guild, "id"))
            .map(GuildId)
            .collect();
        let listed = SessionGuilds {
            guilds,
            shard: read_shard(value),
        };
        let gone: Vec<_> = self
            .read_directory()
            .guilds
            .keys()
            .copied()
            .filter(|guild| listed.is_missing(*guild))
            .collect();
        gone.into_iter()
            .for_each(|guild| drop(self.remove_guild(guild)));
        self.awaited_guilds.record_session(&listed);
        Some(
            std::iter::once(DiscordEvent::SessionStarted(listed))
                .chain(self.check_completion())
                .collect(),
        )
    }

    fn update_account(&mut self, user: &Value) -> Option<Vec<DiscordEvent>> {
        let name = read_text(user, "global_name").or_else(|| read_text(user, "username"))?;
        self.write_directory().account = markup::sanitize_name(name).into();
        Some(Vec::new())
    }

    fn convert_guild(&mut self, value: &Value) -> Option<Vec<DiscordEvent>> {
        let id = GuildId(read_id(value, "id")?);
        // An outage: it comes again, whole, when it is over.
        if read_flag(value, "unavailable") {
            return Some(vec![DiscordEvent::GuildUnavailable(id)]);
        }
        let mut channels = self.read_channels(read_list(value, "channels"), id);
        channels.extend(self.read_channels(read_list(value, "threads"), id));
        let mut directory = self.write_directory();
        let guild = guild_objects::read_guild(value, directory.me);
        let gone = directory.put_guild(id, guild, channels);
        drop(directory);
        let gone = gone.into_iter().map(DiscordEvent::ChannelHidden);
        self.awaited_guilds.remove_guild(id);
        Some(
            std::iter::once(DiscordEvent::Guild(id))
                .chain(gone)
                .chain(self.check_completion())
                .collect(),
        )
    }

    fn convert_guild_removal(&mut self, value: &Value) -> Option<Vec<DiscordEvent>> {
        let id = GuildId(read_id(value, "id")?);
        if read_flag(value, "unavailable") {
            return Some(vec![DiscordEvent::GuildUnavailable(id)]);
        }
        let gone = self.remove_guild(id);
        Some(
            std::iter::once(gone)
                .chain(self.check_completion())
                .collect(),
        )
    }

    fn remove_guild(&mut self, id: GuildId) -> DiscordEvent {
        self.write_directory().remove_guild(id);
        self.awaited_guilds.remove_guild(id);
        DiscordEvent::GuildRemoved(id)
    }

    fn check_completion(&mut self) -> Option<DiscordEvent> {
        self.awaited_guilds
            .check_completion()
            .then_some(DiscordEvent::GuildsComplete)
    }

    fn update_guild(
        &mut self,
        id: GuildId,
        change: impl FnOnce(&mut Guild),
    ) -> Option<Vec<DiscordEvent>> {
        let mut directory = self.write_directory();
        let event = directory.guilds.get_mut(&id).map(|guild| {
            change(guild);
            DiscordEvent::Guild(id)
        });
        Some(event.into_iter().collect())
    }

    /// A member joined or changed: their name is taken note of, and what the companion itself may do.
    fn convert_member(&mut self, value: &Value) -> Option<Vec<DiscordEvent>> {
        let guild = read_guild_id(value)?;
        let user = read_field(value, "user")?;
        let who = UserId(read_id(user, "id")?);
        let raw_name = read_text(value, "nick")
            .or_else(|| read_text(user, "global_name"))
            .or_else(|| read_text(user, "username"));
        let name = raw_name
            .map(markup::sanitize_name)
            .filter(|name| !name.is_empty());
        let mut directory = self.write_directory();
        // Only of people who were seen: a large guild has more members than there is room for names.
        if let Some(name) = name.filter(|_| directory.find_name(Some(guild), who).is_some()) {
            directory.names.put(Some(guild), who, name.into());
        }
        let is_me = who == directory.me;
        drop(directory);
        if is_me {
            self.update_guild(guild, |guild| {
                guild_objects::update_own_member(guild, value)
            })
        } else {
            Some(Vec::new())
        }
    }

    fn put_channel(&mut self, known: KnownChannel) -> DiscordEvent {
        let id = known.channel.id;
        self.write_directory().put_channel(known);
        DiscordEvent::Channel(id)
    }

    fn remove_channel(&mut self, id: ChannelId) -> Vec<DiscordEvent> {
        self.write_directory()
            .remove_channel(id)
            .into_iter()
            .map(DiscordEvent::ChannelHidden)
            .collect()
    }

    /// The channels of a list; those that cannot be read are counted and left out.
    fn read_channels(&mut self, list: &[Value], guild: GuildId) -> Vec<KnownChannel> {
        let known: Vec<_> = list
            .iter()
            .filter_map(|one| guild_objects::read_channel(one, Some(guild)))
            .collect();
        self.failures.lost += (list.len() - known.len()) as u64;
        known
    }
}

/// Which shard a session is of, and of how many.
fn read_shard(ready: &Value) -> (u64, u64) {
    match read_list(ready, "shard") {
        [shard, shards] => read_number(shard)
            .zip(read_number(shards))
            .filter(|(_, shards)| *shards > 0)
            .unwrap_or((0, 1)),
        _ => (0, 1),
    }
}
