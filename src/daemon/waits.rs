//! What the loop waits for besides its channels: a deadline, changed settings, and the moment to tell that it is alive.

use std::time::Duration;

use tokio::time::{Instant, Interval, sleep, sleep_until};

use crate::settings::{FileWatcher, SettingProblem, Settings};
use kith_core::chat::Millis;
use kith_system::clock;

/// The next changed settings; never without a watcher.
pub(super) async fn wait_for_settings(
    watch: &mut Option<FileWatcher>,
) -> Option<Result<Settings, Vec<SettingProblem>>> {
    match watch {
        Some(watch) => watch.changes.recv().await,
        None => std::future::pending().await,
    }
}

/// Sleeps until a moment by the machine's clock; for ever without one.
pub(super) async fn wait_until(deadline: Option<Millis>) {
    match deadline {
        None => std::future::pending().await,
        Some(at) => {
            let wait = u64::try_from(at - clock::now()).unwrap_or(0);
            let end = Instant::now() + Duration::from_millis(wait);
            while let Some(pause) = clock::longest_sleep()
                && Instant::now() + pause < end
            {
                sleep(pause).await;
                if clock::now() >= at {
                    return;
                }
            }
            sleep_until(end).await;
        }
    }
}

/// The next time of an interval; never without one.
pub(crate) async fn wait_for_interval(interval: &mut Option<Interval>) {
    match interval {
        Some(interval) => drop(interval.tick().await),
        None => std::future::pending().await,
    }
}
