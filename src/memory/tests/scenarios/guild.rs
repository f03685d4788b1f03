//! The guild of the scenarios: who is there, and who can read what, by the rules of Discord's permissions.

use std::collections::BTreeMap;

use kith_core::chat::{
    Author, AuthorKind, Channel, ChannelId, ChannelKind, GuildId, MessageId, UserId,
};
use kith_core::directory::{
    Directory, Guild, GuildRole, KnownChannel, PermissionOverwrite, PermissionSet, ThreadSupport,
};

const GUILD: GuildId = GuildId(1);
const COMPANION: UserId = UserId(2);
const FIRST_PERSON: u64 = 10;
const FIRST_ROLE: u64 = 500;
const FIRST_CHANNEL: u64 = 1_000;

/// The people and channels of `places.txt`.
pub struct ScenarioGuild {
    pub directory: Directory,
    people: BTreeMap<String, Author>,
    channels: BTreeMap<String, Channel>,
    /// The channels that everybody reads and that are no threads, in their order.
    pub open_channels: Vec<ChannelId>,
}

impl ScenarioGuild {
    pub fn parse(text: &str) -> Self {
        let mut guild = Self {
            directory: Directory {
                me: COMPANION,
                ..Directory::default()
            },
            people: BTreeMap::new(),
            channels: BTreeMap::new(),
            open_channels: Vec::new(),
        };
        let everyone = GuildRole {
            name: "@everyone".into(),
            permissions: PermissionSet(!PermissionSet::ADMINISTRATOR.0),
            position: 0,
            bot: None,
        };
        let known = Guild {
            roles: [(GUILD.0, everyone)].into(),
            ..Guild::default()
        };
        guild.directory.put_guild(GUILD, known, Vec::new());
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            match line.split_whitespace().collect::<Vec<_>>()[..] {
                [] => {}
                ["companion", name] => guild.put_person(name, COMPANION, AuthorKind::Companion),
                ["person", name] => {
                    let id = UserId(FIRST_PERSON + guild.people.len() as u64);
                    guild.put_person(name, id, AuthorKind::Person);
                }
                ["channel", name, ref kind @ ..] => guild.put_channel(name, kind),
                _ => panic!("places.txt: what is `{line}`?"),
            }
        }
        guild
    }

    fn put_person(&mut self, name: &str, id: UserId, kind: AuthorKind) {
        let author = Author {
            id,
            name: name.into(),
            kind,
        };
        self.people.insert(name.to_owned(), author);
    }

    fn put_channel(&mut self, name: &str, kind: &[&str]) {
        let id = ChannelId(FIRST_CHANNEL + self.channels.len() as u64);
        let mut channel = Channel {
            id,
            guild: Some(GUILD),
            name: name.into(),
            topic: "".into(),
            kind: ChannelKind::Group,
            parent: None,
        };
        let (mut private, mut overwrites) = (false, Vec::new());
        match kind {
            ["open"] => self.open_channels.push(id),
            ["role", role] => overwrites = self.open_to_role(role).to_vec(),
            [thread @ ("thread" | "private"), parent] => {
                channel.kind = ChannelKind::Thread;
                channel.parent = Some(self.channel(parent));
                private = *thread == "private";
            }
            ["direct"] => {
                channel.kind = ChannelKind::Direct;
                channel.guild = None;
            }
            _ => panic!("places.txt: what kind is the channel {name}?"),
        }
        let known = match channel.guild {
            None => KnownChannel::new_direct(channel.clone()),
            Some(_) => KnownChannel {
                channel: channel.clone(),
                overwrites: overwrites.into(),
                nsfw: false,
                private,
                voice: false,
                has_text: true,
                archived: false,
                locked: false,
                threads: ThreadSupport::Unsupported,
                created_at: 0,
                newest: MessageId::default(),
            },
        };
        self.directory.put_channel(known);
        self.channels.insert(name.to_owned(), channel);
    }

    /// What a channel says that only a role sees; the role is made where it is new.
    fn open_to_role(&mut self, role: &str) -> [PermissionOverwrite; 2] {
        let roles = &mut self.directory.guilds.get_mut(&GUILD).unwrap().roles;
        let known = roles.iter().find(|(_, known)| *known.name == *role);
        let id = known.map_or(FIRST_ROLE + roles.len() as u64, |(id, _)| *id);
        roles.entry(id).or_insert(GuildRole {
            name: role.into(),
            permissions: PermissionSet::NONE,
            position: 1,
            bot: None,
        });
        let rule = |id, allow, deny| PermissionOverwrite {
            id,
            member: false,
            allow,
            deny,
        };
        let (view, none) = (PermissionSet::VIEW_CHANNEL, PermissionSet::NONE);
        [rule(GUILD.0, none, view), rule(id, view, none)]
    }

    pub fn person(&self, name: &str) -> &Author {
        let person = self.people.get(name);
        person.unwrap_or_else(|| panic!("{name} is not in places.txt"))
    }

    pub fn channel(&self, name: &str) -> ChannelId {
        let channel = self.channels.get(name);
        channel
            .unwrap_or_else(|| panic!("{name} is no channel of places.txt"))
            .id
    }

    pub fn channels(&self) -> impl Iterator<Item = &Channel> {
        self.channels.values()
    }

    /// Who talks small in a language: people whose names are written in its script.
    pub fn list_speakers(&self, is_chinese: bool) -> Vec<Author> {
        let people = self.people.values().filter(|author| {
            author.kind == AuthorKind::Person && author.name.is_ascii() != is_chinese
        });
        people.cloned().collect()
    }
}
