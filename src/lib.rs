//! Kith: a companion for group chats. This crate is the program: the [`daemon`], several of them in a
//! [`cluster`], its [`settings`] and the command line
//! ([`cli`]); every other folder beside it is a crate of its own.
//!
//! ARCHITECTURE.md is the map.

#![warn(clippy::unwrap_used, clippy::expect_used)]

pub mod cli;
pub mod cluster;
pub mod daemon;
pub mod settings;
