//! Putting a backup in the place of the database. It is made ready beside it, and takes its place by one renaming: whatever
//! ends the process before, the old database is still there. That one is kept.

use std::fs::{self, File};
use std::path::{Path, PathBuf};

use chrono::DateTime;
use rusqlite::OpenFlags;

use super::later_changes::LaterChanges;
use super::reapply::{ReappliedChanges, reapply};
use super::{BackupSummary, summarize};
use crate::error::StoreError;
use crate::handle::Store;
use crate::recover::remove_files;
use crate::setup::database_copy::{copy_database, sync_folder};
use crate::setup::file;
use crate::sqlite::connection::{append_suffix, connect, to_open_error};
use crate::sqlite::lock::{self, StoreLock};
use crate::sqlite::{file_permissions, schema};
use crate::values::ReadRow;
use kith_core::chat::Millis;
use kith_system::private_file::create_private_file;

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RestoreReport {
    pub summary: BackupSummary,
    /// Where the database is that was there before; none if there was none.
    pub kept: Option<PathBuf>,
    /// People who were forgotten after the backup was made, and are forgotten in it now.
    pub forgotten: usize,
    /// Messages of the backup that are gone from it because they were deleted since.
    pub deleted: usize,
    /// Messages of the backup that say what they were edited to since.
    pub edited: usize,
    pub lost_wishes: usize,
    /// What could not be read of the database that was there: parts of what was to be gone for good.
    pub unread: Vec<&'static str>,
}

/// Puts the backup `file` in the place of the database at `path`. What was forgotten, deleted and edited since, by what the
/// database there says, is forgotten, deleted and edited in it first; that database is kept beside it, with the day of
/// `now` in its name. Needs room for three copies.
///
/// # Errors
/// Why nothing was changed: a running Kith has the database, the file is no sound backup, or there is no room.
pub fn restore_backup(path: &Path, file: &Path, now: Millis) -> Result<RestoreReport, StoreError> {
    if let Some(folder) = path
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
    {
        fs::create_dir_all(folder).map_err(|error| to_open_error(path, &error))?;
    }
    let there = fs::symlink_metadata(file).map_err(|error| to_open_error(file, &error))?;
    if !there.is_file() || is_same_file(path, file) {
        return Err(StoreError::NotABackup { path: file.into() });
    }
    let lock = StoreLock::acquire(path)?;
    ensure_nobody_has(path, &lock)?;
    let new = append_suffix(path, ".restoring");
    let restored = restore_into(path, file, &new, now);
    remove_files(&new);
    let _ = fs::remove_file(append_suffix(&new, ".lock"));
    restored
}

fn is_same_file(path: &Path, file: &Path) -> bool {
    let real = |path: &Path| fs::canonicalize(path).ok();
    real(path).is_some_and(|path| real(file) == Some(path))
}

/// Somebody may have deleted the lock file under a Kith that runs.
fn ensure_nobody_has(path: &Path, lock: &StoreLock) -> Result<(), StoreError> {
    if !path.exists() {
        return Ok(());
    }
    let token = rusqlite::Connection::open_with_flags(path, OpenFlags::SQLITE_OPEN_READ_ONLY)
        .and_then(|conn| lock::read_token(&conn));
    match token {
        Ok(token) if !lock.has_token(token.as_deref()) => lock.ensure_exclusive(path),
        // A database that cannot be read is what one restores a backup for.
        _ => Ok(()),
    }
}

fn restore_into(
    path: &Path,
    file: &Path,
    new: &Path,
    now: Millis,
) -> Result<RestoreReport, StoreError> {
    remove_files(new);
    file::check_header(file)?;
    copy_database(file, new)?;
    let explain = |error: rusqlite::Error| StoreError::explain_damage(error, file);
    // It is a copy already: nothing of it has to be kept before it is brought to a newer format.
    schema::migrate(&mut connect(new)?).map_err(explain)?;
    let had_one = path.exists();
    let changes = had_one.then(|| LaterChanges::read(path));
    let store = Store::open(new)?;
    let done = match &changes {
        Some(changes) => reapply(&store, changes, now)?,
        None => ReappliedChanges::default(),
    };
    drop(store);
    let summary = summarize(new)?;
    File::open(new)
        .and_then(|file| file.sync_all())
        .map_err(|error| to_open_error(new, &error))?;
    for file in [new, &append_suffix(path, ".lock")] {
        file_permissions::adopt_owner(file).map_err(|error| to_open_error(file, &error))?;
    }
    let kept = had_one.then(|| keep_old(path, now)).transpose()?;
    let _ = fs::remove_file(append_suffix(path, "-shm"));
    fs::rename(new, path)
        .and_then(|()| sync_folder(path))
        .map_err(|error| to_open_error(path, &error))?;
    Ok(RestoreReport {
        summary,
        kept,
        forgotten: done.forgotten,
        deleted: done.deleted,
        edited: done.edited,
        lost_wishes: done.lost_wishes,
        unread: changes.map_or_else(Vec::new, |changes| changes.unread_erasures()),
    })
}

/// Gives the old database a second name beside it; the first stays until the backup takes it.
fn keep_old(path: &Path, now: Millis) -> Result<PathBuf, StoreError> {
    let failed = |error: std::io::Error| to_open_error(path, &error);
    let day = DateTime::from_timestamp_millis(now).unwrap_or_default();
    let day = day.format("%Y-%m-%d");
    let names = (1..).map(|number| match number {
        1 => append_suffix(path, &format!(".before-restore-{day}")),
        _ => append_suffix(path, &format!(".before-restore-{day}-{number}")),
    });
    let mut names = names.filter(|kept| kept.symlink_metadata().is_err());
    let kept = names.next().unwrap_or_else(|| append_suffix(path, ".kept"));
    // Its write-ahead log would be taken for that of the backup. Closing moves what stands in it into the database.
    let emptied = connect(path).is_ok_and(|conn| {
        let checkpoint = "PRAGMA wal_checkpoint(TRUNCATE)";
        let is_busy = conn.query_row(checkpoint, [], |row| row.read::<bool>(0));
        is_busy == Ok(false) && conn.close().is_ok()
    });
    let log = append_suffix(path, "-wal");
    if !emptied && log.exists() {
        fs::copy(&log, append_suffix(&kept, "-wal")).map_err(failed)?;
    }
    // Not every file system knows second names.
    if fs::hard_link(path, &kept).is_err() {
        create_private_file(&kept).map_err(failed)?;
        fs::copy(path, &kept).map_err(failed)?;
    }
    sync_folder(path).map_err(failed)?;
    if log.exists() {
        fs::remove_file(&log).map_err(failed)?;
    }
    Ok(kept)
}
