//! What systemd is told where it started Kith (`Type=notify`): that it is ready, that it stops, and that it is alive. Started
//! in any other way, nobody is told anything.

use std::time::Duration;

use sd_notify::NotifyState;

pub fn notify_ready() {
    notify(NotifyState::Ready);
}

pub fn notify_stopping() {
    notify(NotifyState::Stopping);
}

/// It is alive; to be told once in each [`find_watchdog_interval`].
pub fn notify_alive() {
    notify(NotifyState::Watchdog);
}

/// How often systemd wants to hear that it is alive: half of `WatchdogSec=`, after which it is started anew. None where
/// nobody waits for that.
pub fn find_watchdog_interval() -> Option<Duration> {
    let limit = sd_notify::watchdog_enabled()?;
    Some((limit / 2).max(Duration::from_millis(1)))
}

fn notify(state: NotifyState<'_>) {
    if let Err(error) = sd_notify::notify(&[state]) {
        tracing::warn!(%error, "systemd cannot be told how Kith is");
    }
}
