//! What a turn sees of its channel while it handles an event.

use crate::chat::{Channel, Millis};
use crate::context::DisplayNames;
use crate::intent::ScheduledIntent;
use crate::timeline::Timeline;

/// What a turn sees of its channel while it handles an event.
pub struct TurnContext<'a> {
    pub now: Millis,
    /// Where it runs.
    pub channel: &'a Channel,
    /// What was said there, its own lines included.
    pub timeline: &'a Timeline,
    /// What the companion waits for there.
    pub intentions: &'a [ScheduledIntent],
    /// The names people stand under in its prompts.
    pub names: &'a DisplayNames,
}
