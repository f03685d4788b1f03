//! What a turn sees of its channel while it handles an event.

use crate::chat::{Channel, Millis};
use crate::context::DisplayNames;
use crate::intent::ScheduledIntent;
use crate::timeline::Timeline;

/// What a turn sees of its channel while it handles an event.
pub struct TurnContext<'a> {
    pub now: Millis,
    pub channel: &'a Channel,
    /// What was said there, its own lines included.
    pub timeline: &'a Timeline,
    pub intentions: &'a [ScheduledIntent],
    pub names: &'a DisplayNames,
}
