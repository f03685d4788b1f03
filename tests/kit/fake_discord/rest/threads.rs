//! Channels and threads over REST, and opening a direct message.

use serde_json::Value;

use super::errors::{code, form, snowflake};
use super::form;
use super::http::{Answer, Body, Call};
use super::routes::Result;
use crate::fake_discord::Id;
use crate::fake_discord::shared_state::State;
use crate::fake_discord::wire;
use crate::fake_discord::world::permissions as may;

impl State {
    pub(super) fn get_channel(&mut self, channel: Id) -> Result {
        self.rights(channel)?;
        Ok(Answer::json(wire::channel(
            &self.world,
            self.world.channel(channel),
        )))
    }

    /// Of a thread: name, archived, locked.
    pub(super) fn patch_channel(&mut self, channel: Id, call: &Call) -> Result {
        form::keys(&call.body, &["name", "archived", "locked"])?;
        let own = self
            .world
            .channels
            .get(&channel)
            .and_then(|place| place.thread.as_ref());
        let own = own.is_some_and(|thread| thread.owner == self.world.bot);
        self.channel_with(channel, if own { 0 } else { may::MANAGE_THREADS })?;
        let place = self.world.channel_mut(channel);
        if let Some(name) = call.body["name"].as_str() {
            place.name = name.into();
        }
        if let Some(thread) = place.thread.as_mut() {
            thread.archived = call.body["archived"].as_bool().unwrap_or(thread.archived);
            thread.locked = call.body["locked"].as_bool().unwrap_or(thread.locked);
        }
        self.tell_channel("THREAD_UPDATE", channel);
        self.get_channel(channel)
    }

    /// A thread: of the kind that belongs to the channel, at a message where one is named, and in a forum a post.
    pub(super) fn post_thread(&mut self, channel: Id, on: Option<Id>, call: &Call) -> Result {
        let place = self
            .world
            .channels
            .get(&channel)
            .ok_or_else(|| code(10003))?;
        let (kind, body) = (place.kind, &call.body);
        let is_forum = matches!(kind, 15 | 16);
        let mut known = vec!["name", "auto_archive_duration", "rate_limit_per_user"];
        match on {
            None if is_forum => known.extend(["applied_tags", "message"]),
            None => known.extend(["type", "invitable"]),
            Some(_) => {}
        }
        if !matches!(kind, 0 | 5) && !is_forum {
            return Err(code(50024));
        }
        form::keys(body, &known)?;
        let name = body["name"].as_str().unwrap_or_default();
        if name.is_empty() || name.chars().count() > 100 {
            return Err(form(
                "name",
                "BASE_TYPE_BAD_LENGTH",
                "Must be between 1 and 100 in length.",
            ));
        }
        if is_forum {
            return self.post_in_forum(channel, name, call);
        }
        self.channel_with(channel, may::CREATE_PUBLIC_THREADS)?;
        if let Some(message) = on {
            self.message_there(channel, message)?;
            if self.world.channels.contains_key(&message) {
                return Err(code(160_004));
            }
        } else {
            // Left out, it is a private one: Discord's own default.
            let wanted = body["type"].as_u64().unwrap_or(12);
            if wanted != if kind == 5 { 10 } else { 11 } {
                return Err(code(50024));
            }
        }
        let id = self.open_thread(channel, name, self.world.bot, on);
        Ok(Answer::new(
            201,
            Body::Json(wire::channel(&self.world, self.world.channel(id))),
        ))
    }

    /// A post: a thread with a first message, which has the thread's id.
    fn post_in_forum(&mut self, channel: Id, name: &str, call: &Call) -> Result {
        let rights = self.rights(channel)?;
        if rights & may::SEND_MESSAGES == 0 {
            return Err(code(50013));
        }
        let said = &call.body["message"];
        form::message(said, "post")?;
        if said["content"].as_str().is_none_or(str::is_empty) {
            return Err(code(50006));
        }
        let place = self.world.channel(channel);
        let applied = call.body["applied_tags"]
            .as_array()
            .map(Vec::as_slice)
            .unwrap_or_default();
        let applied = applied
            .iter()
            .map(|id| snowflake("applied_tags", id))
            .collect::<Result<Vec<Id>>>()?;
        for tag in &applied {
            let known = place.tags.iter().find(|known| known.id == *tag);
            let known = known.ok_or_else(|| form("applied_tags", "", "Unknown tag"))?;
            if known.moderated && rights & may::MANAGE_THREADS == 0 {
                return Err(code(50013));
            }
        }
        if place.requires_tag && applied.is_empty() {
            return Err(code(40067));
        }
        let call = Call {
            body: said.clone(),
            ..call.clone()
        };
        let mut first = self.compose(&call)?;
        let id = self.open_thread(channel, name, self.world.bot, None);
        self.world
            .channel_mut(id)
            .thread
            .as_mut()
            .expect("just opened")
            .tags = applied;
        first.id = id;
        self.post(id, first);
        Ok(Answer::new(
            201,
            Body::Json(wire::channel(&self.world, self.world.channel(id))),
        ))
    }

    pub(super) fn join_thread(&mut self, channel: Id) -> Result {
        self.rights(channel)?;
        let bot = self.world.bot;
        if let Some(thread) = self.world.channel_mut(channel).thread.as_mut()
            && !thread.members.contains(&bot)
        {
            thread.members.push(bot);
        }
        Ok(Answer::nothing())
    }

    pub(super) fn active_threads(&mut self, guild: Id) -> Result {
        self.guild_there(guild)?;
        Ok(Answer::json(wire::thread_list(&self.world, guild)))
    }

    pub(super) fn guild_channels(&mut self, guild: Id) -> Result {
        self.guild_there(guild)?;
        let own = self
            .world
            .channels
            .values()
            .filter(|channel| channel.guild == Some(guild) && channel.thread.is_none());
        Ok(Answer::json(
            own.map(|channel| wire::channel(&self.world, channel))
                .collect::<Vec<Value>>()
                .into(),
        ))
    }

    pub(super) fn open_dm(&mut self, call: &Call) -> Result {
        form::keys(&call.body, &["recipient_id"])?;
        let user = snowflake("recipient_id", &call.body["recipient_id"])?;
        if !self.world.users.contains_key(&user) {
            return Err(code(10013));
        }
        let channel = self.world.dm(user);
        self.get_channel(channel)
    }
}
