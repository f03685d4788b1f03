//! The token of the room: who has it may come in. It is kept in a file that only its owner can read, so that a
//! bookmark still opens the room after a restart; deleting the file shuts everybody out. Never written to a log. `access_guard.rs`
//! asks for it and sets the cookie.

use std::fmt;
use std::fs;
use std::io;
use std::net::SocketAddr;
use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rand::TryRng;
use rand::rngs::SysRng;
use sha2::{Digest, Sha256};

use kith_core::secret::Secret;
use kith_system::private_file::{replace_private_file, write_new_private_file};

/// The file, in the folder of the database.
const FILE: &str = "room.token";
/// How many bytes are drawn: nobody guesses one of 2^256.
const BYTES: usize = 32;
/// What is shorter was not written by Kith and could be guessed.
const SHORTEST: usize = 32;

#[derive(Clone, PartialEq, Eq)]
pub struct RoomToken(Secret);

impl RoomToken {
    /// The folder's token and its file. A new one is made where there is none, and where others may have read it.
    pub fn load(folder: &Path) -> io::Result<(Self, PathBuf)> {
        let file = folder.join(FILE);
        if let Some(token) = read_token(&file)? {
            return Ok((token, file));
        }
        let token = Self::generate()?;
        create_private_folder(folder)?;
        let text = format!("{}\n", token.0.expose());
        match write_new_private_file(&file, &text) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            written => return written.map(|()| (token, file)),
        }
        // Another process that starts may have made one meanwhile; else what stands there may have been read by others.
        if let Some(token) = read_token(&file)? {
            return Ok((token, file));
        }
        replace_private_file(&file, &text)?;
        Ok((token, file))
    }

    /// The token that a room of this folder was opened with; none where none was, or where others can read it.
    pub fn read(folder: &Path) -> io::Result<Option<Self>> {
        read_token(&folder.join(FILE))
    }

    fn generate() -> io::Result<Self> {
        let mut bytes = [0; BYTES];
        SysRng
            .try_fill_bytes(&mut bytes)
            .map_err(io::Error::other)?;
        Ok(Self(Secret::new(URL_SAFE_NO_PAD.encode(bytes))))
    }

    pub fn secret(&self) -> &Secret {
        &self.0
    }

    pub fn address(&self, room: SocketAddr) -> String {
        format!("http://{room}/?token={}", self.0.expose())
    }

    /// Whether this is it. Hashes are compared, so that the time it takes tells nothing about the token.
    pub(super) fn matches(&self, given: &str) -> bool {
        Sha256::digest(given) == Sha256::digest(self.0.expose())
    }
}

impl fmt::Debug for RoomToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// The token in a file; none where there is no usable one that only its owner can read.
fn read_token(file: &Path) -> io::Result<Option<RoomToken>> {
    let about = match fs::symlink_metadata(file) {
        Ok(about) => about,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    if !about.is_file() || !is_private(&about) {
        return Ok(None);
    }
    let secret = Secret::new(fs::read_to_string(file).unwrap_or_default());
    let is_usable = |text: &str| {
        text.len() >= SHORTEST
            && text
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte))
    };
    Ok(is_usable(secret.expose()).then_some(RoomToken(secret)))
}

#[cfg(unix)]
fn is_private(about: &fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    about.mode() & 0o077 == 0 && about.uid() == rustix::process::geteuid().as_raw()
}

#[cfg(not(unix))]
fn is_private(_: &fs::Metadata) -> bool {
    true
}

fn create_private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
}
