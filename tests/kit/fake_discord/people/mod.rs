//! What people do. Everything is stored as Discord would store it and dispatched to the sessions that may hear it.

mod asks;
mod chats;
mod guilds;
