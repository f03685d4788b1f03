//! Files that nobody but their owner can read at any moment. A text is written whole beside the file it becomes: nobody reads
//! half of it, a link is replaced and not followed, and two processes never write into one file.

use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Write as _};
use std::path::{Path, PathBuf};

/// So many names are tried for the file beside: processes that were killed leave some behind.
const NAMES: u32 = 1_000;

/// A new file that nobody else can open, whatever the umask is.
///
/// # Errors
/// What the system says, also where something stands there.
pub fn create_private_file(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Writes a text beside the file it is to become; answers with where it stands until then.
pub fn write_private_beside(file: &Path, text: &str) -> io::Result<PathBuf> {
    let process = std::process::id();
    for number in 0..NAMES {
        let mut name = file.as_os_str().to_owned();
        name.push(format!(".{process}-{number}.new"));
        let beside = PathBuf::from(name);
        let mut new = match create_private_file(&beside) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => continue,
            created => created?,
        };
        return match new.write_all(text.as_bytes()) {
            Ok(()) => Ok(beside),
            Err(error) => Err(error).inspect_err(|_| drop(fs::remove_file(&beside))),
        };
    }
    Err(ErrorKind::AlreadyExists.into())
}

/// Writes a private file in the place of whatever stands there.
pub fn replace_private_file(file: &Path, text: &str) -> io::Result<()> {
    let beside = write_private_beside(file, text)?;
    fs::rename(&beside, file).inspect_err(|_| drop(fs::remove_file(&beside)))
}

/// Writes a private file where nothing stands yet; of several processes that do so at once one does.
///
/// # Errors
/// What the system says, with [`ErrorKind::AlreadyExists`] where something stands there.
pub fn write_new_private_file(file: &Path, text: &str) -> io::Result<()> {
    let beside = write_private_beside(file, text)?;
    let linked = fs::hard_link(&beside, file);
    fs::remove_file(&beside)?;
    match linked {
        Err(error) if error.kind() != ErrorKind::AlreadyExists => {
            // A file system without links.
            create_private_file(file)?.write_all(text.as_bytes())
        }
        linked => linked,
    }
}
