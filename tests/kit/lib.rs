//! What tests stand on: a fake Discord, a scripted model server, and the program as a process of its own. Each is
//! compiled once for all tests. Everything stays on loopback.

pub mod card_files;
pub mod fake_discord;
pub mod fake_embeddings;
pub mod fake_model;
pub mod kith_process;
pub mod monitoring;
mod peers;
pub mod postgres;
pub mod test_database;
pub mod wakeups;

use std::io::{self, Write};

/// The longest that a test waits for what must come: only a test that fails waits so long, however slow the machine is.
pub const PATIENCE: std::time::Duration = std::time::Duration::from_secs(120);

#[track_caller]
pub fn assert_has<const N: usize>(text: impl AsRef<str>, parts: [impl AsRef<str>; N]) {
    let text = text.as_ref();
    for part in parts.each_ref().map(AsRef::as_ref) {
        assert!(text.contains(part), "no {part:?} in\n{text}");
    }
}

#[track_caller]
pub fn assert_lacks<const N: usize>(text: impl AsRef<str>, parts: [impl AsRef<str>; N]) {
    let text = text.as_ref();
    for part in parts.each_ref().map(AsRef::as_ref) {
        assert!(!text.contains(part), "{part:?} in\n{text}");
    }
}

/// Waits until something holds; `told` says what never did.
#[track_caller]
pub fn until(
    mut holds: impl FnMut() -> bool,
    told: impl Fn() -> String,
) -> impl Future<Output = ()> {
    let caller = std::panic::Location::caller();
    async move {
        let end = kith_system::clock::monotonic() + PATIENCE;
        while !holds() {
            let is_late = kith_system::clock::monotonic() > end;
            assert!(!is_late, "{caller}: {}", told());
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    }
}

/// A file or folder among the data that is measured against and is no part of the project; where `KITH_SHARED` names no
/// folder of it a word says that something is skipped.
#[expect(
    clippy::disallowed_methods,
    reason = "where the data lies is told to the tests, not to the program"
)]
pub fn find_shared(part: &str) -> Option<std::path::PathBuf> {
    let shared = std::env::var_os("KITH_SHARED").filter(|path| !path.is_empty());
    if shared.is_none() {
        say_skipped(&format!("KITH_SHARED names no folder with {part}"));
    }
    Some(std::path::PathBuf::from(shared?).join(part))
}

/// A number by which a longer form of a test is asked for, from the environment; none where there is none.
#[expect(
    clippy::disallowed_methods,
    reason = "the long form is asked for from outside"
)]
pub fn read_asked<N: std::str::FromStr>(name: &str) -> Option<N> {
    std::env::var(name).ok()?.parse().ok()
}

/// Says that something is left out, and why. Straight to standard error: what a test prints is only shown where it fails.
pub fn say_skipped(why: &str) {
    let _ = writeln!(io::stderr(), "skipped: {why}");
}
