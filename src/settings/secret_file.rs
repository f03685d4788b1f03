//! Files that are written whole beside those they replace: secrets, and what a page changes.

use std::fs;
use std::path::Path;

use kith_core::secret::Secret;
use kith_system::private_file::{replace_private_file, write_private_beside};

pub const KEY_FILE: &str = "model.key";

pub fn write_secret(file: &Path, secret: &Secret) -> std::io::Result<()> {
    replace_private_file(file, &format!("{}\n", secret.expose()))
}

/// Replaces a file by one with the same rights. A link stays one.
pub fn replace_file(file: &Path, text: &str) -> std::io::Result<()> {
    let file = fs::canonicalize(file).unwrap_or_else(|_| file.to_owned());
    let new = write_private_beside(&file, text)?;
    if let Ok(about) = fs::metadata(&file) {
        fs::set_permissions(&new, about.permissions())?;
    }
    fs::rename(&new, &file)
}
