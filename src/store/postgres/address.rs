//! Where a server is, and who asks it. Never shows the password.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};

/// How long one attempt to connect may take.
const CONNECT_WITHIN: Duration = Duration::from_secs(10);
/// After so long without an answer a link counts as cut: where something was sent, …
const SILENT_FOR: Duration = Duration::from_secs(30);
/// … and where nothing was, a quiet link is asked, again this often, and so many times.
const ASKED_AGAIN: Duration = Duration::from_secs(10);
const ASKED_MOST: u32 = 3;

/// A database on a PostgreSQL server.
#[derive(Clone)]
pub struct PostgresAddress {
    config: Config,
}

/// An address that is none. Holds no part of it, for it may hold a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AddressProblem;

impl PostgresAddress {
    /// What the client connects with.
    pub(super) fn config(&self) -> &Config {
        &self.config
    }

    /// Whether the link may, or must, be encrypted. A socket of this machine is not.
    pub(super) fn wants_tls(&self) -> bool {
        let is_local = |host: &Host| !matches!(host, Host::Tcp(_));
        self.config.get_ssl_mode() != SslMode::Disable
            && !self.config.get_hosts().iter().all(is_local)
    }

    /// Host and database, for error texts.
    pub fn to_shown_path(&self) -> PathBuf {
        PathBuf::from(self.to_string())
    }
}

impl FromStr for PostgresAddress {
    type Err = AddressProblem;

    fn from_str(url: &str) -> Result<Self, AddressProblem> {
        let is_url = ["postgres://", "postgresql://"]
            .iter()
            .any(|scheme| url.starts_with(scheme));
        let mut config: Config = match url.trim().parse() {
            Ok(config) if is_url => config,
            _ => return Err(AddressProblem),
        };
        if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
            return Err(AddressProblem);
        }
        config.application_name("kith");
        config.connect_timeout(CONNECT_WITHIN);
        config.keepalives_idle(SILENT_FOR);
        config.keepalives_interval(ASKED_AGAIN);
        config.keepalives_retries(ASKED_MOST);
        config.tcp_user_timeout(SILENT_FOR);
        Ok(Self { config })
    }
}

impl fmt::Display for PostgresAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("postgres://")?;
        match self.config.get_hosts().first() {
            Some(Host::Tcp(name)) => f.write_str(name)?,
            #[cfg(unix)]
            Some(Host::Unix(folder)) => write!(f, "{}", folder.display())?,
            None => {}
        }
        write!(f, "/{}", self.config.get_dbname().unwrap_or_default())
    }
}

impl fmt::Debug for PostgresAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_shows_where_the_server_is_and_never_the_password() {
        let address: PostgresAddress = "postgresql://kith:hunter2@db.example:5433/talk"
            .parse()
            .expect("an address");
        for shown in [format!("{address}"), format!("{address:?}")] {
            assert_eq!(shown, "postgres://db.example/talk");
        }
    }

    #[test]
    fn what_is_no_address_of_a_server_is_refused() {
        for wrong in [
            "",
            "data/kith.db",
            "mysql://db/talk",
            "postgres://",
            "host=db",
        ] {
            assert!(PostgresAddress::from_str(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn a_socket_of_this_machine_is_not_encrypted_and_a_host_is() {
        let wants = |url: &str| {
            url.parse::<PostgresAddress>()
                .expect("an address")
                .wants_tls()
        };
        assert!(!wants("postgres://kith@%2Frun%2Fpostgresql/talk"));
        assert!(wants("postgres://kith@db.example/talk"));
        assert!(!wants("postgres://kith@db.example/talk?sslmode=disable"));
    }
}
