//! What the task that makes memories tells the loop.

use kith_core::chat::{ChannelId, Millis};

pub(super) struct ConsolidationProgress {
    pub channel: ChannelId,
    pub next: NextConsolidation,
}

pub(super) enum NextConsolidation {
    /// Nothing until something is said.
    Rest,
    /// Look again then: something was said that may still go on, or the store failed.
    At(Millis),
    /// A model failed: do without one.
    WithoutModel,
}
