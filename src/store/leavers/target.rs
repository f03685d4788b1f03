//! Whose traces are meant, and where. Pure; knows no table.

use kith_core::chat::{Channel, ChannelId, GuildId, UserId};
use kith_core::manual_override::OverrideScope;

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
    /// `known` are all channels there are.
    pub fn new(user: UserId, channels: Option<Vec<ChannelId>>, known: &[Channel]) -> Self {
        let limit = channels.map(|channels| {
            let here = known
                .iter()
                .filter(|channel| channels.contains(&channel.id));
            let guilds = here.filter_map(|channel| channel.guild).collect();
            ChannelScope { channels, guilds }
        });
        Self { user, limit }
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
