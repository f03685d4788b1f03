//! The companion's mind. Pure: events and the time come in, effects go out; it knows no clock, file, environment,
//! network or database, and it cannot fail.

pub mod address;
pub mod back_off;
pub mod bilingual;
pub mod by_hand;
pub mod call;
pub mod chat;
pub mod compaction;
pub mod context;
pub mod directory;
pub mod effect;
pub mod event;
pub mod heartbeat;
pub mod hours;
pub mod intent;
pub mod lane;
pub mod links;
pub mod manners;
pub mod message_guard;
mod mind;
pub mod moderation;
pub mod non_speech;
pub mod outgoing;
pub mod pacing;
pub mod people;
pub mod persona;
pub mod plan;
pub mod policy;
pub mod proposal;
pub mod proposed_call;
pub mod protocol;
pub mod redactor;
pub mod report;
pub mod schema;
pub mod secret;
pub mod session;
pub mod shorten;
pub mod skill;
pub mod sound;
pub mod split;
pub mod sticker;
pub mod talkativeness;
pub mod timeline;
pub mod turn;
pub mod willingness;

pub use mind::{Core, Inputs, Round, Setup};
