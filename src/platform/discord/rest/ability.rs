//! What the companion turned out not to be allowed to do somewhere. It is not tried there again until the channel or
//! its permissions change: Discord counts refusals, and 10,000 of them are a ban.

use std::collections::HashSet;

use super::error::RestError;
use crate::core::chat::{ChannelId, GuildId};

/// Something one may be allowed to do in a place or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Ability {
    /// Post messages.
    Send,
    /// Post messages as replies.
    Reply,
    /// React to messages.
    React,
    /// Read what was said before.
    ReadHistory,
    /// Show that it types.
    Type,
    /// Open threads.
    OpenThread,
    /// Change its own nick.
    Rename,
    /// Delete messages of its own.
    Delete,
    /// Delete many messages at once, which is quicker and is not asked for.
    DeleteMany,
}

impl Ability {
    /// What it is and the permission it takes, as Discord's settings name it.
    pub(super) const fn words(self) -> (&'static str, &'static str) {
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

/// Where an ability is missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Spot {
    Channel(ChannelId),
    Guild(GuildId),
}

/// Refusals that are about one message or one person, or about this machine: they say nothing about the channel.
/// (Explicit content, a harmful link or another filter; somebody else's message; a system message; blocked by the author;
/// a network Discord does not trust.)
const SINGLE: &[u32] = &[20009, 20031, 40333, 50005, 50021, 90001, 240_000];
/// "Cannot reply without permission to read message history."
const CANNOT_REPLY: u32 = 160_002;

/// Every ability that is off.
#[derive(Debug, Default)]
pub(super) struct SwitchedOff(HashSet<(Spot, Ability)>);

impl SwitchedOff {
    pub fn contains(&self, spot: Spot, ability: Ability) -> bool {
        self.0.contains(&(spot, ability)) || (ability == Ability::Type && self.0.contains(&(spot, Ability::Send)))
    }

    /// Learns from a refusal of a call that needs `ability`; answers what is off now and was not before.
    pub fn learn(&mut self, spot: Spot, ability: Ability, error: &RestError) -> Option<Ability> {
        let ability = match error {
            RestError::Forbidden { code: Some(CANNOT_REPLY), .. } | RestError::Invalid { code: CANNOT_REPLY, .. } => {
                Ability::Reply
            }
            RestError::Forbidden { code: Some(code), .. } if !SINGLE.contains(code) => ability,
            _ => return None,
        };
        self.0.insert((spot, ability)).then_some(ability)
    }

    /// A channel or its permissions changed.
    pub fn changed(&mut self, spot: Spot) {
        self.0.retain(|(off, _)| *off != spot);
    }
}
