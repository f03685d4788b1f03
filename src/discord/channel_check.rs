//! A look at one channel over REST alone, while there is no gateway: where it is, and what the companion may do there.
//! It changes nothing and is seen by nobody.

use std::sync::{Arc, PoisonError, RwLock};

use super::convert::EventConverter;
use super::rest::{RestClient, RestError, RestRequest, RestRoute};
use kith_core::chat::{ChannelId, GuildId, UserId};
use kith_core::directory::{Directory, PermissionSet};
use kith_core::partition::Partition;
use kith_core::persona::Language;
use kith_system::clock;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelLookup {
    /// The channel's guild; none for a direct message.
    pub guild: Option<GuildId>,
    /// Whether messages can be written in it at all.
    pub has_text: bool,
    pub permissions: PermissionSet,
}

/// Looks at a channel as the account `me`.
///
/// # Errors
/// Among others [`RestError::Forbidden`] and [`RestError::NotFound`] where it cannot be seen.
pub async fn look_up_channel(
    rest: &RestClient,
    me: UserId,
    channel: ChannelId,
) -> Result<ChannelLookup, RestError> {
    let channel_json = rest
        .call(RestRequest::get(RestRoute::channel(channel)))
        .await?;
    let directory = Arc::new(RwLock::new(Directory {
        me,
        ..Directory::default()
    }));
    let mut converter = EventConverter::new(Arc::clone(&directory), Language::EN, Partition::WHOLE);
    let guild = channel_json["guild_id"]
        .as_str()
        .and_then(|id| id.parse().ok())
        .map(GuildId);
    if let Some(guild) = guild {
        let mut whole = rest.call(RestRequest::get(RestRoute::guild(guild))).await?;
        whole["members"] = vec![
            rest.call(RestRequest::get(RestRoute::member(guild, me)))
                .await?,
        ]
        .into();
        let mut channels = vec![channel_json.clone()];
        // What a thread allows is said by what it hangs on.
        if let Some(parent) = channel_json["parent_id"]
            .as_str()
            .and_then(|id| id.parse().ok())
        {
            channels.extend(
                rest.call(RestRequest::get(RestRoute::channel(ChannelId(parent))))
                    .await
                    .ok(),
            );
        }
        whole["channels"] = channels.into();
        converter.convert_event("GUILD_CREATE", &whole);
    } else {
        converter.convert_event("CHANNEL_CREATE", &channel_json);
    }
    let directory = directory.read().unwrap_or_else(PoisonError::into_inner);
    let has_text = directory
        .channels
        .get(&channel)
        .is_some_and(|known| known.has_text);
    Ok(ChannelLookup {
        guild,
        has_text,
        permissions: directory.compute_own_permissions(channel, clock::now()),
    })
}
