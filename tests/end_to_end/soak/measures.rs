//! What the process takes of the machine, day by day, and by quarter at the end.

use std::path::Path;
use std::time::Duration;

use kith_testkit::monitoring::probe;

use crate::discord::fake_discord::Millis;
use crate::discord::kith_process::KithProcess;

const DAY: Millis = 24 * 60 * 60_000;

/// What it took at one moment. Nothing but the database where the system does not tell.
#[derive(Clone, Copy, Debug, Default)]
struct Sample {
    resident_kb: u64,
    descriptors: u64,
    threads: u64,
    tasks: u64,
    database_kb: u64,
}

/// All samples, oldest first.
#[derive(Debug, Default)]
pub struct Measures {
    samples: Vec<Sample>,
    next: Millis,
    /// How long each person waited until they were forgotten.
    forgetting: Vec<Duration>,
}

impl Measures {
    /// Looks at the process, if that is due.
    pub async fn sample_daily(&mut self, now: Millis, kith: &KithProcess) {
        if now >= self.next && kith.is_running() {
            self.next = now + DAY / 4;
            self.sample(kith).await;
        }
    }

    pub async fn sample(&mut self, kith: &KithProcess) {
        let (_, metrics) = probe(kith, "/metrics").await;
        let process = Path::new("/proc").join(kith.process_id().to_string());
        let status = std::fs::read_to_string(process.join("status")).unwrap_or_default();
        let field = |name: &str| {
            let line = status.lines().find_map(|line| line.strip_prefix(name))?;
            line.split_whitespace().next()?.parse().ok()
        };
        let descriptors = std::fs::read_dir(process.join("fd")).map_or(0, |all| all.count() as u64);
        let size = |name| {
            let file = std::fs::metadata(kith.dir.path().join("data").join(name));
            file.map_or(0, |file| file.len())
        };
        self.samples.push(Sample {
            resident_kb: field("VmRSS:").unwrap_or_default(),
            descriptors,
            threads: field("Threads:").unwrap_or_default(),
            tasks: metrics
                .lines()
                .find_map(|line| line.strip_prefix("kith_tasks ")?.parse().ok())
                .unwrap_or_default(),
            database_kb: (size("kith.db") + size("kith.db-wal")) / 1_024,
        });
    }

    pub fn add_forgetting(&mut self, taken: Duration) {
        self.forgetting.push(taken);
    }

    /// How long it took to forget somebody.
    pub fn forgetting(&self) -> String {
        let mut taken = self.forgetting.clone();
        taken.sort_unstable();
        let median = taken.get(taken.len() / 2).copied().unwrap_or_default();
        let most = taken.last().copied().unwrap_or_default();
        format!("forgotten within {median:.1?} in the median, {most:.1?} at most")
    }

    /// A line a quarter: the median of each measure.
    pub fn by_quarter(&self) -> String {
        let quarters = self.samples.chunks(self.samples.len().div_ceil(4).max(1));
        quarters
            .zip(1..)
            .map(|(samples, quarter)| {
                let median = |measure: fn(&Sample) -> u64| {
                    let mut values: Vec<u64> = samples.iter().map(measure).collect();
                    values.sort_unstable();
                    values[values.len() / 2]
                };
                format!(
                    "quarter {quarter}: {} kB resident, {} descriptors, {} threads, {} tasks, {} kB of database\n",
                    median(|it| it.resident_kb),
                    median(|it| it.descriptors),
                    median(|it| it.threads),
                    median(|it| it.tasks),
                    median(|it| it.database_kb),
                )
            })
            .collect()
    }
}
