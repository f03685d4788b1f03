//! A time of day that a test moves while the process runs, for weeks in minutes. `SIMULATED_CLOCK_SHIFT` names a file that
//! begins with how many milliseconds to add, 8 bytes, little-endian. Only builds with debug assertions look for it: the
//! program that people run has one clock.

use std::time::Duration;

#[cfg(all(debug_assertions, unix))]
mod file {
    use std::fs::File;
    use std::os::unix::fs::FileExt;
    use std::sync::OnceLock;

    #[expect(
        clippy::disallowed_methods,
        reason = "it is no setting, and there before any setting is read"
    )]
    fn open() -> Option<File> {
        File::open(std::env::var_os("SIMULATED_CLOCK_SHIFT")?).ok()
    }

    pub fn shift() -> Option<i64> {
        static FILE: OnceLock<Option<File>> = OnceLock::new();
        let mut bytes = [0; 8];
        let file = FILE.get_or_init(open).as_ref()?;
        file.read_exact_at(&mut bytes, 0).ok()?;
        Some(i64::from_le_bytes(bytes))
    }
}

#[cfg(not(all(debug_assertions, unix)))]
mod file {
    pub fn shift() -> Option<i64> {
        None
    }
}

/// How far the clock is moved, in milliseconds.
pub(super) fn read_shift() -> i64 {
    file::shift().unwrap_or_default()
}

pub(super) fn longest_sleep() -> Option<Duration> {
    file::shift().map(|_| Duration::from_millis(5))
}
