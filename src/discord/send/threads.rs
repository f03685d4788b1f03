//! Opens threads, each of the kind that belongs to its channel. Discord knows no nonce for them, so it is looked first
//! whether the companion has opened this very one a moment ago: done twice is the same as done once.

use serde_json::{Value, json};

use super::body::build_allowed_mentions;
use super::{MessageSender, render_mentions, split_pieces};
use crate::rest::{RestError, RestRequest, RestRoute, RetrySafety};
use crate::snowflake;
use kith_core::chat::{ChannelId, GuildId, MINUTE, MessageId, Millis};
use kith_core::directory::{PermissionSet, ThreadSupport};
use kith_system::clock;

/// A thread of the companion's by the same name that is younger than this is the one that is asked for.
const SAME: Millis = 10 * MINUTE;
const ANNOUNCEMENT: u32 = 10;
/// Discord's number for a thread everybody can see. It must be said: what is left out becomes a private one.
const PUBLIC: u32 = 11;
/// Discord's code: the message has a thread.
const HAS_THREAD: u32 = 160_004;

impl MessageSender {
    /// Opens a thread in a channel, at a message of it where one is named, and answers which it is. In a forum it is a post
    /// that begins with `first`, or with its name where nothing is to be said: what is `first` is then said, of a long text
    /// its beginning. Elsewhere `first` is left to be said.
    ///
    /// # Errors
    /// Where it may not; [`RestError::Invalid`] where the message has a thread of another name.
    pub async fn open_thread(
        &self,
        (guild, channel): (GuildId, ChannelId),
        starter_message: Option<MessageId>,
        name: &str,
        first: Option<&str>,
    ) -> Result<ChannelId, RestError> {
        match starter_message {
            Some(message) => self.open_message_thread(channel, message, name).await,
            None => self.open_channel_thread(guild, channel, name, first).await,
        }
    }

    /// A thread at a message has the message's id, so there is only one.
    async fn open_message_thread(
        &self,
        channel: ChannelId,
        message: MessageId,
        name: &str,
    ) -> Result<ChannelId, RestError> {
        let thread = ChannelId(message.0);
        let request = RestRequest::post(RestRoute::message_thread(channel, message))
            .json(json!({ "name": name }));
        let request = request.safety(RetrySafety::Idempotent);
        match self.rest.call(request).await {
            Ok(_) => Ok(thread),
            Err(
                why @ RestError::Invalid {
                    code: HAS_THREAD, ..
                },
            ) => {
                let there = self
                    .rest
                    .call(RestRequest::get(RestRoute::channel(thread)))
                    .await?;
                if self.is_own_thread(&there, name) {
                    Ok(thread)
                } else {
                    Err(why)
                }
            }
            Err(why) => Err(why),
        }
    }

    async fn open_channel_thread(
        &self,
        guild: GuildId,
        channel: ChannelId,
        name: &str,
        first: Option<&str>,
    ) -> Result<ChannelId, RestError> {
        if let Some(thread) = self.find_thread(guild, channel, name).await? {
            return Ok(thread);
        }
        let request = RestRequest::post(RestRoute::threads(channel))
            .json(self.build_thread_body(channel, name, first));
        match self.rest.call(request).await {
            Ok(made) => read_channel_id(&made)
                .ok_or_else(|| RestError::Unreadable("a thread without an id".into())),
            Err(why) if why.can_have_happened() => {
                self.find_thread(guild, channel, name).await?.ok_or(why)
            }
            Err(why) => Err(why),
        }
    }

    /// What is asked for, by the kind of channel; below one that is not known a public thread.
    fn build_thread_body(&self, channel: ChannelId, name: &str, first: Option<&str>) -> Value {
        let directory = self.directory();
        let rules = match directory.channels.get(&channel).map(|known| &known.threads) {
            Some(ThreadSupport::Posts(rules)) => rules,
            Some(ThreadSupport::Announcement) => {
                return json!({ "name": name, "type": ANNOUNCEMENT });
            }
            Some(ThreadSupport::Public | ThreadSupport::Unsupported) | None => {
                return json!({ "name": name, "type": PUBLIC });
            }
        };
        let rendered = render_mentions(&directory, channel, first.unwrap_or(name));
        let content = split_pieces(&rendered)
            .into_iter()
            .next()
            .map(|piece| piece.content)
            .unwrap_or_default();
        let users = rendered
            .users
            .iter()
            .filter(|user| content.contains(&format!("<@{user}>")));
        let message =
            json!({ "content": content, "allowed_mentions": build_allowed_mentions(users, false) });
        let manages = directory
            .compute_own_permissions(channel, clock::now())
            .has(PermissionSet::MANAGE_THREADS);
        let tags: Vec<String> = rules
            .choose_tag(name, manages)
            .iter()
            .map(u64::to_string)
            .collect();
        json!({ "name": name, "message": message, "applied_tags": tags })
    }

    /// The thread it has opened under this name a moment ago.
    async fn find_thread(
        &self,
        guild: GuildId,
        channel: ChannelId,
        name: &str,
    ) -> Result<Option<ChannelId>, RestError> {
        let active = self
            .rest
            .call(RestRequest::get(RestRoute::active_threads(guild)))
            .await?;
        let threads = active["threads"].as_array().map_or(&[][..], Vec::as_slice);
        let oldest = snowflake::smallest_snowflake(clock::now() - SAME);
        let is_it = |thread: &&Value| {
            thread["parent_id"].as_str() == Some(&channel.to_string())
                && self.is_own_thread(thread, name)
                && read_channel_id(thread).is_some_and(|id| id.0 > oldest.0)
        };
        Ok(threads.iter().find(is_it).and_then(read_channel_id))
    }

    fn is_own_thread(&self, thread: &Value, name: &str) -> bool {
        thread["owner_id"].as_str() == Some(&self.directory().me.to_string())
            && thread["name"].as_str() == Some(name)
    }
}

fn read_channel_id(channel: &Value) -> Option<ChannelId> {
    channel["id"].as_str()?.parse().ok().map(ChannelId)
}
