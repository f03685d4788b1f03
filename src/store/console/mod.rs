//! What the console shows of all channels: lists in pages, a day of a channel, sums of what was spent. Reads only, on a
//! connection of its own and within bounds, so that neither the writer nor the companion's own reading waits for it.

mod channel_activity;
mod channel_day;
mod memory_lists;
mod spend_totals;
mod turn_lists;

pub use channel_activity::{ChannelActivity, ChannelRecency};
pub use channel_day::{DayMessage, DayRecord};
pub use spend_totals::{SpendTotal, SpendTotals};
pub use turn_lists::NamedTurn;
