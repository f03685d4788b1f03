//! What happens in the world and who is told: the one place where a change is made and dispatched, whether a person or
//! the bot caused it.

use serde_json::{Value, json};

use super::gateway::Dispatch;
use super::shared_state::State;
use super::wire;
use super::world::permissions::{self, in_channel};
use super::world::{Channel, Message, Reaction};
use super::{Id, intents, timestamp};

impl State {
    pub fn may(&self, user: Id, channel: &Channel) -> u64 {
        in_channel(&self.world, channel, user, self.clock.now())
    }

    /// Tells what happened in a channel to those who may hear it; nothing where the bot cannot look.
    fn tell(
        &mut self,
        kind: &'static str,
        channel: Id,
        needs: (u64, u64),
        private: bool,
        body: Value,
    ) {
        let place = self.world.channel(channel);
        if self.may(self.world.bot, place) & permissions::VIEW_CHANNEL == 0 {
            return;
        }
        let guild = place.guild;
        if guild.is_some_and(|guild| self.world.guilds[&guild].unavailable) {
            return;
        }
        let needs = if guild.is_some() { needs.0 } else { needs.1 };
        self.hub.dispatch(Dispatch {
            kind,
            guild,
            needs,
            private: private && guild.is_some(),
            body,
        });
    }

    /// Tells a guild's sessions something about the guild itself.
    pub fn tell_guild(&mut self, kind: &'static str, guild: Id, needs: u64, body: Value) {
        self.hub.dispatch(Dispatch {
            kind,
            guild: Some(guild),
            needs,
            private: false,
            body,
        });
    }

    pub fn tell_message(&mut self, kind: &'static str, channel: Id, id: Id) {
        let Some(message) = self.world.message(channel, id) else {
            return;
        };
        let body = wire::message_event(&self.world, message);
        // Its own messages and those that mention it are whole without the intent.
        let private =
            message.author != self.world.bot && !message.mentions.contains(&self.world.bot);
        self.check_schema("MessageResponse", &body);
        self.tell(
            kind,
            channel,
            (intents::GUILD_MESSAGES, intents::DIRECT_MESSAGES),
            private,
            body,
        );
    }

    pub fn post(&mut self, channel: Id, mut message: Message) -> Id {
        let now = self.clock.now();
        let at = *message.at.get_or_insert(now);
        // The first message of a forum's post has the post's id.
        if message.id == 0 {
            message.id = self.clock.snowflake(at);
        }
        message.channel = channel;
        self.store_files(&mut message);
        self.resolve(&mut message);
        let id = message.id;
        self.wake_thread(channel);
        self.world.channel_mut(channel).messages.insert(id, message);
        self.tell_message("MESSAGE_CREATE", channel, id);
        id
    }

    /// Stores files that came with a message, where they can be fetched.
    fn store_files(&mut self, message: &mut Message) {
        let mut shows = std::mem::take(&mut message.shows).into_iter();
        for (name, content_type, bytes) in std::mem::take(&mut message.files) {
            let id = self.new_id();
            let path = format!("/attachments/{}/{id}/{name}", message.channel);
            let url = format!("{}{path}?ex=67890abc&is=6789abcd&hm=0123", self.rest_url);
            message.attachments.push(json!({
                "id": wire::id(id), "filename": name, "size": bytes.len(), "url": url, "proxy_url": url,
                "content_type": content_type,
            }));
            if let (Some(shows), Some(attachment)) =
                (shows.next().flatten(), message.attachments.last_mut())
            {
                attachment["description"] = shows.into();
            }
            self.world.files.insert(path, bytes);
        }
    }

    /// Whom it mentions, what it forwards and where its reply is.
    pub fn resolve(&mut self, message: &mut Message) {
        if let Some(reference) = &mut message.reference {
            if reference.channel == 0 {
                reference.channel = message.channel;
            }
            if reference.forward && message.snapshots.is_empty() {
                let original = self.world.message(reference.channel, reference.message);
                message.snapshots = original
                    .map(|original| wire::snapshot(&self.world, original))
                    .into_iter()
                    .collect();
            }
        }
        let allowed = AllowedMentions::of(message.allowed_mentions.as_ref());
        let written = |open: &str| ids_in(&message.text, open);
        let may_all = message.allowed_mentions.is_none()
            || self.may(message.author, self.world.channel(message.channel))
                & permissions::MENTION_EVERYONE
                != 0;
        let mut users: Vec<Id> = written("<@")
            .into_iter()
            .chain(written("<@!"))
            .filter(|id| allowed.user(*id))
            .collect();
        let roles: Vec<Id> = written("<@&")
            .into_iter()
            .filter(|id| allowed.role(*id))
            .collect();
        let everyone = (message.text.contains("@everyone") || message.text.contains("@here"))
            && allowed.everyone();
        if let Some(reply) = message.replies_to()
            && allowed.replied()
            && let Some(original) = self.world.message(message.channel, reply)
            && original.webhook.is_none()
        {
            users.push(original.author);
        }
        users.retain(|user| self.world.users.contains_key(user));
        users.sort_unstable();
        users.dedup();
        message.mentions = users;
        message.mention_roles = roles;
        message.mention_everyone = everyone && may_all;
    }

    fn wake_thread(&mut self, channel: Id) {
        let Some(thread) = self.world.channel_mut(channel).thread.as_mut() else {
            return;
        };
        if std::mem::replace(&mut thread.archived, false) {
            self.tell_channel("THREAD_UPDATE", channel);
        }
    }

    /// Tells about a channel or thread as it is now.
    pub fn tell_channel(&mut self, kind: &'static str, channel: Id) {
        let place = self.world.channel(channel);
        let body = wire::channel(&self.world, place);
        if let Some(guild) = place.guild {
            let schema = if place.thread.is_some() {
                "ThreadResponse"
            } else {
                "GuildChannelResponse"
            };
            self.check_schema(schema, &body);
            self.tell_guild(kind, guild, intents::GUILDS, body);
        }
    }

    pub fn edit(&mut self, channel: Id, id: Id, change: impl FnOnce(&mut Message)) {
        let now = self.clock.now();
        let Some(mut message) = self.world.channel_mut(channel).messages.remove(&id) else {
            return;
        };
        change(&mut message);
        message.edited = Some(now);
        self.store_files(&mut message);
        self.resolve(&mut message);
        self.world.channel_mut(channel).messages.insert(id, message);
        self.tell_message("MESSAGE_UPDATE", channel, id);
    }

    pub fn delete(&mut self, channel: Id, ids: &[Id]) {
        let place = self.world.channel_mut(channel);
        let gone: Vec<Id> = ids
            .iter()
            .copied()
            .filter(|id| place.messages.remove(id).is_some())
            .collect();
        let guild = place.guild;
        let mut body = json!({"channel_id": wire::id(channel)});
        if let Some(guild) = guild {
            body["guild_id"] = wire::id(guild);
        }
        let needs = (intents::GUILD_MESSAGES, intents::DIRECT_MESSAGES);
        match gone.as_slice() {
            [] => {}
            [one] => {
                body["id"] = wire::id(*one);
                self.tell("MESSAGE_DELETE", channel, needs, false, body);
            }
            many => {
                body["ids"] = many.iter().map(|id| wire::id(*id)).collect();
                self.tell("MESSAGE_DELETE_BULK", channel, needs, false, body);
            }
        }
    }

    /// Adds somebody's reaction and tells; nothing if it is there.
    pub fn react(&mut self, user: Id, channel: Id, message: Id, emoji: &str) {
        let Some(found) = self.world.channel_mut(channel).messages.get_mut(&message) else {
            return;
        };
        let author = found.author;
        let reaction = match found
            .reactions
            .iter_mut()
            .find(|reaction| reaction.emoji == emoji)
        {
            Some(reaction) => reaction,
            None => {
                found.reactions.push(Reaction {
                    emoji: emoji.into(),
                    users: Vec::new(),
                });
                found.reactions.last_mut().expect("just added")
            }
        };
        if reaction.users.contains(&user) {
            return;
        }
        reaction.users.push(user);
        let mut body = self.reaction(user, channel, message, emoji);
        body["message_author_id"] = wire::id(author);
        body["burst_colors"] = json!([]);
        if let Some(member) = self
            .world
            .guild_of(channel)
            .and_then(|guild| guild.members.get(&user))
        {
            body["member"] = wire::member(&self.world, member);
        }
        self.tell(
            "MESSAGE_REACTION_ADD",
            channel,
            (intents::GUILD_REACTIONS, intents::DIRECT_REACTIONS),
            false,
            body,
        );
    }

    /// Takes somebody's reaction away and tells; nothing if it is not there.
    pub fn unreact(&mut self, user: Id, channel: Id, message: Id, emoji: &str) {
        let Some(found) = self.world.channel_mut(channel).messages.get_mut(&message) else {
            return;
        };
        let reaction = found
            .reactions
            .iter_mut()
            .find(|reaction| reaction.emoji == emoji);
        let Some(users) = reaction.map(|reaction| &mut reaction.users) else {
            return;
        };
        let before = users.len();
        users.retain(|one| *one != user);
        let gone = users.len() < before;
        found
            .reactions
            .retain(|reaction| !reaction.users.is_empty());
        if gone {
            let body = self.reaction(user, channel, message, emoji);
            let needs = (intents::GUILD_REACTIONS, intents::DIRECT_REACTIONS);
            self.tell("MESSAGE_REACTION_REMOVE", channel, needs, false, body);
        }
    }

    pub fn clear_reactions(&mut self, channel: Id, message: Id) {
        let place = self.world.channel_mut(channel);
        let guild = place.guild;
        let Some(found) = place.messages.get_mut(&message) else {
            return;
        };
        found.reactions.clear();
        let mut body = json!({"channel_id": wire::id(channel), "message_id": wire::id(message)});
        if let Some(guild) = guild {
            body["guild_id"] = wire::id(guild);
        }
        let needs = (intents::GUILD_REACTIONS, intents::DIRECT_REACTIONS);
        self.tell("MESSAGE_REACTION_REMOVE_ALL", channel, needs, false, body);
    }

    fn reaction(&self, user: Id, channel: Id, message: Id, emoji: &str) -> Value {
        let mut body = json!({
            "user_id": wire::id(user),
            "channel_id": wire::id(channel),
            "message_id": wire::id(message),
            "emoji": wire::reaction_emoji(emoji),
            "burst": false,
            "type": 0,
        });
        if let Some(guild) = self.world.channel(channel).guild {
            body["guild_id"] = wire::id(guild);
        }
        body
    }

    pub fn typing(&mut self, user: Id, channel: Id) {
        let mut body = json!({
            "channel_id": wire::id(channel),
            "user_id": wire::id(user),
            "timestamp": self.clock.now() / 1000,
        });
        if let Some(guild) = self.world.guild_of(channel) {
            body["guild_id"] = wire::id(guild.id);
            if let Some(member) = guild.members.get(&user) {
                body["member"] = wire::member(&self.world, member);
            }
        }
        self.tell(
            "TYPING_START",
            channel,
            (intents::GUILD_TYPING, intents::DIRECT_TYPING),
            false,
            body,
        );
    }

    pub fn open_thread(&mut self, parent: Id, name: &str, owner: Id, on: Option<Id>) -> Id {
        let id = on.unwrap_or_else(|| self.new_id());
        let now = self.clock.now();
        self.world.thread_with(parent, id, name, owner, now);
        let place = self.world.channel(id);
        let mut body = wire::channel(&self.world, place);
        body["newly_created"] = true.into();
        if let Some(guild) = place.guild {
            self.tell_guild("THREAD_CREATE", guild, intents::GUILDS, body);
        }
        id
    }

    /// Tells that a member is there, or is otherwise than before.
    pub fn tell_member(&mut self, kind: &'static str, guild: Id, user: Id) {
        let Some(member) = self.world.guilds[&guild].members.get(&user) else {
            return;
        };
        let mut body = wire::member(&self.world, member);
        self.check_schema("GuildMemberResponse", &body);
        body["guild_id"] = wire::id(guild);
        // The bot hears of itself without the intent.
        let needs = if user == self.world.bot {
            0
        } else {
            intents::GUILD_MEMBERS
        };
        self.tell_guild(kind, guild, needs, body);
    }

    pub fn remove_member(&mut self, guild: Id, user: Id) {
        if self.world.guild_mut(guild).members.remove(&user).is_some() {
            let body =
                json!({"guild_id": wire::id(guild), "user": wire::user_of(&self.world, user)});
            self.tell_guild("GUILD_MEMBER_REMOVE", guild, intents::GUILD_MEMBERS, body);
        }
    }

    pub fn announce_guild(&mut self, guild: Id) {
        let known = &self.world.guilds[&guild];
        let own: Vec<&Channel> = self
            .world
            .channels
            .values()
            .filter(|channel| channel.guild == Some(guild))
            .collect();
        let mut body = wire::guild_create(&self.world, known, &own, 50);
        body["joined_at"] = timestamp(self.clock.now()).into();
        self.tell_guild("GUILD_CREATE", guild, intents::GUILDS, body);
    }
}

/// What allowed-mentions let through; where there are none, everything.
struct AllowedMentions<'a>(Option<&'a Value>);

impl<'a> AllowedMentions<'a> {
    fn of(allowed: Option<&'a Value>) -> Self {
        Self(allowed.filter(|allowed| allowed.is_object()))
    }

    fn parses(&self, kind: &str) -> bool {
        self.0.is_none_or(|allowed| {
            allowed["parse"]
                .as_array()
                .is_some_and(|kinds| kinds.iter().any(|one| one == kind))
        })
    }

    fn lists(&self, kind: &str, id: Id) -> bool {
        let list = self.0.and_then(|allowed| allowed[kind].as_array());
        list.is_some_and(|ids| ids.contains(&wire::id(id)))
    }

    fn user(&self, id: Id) -> bool {
        self.parses("users") || self.lists("users", id)
    }

    fn role(&self, id: Id) -> bool {
        self.parses("roles") || self.lists("roles", id)
    }

    fn everyone(&self) -> bool {
        self.parses("everyone")
    }

    fn replied(&self) -> bool {
        self.0.is_none_or(|allowed| allowed["replied_user"] == true)
    }
}

/// The ids in marks like `<@1>`, of exactly this kind.
fn ids_in(text: &str, open: &str) -> Vec<Id> {
    text.split(open)
        .skip(1)
        .filter_map(|rest| rest.split_once('>')?.0.parse().ok())
        .collect()
}
