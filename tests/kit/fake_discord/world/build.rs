//! Building worlds: a small one with names for everything in it, and the parts for others.

use std::collections::BTreeMap;

use serde_json::Value;

use super::permissions as may;
use super::{
    Channel, Emoji, For, Guild, Log, Member, Overwrite, Role, Sticker, Tag, Thread, User, World,
};
use crate::fake_discord::{Id, Millis};

/// The token of every fake bot; shaped like a real one.
pub const TOKEN: &str = "ODExMDAwMDAwMDAwMDAwMDAx.GfAkEd.never-a-real-token-0123456789abcdefghi";
pub const BOT: Id = 811_000_000_000_000_001;
/// The application's owner: the host. A plain member of the guild.
pub const HOST: Id = 811_000_000_000_000_002;
pub const OWNER: Id = 811_000_000_000_000_003;
/// A moderator: has Manage Server.
pub const MO: Id = 811_000_000_000_000_004;
pub const ANNA: Id = 811_000_000_000_000_005;
pub const BEN: Id = 811_000_000_000_000_006;
pub const ROBO: Id = 811_000_000_000_000_007;
pub const GUILD: Id = 811_000_000_000_000_100;
/// A channel everybody sees.
pub const GENERAL: Id = 811_000_000_000_000_101;
pub const RANDOM: Id = 811_000_000_000_000_102;
/// A channel that only moderators and the bot see.
pub const LOG: Id = 811_000_000_000_000_103;
pub const MODS: Id = 811_000_000_000_000_110;
pub const BOT_ROLE: Id = 811_000_000_000_000_111;
/// The guild's own emoji `:smile_cat:`.
pub const SMILE_CAT: Id = 811_000_000_000_000_120;
/// The guild's own sticker `wave`.
pub const WAVE: Id = 811_000_000_000_000_121;

const JOINED: Millis = 1_700_000_000_000;

/// What `@everyone` may in a new guild.
pub const EVERYONE_MAY: u64 = may::VIEW_CHANNEL
    | may::SEND_MESSAGES
    | may::SEND_MESSAGES_IN_THREADS
    | may::CREATE_PUBLIC_THREADS
    | may::READ_MESSAGE_HISTORY
    | may::ADD_REACTIONS
    | may::EMBED_LINKS
    | may::ATTACH_FILES
    | may::USE_EXTERNAL_EMOJIS
    | may::CHANGE_NICKNAME
    | may::USE_APPLICATION_COMMANDS;

impl World {
    /// A world with the bot, its owner, and nobody and nothing else.
    pub fn empty() -> Self {
        let mut world = Self {
            token: TOKEN.into(),
            bot: BOT,
            owner: HOST,
            granted: may::PRIVILEGED_INTENTS,
            shards: 1,
            max_concurrency: 1,
            starts_left: 1000,
            gateway_url: None,
            users: BTreeMap::new(),
            guilds: BTreeMap::new(),
            channels: BTreeMap::new(),
            commands: Vec::<Value>::new(),
            overwrites: 0,
            interactions: BTreeMap::new(),
            files: BTreeMap::new(),
            log: Log::default(),
            next: 820_000_000_000_000_000,
        };
        world.user_with(BOT, "Juno").bot = true;
        world.user_with(HOST, "Hanna");
        world
    }

    /// One guild, “The Lounge”, with `#general`, `#random`, `#log`, two members, a moderator, the host and another bot.
    pub fn small() -> Self {
        let mut world = Self::empty();
        for (id, name) in [
            (OWNER, "Olga"),
            (MO, "Mo"),
            (ANNA, "Anna"),
            (BEN, "Ben"),
            (ROBO, "Robo"),
        ] {
            world.user_with(id, name);
        }
        world.users.get_mut(&ROBO).expect("just added").bot = true;
        world.guild_with(GUILD, "The Lounge", OWNER, BOT_ROLE);
        for id in [HOST, MO, ANNA, BEN, ROBO] {
            world.join(GUILD, id);
        }
        world.role_with(
            GUILD,
            MODS,
            "Mods",
            may::MANAGE_GUILD | may::MANAGE_MESSAGES,
        );
        world.give(GUILD, MO, MODS);
        for (id, name) in [(GENERAL, "general"), (RANDOM, "random"), (LOG, "log")] {
            world.channel_with(GUILD, id, name);
        }
        world.overwrite(LOG, For::Role(GUILD), 0, may::VIEW_CHANNEL);
        world.overwrite(LOG, For::Role(MODS), may::VIEW_CHANNEL, 0);
        world.overwrite(LOG, For::Role(BOT_ROLE), may::VIEW_CHANNEL, 0);
        let guild = world.guild_mut(GUILD);
        guild.emojis.insert(
            SMILE_CAT,
            Emoji {
                id: SMILE_CAT,
                name: "smile_cat".into(),
                available: true,
            },
        );
        guild.stickers.insert(
            WAVE,
            Sticker {
                id: WAVE,
                name: "wave".into(),
                description: "a cat that waves".into(),
            },
        );
        world
    }

    /// A new id that is the same in every run. Guilds made one after the other fall on different shards.
    pub fn new_id(&mut self) -> Id {
        self.next += (1 << 22) + 1;
        self.next
    }

    pub fn add_user(&mut self, name: &str) -> Id {
        let id = self.new_id();
        self.user_with(id, name);
        id
    }

    fn user_with(&mut self, id: Id, name: &str) -> &mut User {
        let user = User {
            id,
            name: name.to_lowercase().replace(' ', "_"),
            global_name: Some(name.into()),
            locale: "en-US".into(),
            ..User::default()
        };
        self.users.entry(id).insert_entry(user).into_mut()
    }

    /// A new guild of this owner's; the bot is in it, with its managed role.
    pub fn add_guild(&mut self, name: &str, owner: Id) -> Id {
        let (id, role) = (self.new_id(), self.new_id());
        self.guild_with(id, name, owner, role);
        id
    }

    fn guild_with(&mut self, id: Id, name: &str, owner: Id, bot_role: Id) {
        let guild = Guild {
            id,
            name: name.into(),
            owner,
            locale: "en-US".into(),
            ..Guild::default()
        };
        self.guilds.insert(id, guild);
        self.role_with(id, id, "@everyone", EVERYONE_MAY);
        self.role_with(id, bot_role, "Juno", 0);
        self.guild_mut(id)
            .roles
            .get_mut(&bot_role)
            .expect("just added")
            .bot = Some(BOT);
        self.join(id, owner);
        self.join(id, self.bot);
        self.give(id, self.bot, bot_role);
    }

    /// Makes somebody a member, without telling.
    pub fn join(&mut self, guild: Id, user: Id) {
        let member = Member {
            user,
            joined: JOINED,
            ..Member::default()
        };
        self.guild_mut(guild).members.insert(user, member);
    }

    /// A new role above all others of the guild.
    pub fn add_role(&mut self, guild: Id, name: &str, permissions: u64) -> Id {
        let id = self.new_id();
        self.role_with(guild, id, name, permissions);
        id
    }

    fn role_with(&mut self, guild: Id, id: Id, name: &str, permissions: u64) {
        let roles = &mut self.guild_mut(guild).roles;
        let position = roles.len() as u64;
        roles.insert(
            id,
            Role {
                id,
                name: name.into(),
                permissions,
                position,
                ..Role::default()
            },
        );
    }

    pub fn give(&mut self, guild: Id, user: Id, role: Id) {
        let member = self.guild_mut(guild).members.get_mut(&user);
        member
            .unwrap_or_else(|| panic!("{user} is not a member"))
            .roles
            .push(role);
    }

    /// Lets the bot's managed role in a guild have these permissions, beside what everyone has.
    pub fn bot_may(&mut self, guild: Id, permissions: u64) {
        let bot = self.bot;
        let role = self
            .guild_mut(guild)
            .roles
            .values_mut()
            .find(|role| role.bot == Some(bot));
        role.expect("the bot's own role").permissions = permissions;
    }

    pub fn add_channel(&mut self, guild: Id, name: &str) -> Id {
        let id = self.new_id();
        self.channel_with(guild, id, name);
        id
    }

    /// A new forum whose posts can have tags: names, and whether only those who manage threads may use them.
    pub fn add_forum(&mut self, guild: Id, name: &str, tags: &[(&str, bool)]) -> Id {
        let forum = self.add_channel(guild, name);
        let tags = tags.iter().map(|(name, moderated)| {
            let id = self.new_id();
            Tag {
                id,
                name: (*name).into(),
                moderated: *moderated,
            }
        });
        let tags = tags.collect();
        let place = self.channel_mut(forum);
        (place.kind, place.tags) = (15, tags);
        forum
    }

    pub(in crate::fake_discord) fn channel_with(&mut self, guild: Id, id: Id, name: &str) {
        let position = self.channels.len() as u64;
        let channel = Channel {
            id,
            guild: Some(guild),
            name: name.into(),
            position,
            ..Channel::default()
        };
        self.channels.insert(id, channel);
    }

    pub fn overwrite(&mut self, channel: Id, whom: For, allow: u64, deny: u64) {
        let overwrites = &mut self.channel_mut(channel).overwrites;
        overwrites.retain(|overwrite| overwrite.whom != whom);
        overwrites.push(Overwrite { whom, allow, deny });
    }

    /// A new public thread in a channel; the bot is not in it.
    pub fn add_thread(&mut self, parent: Id, name: &str, owner: Id) -> Id {
        let id = self.new_id();
        self.thread_with(parent, id, name, owner, JOINED);
        id
    }

    pub(in crate::fake_discord) fn thread_with(
        &mut self,
        parent: Id,
        id: Id,
        name: &str,
        owner: Id,
        created: Millis,
    ) {
        let guild = self.channel(parent).guild;
        let kind = if self.channel(parent).kind == 5 {
            10
        } else {
            11
        };
        let thread = Thread {
            owner,
            created,
            members: vec![owner],
            ..Thread::default()
        };
        let channel = Channel {
            id,
            guild,
            kind,
            name: name.into(),
            parent: Some(parent),
            thread: Some(thread),
            ..Channel::default()
        };
        self.channels.insert(id, channel);
    }

    /// The direct message with somebody, opened if there is none yet.
    pub fn dm(&mut self, user: Id) -> Id {
        if let Some(id) = self.dm_with(user) {
            return id;
        }
        let id = self.new_id();
        self.channels.insert(
            id,
            Channel {
                id,
                kind: 1,
                recipient: Some(user),
                ..Channel::default()
            },
        );
        id
    }
}
