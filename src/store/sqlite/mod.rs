//! SQLite, where everything is one file: connecting to it and locking it, its tables, its damage, and what only it can do.

pub(crate) mod connection;
pub(crate) mod damage;
pub(crate) mod file_permissions;
pub(crate) mod lock;
pub(crate) mod schema;
mod statements;

pub(crate) use statements::STATEMENTS;
