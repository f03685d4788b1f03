//! Thousands of servers shared by several processes, of which one after the other is killed while the links and the
//! database server break, too. At the end a checker holds what happened against the laws.
//!
//! Here time is real: what is tried are leases, and these are held by clocks.

mod checker;
mod driver;
mod leaving;
mod planted_faults;
mod record;

use std::time::Duration;

use driver::ClusterSoak;
use kith_testkit::read_asked;

#[derive(Clone, Copy, Debug)]
struct ClusterSize {
    processes: usize,
    /// Shards, and partitions of the database: one shard in each.
    shards: u16,
    guilds: usize,
    /// Messages a second, over all servers.
    rate: u32,
    /// One message in so many asks the companion something.
    asked_every: u32,
    lasts: Duration,
    /// How long after one process another is killed.
    killed_every: Duration,
    /// How often the database server is started anew.
    restarts: u32,
}

/// What runs every time. `KITH_CLUSTER_SOAK=600` lasts 600 seconds; `KITH_CLUSTER_SOAK_GUILDS`, `KITH_CLUSTER_SOAK_RATE`
/// and `KITH_CLUSTER_SOAK_SEED` are further numbers.
const SHORT: ClusterSize = ClusterSize {
    processes: 2,
    shards: 2,
    guilds: 10,
    rate: 20,
    asked_every: 5,
    lasts: Duration::from_secs(12),
    killed_every: Duration::from_secs(4),
    restarts: 1,
};
const LONG: ClusterSize = ClusterSize {
    processes: 3,
    shards: 12,
    guilds: 3_000,
    rate: 3_000,
    asked_every: 200,
    lasts: Duration::from_secs(600),
    killed_every: Duration::from_secs(20),
    restarts: 2,
};

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn whichever_process_dies_every_law_holds() {
    let size = read_asked("KITH_CLUSTER_SOAK").map_or(SHORT, |seconds| ClusterSize {
        lasts: Duration::from_secs(seconds),
        guilds: read_asked("KITH_CLUSTER_SOAK_GUILDS").unwrap_or(LONG.guilds),
        rate: read_asked("KITH_CLUSTER_SOAK_RATE").unwrap_or(LONG.rate),
        ..LONG
    });
    let seed = read_asked("KITH_CLUSTER_SOAK_SEED").unwrap_or(1);
    let Some(mut soak) = ClusterSoak::begin(seed, size).await else {
        return;
    };
    soak.run().await;
    soak.calm_down().await;
    let record = soak.gather();
    println!("seed {seed}: {size:?}\n{}", record.summarise());
    let wrong = checker::find_violations(&record);
    assert!(
        wrong.is_empty(),
        "{}\n{}\nseed {seed}: {} violations:\n{}",
        soak.log(),
        soak.diary.join("\n"),
        wrong.len(),
        wrong.join("\n")
    );
}
