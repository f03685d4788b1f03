//! The gateway: a web socket on loopback that speaks Discord's protocol, version 10, JSON, compressed where that is asked
//! for.

mod control;
mod greet;
mod hub;
pub mod intents;
mod link;
mod packer;

pub use hub::{ConnectionPolicy, Dispatch, Hub};
pub use link::listen;
