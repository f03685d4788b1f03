//! Messages that are there: pages of history, edits, deletions, reactions, typing.

use serde_json::Value;

use super::errors::{code, form, snowflake};
use super::form;
use super::http::{Answer, Call};
use super::routes::Result;
use crate::fake_discord::shared_state::State;
use crate::fake_discord::wire;
use crate::fake_discord::world::Message;
use crate::fake_discord::world::permissions as may;
use crate::fake_discord::{Id, time_of};

/// Two weeks: what is older is not deleted in bulk.
const BULK_AGE_MS: i64 = 14 * 86_400_000;

impl State {
    /// A page, newest first. Without the permission to read history it is empty, as on Discord.
    pub(super) fn get_messages(&mut self, channel: Id, call: &Call) -> Result {
        let rights = self.rights(channel)?;
        let number = |key: &str| call.query.get(key).map(|text| text.parse::<u64>());
        let limit = match number("limit") {
            None => 50,
            Some(Ok(limit)) if (1..=100).contains(&limit) => limit as usize,
            Some(_) => {
                return Err(form(
                    "limit",
                    "NUMBER_TYPE_MAX",
                    "int value should be between 1 and 100.",
                ));
            }
        };
        let mut bounds = Vec::new();
        for key in ["before", "after", "around"] {
            match number(key) {
                None => {}
                Some(Ok(id)) => bounds.push((key, id)),
                Some(Err(_)) => {
                    return Err(form(key, "NUMBER_TYPE_COERCE", "Value is not snowflake."));
                }
            }
        }
        if let Some(unknown) = call
            .query
            .keys()
            .find(|key| !["limit", "before", "after", "around"].contains(&key.as_str()))
        {
            self.violations
                .push(format!("GET {}: {unknown} is not a parameter", call.path));
        }
        if rights & may::READ_MESSAGE_HISTORY == 0 {
            return Ok(Answer::json(Value::Array(Vec::new())));
        }
        let messages = &self.world.channel(channel).messages;
        let mut page: Vec<&Message> = match bounds.as_slice() {
            [] => messages.values().rev().take(limit).collect(),
            [("before", id)] => messages
                .range(..id)
                .rev()
                .map(|(_, message)| message)
                .take(limit)
                .collect(),
            [("after", id)] => messages
                .range(id + 1..)
                .map(|(_, message)| message)
                .take(limit)
                .collect(),
            [("around", id)] => {
                let older = messages
                    .range(..id)
                    .rev()
                    .map(|(_, message)| message)
                    .take(limit / 2);
                let newer = messages
                    .range(id..)
                    .map(|(_, message)| message)
                    .take(limit - limit / 2);
                older.chain(newer).collect()
            }
            _ => return Err(form("", "", "before, after and around exclude each other")),
        };
        page.sort_unstable_by_key(|message| std::cmp::Reverse(message.id));
        Ok(Answer::json(
            page.into_iter()
                .map(|message| wire::message(&self.world, message))
                .collect(),
        ))
    }

    pub(super) fn get_message(&mut self, channel: Id, message: Id) -> Result {
        self.channel_with(channel, may::READ_MESSAGE_HISTORY)?;
        let found = self.message_there(channel, message)?;
        Ok(Answer::json(wire::message(&self.world, found)))
    }

    pub(super) fn patch_message(&mut self, channel: Id, message: Id, call: &Call) -> Result {
        form::message(&call.body, "edit")?;
        self.rights(channel)?;
        if self.message_there(channel, message)?.author != self.world.bot {
            return Err(code(50005));
        }
        self.not_archived(channel)?;
        let new = self.compose(call)?;
        let body = call.body.clone();
        let after = |message: &mut Message| replace(message, new, &body);
        let mut tried = self.message_there(channel, message)?.clone();
        after(&mut tried);
        if tried.is_empty() && tried.files.is_empty() {
            return Err(code(50006));
        }
        self.edit(channel, message, |message| *message = tried);
        let found = self.message_there(channel, message)?;
        Ok(Answer::json(wire::message(&self.world, found)))
    }

    pub(super) fn delete_message(&mut self, channel: Id, message: Id) -> Result {
        let rights = self.rights(channel)?;
        let own = self.message_there(channel, message)?.author == self.world.bot;
        if !own
            && (rights & may::MANAGE_MESSAGES == 0 || self.world.channel(channel).guild.is_none())
        {
            return Err(code(50013));
        }
        self.not_archived(channel)?;
        self.delete(channel, &[message]);
        Ok(Answer::nothing())
    }

    pub(super) fn bulk_delete(&mut self, channel: Id, call: &Call) -> Result {
        form::keys(&call.body, &["messages"])?;
        let ids = call.body["messages"]
            .as_array()
            .map(Vec::as_slice)
            .unwrap_or_default();
        if !(2..=100).contains(&ids.len()) {
            return Err(form(
                "messages",
                "BASE_TYPE_BAD_LENGTH",
                "Must be between 2 and 100 in length.",
            ));
        }
        let ids = ids
            .iter()
            .map(|id| snowflake("messages", id))
            .collect::<Result<Vec<Id>>>()?;
        self.channel_with(channel, may::MANAGE_MESSAGES)?;
        if ids
            .iter()
            .any(|id| time_of(*id) < self.clock.now() - BULK_AGE_MS)
        {
            return Err(code(50034));
        }
        self.delete(channel, &ids);
        Ok(Answer::nothing())
    }

    pub(super) fn put_reaction(&mut self, channel: Id, message: Id, emoji: &str) -> Result {
        let rights = self.rights(channel)?;
        if rights & may::READ_MESSAGE_HISTORY == 0 {
            return Err(code(50013));
        }
        let found = self.message_there(channel, message)?;
        let there = found
            .reactions
            .iter()
            .any(|reaction| reaction.emoji == emoji);
        if !there && rights & may::ADD_REACTIONS == 0 {
            return Err(code(50013));
        }
        self.not_archived(channel)?;
        self.not_locked(channel, rights)?;
        if !self.is_emoji(channel, emoji) {
            return Err(code(10014));
        }
        self.react(self.world.bot, channel, message, emoji);
        Ok(Answer::nothing())
    }

    /// The guild's own as `name:id`, or something that is no word.
    fn is_emoji(&self, channel: Id, emoji: &str) -> bool {
        match emoji.rsplit_once(':') {
            Some((name, id)) => {
                let own = |id: Id| {
                    self.world
                        .guild_of(channel)
                        .and_then(|guild| guild.emojis.get(&id))
                };
                id.parse()
                    .ok()
                    .and_then(own)
                    .is_some_and(|own| own.available && own.name == name)
            }
            None => {
                !emoji.is_empty()
                    && !emoji
                        .chars()
                        .any(|one| one.is_alphabetic() || one.is_whitespace())
            }
        }
    }

    pub(super) fn delete_reaction(&mut self, channel: Id, message: Id, emoji: &str) -> Result {
        self.rights(channel)?;
        self.message_there(channel, message)?;
        self.not_archived(channel)?;
        self.unreact(self.world.bot, channel, message, emoji);
        Ok(Answer::nothing())
    }

    pub(super) fn post_typing(&mut self, channel: Id) -> Result {
        let speaking = self.speaking(channel)?;
        self.channel_with(channel, speaking)?;
        let now = self.clock.now();
        self.world.channel_mut(channel).typing.push(now);
        self.typing(self.world.bot, channel);
        Ok(Answer::nothing())
    }
}

/// What an edit names is replaced; the rest stays.
pub fn replace(message: &mut Message, new: Message, body: &Value) {
    let named = |key: &str| body.get(key).is_some();
    if named("content") {
        message.text = new.text;
    }
    if named("embeds") {
        message.embeds = new.embeds;
    }
    if named("components") {
        message.components = new.components;
    }
    if named("allowed_mentions") {
        message.allowed_mentions = new.allowed_mentions;
    }
    if !new.files.is_empty() || named("attachments") {
        message.attachments.clear();
        message.files = new.files;
    }
}
