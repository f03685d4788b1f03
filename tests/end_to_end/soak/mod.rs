//! Weeks of group life in minutes: the real daemon, the fake Discord and a parrot for a model, with faults on every side,
//! all drawn from a seed. At the end a checker holds what happened against the laws.
//!
//! Time is simulated in steps. The companion's clock is the machine's, moved on by what a file says, which only builds
//! with debug assertions read (`src/system/simulated_clock.rs`). A clock that ran at a rate instead would hurry the
//! network, the disk and every time-out with it, and then nothing would be as it is.

mod checker;
mod driver;
mod former_session;
mod full_disk;
mod gather;
mod measures;
mod parrot;
mod plan;
mod record;
mod simulated_time;
mod soak_world;
mod suspended;
mod traces;
mod troubles;
mod wishes;

use chrono::{TimeZone, Utc};
use kith_testkit::read_asked;

use driver::Soak;
use plan::SoakSize;

/// What runs every time. `KITH_SOAK=30` is 30 days, `KITH_SOAK_MESSAGES` and `KITH_SOAK_PLACES` say how much is said in
/// each talk and in how many places, and `KITH_SOAK_SEED` is another plan.
const SHORT: SoakSize = SoakSize {
    days: 2,
    talks: 5,
    messages: 5,
    places: 8,
};
const LONG: SoakSize = SoakSize {
    days: 30,
    talks: 6,
    messages: 40,
    places: 40,
};

/// The days before the night that loses an hour, and before the one that has one more. Seeds that are even begin in autumn.
const CLOCK_CHANGES: [(u32, u32); 2] = [(3, 27), (10, 30)];
/// What lasts so many days has to need no more in the end than in the middle.
const MONTH: u32 = 30;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn in_a_life_full_of_faults_every_law_holds() {
    let seed = read_asked("KITH_SOAK_SEED").unwrap_or(1);
    let size = read_asked("KITH_SOAK").map_or(SHORT, |days| SoakSize {
        days,
        talks: LONG.talks,
        messages: read_asked("KITH_SOAK_MESSAGES").unwrap_or(LONG.messages),
        places: read_asked("KITH_SOAK_PLACES").unwrap_or(LONG.places),
    });
    let began = kith_system::clock::monotonic();
    let (month, day) = CLOCK_CHANGES[usize::from(seed % 2 == 0)];
    let start = Utc.with_ymd_and_hms(2027, month, day, 6, 0, 0).unwrap();
    let mut soak = Soak::begin(seed, start.timestamp_millis(), size).await;
    soak.run().await;
    soak.calm_down().await;
    soak.test.kith.stop();
    let record = soak.gather();
    println!(
        "seed {seed}: {size:?}, {} messages, {} posts, {} prompts, {} turns, {} kills, {} forgotten; took {:.1?}\n{}\n{}",
        record.said.len(),
        record.posts.len(),
        record.prompts.len(),
        record.turns.len(),
        record.kills.len(),
        record.forgotten.len(),
        began.elapsed(),
        soak.measures.forgetting(),
        soak.measures.by_quarter(),
    );
    let mut wrong = checker::find_violations(&record);
    if size.days >= MONTH {
        wrong.extend(soak.measures.find_growth());
    }
    assert!(
        wrong.is_empty(),
        "{}\n{}\nseed {seed}: {} violations:\n{}",
        soak.test.log(),
        soak.diary.join("\n"),
        wrong.len(),
        wrong.join("\n")
    );
}
