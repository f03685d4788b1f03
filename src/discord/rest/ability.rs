//! What the companion needs a permission for on Discord.

use kith_core::chat::{ChannelId, GuildId};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DiscordAbility {
    Send,
    Reply,
    React,
    ReadHistory,
    Type,
    OpenThread,
    Rename,
    Delete,
    /// Delete many messages at once, which is quicker and is not asked for.
    DeleteMany,
}

impl DiscordAbility {
    /// What it is and the permission it takes, as Discord's settings name it.
    pub(super) const fn labels(self) -> (&'static str, &'static str) {
        match self {
            Self::Send => ("post", "Send Messages"),
            Self::Reply => ("reply", "Read Message History"),
            Self::React => ("react", "Add Reactions"),
            Self::ReadHistory => ("read earlier messages", "Read Message History"),
            Self::Type => ("show that it types", "Send Messages"),
            Self::OpenThread => ("open threads", "Create Public Threads"),
            Self::Rename => ("change its nick", "Change Nickname"),
            Self::Delete => ("delete its own messages", "View Channel"),
            Self::DeleteMany => ("delete many messages at once", "Manage Messages"),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum AbilityPlace {
    Channel(ChannelId),
    Guild(GuildId),
}
