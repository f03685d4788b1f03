//! What Kith takes from the machine it runs on: the time, the certificates its clients trust, and the service manager that
//! started it.

#![warn(clippy::unwrap_used, clippy::expect_used)]

pub mod clock;
pub mod private_file;
pub mod service_manager;
mod simulated_clock;
pub mod tls;

use std::path::PathBuf;

/// The file of the program that runs: by its name, by which it is known to others, or as what runs where that is gone.
pub fn find_own_program() -> PathBuf {
    let program = std::env::current_exe().ok().filter(|path| path.exists());
    program.unwrap_or_else(|| "/proc/self/exe".into())
}
