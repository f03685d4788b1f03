//! Who may cause a tool to run, where, and how often (Law 10). A message never lends its author's authority: everybody
//! who spoke to the companion in the turn must be allowed, and where it woke by itself nobody is.

use std::collections::{HashMap, VecDeque};
use std::sync::{Mutex, PoisonError};

use serde::{Deserialize, Serialize};

use kith_core::approval::APPROVAL_MINUTES;
use kith_core::chat::{ChannelId, HOUR, Millis};

kith_core::setting_table! {
    /// Who may cause a tool or action to run by speaking to the companion, and how often, by its name; not for those that
    /// every turn is made of. Of several who spoke to it all must be allowed, and where it woke by itself only what anyone
    /// may cause runs. What is denied is told to the model and stands in the turn's report.
    #[derive(Eq)]
    pub struct ToolPermission {
        /// `"anyone"`, `"moderators"` (who may manage the server), `"host"`, or `{ roles = ["Cook"] }`, by name or id, which
        /// moderators and the host may, too.
        #[setting(Example("\"moderators\""))]
        pub caused_by: PermittedCallers,
        /// Whether it is there in direct messages.
        pub direct_messages: bool = true,
        /// How often it runs an hour in a channel at the most; not set: as often as it likes.
        #[setting(Example("20"))]
        pub most_an_hour: Option<u32>,
        /// Whether a person has to approve each call before it runs, by a click in the log channel (a member who may manage
        /// the server, or the host) or in the room. What runs is what was shown. Not for `task`; in a task, tools that wait
        /// for a click are not there.
        pub approval: bool,
        /// How long a click is waited for.
        #[setting(Range(1.0, 10_080.0), Unit("minutes"))]
        pub approval_minutes: u32 = APPROVAL_MINUTES,
    }
}

kith_core::setting_values!(PermittedCallers);
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PermittedCallers {
    /// Anybody, and the companion by itself.
    #[default]
    Anyone,
    /// Members with one of these roles, by name or id, and whoever comes below.
    Roles(Vec<String>),
    /// Members who may manage the server, and the host.
    Moderators,
    Host,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CallerRights {
    pub is_operator: bool,
    pub is_moderator: bool,
    /// Their roles there, each by its name and by its id.
    pub roles: Vec<String>,
}

impl PermittedCallers {
    pub(super) fn is_permitted(&self, rights: &CallerRights) -> bool {
        match self {
            Self::Anyone => true,
            Self::Roles(names) => {
                rights.is_operator
                    || rights.is_moderator
                    || names.iter().any(|name| rights.roles.contains(name))
            }
            Self::Moderators => rights.is_operator || rights.is_moderator,
            Self::Host => rights.is_operator,
        }
    }
}

#[derive(Debug, Default)]
pub struct ToolUses(Mutex<HashMap<(ChannelId, String), VecDeque<Millis>>>);

impl ToolUses {
    /// Counts one more, unless `most` were in the last hour.
    pub(super) fn count_use(&self, channel: ChannelId, name: &str, most: u32, now: Millis) -> bool {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let times = all.entry((channel, name.to_owned())).or_default();
        while times.front().is_some_and(|at| *at <= now - HOUR) {
            times.pop_front();
        }
        let is_free = times.len() < most as usize;
        if is_free {
            times.push_back(now);
        }
        is_free
    }
}
