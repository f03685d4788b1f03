//! SQLite, where everything is one file: the default.

mod statements;

pub(crate) use statements::STATEMENTS;
