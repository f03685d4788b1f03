//! The engines that a store can stand on, side by side: a file, and a PostgreSQL server where one is installed.

use std::path::Path;

use kith_testkit::postgres::{PostgresSchema, PostgresServer};
use rusqlite::{Connection, OpenFlags};

/// An engine; a server has a database of its own, and ends with this.
pub struct Engine {
    /// As a table shows it.
    pub name: &'static str,
    server: Option<(PostgresServer, PostgresSchema)>,
}

impl Engine {
    /// All that are here.
    pub fn find_all() -> Vec<Self> {
        let mut engines = vec![Self {
            name: "SQLite",
            server: None,
        }];
        match PostgresServer::start_durable() {
            Ok(server) => {
                let schema = server.make_schema();
                engines.push(Self {
                    name: "PostgreSQL",
                    server: Some((server, schema)),
                });
            }
            Err(why) => println!("skipped: nothing is measured on PostgreSQL: {why}"),
        }
        engines
    }

    /// Where the server is; none for a file.
    pub fn url(&self) -> Option<&str> {
        let (_, schema) = self.server.as_ref()?;
        Some(&schema.url)
    }

    /// The number that a statement answers with; without a server this file answers.
    pub fn read_number(&self, file: &Path, sql: &str) -> i64 {
        match &self.server {
            Some((server, schema)) => {
                let told = server.run_sql(&format!("SET search_path TO {}; {sql}", schema.name));
                told.parse().expect("a number")
            }
            None => Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)
                .and_then(|conn| conn.query_row(sql, [], |row| row.get(0)))
                .expect("a number"),
        }
    }
}
