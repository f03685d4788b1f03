//! A copy of a database in one file, of one moment, sound and private.
//!
//! Made with `VACUUM INTO` on a reading connection of its own. It sees one moment of the database however long it takes,
//! and never holds up who writes. SQLite's backup of pages would begin anew whenever the daemon writes, and would take
//! along what is erased but still stands in unused parts of pages.

use std::fs::{self, File};
use std::path::Path;

use crate::error::StoreError;
use crate::migration_mark;
use crate::sqlite::connection::{append_suffix, connect_reading, to_open_error};
use crate::sqlite::{damage, schema};
use kith_system::private_file::create_private_file;

pub fn copy_database(path: &Path, file: &Path) -> Result<(), StoreError> {
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
    create_private_file(partial).map_err(|error| to_open_error(partial, &error))?;
    let conn = connect_reading(path)?;
    schema::check_version(&conn, path)?;
    let mark = migration_mark::find_in_file(&conn)
        .map_err(|error| StoreError::explain_damage(error, path))?;
    migration_mark::refuse_unfinished(mark, path)?;
    let to = partial.to_str().ok_or_else(|| StoreError::Open {
        path: partial.into(),
        reason: "its name is no text".into(),
    })?;
    conn.execute("VACUUM INTO ?1", [to])
        .map_err(|error| explain_copying(error, path, partial))?;
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

fn explain_copying(error: rusqlite::Error, path: &Path, partial: &Path) -> StoreError {
    match StoreError::explain_damage(error, path) {
        StoreError::DiskFull { .. } => StoreError::DiskFull {
            path: partial.into(),
        },
        other => other,
    }
}

fn find_damage_of(path: &Path) -> Result<Option<String>, StoreError> {
    damage::find_damage(&connect_reading(path)?)
        .map_err(|error| StoreError::explain_damage(error, path))
}

/// Has the names in a file's folder on the disk: a power cut then loses none of them.
pub fn sync_folder(file: &Path) -> std::io::Result<()> {
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
pub fn keep_before_migration(path: &Path, to: usize) -> Result<(), StoreError> {
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Store;

    #[test]
    fn what_was_before_a_migration_is_kept_once_for_each_format() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("kith.db");
        let store = Store::open(&path).expect("opened");
        let kept = append_suffix(&path, ".before-format-99");
        for value in ["first try", "second try"] {
            store.set_meta("when", value).wait().expect("kept");
            keep_before_migration(&path, 99).expect("kept");
            let before = Store::open(&kept).expect("opened");
            assert_eq!(before.load_meta("when").wait(), Ok(Some(value.into())));
        }
    }
}
