//! The companion's mind. Pure: events and the time come in, effects go out; it knows no clock, file, environment,
//! network or database, and it cannot fail.

#![warn(clippy::unwrap_used, clippy::expect_used)]

pub mod address;
pub mod answer_split;
pub mod approval;
pub mod back_off;
mod burst_window;
pub mod calendar;
pub mod call;
pub mod channel;
pub mod chat;
mod closing;
pub mod compaction;
pub mod consolidation;
pub mod context;
mod curve;
pub mod daily_hours;
pub mod directory;
pub mod effect;
mod engine;
pub mod event;
pub mod group_expressions;
pub mod heartbeat;
pub mod honesty;
pub mod intent;
mod link_clue;
pub mod links;
pub mod lore;
pub mod manual_override;
pub mod memory_entry;
pub mod message_guard;
pub mod message_shape;
pub mod message_split;
mod model_outcome;
pub mod moderation;
pub mod non_speech;
pub mod outgoing;
pub mod partition;
mod permission_set;
pub mod persona;
pub mod phrase;
pub mod plan;
pub mod policy;
pub mod preference;
pub mod proposed_call;
pub mod protocol;
pub mod quiet_request;
pub mod quotes;
pub mod recall;
pub mod redactor;
pub mod report;
pub mod schema;
pub mod secret;
pub mod sensitive_topics;
pub mod session;
mod signal;
pub mod similarity;
pub mod skill;
pub mod sticker;
pub mod style;
pub mod talkativeness;
#[cfg(test)]
mod test_languages;
pub mod text_encoding;
pub mod text_piece;
pub mod timeline;
pub mod topic;
pub mod transcript_roles;
pub mod truncate;
pub mod turn;
mod typing_time;
mod weights;
pub mod willingness;
pub mod word;

pub use engine::{Core, CoreSetup, RenderInputs, RoundPrompt};
