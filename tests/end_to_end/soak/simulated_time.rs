//! The time of the simulated world: one clock for the fake Discord and the model, and one for the companion, which a
//! fault can set wrong. Both run as fast as the real one and are moved on, so that a day passes in seconds and a network
//! still takes as long as it does.

use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use kith_system::clock;
use tempfile::TempDir;

use super::record::RealTime;
use crate::discord::fake_discord::{FakeDiscord, Millis};

/// The file that tells the companion.
const NAME: &str = "shift";
const MINUTE: Millis = 60_000;
/// The longest time that passes at once: what is due within it happens in its order.
const LEAP: Millis = 15 * MINUTE;
/// What is so near that it is not worth a leap.
const NEAR: Millis = 5_000;
/// How long what is due has for it, in real time. The companion looks at its clock every five milliseconds.
const WHAT_IS_DUE: Duration = Duration::from_millis(8);

#[derive(Clone)]
pub struct SimulatedTime {
    shift: Arc<AtomicI64>,
    /// How far the companion's clock is ahead of the other.
    error: Arc<AtomicI64>,
    leaps: Arc<Mutex<RealTime>>,
    file: Arc<File>,
    folder: Arc<TempDir>,
}

impl SimulatedTime {
    /// It is `start` now.
    pub fn begin(start: Millis) -> Self {
        let folder = TempDir::new().unwrap();
        let file = File::create(folder.path().join(NAME)).unwrap();
        let time = Self {
            shift: Arc::new(AtomicI64::new(start - clock::now())),
            error: Arc::default(),
            leaps: Arc::default(),
            file: Arc::new(file),
            folder: Arc::new(folder),
        };
        time.tell();
        time
    }

    /// What names the file to the companion.
    pub fn variable(&self) -> (&'static str, String) {
        let path = self.folder.path().join(NAME);
        ("SIMULATED_CLOCK_SHIFT", path.to_str().unwrap().to_owned())
    }

    pub fn now(&self) -> Millis {
        clock::now() + self.shift.load(Ordering::Relaxed)
    }

    /// How much of the time that passed was real.
    pub fn real_time(&self) -> RealTime {
        self.leaps.lock().unwrap().clone()
    }

    /// From now on the companion's clock is wrong by this.
    pub fn set_wrong(&self, by: Millis) {
        self.error.store(by, Ordering::Relaxed);
        self.tell();
    }

    /// Time passes until this moment, if it is not over; a moment that is near is let come by itself.
    pub async fn pass_until(&self, moment: Millis, fake: &FakeDiscord) {
        while self.now() + NEAR < moment {
            let leap = (moment - self.now()).min(LEAP);
            self.leaps.lock().unwrap().add_leap(self.now(), leap);
            self.shift.fetch_add(leap, Ordering::Relaxed);
            self.tell();
            fake.set_now(self.now());
            tokio::time::sleep(WHAT_IS_DUE).await;
        }
    }

    fn tell(&self) {
        let shift = self.shift.load(Ordering::Relaxed) + self.error.load(Ordering::Relaxed);
        self.file.write_all_at(&shift.to_le_bytes(), 0).unwrap();
    }
}
