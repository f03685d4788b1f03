//! A copy of the database in one file, made while the daemon runs; and what is in such a copy.
//!
//! Made with `VACUUM INTO` on a reading connection of its own. It sees one moment of the database however long it takes,
//! and never holds up who writes. SQLite's backup of pages would begin anew whenever the daemon writes, and would take
//! along what is erased but still stands in unused parts of pages.

mod later_changes;
mod reapply;
mod restoration;

pub use restoration::{RestoreReport, restore_backup};

use std::fs::{self, File, OpenOptions};
use std::path::Path;

use rusqlite::Connection;

use super::connection::{append_suffix, connect_reading, to_open_error};
use super::error::StoreError;
use super::{damage, open, schema};
use crate::values::{ReadRow, params};
use kith_core::chat::Millis;

/// What is in a backup.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BackupSummary {
    /// The size of the file.
    pub bytes: u64,
    pub messages: u64,
    pub channels: u64,
    pub people: u64,
    pub memories: u64,
    /// When the first and the last of the messages were written.
    pub time_range: Option<(Millis, Millis)>,
}

/// Writes a copy of the database at `path`, as it is at this moment, to `file`, which only its owner can open. A file that
/// is there is never touched. The copy is looked through for damage before it gets its name.
///
/// # Errors
/// Says why there is no backup. A damaged database is named with its cure.
pub fn backup(path: &Path, file: &Path) -> Result<BackupSummary, StoreError> {
    open::check_header(path)?;
    copy_database(path, file)?;
    summarize(file)
}

/// Copies a database to a file that is not there yet.
fn copy_database(path: &Path, file: &Path) -> Result<(), StoreError> {
    if file.symlink_metadata().is_ok() {
        return Err(StoreError::Exists { path: file.into() });
    }
    let partial = append_suffix(file, ".partial");
    let copied = copy_checked(path, &partial).and_then(|()| {
        fs::rename(&partial, file)
            .and_then(|()| sync_folder(file))
            .map_err(|error| to_open_error(file, &error))
    });
    if copied.is_err() {
        let _ = fs::remove_file(&partial);
    }
    copied
}

fn copy_checked(path: &Path, partial: &Path) -> Result<(), StoreError> {
    // What a copy that was cut off has left.
    let _ = fs::remove_file(partial);
    create_private(partial).map_err(|error| to_open_error(partial, &error))?;
    let conn = connect_reading(path)?;
    schema::check_version(&conn, path)?;
    let to = partial.to_str().ok_or_else(|| StoreError::Open {
        path: partial.into(),
        reason: "its name is no text".into(),
    })?;
    conn.execute("VACUUM INTO ?1", [to])
        .map_err(|error| explain_copying(&error, path, partial))?;
    if let Some(reason) = find_damage_of(partial)? {
        return Err(StoreError::Damaged {
            path: path.into(),
            reason,
        });
    }
    File::open(partial)
        .and_then(|file| file.sync_all())
        .map_err(|error| to_open_error(partial, &error))
}

fn explain_copying(error: &rusqlite::Error, path: &Path, partial: &Path) -> StoreError {
    match StoreError::explain_damage(error, path) {
        StoreError::DiskFull { .. } => StoreError::DiskFull {
            path: partial.into(),
        },
        other => other,
    }
}

fn find_damage_of(path: &Path) -> Result<Option<String>, StoreError> {
    damage::find_damage(&connect_reading(path)?)
        .map_err(|error| StoreError::explain_damage(&error, path))
}

/// A new file that nobody else can open, whatever the umask is.
fn create_private(path: &Path) -> std::io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(path).map(drop)
}

/// Has the names in a file's folder on the disk: a power cut then loses none of them.
fn sync_folder(file: &Path) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        let folder = file
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        File::open(folder.unwrap_or(Path::new(".")))?.sync_all()?;
    }
    #[cfg(not(unix))]
    let _ = file;
    Ok(())
}

/// Keeps a database as it is before a step to the format `to` changes it: so there is a way back to the version before. One
/// that was kept before an attempt that failed gives way.
pub(super) fn keep_before_migration(path: &Path, to: usize) -> Result<(), StoreError> {
    let kept = append_suffix(path, &format!(".before-format-{to}"));
    let _ = fs::remove_file(&kept);
    copy_database(path, &kept)?;
    tracing::info!(
        "the database is brought to a newer format; {} is as it was before. What is deleted from now on stays in that: \
         delete it when the new version runs well",
        kept.display()
    );
    Ok(())
}

fn summarize(file: &Path) -> Result<BackupSummary, StoreError> {
    let explain = |error: rusqlite::Error| StoreError::explain_damage(&error, file);
    let bytes = fs::metadata(file).map_err(|error| to_open_error(file, &error))?;
    let conn = connect_reading(file)?;
    let summary = count(&conn).map_err(explain)?;
    Ok(BackupSummary {
        bytes: bytes.len(),
        ..summary
    })
}

fn count(conn: &Connection) -> rusqlite::Result<BackupSummary> {
    let count = |table: &str| -> rusqlite::Result<u64> {
        let count = format!("SELECT count(*) FROM {table}");
        let rows: i64 = conn.query_row(&count, [], |row| row.read(0))?;
        Ok(rows.unsigned_abs())
    };
    let times = "SELECT min(at), max(at) FROM messages";
    let (first, last): (Option<Millis>, Option<Millis>) =
        conn.query_row(times, params![], |row| Ok((row.read(0)?, row.read(1)?)))?;
    Ok(BackupSummary {
        bytes: 0,
        messages: count("messages")?,
        channels: count("channels")?,
        people: count("people")?,
        memories: count("memories")?,
        time_range: first.zip(last),
    })
}
