//! Guilds, channels, threads and members coming, changing and going.

use serde_json::json;

use crate::fake_discord::FakeDiscord;
use crate::fake_discord::intents;
use crate::fake_discord::wire;
use crate::fake_discord::world::{Channel, Guild, Member, Message, Role};
use crate::fake_discord::{Id, Millis};

impl FakeDiscord {
    /// Somebody joins: the member event, and the system message in a channel if one is named.
    pub fn joins(&self, guild: Id, user: Id, greeted_in: Option<Id>) {
        self.shared.change(|state| {
            state.world.join(guild, user);
            state.tell_member("GUILD_MEMBER_ADD", guild, user);
            if let Some(channel) = greeted_in {
                state.post(channel, Message::by(user, "").kind(7));
            }
        });
    }

    pub fn leaves(&self, guild: Id, user: Id) {
        self.shared.change(|state| state.remove_member(guild, user));
    }

    /// The bot is invited into a guild that is in the world already, or comes back to it.
    pub fn invites_bot(&self, guild: Id) {
        self.shared.change(|state| {
            let bot = state.world.bot;
            state.world.join(guild, bot);
            let role = state.world.guilds[&guild]
                .roles
                .values()
                .find(|role| role.bot == Some(bot))
                .map(|role| role.id);
            if let Some(role) = role {
                state.world.give(guild, bot, role);
            }
            state.announce_guild(guild);
        });
    }

    pub fn removes_bot(&self, guild: Id) {
        self.shared.change(|state| {
            let bot = state.world.bot;
            state.world.guild_mut(guild).members.remove(&bot);
            state.tell_guild(
                "GUILD_DELETE",
                guild,
                intents::GUILDS,
                json!({"id": wire::id(guild)}),
            );
        });
    }

    /// A guild has an outage; it is over with [`FakeDiscord::guild_comes_back`].
    pub fn guild_outage(&self, guild: Id) {
        self.shared.change(|state| {
            state.world.guild_mut(guild).unavailable = true;
            let body = json!({"id": wire::id(guild), "unavailable": true});
            state.tell_guild("GUILD_DELETE", guild, intents::GUILDS, body);
        });
    }

    pub fn guild_comes_back(&self, guild: Id) {
        self.shared.change(|state| {
            state.world.guild_mut(guild).unavailable = false;
            state.announce_guild(guild);
        });
    }

    pub fn opens_thread(&self, parent: Id, user: Id, name: &str) -> Id {
        self.shared
            .change(|state| state.open_thread(parent, name, user, None))
    }

    pub fn opens_thread_at(&self, parent: Id, message: Id, user: Id, name: &str) -> Id {
        self.shared
            .change(|state| state.open_thread(parent, name, user, Some(message)))
    }

    /// A new text channel with an id of this moment; nobody is told.
    pub fn opens_channel_now(&self, guild: Id, name: &str) -> Id {
        self.shared.change(|state| {
            let id = state.new_id();
            state.world.channel_with(guild, id, name);
            id
        })
    }

    pub fn opens_channel(&self, guild: Id, name: &str) -> Id {
        self.shared.change(|state| {
            let id = state.world.add_channel(guild, name);
            state.tell_channel("CHANNEL_CREATE", id);
            id
        })
    }

    pub fn changes_channel(&self, channel: Id, change: impl FnOnce(&mut Channel)) {
        self.shared.change(|state| {
            let place = state.world.channel_mut(channel);
            change(place);
            let kind = if place.thread.is_some() {
                "THREAD_UPDATE"
            } else {
                "CHANNEL_UPDATE"
            };
            state.tell_channel(kind, channel);
        });
    }

    /// A channel or thread is deleted with everything in it.
    pub fn removes_channel(&self, channel: Id) {
        self.shared.change(|state| {
            let kind = if state.world.channel(channel).thread.is_some() {
                "THREAD_DELETE"
            } else {
                "CHANNEL_DELETE"
            };
            state.tell_channel(kind, channel);
            state.world.channels.remove(&channel);
        });
    }

    pub fn changes_role(&self, guild: Id, role: Id, change: impl FnOnce(&mut Role)) {
        self.shared.change(|state| {
            let roles = &mut state.world.guild_mut(guild).roles;
            let kind = if roles.contains_key(&role) {
                "GUILD_ROLE_UPDATE"
            } else {
                "GUILD_ROLE_CREATE"
            };
            let found = roles.entry(role).or_insert_with(|| Role {
                id: role,
                position: 1,
                ..Role::default()
            });
            change(found);
            let body = json!({"guild_id": wire::id(guild), "role": wire::role(found)});
            state.tell_guild(kind, guild, intents::GUILDS, body);
        });
    }

    /// Changes a member (nick, roles, time-out) and tells.
    pub fn changes_member(&self, guild: Id, user: Id, change: impl FnOnce(&mut Member)) {
        self.shared.change(|state| {
            change(
                state
                    .world
                    .guild_mut(guild)
                    .members
                    .get_mut(&user)
                    .expect("a member"),
            );
            state.tell_member("GUILD_MEMBER_UPDATE", guild, user);
        });
    }

    pub fn times_out(&self, guild: Id, user: Id, until: Millis) {
        self.changes_member(guild, user, |member| member.timed_out_until = Some(until));
    }

    /// Changes a guild's emoji and stickers and tells.
    pub fn changes_expressions(&self, guild: Id, change: impl FnOnce(&mut Guild)) {
        self.shared.change(|state| {
            let found = state.world.guild_mut(guild);
            change(found);
            let emojis: Vec<_> = found.emojis.values().map(wire::emoji).collect();
            let stickers: Vec<_> = found
                .stickers
                .values()
                .map(|sticker| wire::sticker(found, sticker))
                .collect();
            let id = wire::id(guild);
            let needs = intents::GUILD_EXPRESSIONS;
            state.tell_guild(
                "GUILD_EMOJIS_UPDATE",
                guild,
                needs,
                json!({"guild_id": id, "emojis": emojis}),
            );
            state.tell_guild(
                "GUILD_STICKERS_UPDATE",
                guild,
                needs,
                json!({"guild_id": id, "stickers": stickers}),
            );
        });
    }
}
