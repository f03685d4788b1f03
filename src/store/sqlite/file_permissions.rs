//! What is kept is the owner's alone: rights of files that an earlier version, or a copy, left open to other users of
//! the machine are taken away. New files are private by the process's umask.

use std::path::Path;

#[cfg(unix)]
use super::connection::append_suffix;

/// Names, or their beginnings, of what Kith puts into the folder of its database, and of what ships in `data/`.
#[cfg(unix)]
const OURS: [&str; 6] = [
    "kith.db",
    "room.token",
    "tools",
    "words",
    "weights.json",
    ".",
];

/// Closes the database's files and its folder. A folder that holds other things as well is left as it is, and that is
/// told: somebody else may need it.
#[cfg(unix)]
pub(crate) fn restrict_access(database: &Path) {
    for ending in ["", "-wal", "-shm", "-journal", ".lock"] {
        restrict_path(&append_suffix(database, ending), 0o600, || true);
    }
    if let Some(folder) = database
        .parent()
        .filter(|folder| !folder.as_os_str().is_empty())
    {
        restrict_path(folder, 0o700, || has_only_own_files(folder));
    }
}

/// Elsewhere rights are not a number, and a user's folders are the user's.
#[cfg(not(unix))]
pub(crate) fn restrict_access(_: &Path) {}

#[cfg(unix)]
fn restrict_path(path: &Path, mode: u32, may: impl Fn() -> bool) {
    use std::os::unix::fs::PermissionsExt;
    let Ok(about) = std::fs::metadata(path) else {
        return;
    };
    let had = about.permissions().mode() & 0o777;
    if had & 0o077 == 0 {
        return;
    }
    let is_closed =
        may() && std::fs::set_permissions(path, PermissionsExt::from_mode(had & mode)).is_ok();
    let path = path.display();
    if is_closed {
        tracing::warn!(
            "other users of this machine could open {path} (mode {had:03o}); it is closed to them now"
        );
    } else {
        tracing::warn!(
            "other users of this machine can open {path} (mode {had:03o}); close it with `chmod go= {path}`"
        );
    }
}

#[cfg(unix)]
fn has_only_own_files(folder: &Path) -> bool {
    let Ok(entries) = std::fs::read_dir(folder) else {
        return false;
    };
    entries.flatten().all(|entry| {
        let name = entry.file_name();
        OURS.iter()
            .any(|ours| name.as_encoded_bytes().starts_with(ours.as_bytes()))
    })
}

/// Gives a file to whoever the folder belongs to: root makes or replaces a database, and somebody else runs Kith.
pub(crate) fn adopt_owner(file: &Path) -> std::io::Result<()> {
    #[cfg(unix)]
    {
        use std::fs;
        use std::os::unix::fs::{MetadataExt, chown};
        let folder = file
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        let owner = fs::metadata(folder.unwrap_or(Path::new(".")))?;
        let has = fs::metadata(file)?;
        // Nobody but root may, and nobody else has to.
        if has.uid() == 0 && owner.uid() != 0 {
            chown(file, Some(owner.uid()), Some(owner.gid()))?;
        }
    }
    #[cfg(not(unix))]
    let _ = file;
    Ok(())
}
