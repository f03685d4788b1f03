//! Kith: a companion for group chats.
//!
//! Three rings; a ring imports only the rings below it (`tests/architecture.rs` keeps this true):
//!
//! * the edge: [`cli`], [`daemon`], [`replay`], [`learn`], [`settings`]
//! * the middle rooms: [`turn`], [`platform`], [`commands`], [`observe`], [`tools`], [`memory`], [`model`], [`store`]
//! * the mind: [`core`], pure: no clock, no file, no network, no database
//!
//! Beside them [`clock`], the one place that reads the time, and [`tls`], what all clients trust.
//!
//! ARCHITECTURE.md is the map.

#![warn(clippy::unwrap_used, clippy::expect_used)]

pub mod cli;
pub mod clock;
pub mod commands;
pub mod core;
pub mod daemon;
pub mod learn;
pub mod memory;
pub mod model;
pub mod observe;
pub mod platform;
pub mod replay;
pub mod settings;
pub mod store;
pub mod tls;
pub mod tools;
pub mod turn;
