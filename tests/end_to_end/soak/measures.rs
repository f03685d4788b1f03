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
        let lines = self.quarters().into_iter().zip(1..);
        lines
            .map(|(median, quarter)| {
                format!(
                    "quarter {quarter}: {} kB resident, {} descriptors, {} threads, {} tasks, {} kB of database\n",
                    median.resident_kb,
                    median.descriptors,
                    median.threads,
                    median.tasks,
                    median.database_kb,
                )
            })
            .collect()
    }

    /// What grew on and on: memory from the second quarter, when everybody has spoken, to the last, and what is held open
    /// or runs from any quarter before. A process that began just then is small, so that only a month tells.
    pub fn find_growth(&self) -> Vec<String> {
        let [first, second, third, last] = self.quarters()[..] else {
            return Vec::new();
        };
        let before = |measure: fn(&Sample) -> u64| {
            let quarters = [first, second, third];
            quarters.iter().map(measure).max().unwrap_or_default()
        };
        let measures = [
            ("kB resident", second.resident_kb, last.resident_kb, 5_000),
            (
                "descriptors",
                before(|it| it.descriptors),
                last.descriptors,
                4,
            ),
            ("threads", before(|it| it.threads), last.threads, 2),
            ("tasks", before(|it| it.tasks), last.tasks, 20),
        ];
        measures
            .iter()
            .filter(|(_, before, last, jitter)| *last > before + before / 20 + jitter)
            .map(|(what, before, last, _)| format!("it grew from {before} to {last} {what}"))
            .collect()
    }

    fn quarters(&self) -> Vec<Sample> {
        let quarters = self.samples.chunks(self.samples.len().div_ceil(4).max(1));
        quarters
            .map(|samples| {
                let median = |measure: fn(&Sample) -> u64| {
                    let mut values: Vec<u64> = samples.iter().map(measure).collect();
                    values.sort_unstable();
                    values[values.len() / 2]
                };
                Sample {
                    resident_kb: median(|it| it.resident_kb),
                    descriptors: median(|it| it.descriptors),
                    threads: median(|it| it.threads),
                    tasks: median(|it| it.tasks),
                    database_kb: median(|it| it.database_kb),
                }
            })
            .collect()
    }
}

#[test]
fn memory_that_grows_and_tasks_that_pile_up_are_found_and_a_first_quarter_that_fills_is_not() {
    let growth = |quarters: [(u64, u64); 4]| {
        let sample = |(resident_kb, tasks): (u64, u64)| Sample {
            resident_kb,
            tasks,
            ..Sample::default()
        };
        let samples = quarters.into_iter().flat_map(|it| [sample(it); 3]);
        let measures = Measures {
            samples: samples.collect(),
            ..Measures::default()
        };
        measures.find_growth()
    };
    let quiet = [
        (145_000, 3_173),
        (216_000, 2_001),
        (225_000, 2_650),
        (223_000, 2_648),
    ];
    assert_eq!(growth(quiet), Vec::<String>::new());
    let mut leaking = quiet;
    leaking[3] = (250_000, 4_000);
    assert_eq!(
        growth(leaking),
        [
            "it grew from 216000 to 250000 kB resident",
            "it grew from 3173 to 4000 tasks"
        ]
    );
}
