//! The store through its public face, in a file: nothing acknowledged is lost, nothing is said twice, what is deleted is
//! gone.

mod backups;
mod damage;
mod index_pages;
mod opening;
mod queries;

include!("suite.in");

/// A store of a test's own.
fn memory() -> Store {
    Store::open_in_memory().expect("opened")
}

fn on_disk() -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("data").join("kith.db");
    (folder, path)
}

fn open(path: &Path) -> Store {
    Store::open(path).expect("opened")
}

/// A server's rows that hold these bytes: a file has none.
fn find_server_rows(_: &Path, _: &[u8]) -> Option<Vec<String>> {
    None
}

/// What is kept of a text: all of it.
fn to_kept(text: &str) -> String {
    text.to_owned()
}

/// Runs statements behind the store's back: the first of them in a file, the second on a server.
fn change_tables(path: &Path, in_file: &str, _on_server: &str) {
    let conn = rusqlite::Connection::open(path).expect("opened");
    conn.execute_batch(in_file).expect("changed");
}
