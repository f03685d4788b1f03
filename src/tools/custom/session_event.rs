//! What can happen to a session that tools may be told.

use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SessionEvent {
    /// It is there: begun, or there again after a restart of Kith.
    Start,
    /// Another profile or other settings hold from here on.
    Switch,
    /// Another session was opened from it.
    Branch,
    /// Its place among the sessions changed.
    Tree,
    Shutdown,
    AutoCompactionStart,
    AutoCompactionEnd,
    AutoRetryStart,
    /// A model call that was made again is over.
    AutoRetryEnd,
    RuleTriggered,
    /// A tool published data; which names somebody wants stands in `on_publish`.
    #[serde(skip_deserializing)]
    Published,
    /// The model was reminded of its list of what is to be done.
    TodoReminder,
}
