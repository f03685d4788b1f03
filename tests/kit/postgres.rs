//! A PostgreSQL server of Debian's package `postgresql`, on a socket in a temporary folder. It ends with the process that
//! started it, however that ends.

use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::net::Ipv4Addr;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::thread::sleep;
use std::time::Duration;

use memchr::memmem;

use crate::{PATIENCE, say_skipped};

/// The account that Debian's package makes; the server refuses to run as root.
const ACCOUNT: &str = "postgres";
const MISSING: &str = "it is not installed (apt-get install postgresql)";
/// Nothing has to outlive the machine.
const OPTIONS: &str = "-c fsync=off -c full_page_writes=off -c listen_addresses= -c max_connections=300 -c shared_buffers=64MB \
    -c autovacuum_naptime=1s -c unix_socket_directories=";
/// Runs the server until nobody holds the other end of standard input any more.
const WATCH: &str = r#""$1/postgres" -D "$2/data" $3 >"$2/log" 2>&1 &
cat >/dev/null
"$1/pg_ctl" -D "$2/data" -m immediate stop >/dev/null; wait; rm -rf "$2""#;

const CUT_LINKS: &str =
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'kith%'";

pub struct PostgresServer {
    folder: PathBuf,
    programs: PathBuf,
    watcher: Child,
}

/// A database of its own on a server: a schema nobody else uses.
#[derive(Clone, Debug)]
pub struct PostgresSchema {
    /// The address, as `store.url` takes it.
    pub url: String,
    pub name: String,
}

impl PostgresSchema {
    /// The schema with the tables of a partition, where the database is divided.
    pub fn of_partition(&self, number: u16) -> String {
        match number {
            0 => self.name.clone(),
            _ => format!("{}_partition_{number}", self.name),
        }
    }
}

impl PostgresServer {
    /// The server of this process; none, with a word, where PostgreSQL is not installed.
    pub fn shared() -> Option<&'static Self> {
        static SERVER: OnceLock<Option<PostgresServer>> = OnceLock::new();
        SERVER.get_or_init(Self::start_or_skip).as_ref()
    }

    /// Starts a server of a test's own; none, with a word, where PostgreSQL is not installed.
    ///
    /// # Panics
    /// It is installed and does not start: the tests would be green on nothing.
    pub fn start_or_skip() -> Option<Self> {
        Self::unless_missing(Self::start)
    }

    fn unless_missing(start: impl FnOnce() -> Result<Self, String>) -> Option<Self> {
        if find_programs().is_none() {
            say_skipped(&format!("nothing is tried on PostgreSQL: {MISSING}"));
            return None;
        }
        match start() {
            Ok(server) => Some(server),
            Err(why) => panic!("PostgreSQL is installed here and does not start: {why}"),
        }
    }

    /// Starts a server.
    ///
    /// # Errors
    /// Why there is none.
    pub fn start() -> Result<Self, String> {
        Self::start_with(|_| Ok(String::new()))
    }

    /// Starts a server whose commits outlive the machine, as an installed one's do: what is measured counts then.
    ///
    /// # Errors
    /// Why there is none.
    pub fn start_durable() -> Result<Self, String> {
        Self::start_with(|_| Ok(" -c fsync=on -c full_page_writes=on".to_owned()))
    }

    /// Starts a server that is also reached over the network of this machine, at [`PostgresServer::network_address`], by
    /// encrypted links only; none, with a word, where PostgreSQL is not installed. Certificate and key are PEM.
    ///
    /// # Panics
    /// It is installed and does not start.
    pub fn start_encrypted_or_skip(certificate: &str, key: &str) -> Option<Self> {
        let furnish = |folder: &Path| {
            // The server refuses a key that others may read.
            write_as_account(&folder.join("server.crt"), certificate)?;
            write_as_account(&folder.join("server.key"), key)?;
            let who = "local all all trust\nhostssl all all 127.0.0.0/8 trust\n";
            write_as_account(&folder.join("data/pg_hba.conf"), who)?;
            let (folder, address) = (folder.display(), Self::network_address());
            Ok(format!(
                " -c ssl=on -c ssl_cert_file={folder}/server.crt -c ssl_key_file={folder}/server.key -c listen_addresses={address}"
            ))
        };
        Self::unless_missing(|| Self::start_with(furnish))
    }

    /// An address of the loopback network that is this process' own, so that the port need not be looked for.
    pub fn network_address() -> Ipv4Addr {
        let [_, high, middle, low] = std::process::id().to_be_bytes();
        Ipv4Addr::new(127, 64 | high, middle, low)
    }

    /// `furnish` writes into the folder before the start, and answers with further options.
    fn start_with(furnish: impl Fn(&Path) -> io::Result<String>) -> Result<Self, String> {
        let programs = find_programs().ok_or(MISSING)?;
        let folder = make_folder().map_err(|error| format!("no folder for it: {error}"))?;
        let made = run_as_account(&programs.join("initdb"))
            .args([
                "--auth=trust",
                "--username=kith",
                "--encoding=UTF8",
                // As most servers have it: it writes letters of every language small.
                "--locale=C.UTF-8",
                "--no-sync",
            ])
            .arg("-D")
            .arg(folder.join("data"))
            .output()
            .map_err(|error| format!("initdb does not run: {error}"))?;
        if !made.status.success() {
            let _ = fs::remove_dir_all(&folder);
            return Err(String::from_utf8_lossy(&made.stderr).into_owned());
        }
        let options = furnish(&folder).map_err(|error| error.to_string())?;
        let watcher = run_as_account(Path::new("/bin/sh"))
            .args(["-c", WATCH, "sh"])
            .arg(&programs)
            .arg(&folder)
            .arg(format!("{OPTIONS}{}{options}", folder.display()))
            // Who stops the tests stops their group of processes: this one tidies up then.
            .process_group(0)
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| error.to_string())?;
        let server = Self {
            folder,
            programs,
            watcher,
        };
        server.wait_until_ready()?;
        Ok(server)
    }

    fn wait_until_ready(&self) -> Result<(), String> {
        let end = kith_system::clock::monotonic() + PATIENCE;
        while !self.folder.join(".s.PGSQL.5432").exists() || self.try_sql("SELECT 1").is_err() {
            if kith_system::clock::monotonic() >= end {
                let log = fs::read_to_string(self.folder.join("log")).unwrap_or_default();
                return Err(format!("it does not start: {log}"));
            }
            sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    /// A database that holds nothing yet.
    pub fn make_schema(&self) -> PostgresSchema {
        static NUMBER: AtomicU32 = AtomicU32::new(1);
        let name = format!("kith_{}", NUMBER.fetch_add(1, Ordering::Relaxed));
        self.run_sql(&format!("CREATE SCHEMA {name}"));
        let url = self.format_url("kith", &name);
        PostgresSchema { url, name }
    }

    /// A database of that name that holds nothing yet, of a role of its own that has no rights but there. The role is named
    /// like the schema.
    pub fn make_plain_schema(&self, name: &str) -> PostgresSchema {
        self.run_sql(&format!(
            "CREATE ROLE \"{name}\" LOGIN; CREATE SCHEMA \"{name}\" AUTHORIZATION \"{name}\""
        ));
        let url = self.format_url(name, &format!("%22{name}%22"));
        PostgresSchema {
            url,
            name: format!("\"{name}\""),
        }
    }

    fn format_url(&self, role: &str, schema: &str) -> String {
        let folder = self.folder.display().to_string().replace('/', "%2F");
        format!("postgres://{role}@{folder}/postgres?options=-csearch_path%3D{schema}")
    }

    /// What statements answer, a row a line.
    pub fn run_sql(&self, sql: &str) -> String {
        match self.try_sql(sql) {
            Ok(told) => told,
            Err(why) => panic!("{sql}: {why}"),
        }
    }

    /// The same, where the server may be away.
    ///
    /// # Errors
    /// What the server or its client said.
    pub fn try_sql(&self, sql: &str) -> Result<String, String> {
        self.try_each([sql])
    }

    /// Statements one after the other: psql before version 15 shows only the last answer of several in one text.
    fn try_each(
        &self,
        statements: impl IntoIterator<Item = impl Into<String>>,
    ) -> Result<String, String> {
        let statements = statements.into_iter().map(Into::into);
        let told = self
            .build_psql()
            .args(["-v", "ON_ERROR_STOP=1"])
            .args(statements.flat_map(|statement: String| ["-c".to_owned(), statement]))
            .output()
            .map_err(|error| error.to_string())?;
        if told.status.success() {
            Ok(String::from_utf8_lossy(&told.stdout).trim().to_owned())
        } else {
            Err(String::from_utf8_lossy(&told.stderr).into_owned())
        }
    }

    /// What a statement answers in a schema: a row each, whose columns have `|` between them.
    pub fn read_rows(&self, schema: &str, sql: &str) -> Vec<String> {
        let told = self
            .build_psql()
            .env("PGOPTIONS", format!("-csearch_path={schema}"))
            .args(["-v", "ON_ERROR_STOP=1", "-R", "\u{1e}", "-c", sql])
            .output()
            .expect("psql runs");
        let problem = String::from_utf8_lossy(&told.stderr);
        assert!(told.status.success(), "{sql}: {problem}");
        let rows = String::from_utf8_lossy(&told.stdout);
        // One that answers nothing at all is told from an empty row by the line's end, which only a row has.
        let rows = rows.strip_suffix('\n').map(|rows| rows.split('\u{1e}'));
        rows.into_iter().flatten().map(str::to_owned).collect()
    }

    fn build_psql(&self) -> Command {
        let mut psql = Command::new(self.programs.join("psql"));
        psql.args(["-X", "-A", "-t", "-q", "-U", "kith", "-d", "postgres", "-h"])
            .arg(&self.folder);
        psql
    }

    /// A session of somebody else's, in which a statement was run and whose transaction is open until it is dropped.
    pub fn hold(&self, sql: &str) -> HeldSession {
        let mut psql = self
            .build_psql()
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("psql runs");
        let input = psql.stdin.as_mut().expect("it reads");
        writeln!(
            input,
            "BEGIN ISOLATION LEVEL REPEATABLE READ; {sql};\n\\echo held"
        )
        .expect("written");
        let mut told = BufReader::new(psql.stdout.take().expect("it writes")).lines();
        let is_held = told.any(|line| line.is_ok_and(|line| line == "held"));
        assert!(is_held, "{sql}");
        HeldSession(psql)
    }

    /// The same with every table of a schema, which nobody else writes to meanwhile.
    pub fn hold_tables(&self, schema: &str) -> HeldSession {
        let tables = self.list_tables(schema);
        let names: Vec<String> = tables
            .lines()
            .map(|table| format!("{schema}.\"{table}\""))
            .collect();
        self.hold(&format!(
            "LOCK TABLE {} IN EXCLUSIVE MODE",
            names.join(", ")
        ))
    }

    /// Which files of tables hold a text.
    pub fn find_files(&self, text: &str) -> Vec<PathBuf> {
        self.run_sql("CHECKPOINT");
        let mut found = Vec::new();
        let mut folders = vec![self.folder.join("data/base")];
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(folder).expect("listed").flatten() {
                let path = entry.path();
                if path.is_dir() {
                    folders.push(path);
                } else if fs::read(&path)
                    .is_ok_and(|bytes| memmem::find(&bytes, text.as_bytes()).is_some())
                {
                    found.push(path);
                }
            }
        }
        found
    }

    /// Every row of a schema as text, a row a line, each behind its table and a tab. (`pg_dump` reads about all schemas of the
    /// server first, and tests make hundreds.)
    pub fn dump(&self, schema: &str) -> String {
        let tables = self.list_tables(schema);
        let copies = tables.lines().map(|table| {
            format!("COPY (SELECT '{table}', kept.* FROM {schema}.\"{table}\" kept) TO STDOUT")
        });
        self.try_each(copies).expect("copied")
    }

    /// The tables of a schema, a name a line.
    pub fn list_tables(&self, schema: &str) -> String {
        self.run_sql(&format!(
            "SELECT tablename FROM pg_tables WHERE schemaname = '{schema}'"
        ))
    }

    /// The rows of a schema that hold these bytes, as text, as bytes or as a number, each behind its table.
    pub fn find_rows(&self, schema: &str, wanted: &[u8]) -> Vec<String> {
        let text = std::str::from_utf8(wanted).ok();
        let bytes: String = wanted.iter().map(|byte| format!("{byte:02x}")).collect();
        let number = wanted.try_into().map(u64::from_be_bytes).ok();
        let number = number.map(|number| number.to_string());
        let is_held = |line: &&str| {
            text.is_some_and(|text| line.contains(text))
                || line.contains(&bytes)
                || line.split('\t').any(|cell| Some(cell) == number.as_deref())
        };
        let dump = self.dump(schema);
        dump.lines().filter(is_held).map(str::to_owned).collect()
    }

    /// Ends the server and starts it anew: `fast`, or `immediate`, which is as if it had crashed.
    pub fn restart(&self, mode: &str) {
        let log = self.folder.join("log");
        let told = run_as_account(&self.programs.join("pg_ctl"))
            .args(["restart", "-m", mode, "-D"])
            .arg(self.folder.join("data"))
            .arg("-l")
            .arg(&log)
            .stdout(Stdio::null())
            .status();
        assert!(
            told.is_ok_and(|ended| ended.success()),
            "{}",
            fs::read_to_string(&log).unwrap_or_default()
        );
    }

    pub fn cut_links(&self) {
        self.run_sql(CUT_LINKS);
    }

    /// Cuts all links, and nobody reaches it until it is shown again.
    pub fn hide(&self) {
        let [seen, hidden] = self.sockets();
        fs::rename(seen, hidden).expect("it has a socket");
        let cut = self
            .build_psql()
            .args(["-p", "5433", "-c", CUT_LINKS])
            .output();
        assert!(cut.is_ok_and(|ended| ended.status.success()));
    }

    pub fn show(&self) {
        let [seen, hidden] = self.sockets();
        fs::rename(hidden, seen).expect("it was hidden");
    }

    /// Where it is looked for, and where nobody looks for it.
    fn sockets(&self) -> [PathBuf; 2] {
        [".s.PGSQL.5432", ".s.PGSQL.5433"].map(|name| self.folder.join(name))
    }
}

/// Somebody else's session, with a transaction that is open until it is dropped.
pub struct HeldSession(Child);

impl Drop for HeldSession {
    fn drop(&mut self) {
        drop(self.0.stdin.take());
        let _ = self.0.wait();
    }
}

impl Drop for PostgresServer {
    fn drop(&mut self) {
        if let Some(mut input) = self.watcher.stdin.take() {
            let _ = input.flush();
        }
        let _ = self.watcher.wait();
    }
}

/// The newest server that is installed.
fn find_programs() -> Option<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").ok()?;
    let number = |path: &PathBuf| -> Option<u32> { path.file_name()?.to_str()?.parse().ok() };
    let installed = versions.filter_map(|entry| Some(entry.ok()?.path()));
    let newest = installed
        .filter(|path| number(path) >= Some(15) && path.join("bin/postgres").exists())
        .max_by_key(number)?;
    Some(newest.join("bin"))
}

fn is_root() -> bool {
    use std::os::unix::fs::MetadataExt;
    fs::metadata("/proc/self").is_ok_and(|about| about.uid() == 0)
}

fn run_as_account(program: &Path) -> Command {
    if !is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("runuser");
    command.args(["-u", ACCOUNT, "--"]).arg(program);
    command.current_dir("/");
    command
}

/// A folder that the server's account owns. The server's watcher takes it away.
fn make_folder() -> io::Result<PathBuf> {
    let folder = tempfile::Builder::new()
        .prefix("kith-pg-")
        .tempdir()?
        .keep();
    give_to_account(&folder)?;
    Ok(folder)
}

/// A file that only the server's account may read.
fn write_as_account(path: &Path, text: &str) -> io::Result<()> {
    fs::write(path, text)?;
    fs::set_permissions(path, fs::Permissions::from_mode(0o600))?;
    give_to_account(path)
}

fn give_to_account(path: &Path) -> io::Result<()> {
    if is_root() {
        let given = Command::new("chown").arg(ACCOUNT).arg(path).status()?;
        if !given.success() {
            return Err(io::Error::other("there is no account for the server"));
        }
    }
    Ok(())
}
