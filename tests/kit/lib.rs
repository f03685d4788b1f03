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
pub mod wakeups;

/// The longest that a test waits for what must come: only a test that fails waits so long, however slow the machine is.
pub const PATIENCE: std::time::Duration = std::time::Duration::from_secs(120);

/// A number by which a longer form of a test is asked for, from the environment; none where there is none.
#[expect(
    clippy::disallowed_methods,
    reason = "the long form is asked for from outside"
)]
pub fn read_asked<N: std::str::FromStr>(name: &str) -> Option<N> {
    std::env::var(name).ok()?.parse().ok()
}
