//! Guilds and their members over REST: looking, nick, time-out, kick, ban.

use serde_json::{Value, json};

use super::errors::{code, form};
use super::form;
use super::http::{Answer, Call, decode};
use super::routes::Result;
use crate::fake_discord::clock::{Id, parse_timestamp};
use crate::fake_discord::intents;
use crate::fake_discord::shared_state::State;
use crate::fake_discord::wire;
use crate::fake_discord::world::permissions as may;
use crate::fake_discord::world::{Ban, Member};

/// The longest time-out: 28 days.
const MOST_TIME_OUT_MS: i64 = 28 * 86_400_000;
/// How far back a ban deletes messages: 7 days.
const MOST_DELETE_SECONDS: u64 = 604_800;

impl State {
    pub(super) fn guild(&mut self, guild: Id) -> Result {
        Ok(Answer::json(wire::guild(self.guild_there(guild)?)))
    }

    pub(super) fn guild_roles(&mut self, guild: Id) -> Result {
        Ok(Answer::json(
            self.guild_there(guild)?
                .roles
                .values()
                .map(wire::role)
                .collect(),
        ))
    }

    pub(super) fn guild_emojis(&mut self, guild: Id) -> Result {
        Ok(Answer::json(
            self.guild_there(guild)?
                .emojis
                .values()
                .map(wire::emoji)
                .collect(),
        ))
    }

    pub(super) fn guild_stickers(&mut self, guild: Id) -> Result {
        let guild = self.guild_there(guild)?;
        Ok(Answer::json(
            guild
                .stickers
                .values()
                .map(|sticker| wire::sticker(guild, sticker))
                .collect(),
        ))
    }

    pub(super) fn member(&mut self, guild: Id, user: Id) -> Result {
        let found = self
            .guild_there(guild)?
            .members
            .get(&user)
            .ok_or_else(|| code(10007))?;
        Ok(Answer::json(wire::member(&self.world, found)))
    }

    pub(super) fn patch_own_member(&mut self, guild: Id, call: &Call) -> Result {
        form::keys(&call.body, &["nick", "avatar", "banner", "bio"])?;
        let nick = nick(&call.body)?;
        self.guild_with_right(
            guild,
            if nick.is_some() {
                may::CHANGE_NICKNAME
            } else {
                0
            },
        )?;
        self.change_member(guild, self.world.bot, |member| {
            if let Some(nick) = nick {
                member.nick = nick;
            }
        })
    }

    pub(super) fn patch_member(&mut self, guild: Id, user: Id, call: &Call) -> Result {
        form::keys(&call.body, &["nick", "communication_disabled_until"])?;
        let nick = nick(&call.body)?;
        let until = match call.body.get("communication_disabled_until") {
            None => None,
            Some(Value::Null) => Some(None),
            Some(until) => Some(Some(self.time_out_until(until)?)),
        };
        let needed = [
            (nick.is_some(), may::MANAGE_NICKNAMES),
            (until.is_some(), may::MODERATE_MEMBERS),
        ];
        let needed = needed
            .into_iter()
            .filter(|(wanted, _)| *wanted)
            .fold(0, |sum, (_, right)| sum | right);
        let found = self.guild_with_right(guild, needed)?;
        if !found.members.contains_key(&user) {
            return Err(code(10007));
        }
        let is_admin = may::in_guild(found, user, self.clock.now()) == may::ALL;
        if !self.is_above(found, user) || (until.is_some() && is_admin) {
            return Err(code(50013));
        }
        self.change_member(guild, user, |member| {
            if let Some(nick) = nick {
                member.nick = nick;
            }
            if let Some(until) = until {
                member.timed_out_until = until;
            }
        })
    }

    fn time_out_until(&self, until: &Value) -> Result<i64> {
        let field = "communication_disabled_until";
        let until = until.as_str().and_then(parse_timestamp);
        let until = until.ok_or_else(|| {
            form(
                field,
                "DATE_TIME_TYPE_PARSE",
                "Could not parse. Should be ISO8601.",
            )
        })?;
        if until - self.clock.now() > MOST_TIME_OUT_MS + 60_000 {
            return Err(form(field, "", "The timeout must be less than 28 days"));
        }
        Ok(until)
    }

    fn change_member(&mut self, guild: Id, user: Id, change: impl FnOnce(&mut Member)) -> Result {
        let member = self
            .world
            .guild_mut(guild)
            .members
            .get_mut(&user)
            .ok_or_else(|| code(10007))?;
        change(member);
        let body = wire::member(&self.world, &self.world.guilds[&guild].members[&user]);
        self.tell_member("GUILD_MEMBER_UPDATE", guild, user);
        Ok(Answer::json(body))
    }

    pub(super) fn kick(&mut self, guild: Id, user: Id) -> Result {
        let found = self.guild_with_right(guild, may::KICK_MEMBERS)?;
        if !found.members.contains_key(&user) {
            return Err(code(10007));
        }
        if user == self.world.bot || !self.is_above(found, user) {
            return Err(code(50013));
        }
        self.remove_member(guild, user);
        Ok(Answer::nothing())
    }

    pub(super) fn ban(&mut self, guild: Id, user: Id) -> Result {
        let ban = self
            .guild_with_right(guild, may::BAN_MEMBERS)?
            .bans
            .get(&user)
            .ok_or_else(|| code(10026))?;
        Ok(Answer::json(
            json!({"reason": ban.reason, "user": wire::user_of(&self.world, user)}),
        ))
    }

    pub(super) fn put_ban(&mut self, guild: Id, user: Id, call: &Call) -> Result {
        let delete_seconds = if call.body.is_null() {
            0
        } else {
            form::keys(&call.body, &["delete_message_seconds"])?;
            call.body["delete_message_seconds"].as_u64().unwrap_or(0)
        };
        if delete_seconds > MOST_DELETE_SECONDS {
            return Err(form(
                "delete_message_seconds",
                "NUMBER_TYPE_MAX",
                "int value should be at most 604800.",
            ));
        }
        let found = self.guild_with_right(guild, may::BAN_MEMBERS)?;
        if !self.world.users.contains_key(&user) {
            return Err(code(10013));
        }
        if user == self.world.bot || !self.is_above(found, user) {
            return Err(code(50013));
        }
        let reason = call
            .headers
            .get("x-audit-log-reason")
            .map(|reason| decode(reason));
        self.world.guild_mut(guild).bans.insert(
            user,
            Ban {
                reason,
                delete_seconds,
            },
        );
        self.remove_member(guild, user);
        let body = json!({"guild_id": wire::id(guild), "user": wire::user_of(&self.world, user)});
        self.tell_guild("GUILD_BAN_ADD", guild, intents::GUILD_MODERATION, body);
        self.delete_newest(guild, user, delete_seconds);
        Ok(Answer::nothing())
    }

    fn delete_newest(&mut self, guild: Id, user: Id, seconds: u64) {
        let since = self.clock.now() - i64::try_from(seconds * 1000).unwrap_or(i64::MAX);
        let own = self
            .world
            .channels
            .values()
            .filter(|channel| channel.guild == Some(guild));
        let doomed: Vec<(Id, Vec<Id>)> = own
            .map(|channel| {
                let theirs = channel
                    .messages
                    .values()
                    .filter(|message| message.author == user && message.at > Some(since));
                (channel.id, theirs.map(|message| message.id).collect())
            })
            .collect();
        doomed
            .into_iter()
            .for_each(|(channel, ids)| self.delete(channel, &ids));
    }

    pub(super) fn delete_ban(&mut self, guild: Id, user: Id) -> Result {
        self.guild_with_right(guild, may::BAN_MEMBERS)?;
        self.world
            .guild_mut(guild)
            .bans
            .remove(&user)
            .ok_or_else(|| code(10026))?;
        let body = json!({"guild_id": wire::id(guild), "user": wire::user_of(&self.world, user)});
        self.tell_guild("GUILD_BAN_REMOVE", guild, intents::GUILD_MODERATION, body);
        Ok(Answer::nothing())
    }
}

/// The nick a body names: none if it names none, null takes it away.
fn nick(body: &Value) -> Result<Option<Option<String>>> {
    match body.get("nick") {
        None => Ok(None),
        Some(Value::Null) => Ok(Some(None)),
        Some(Value::String(nick)) if nick.chars().count() <= 32 => {
            Ok(Some(Some(nick.clone()).filter(|nick| !nick.is_empty())))
        }
        Some(_) => Err(form(
            "nick",
            "BASE_TYPE_BAD_LENGTH",
            "Must be 32 or fewer in length.",
        )),
    }
}
