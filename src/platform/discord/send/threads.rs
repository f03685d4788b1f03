//! Opens threads. Discord knows no nonce for them, so it is looked first whether the companion has opened this very one a
//! moment ago: done twice is the same as done once.

use serde_json::{Value, json};

use super::Courier;
use crate::clock;
use crate::core::chat::{ChannelId, GuildId, MINUTE, MessageId, Millis};
use crate::platform::discord::rest::{Call, RestError, Route, Safety};
use crate::platform::discord::snowflake;

/// A thread of the companion's by the same name that is younger than this is the one that is asked for.
const SAME: Millis = 10 * MINUTE;
/// Discord's number for a thread everybody can see.
const PUBLIC: u32 = 11;
/// Discord's code: the message has a thread.
const HAS_THREAD: u32 = 160_004;

impl Courier {
    /// Opens a thread in a channel, at a message of it where one is named, and answers which it is.
    ///
    /// # Errors
    /// Where it may not; [`RestError::Invalid`] where the message has a thread of another name.
    pub async fn open_thread(
        &self,
        (guild, channel): (GuildId, ChannelId),
        on: Option<MessageId>,
        name: &str,
    ) -> Result<ChannelId, RestError> {
        match on {
            Some(message) => self.thread_at(channel, message, name).await,
            None => self.thread_in(guild, channel, name).await,
        }
    }

    /// A thread at a message has the message's id, so there is only one.
    async fn thread_at(&self, channel: ChannelId, message: MessageId, name: &str) -> Result<ChannelId, RestError> {
        let thread = ChannelId(message.0);
        let asked = Call::post(Route::thread_at(channel, message)).json(json!({ "name": name }));
        let asked = asked.safety(Safety::Idempotent);
        match self.rest.call(asked).await {
            Ok(_) => Ok(thread),
            Err(why @ RestError::Invalid { code: HAS_THREAD, .. }) => {
                let there = self.rest.call(Call::get(Route::channel(thread))).await?;
                if self.is_mine(&there, name) { Ok(thread) } else { Err(why) }
            }
            Err(why) => Err(why),
        }
    }

    async fn thread_in(&self, guild: GuildId, channel: ChannelId, name: &str) -> Result<ChannelId, RestError> {
        if let Some(thread) = self.find_thread(guild, channel, name).await? {
            return Ok(thread);
        }
        let asked = Call::post(Route::threads(channel)).json(json!({ "name": name, "type": PUBLIC }));
        match self.rest.call(asked).await {
            Ok(made) => id(&made).ok_or_else(|| RestError::Unreadable("a thread without an id".into())),
            Err(why) if why.may_have_happened() => self.find_thread(guild, channel, name).await?.ok_or(why),
            Err(why) => Err(why),
        }
    }

    /// The thread it has opened under this name a moment ago.
    async fn find_thread(
        &self,
        guild: GuildId,
        channel: ChannelId,
        name: &str,
    ) -> Result<Option<ChannelId>, RestError> {
        let active = self.rest.call(Call::get(Route::active_threads(guild))).await?;
        let threads = active["threads"].as_array().map_or(&[][..], Vec::as_slice);
        let oldest = snowflake::id_at(clock::now() - SAME);
        let is_it = |thread: &&Value| {
            thread["parent_id"].as_str() == Some(&channel.to_string())
                && self.is_mine(thread, name)
                && id(thread).is_some_and(|id| id.0 > oldest.0)
        };
        Ok(threads.iter().find(is_it).and_then(id))
    }

    fn is_mine(&self, thread: &Value, name: &str) -> bool {
        thread["owner_id"].as_str() == Some(&self.directory().me.to_string()) && thread["name"].as_str() == Some(name)
    }
}

fn id(channel: &Value) -> Option<ChannelId> {
    channel["id"].as_str()?.parse().ok().map(ChannelId)
}
