//! The one loop: wires the rooms together and executes the effects of the core.

use crate::settings::{LoadOptions, Settings};

/// Runs until `shutdown` ends; `options` are what the settings were loaded from, to watch and load them again.
///
/// # Errors
/// What keeps it from starting.
pub async fn run(_settings: Settings, _options: LoadOptions, shutdown: impl Future<Output = ()>) -> anyhow::Result<()> {
    shutdown.await;
    Ok(())
}
