//! PostgreSQL, for who runs more than one file can hold. Statements reach it as they reach SQLite, from the threads that
//! own the connections; what differs stands in this folder.

pub(crate) mod address;
mod append;
mod bulk_copy;
pub(crate) mod connection;
mod cursor;
mod lease_view;
mod leases;
mod link;
mod rewrite;
pub(crate) mod schema;
mod statements;
mod tls;
mod translate;
mod values;

pub use address::{MalformedAddress, PartitionLease, PostgresAddress};
pub(crate) use append::NewMessage;
pub(crate) use connection::{PostgresConnection, PostgresStatement, read_value};
pub(crate) use cursor::PostgresCursor;
pub use lease_view::{LeaseView, LivingProcess};
pub use leases::{PartitionLeases, SessionStartQueue};
pub(crate) use tokio_postgres::Row as PostgresRow;
