//! Where a server is, and who asks it. Never shows the password.

use std::fmt;
use std::net::IpAddr;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode};

use kith_core::partition::Partition;

/// What sessions call themselves that write a leased partition.
pub(super) const LEASED: &str = "kith partition";
const CONNECT_WITHIN: Duration = Duration::from_secs(10);
/// After so long without an answer a link counts as cut: where something was sent, …
const SILENT_FOR: Duration = Duration::from_secs(30);
/// … and where nothing was, a quiet link is asked, again this often, and so many times.
const ASKED_AGAIN: Duration = Duration::from_secs(10);
const ASKED_MOST: u32 = 3;

#[derive(Clone)]
pub struct PostgresAddress {
    config: Config,
    partition: Option<Partition>,
    lease: Option<PartitionLease>,
}

/// A partition that this process holds, and the proof of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PartitionLease {
    pub partition: Partition,
    /// Grows with each holder.
    pub(super) token: i64,
    /// The schema of the address, in which the leases stand.
    pub(super) schema: String,
}

impl PartitionLease {
    pub(crate) fn table(&self, name: &str) -> String {
        format!("\"{}\".{name}", self.schema.replace('"', "\"\""))
    }

    /// The schema with the partition's tables: the first has that of the address, each other one of its own.
    pub(super) fn partition_schema(&self) -> String {
        self.schema.clone() + &partition_suffix(self.partition)
    }
}

pub(crate) struct ExpectedDivision {
    pub count: u16,
    /// The name of the schema in which the leases stand, as SQL for a link to the partition.
    pub base_schema: String,
}

impl PostgresAddress {
    pub(super) fn config(&self) -> &Config {
        &self.config
    }

    pub fn leased(&self, lease: &PartitionLease) -> Self {
        let mut leased = self.in_partition(lease.partition);
        leased.config.application_name(LEASED);
        leased.lease = Some(lease.clone());
        leased
    }

    /// One of several partitions, on the same server.
    pub fn in_partition(&self, partition: Partition) -> Self {
        Self {
            partition: Some(partition),
            ..self.clone()
        }
    }

    /// Into how many partitions its database has to be divided; none where the leases have been asked.
    pub(crate) fn expected_division(&self) -> Option<ExpectedDivision> {
        let partition = self.partition.unwrap_or(Partition::WHOLE);
        let suffix = partition_suffix(partition).len();
        self.lease.is_none().then(|| ExpectedDivision {
            count: partition.count(),
            base_schema: format!("left(current_schema(), length(current_schema()) - {suffix})"),
        })
    }

    /// What a new link is told first: where the tables of the partition are. The first has the schema of the address, each
    /// other one of its own.
    pub(super) fn choose_schema(&self) -> Option<String> {
        let partition = self.partition.filter(|partition| !partition.is_first())?;
        let suffix = partition_suffix(partition);
        Some(format!(
            "SELECT set_config('search_path', quote_ident(current_schema() || '{suffix}'), false)"
        ))
    }

    /// What must hold where it is written.
    pub(super) fn lease(&self) -> Option<&PartitionLease> {
        self.lease.as_ref()
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

/// The text is not the address of a server. Holds no part of it, for it may hold a password.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MalformedAddress;

impl FromStr for PostgresAddress {
    type Err = MalformedAddress;

    fn from_str(url: &str) -> Result<Self, MalformedAddress> {
        let is_url = ["postgres://", "postgresql://"]
            .iter()
            .any(|scheme| url.starts_with(scheme));
        let mut config: Config = match url.trim().parse() {
            Ok(config) if is_url => config,
            _ => return Err(MalformedAddress),
        };
        // By a number alone no certificate could be held against a name, and the link would not be encrypted.
        if config.get_hosts().is_empty() {
            return Err(MalformedAddress);
        }
        if !names_ssl_mode(url) && goes_over_a_network(&config) {
            config.ssl_mode(SslMode::Require);
        }
        config.application_name("kith");
        config.connect_timeout(CONNECT_WITHIN);
        config.keepalives_idle(SILENT_FOR);
        config.keepalives_interval(ASKED_AGAIN);
        config.keepalives_retries(ASKED_MOST);
        config.tcp_user_timeout(SILENT_FOR);
        Ok(Self {
            config,
            partition: None,
            lease: None,
        })
    }
}

fn partition_suffix(partition: Partition) -> String {
    match partition.number() {
        0 => String::new(),
        number => format!("_partition_{number}"),
    }
}

/// Whether the address says itself how far links are encrypted.
fn names_ssl_mode(url: &str) -> bool {
    let parameters = url.split_once('?').map_or("", |(_, parameters)| parameters);
    let mut parameters = parameters.split('&');
    parameters.any(|parameter| parameter.trim().starts_with("sslmode="))
}

fn goes_over_a_network(config: &Config) -> bool {
    let is_far = |host: &Host| match host {
        Host::Tcp(name) => {
            let address = name.trim_matches(['[', ']']).parse::<IpAddr>();
            name != "localhost" && !address.is_ok_and(|address| address.is_loopback())
        }
        #[cfg(unix)]
        Host::Unix(_) => false,
    };
    config.get_hosts().iter().any(is_far)
        || config
            .get_hostaddrs()
            .iter()
            .any(|address| !address.is_loopback())
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
impl PartitionLease {
    /// One that no server gave.
    pub fn of_token(partition: Partition, token: i64) -> Self {
        Self {
            partition,
            token,
            schema: "any".into(),
        }
    }
}

#[cfg(test)]
impl PostgresAddress {
    /// A schema of its own on the server that tests share; none where PostgreSQL is not installed.
    pub fn of_new_schema() -> Option<Self> {
        let server = kith_testkit::postgres::PostgresServer::shared()?;
        Some(server.make_schema().url.parse().expect("an address"))
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
            "postgres://kith@/talk?hostaddr=192.0.2.7",
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

    #[test]
    fn a_link_that_leaves_the_machine_is_encrypted_or_there_is_none_unless_the_address_says_otherwise()
     {
        let insists = |url: &str| {
            let address = url.parse::<PostgresAddress>().expect("an address");
            address.config().get_ssl_mode() == SslMode::Require
        };
        for far in [
            "postgres://kith@db.example/talk",
            "postgres://kith@192.0.2.7:5433/talk?application_name=x",
            "postgres://kith@localhost/talk?hostaddr=192.0.2.7",
            "postgres://kith@localhost,db.example/talk",
            "postgres://kith@[2001:db8::7]/talk",
            "postgres://kith@localhost/talk?sslmode=require",
        ] {
            assert!(insists(far), "{far}");
        }
        for near_or_chosen in [
            "postgres://kith@localhost/talk",
            "postgres://kith@127.0.0.1/talk",
            "postgres://kith@[::1]/talk",
            "postgres://kith@%2Frun%2Fpostgresql/talk",
            "postgres://kith@db.example/talk?sslmode=prefer",
            "postgres://kith@db.example/talk?connect_timeout=3&sslmode=disable",
        ] {
            assert!(!insists(near_or_chosen), "{near_or_chosen}");
        }
    }
}
