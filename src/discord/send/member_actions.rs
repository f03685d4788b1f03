//! What the companion does to messages and members that are there already: react, edit, delete, time out, kick, ban. Done
//! twice is the same as done once, so that all of it may be tried again.

use chrono::{DateTime, SecondsFormat};
use serde_json::{Value, json};

use super::{MessageSender, mentions, render_mentions};
use crate::rest::{RestError, RestRequest, RestRoute};
use kith_core::chat::{ChannelId, DAY, GuildId, MessageId, Millis, UserId};
use kith_core::directory::GuildMember;
use kith_core::message_split::split_message;
use kith_system::clock;

const LONGEST_TIME_OUT: Millis = 28 * DAY;
/// The most seconds of messages that can be deleted with a ban: a week.
const MOST_DELETED_SECONDS: u32 = 7 * 24 * 3600;
const UNKNOWN_EMOJI: u32 = 10_014;

/// A member as Discord tells of them at this moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CurrentMember {
    pub id: UserId,
    pub roles: Vec<u64>,
    pub timed_out: bool,
    pub joined: Option<Millis>,
    pub account: String,
    /// What they are called in the guild, where that is something else.
    pub nick: Option<String>,
    pub is_bot: bool,
}

impl CurrentMember {
    /// The same as the directory asks about.
    pub fn as_guild_member(&self) -> GuildMember<'_> {
        GuildMember {
            id: self.id,
            roles: &self.roles,
            timed_out: self.timed_out,
        }
    }
}

impl MessageSender {
    /// Puts the companion's reaction on a message: a character, or `:name:` of the guild's own emoji.
    ///
    /// # Errors
    /// Among others [`RestError::NotFound`] where message or emoji are not there.
    pub async fn react(
        &self,
        channel: ChannelId,
        message: MessageId,
        emoji: &str,
    ) -> Result<(), RestError> {
        let request = self.build_reaction_request(channel, message, emoji)?;
        self.rest.call(request).await.map(drop)
    }

    /// Says something else in one of its own messages. Pings nobody.
    ///
    /// # Errors
    /// Among others [`RestError::Invalid`] where the text is empty or does not fit into one message.
    pub async fn edit_message(
        &self,
        channel: ChannelId,
        message: MessageId,
        text: &str,
    ) -> Result<(), RestError> {
        let parts = split_message(&render_mentions(&self.directory(), channel, text).content);
        let [content] = parts.as_slice() else {
            let detail = format!(
                "the text needs {} messages, and an edit is one",
                parts.len()
            );
            return Err(RestError::Invalid {
                code: 0,
                said: detail,
            });
        };
        let body = json!({ "content": content, "allowed_mentions": { "parse": [] } });
        self.rest
            .call(RestRequest::patch(RestRoute::message(channel, message)).json(body))
            .await
            .map(drop)
    }

    /// Deletes a message. One that is gone is deleted.
    ///
    /// # Errors
    /// Of others' messages: where it may not.
    pub async fn delete_message(
        &self,
        channel: ChannelId,
        message: MessageId,
        reason: &str,
    ) -> Result<(), RestError> {
        ignore_not_found(
            self.rest
                .call(RestRequest::delete(RestRoute::message(channel, message)).reason(reason))
                .await,
        )
    }

    /// Bans a member and deletes what they wrote in the last `delete_seconds`, a week at most.
    ///
    /// # Errors
    /// Where it may not; who stands above it decides Discord.
    pub async fn ban(
        &self,
        guild: GuildId,
        user: UserId,
        delete_seconds: u32,
        reason: &str,
    ) -> Result<(), RestError> {
        let body = json!({ "delete_message_seconds": delete_seconds.min(MOST_DELETED_SECONDS) });
        self.rest
            .call(
                RestRequest::put(RestRoute::ban(guild, user))
                    .json(body)
                    .reason(reason),
            )
            .await
            .map(drop)
    }

    /// Keeps a member from writing until then, 28 days at most; a time that is past ends it.
    pub async fn time_out(
        &self,
        guild: GuildId,
        user: UserId,
        until: Millis,
        reason: &str,
    ) -> Result<(), RestError> {
        let now = clock::now();
        let until = DateTime::from_timestamp_millis(until.min(now + LONGEST_TIME_OUT))
            .filter(|_| until > now);
        let until = until.map(|until| until.to_rfc3339_opts(SecondsFormat::Millis, true));
        let body = json!({ "communication_disabled_until": until });
        self.rest
            .call(
                RestRequest::patch(RestRoute::member(guild, user))
                    .json(body)
                    .reason(reason),
            )
            .await
            .map(drop)
    }

    /// Throws a member out. Who is not there is out.
    pub async fn kick(&self, guild: GuildId, user: UserId, reason: &str) -> Result<(), RestError> {
        ignore_not_found(
            self.rest
                .call(RestRequest::delete(RestRoute::member(guild, user)).reason(reason))
                .await,
        )
    }

    /// Archives a thread, which ends nothing: whoever writes there opens it again.
    pub async fn archive_thread(&self, thread: ChannelId) -> Result<(), RestError> {
        let body = json!({ "archived": true });
        ignore_not_found(
            self.rest
                .call(RestRequest::patch(RestRoute::channel(thread)).json(body))
                .await,
        )
    }

    pub async fn rename_thread(&self, thread: ChannelId, name: &str) -> Result<(), RestError> {
        let body = json!({ "name": name });
        ignore_not_found(
            self.rest
                .call(RestRequest::patch(RestRoute::channel(thread)).json(body))
                .await,
        )
    }

    /// A member as they are now; none if they are none.
    pub async fn fetch_member(
        &self,
        guild: GuildId,
        user: UserId,
    ) -> Result<Option<CurrentMember>, RestError> {
        let member_json = match self
            .rest
            .call(RestRequest::get(RestRoute::member(guild, user)))
            .await
        {
            Ok(told) => told,
            Err(RestError::NotFound { .. }) => return Ok(None),
            Err(error) => return Err(error),
        };
        let time = |name: &str| {
            DateTime::parse_from_rfc3339(member_json[name].as_str()?)
                .ok()
                .map(|at| at.timestamp_millis())
        };
        let roles = member_json["roles"]
            .as_array()
            .into_iter()
            .flatten()
            .filter_map(|role| role.as_str()?.parse().ok());
        let timed_out =
            time("communication_disabled_until").is_some_and(|until| until > clock::now());
        let name =
            |of: &Value| Some(of.as_str()?.trim().to_owned()).filter(|name| !name.is_empty());
        let account_json = &member_json["user"];
        Ok(Some(CurrentMember {
            id: user,
            roles: roles.collect(),
            timed_out,
            joined: time("joined_at"),
            account: name(&account_json["global_name"])
                .or_else(|| name(&account_json["username"]))
                .unwrap_or_default(),
            nick: name(&member_json["nick"]),
            is_bot: account_json["bot"].as_bool().unwrap_or(false),
        }))
    }

    pub(super) fn build_reaction_request(
        &self,
        channel: ChannelId,
        message: MessageId,
        emoji: &str,
    ) -> Result<RestRequest, RestError> {
        let found = mentions::resolve_reaction(&self.directory(), channel, emoji);
        let found = found.ok_or_else(|| {
            let detail = format!("there is no emoji {emoji} in this server");
            RestError::NotFound {
                code: UNKNOWN_EMOJI,
                said: detail,
            }
        })?;
        let route = RestRoute::own_reaction(channel, message, &found);
        Ok(RestRequest::put(route))
    }
}

/// What is not there is gone.
fn ignore_not_found(result: Result<Value, RestError>) -> Result<(), RestError> {
    match result {
        Ok(_) | Err(RestError::NotFound { .. }) => Ok(()),
        Err(error) => Err(error),
    }
}
