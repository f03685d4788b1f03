//! The companion's mind. Pure: events and the time come in, effects go out; it knows no clock, file, environment,
//! network or database, and it cannot fail.

pub mod address;
pub mod call;
pub mod chat;
pub mod context;
pub mod effect;
pub mod event;
pub mod heartbeat;
pub mod lane;
pub mod links;
mod mind;
pub mod pacing;
pub mod persona;
pub mod policy;
pub mod protocol;
pub mod report;
pub mod schema;
pub mod timeline;
pub mod turn;
pub mod willingness;

pub use mind::{Core, Inputs, Round, Setup};
