//! Reads a file of a skill. The path comes from a model, which may have it from anybody: it leads to text inside the
//! skill's folder, or nowhere.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use super::skill::{SKILL_FILE, TOOLS_FILE};

/// The largest file that is read, in bytes.
const MOST_BYTES: u64 = 16 * 1024;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ResourceError {
    /// The path leads out of the folder, or is none.
    Outside,
    Missing,
    TooLarge(u64),
    NoText,
}

/// Whether a file or folder is not the skill's to show: what begins with a dot, and the definitions of its tools.
pub(super) fn is_hidden(name: &OsStr) -> bool {
    name.as_encoded_bytes().starts_with(b".") || name == TOOLS_FILE
}

/// The text of a file by its path in `folder`.
///
/// # Errors
/// Why it is not read.
pub fn read_resource(folder: &Path, path: &str) -> Result<String, ResourceError> {
    let file = find_file(folder, path.trim())?;
    let about = fs::metadata(&file).map_err(|_| ResourceError::Missing)?;
    if about.len() > MOST_BYTES {
        return Err(ResourceError::TooLarge(about.len()));
    }
    let mut bytes = Vec::new();
    let opened = File::open(&file).map_err(|_| ResourceError::Missing)?;
    opened
        .take(MOST_BYTES)
        .read_to_end(&mut bytes)
        .map_err(|_| ResourceError::Missing)?;
    let text = String::from_utf8(bytes).map_err(|_| ResourceError::NoText)?;
    if text.contains('\0') {
        Err(ResourceError::NoText)
    } else {
        Ok(text)
    }
}

/// The plain file that a path from a model leads to: inside `folder`, and not the program's own.
pub(super) fn find_file(folder: &Path, path: &str) -> Result<PathBuf, ResourceError> {
    let is_plain = |part: Component<'_>| match part {
        Component::Normal(name) => !is_hidden(name),
        other => matches!(other, Component::CurDir),
    };
    if path.is_empty() || path.contains(['\\', '\0']) || !Path::new(path).components().all(is_plain)
    {
        return Err(ResourceError::Outside);
    }
    let root = folder.canonicalize().map_err(|_| ResourceError::Missing)?;
    let file = root
        .join(path)
        .canonicalize()
        .map_err(|_| ResourceError::Missing)?;
    let Ok(inside) = file.strip_prefix(&root) else {
        return Err(ResourceError::Outside);
    };
    let is_of_another = inside
        .ancestors()
        .skip(1)
        .any(|at| !at.as_os_str().is_empty() && root.join(at).join(SKILL_FILE).exists());
    if is_of_another || !inside.components().all(is_plain) {
        return Err(ResourceError::Outside);
    }
    // A pipe would keep its reader waiting.
    let about = fs::metadata(&file).map_err(|_| ResourceError::Missing)?;
    if about.is_file() {
        Ok(file)
    } else {
        Err(ResourceError::Missing)
    }
}
