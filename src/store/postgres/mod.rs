//! PostgreSQL, for who runs more than one file can hold. Statements reach it as they reach SQLite, from the threads that
//! own the connections; what differs stands in this folder.

mod address;
mod append;
mod bulk_copy;
mod connection;
mod cursor;
mod leases;
mod link;
mod open;
mod rewrite;
mod schema;
mod statements;
mod tls;
mod translate;
mod values;
mod words;

pub use address::{AddressProblem, PartitionLease, PostgresAddress};
pub(crate) use append::NewMessage;
pub(crate) use bulk_copy::CopiedColumn;
pub(crate) use connection::{PostgresConnection, PostgresStatement};
pub(crate) use cursor::PostgresCursor;
pub use leases::{LeaseView, LivingProcess, PartitionLeases, SessionStartQueue};
pub(crate) use link::{PostgresError, PostgresFault};
pub(crate) use open::{
    connect_beside, is_of_this_format, lock_database, make_tables, open_server, prepare_reading,
};
pub(crate) use statements::{COUNT_MESSAGES, STATEMENTS};
pub(crate) use values::read_value;
pub(crate) use words::{
    encode_vector, format_query, format_sharing_query, format_vector, split_words,
};
