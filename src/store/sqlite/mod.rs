//! SQLite, where everything is one file: opening and locking it, its tables, copies and repair, and what only it can do.

pub(crate) mod backup;
pub(crate) mod connection;
mod damage;
mod database_copy;
pub(crate) mod file_permissions;
pub(crate) mod lock;
pub(crate) mod open;
pub(crate) mod query;
pub(crate) mod recover;
pub(crate) mod schema;
mod statements;

pub(crate) use statements::STATEMENTS;
