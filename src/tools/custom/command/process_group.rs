//! A running program and everything it has started: when this is dropped, nothing of it is left. Its process group is
//! killed; whoever left the group is found by a variable in its environment, which children inherit.
//!
//! What it cannot end: a process that both left the group and was started with another environment.

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use tokio::process::Child;

/// The variable by which a program's children are known.
pub(super) const MARK: &str = "KITH_RUN";
/// How long a program that is no longer wanted may take to clean up; nobody waits for it.
const GRACE: Duration = Duration::from_secs(2);
/// How often it is looked for children that left the group; each look may find what forked during the last.
#[cfg(target_os = "linux")]
const LOOKS: usize = 20;

/// A value of [`MARK`] that no other run has: another kith has another process id.
pub(super) fn new_mark(now: i64) -> String {
    static RUNS: AtomicU64 = AtomicU64::new(0);
    format!(
        "{}-{now}-{}",
        std::process::id(),
        RUNS.fetch_add(1, Ordering::Relaxed)
    )
}

pub(super) struct ProcessGroup {
    pub child: Child,
    /// Its process id, which is its group's, too.
    id: Option<u32>,
    mark: String,
}

impl ProcessGroup {
    /// Takes over a program that was started in a group of its own, with this mark.
    pub fn new(child: Child, mark: String) -> Self {
        Self {
            id: child.id(),
            child,
            mark,
        }
    }

    /// Ends it: asks first, then no longer. Does not wait for it.
    pub fn terminate(mut self) {
        send_signal(self.id, Urgency::Asked);
        // Where no runtime is left there is no time to ask either: dropping it kills.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                let _ = tokio::time::timeout(GRACE, self.child.wait()).await;
                drop(self);
            });
        }
    }
}

impl Drop for ProcessGroup {
    fn drop(&mut self) {
        send_signal(self.id, Urgency::Forced);
        #[cfg(not(unix))]
        let _ = self.child.start_kill();
        #[cfg(target_os = "linux")]
        kill_marked_processes(&self.mark);
    }
}

#[derive(Clone, Copy)]
enum Urgency {
    Asked,
    Forced,
}

#[cfg(unix)]
fn send_signal(group: Option<u32>, urgency: Urgency) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let Some(group) = group.and_then(|id| Pid::from_raw(i32::try_from(id).ok()?)) else {
        return;
    };
    let signal = match urgency {
        Urgency::Asked => Signal::TERM,
        Urgency::Forced => Signal::KILL,
    };
    // Fails where nobody is left in it.
    let _ = kill_process_group(group, signal);
}

#[cfg(not(unix))]
fn send_signal(_: Option<u32>, _: Urgency) {}

/// Kills whoever carries the mark, until nobody does.
#[cfg(target_os = "linux")]
fn kill_marked_processes(mark: &str) {
    let wanted = format!("{MARK}={mark}");
    for _ in 0..LOOKS {
        if kill_marked_once(wanted.as_bytes()) == 0 {
            return;
        }
    }
    tracing::warn!("what a tool has started keeps starting more; some of it may still run");
}

/// Kills whoever carries the mark now; how many they were.
#[cfg(target_os = "linux")]
fn kill_marked_once(wanted: &[u8]) -> usize {
    use rustix::process::{Pid, PidfdFlags, Signal, pidfd_open, pidfd_send_signal};
    let Ok(entries) = std::fs::read_dir("/proc") else {
        return 0;
    };
    let ids = entries
        .flatten()
        .filter_map(|entry| Pid::from_raw(entry.file_name().to_str()?.parse().ok()?));
    let mut killed = 0;
    for id in ids {
        // Held before it is looked at, so that the one that is killed is the one that was looked at.
        let Ok(process) = pidfd_open(id, PidfdFlags::empty()) else {
            continue;
        };
        // Other people's cannot be read, and are not ours.
        let Ok(environment) = std::fs::read(format!("/proc/{id}/environ")) else {
            continue;
        };
        if environment
            .split(|byte| *byte == 0)
            .any(|variable| variable == wanted)
        {
            killed += usize::from(pidfd_send_signal(&process, Signal::KILL).is_ok());
        }
    }
    killed
}
