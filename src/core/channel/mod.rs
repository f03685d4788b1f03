//! One channel's state machine: hears messages, waits bursts out, decides, and holds the running turn.
//! It acts on its own channel only; places for turns are handed out by the core.

mod answer_candidate;
mod attempt_counts;
mod attempt_limit;
mod author_wait;
mod bots;
mod channel_state;
mod decisions;
mod deferred_address;
mod deferred_addresses;
mod demands;
mod initiative;
mod initiative_counts;
mod intents;
mod judge;
mod late_turn;
mod liveliness;
mod message_changes;
mod messages;
mod open_question;
mod others_talk;
mod pending_intents;
mod pending_message;
mod proactive_opening;
mod prompt_view;
mod questions;
mod quiet_period;
mod quiet_requests;
mod rapport;
mod reactions;
mod refusals;
mod saved_state;
mod second_line;
mod seen_messages;
mod small_reactions;
mod snapshot;
mod threshold;
mod turn_end;

pub use channel_state::ChannelState;
pub use demands::{ChannelDemands, DecisionContext, TurnImpact};
pub use initiative_counts::InitiativeCounts;
pub use open_question::OpenQuestion;
pub use quiet_period::{QUIET_LASTS, QuietPeriod};
pub use saved_state::SavedChannelState;
pub use snapshot::ChannelSnapshot;
