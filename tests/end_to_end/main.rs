//! The program as its users meet it: the real binary, real sockets, a real database, a fake Discord and a fake model.

mod architecture;
mod book;
mod capabilities;
mod cli;
mod cluster_soak;
mod daemon;
mod discord;
mod intents;
mod memory_seed;
mod opened_store;
mod own_tools;
mod recipes;
mod replay_workbench;
mod room_browser;
mod room_entry;
mod settings;
mod setup;
mod soak;
mod store_commands;
