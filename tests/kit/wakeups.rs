//! How often a process wakes while nothing happens. Every wake keeps a small machine's processor from sleeping.

use std::time::Duration;

const WATCHED: Duration = Duration::from_secs(10);

/// How often each thread of a process went to sleep so far: its number, its name, how often. Nothing where the system
/// does not count that.
fn count_sleeps(process: u32) -> Vec<(String, String, u64)> {
    let tasks = std::fs::read_dir(format!("/proc/{process}/task"))
        .into_iter()
        .flatten()
        .flatten();
    let read = |task: std::fs::DirEntry| {
        let status = std::fs::read_to_string(task.path().join("status")).ok()?;
        let field = |name: &str| {
            status
                .lines()
                .find_map(|line| line.strip_prefix(name))
                .map(str::trim)
        };
        let count = field("voluntary_ctxt_switches:")?.parse().ok()?;
        Some((field("Pid:")?.to_owned(), field("Name:")?.to_owned(), count))
    };
    tasks.filter_map(read).collect()
}

/// A process wakes less than once a second. Something may still be under way from what happened before, so it is
/// watched up to three times.
pub async fn assert_idle(process: u32) {
    let mut seen = Vec::new();
    for _ in 0..3 {
        let before = count_sleeps(process);
        tokio::time::sleep(WATCHED).await;
        let then = |number: &str| {
            before
                .iter()
                .find(|(other, ..)| other == number)
                .map_or(0, |(.., count)| *count)
        };
        let woke = count_sleeps(process)
            .into_iter()
            .map(|(number, name, count)| (name, count - then(&number)));
        let woke: Vec<_> = woke.filter(|(_, count)| *count > 0).collect();
        println!("in {WATCHED:?}: {woke:?}");
        if woke.iter().map(|(_, count)| count).sum::<u64>() < WATCHED.as_secs() {
            return;
        }
        seen.push(woke);
    }
    panic!("it woke so often in {WATCHED:?}: {seen:?}");
}
