//! Files that are written whole beside those they replace, so that nobody reads half of one: secrets, which nobody else
//! can read at any moment, and what a page changes.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::{Path, PathBuf};

use kith_core::secret::Secret;

/// The file a model's key is written to.
pub const KEY_FILE: &str = "model.key";

/// Writes a secret.
///
/// # Errors
/// What the system says.
pub fn write_secret(file: &Path, secret: &Secret) -> std::io::Result<()> {
    let new = write_private(file, &format!("{}\n", secret.expose()))?;
    fs::rename(&new, file)
}

/// Writes a text beside the file it is to replace, open to its owner alone; answers with where it stands until then.
///
/// # Errors
/// What the system says.
pub(super) fn write_private(file: &Path, text: &str) -> std::io::Result<PathBuf> {
    let mut new = file.as_os_str().to_owned();
    new.push(".new");
    let new = PathBuf::from(new);
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    // One that an interrupted run left behind may be open to others.
    match fs::remove_file(&new) {
        Err(error) if error.kind() != std::io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    options.open(&new)?.write_all(text.as_bytes())?;
    Ok(new)
}

/// Replaces a file by one with the same rights. A link stays one.
///
/// # Errors
/// What the system says.
pub fn replace_file(file: &Path, text: &str) -> std::io::Result<()> {
    let file = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let new = write_private(&file, text)?;
    if let Ok(about) = fs::metadata(&file) {
        fs::set_permissions(&new, about.permissions())?;
    }
    fs::rename(&new, &file)
}
