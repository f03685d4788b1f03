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

pub use address::{MalformedAddress, PartitionLease, PostgresAddress};
pub(crate) use connection::{PostgresConnection, PostgresStatement, read_value};
pub(crate) use cursor::PostgresCursor;
pub use leases::{PartitionLeases, SessionStartQueue};
pub(crate) use link::PostgresError;
pub(crate) use open::{
    connect_beside, is_of_this_format, lock_database, make_tables, open_server, prepare_reading,
};
pub(crate) use tokio_postgres::Row as PostgresRow;
