//! Whose traces are meant, and where. Pure but for the list of channels it starts with.

use crate::{Store, StoreError};
use kith_core::chat::{ChannelId, GuildId, UserId};
use kith_core::manual_override::OverrideScope;

/// A person, in some channels or everywhere.
#[derive(Clone, Debug)]
pub struct ForgetTarget {
    pub user: UserId,
    limit: Option<ChannelScope>,
}

#[derive(Clone, Debug)]
struct ChannelScope {
    channels: Vec<ChannelId>,
    guilds: Vec<GuildId>,
}

impl ForgetTarget {
    pub fn new(
        store: &Store,
        user: UserId,
        channels: Option<Vec<ChannelId>>,
    ) -> Result<Self, StoreError> {
        let Some(channels) = channels else {
            return Ok(Self { user, limit: None });
        };
        let known = store.channels().wait()?;
        let guilds = known
            .iter()
            .filter(|channel| channels.contains(&channel.id))
            .filter_map(|channel| channel.guild);
        let guilds = guilds.collect();
        Ok(Self {
            user,
            limit: Some(ChannelScope { channels, guilds }),
        })
    }

    pub fn covers(&self, channel: ChannelId) -> bool {
        self.limit
            .as_ref()
            .is_none_or(|within| within.channels.contains(&channel))
    }

    /// These channels; none if it is everywhere.
    pub fn channels(&self) -> Option<&[ChannelId]> {
        self.limit.as_ref().map(|within| within.channels.as_slice())
    }

    /// Whether a choice for this place is one for these channels.
    pub fn covers_place(&self, place: OverrideScope) -> bool {
        match place {
            OverrideScope::Channel(channel) => self.covers(channel),
            OverrideScope::Guild(guild) => self
                .limit
                .as_ref()
                .is_none_or(|within| within.guilds.contains(&guild)),
        }
    }

    /// Whether core memory of this scope is shown in these channels: `guild:1` or `channel:1`.
    pub fn covers_scope(&self, scope: &str) -> bool {
        let id = |kind: &str| scope.strip_prefix(kind).and_then(|id| id.parse().ok());
        let place = id("guild:").map(|id| OverrideScope::Guild(GuildId(id)));
        let place =
            place.or_else(|| id("channel:").map(|id| OverrideScope::Channel(ChannelId(id))));
        place.map_or(self.limit.is_none(), |place| self.covers_place(place))
    }
}
