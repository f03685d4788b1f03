//! A `kith` of its own process on a fake Discord, and what the system says it takes.

use std::fs;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use tempfile::TempDir;

use crate::engines::Engine;
use crate::fake_discord::{FakeDiscord, TOKEN};
use crate::kith_process;

/// What the kernel counts processor time in, on every Linux: a hundredth of a second.
const TICK: Duration = Duration::from_millis(10);

/// A running `kith` and its folder.
pub struct Kith {
    pub folder: TempDir,
    process: Child,
}

impl Kith {
    /// Starts one with a model at `url` and waits until its session is up. `tables` stand below `[discord]`.
    pub async fn start(fake: &FakeDiscord, url: &str, tables: &str, engine: &Engine) -> Self {
        let folder = TempDir::new().expect("a folder");
        let place = engine
            .url()
            .map_or_else(String::new, |url| format!("[store]\nurl = \"{url}\"\n"));
        let settings = format!(
            "near_duplicate = 2.0\n[room]\nlisten = \"127.0.0.1:0\"\n[model]\nprovider = \"openai\"\n\
             base_url = \"{url}\"\nname = \"scripted\"\n[budget]\ndaily_tokens = 1000000000\n[heartbeat]\n\
             address_wait_seconds = 0.0\n[pacing]\ncharacters_per_second = 0.0\n\
             [log]\nlevel = \"error\"\n[discord]\napi_base = \"{}\"\n{tables}{place}",
            fake.api()
        );
        fs::write(folder.path().join("kith.toml"), settings).expect("written");
        // A standby begins no session of its own.
        Self::start_in(folder, fake, 0).await
    }

    /// Starts one in a folder where one ran before, and waits until more than so many sessions have begun.
    pub async fn start_in(folder: TempDir, fake: &FakeDiscord, known: usize) -> Self {
        let mut command = kith_process::build_kith_command(folder.path());
        command
            .env("DISCORD_TOKEN", TOKEN)
            .stdout(Stdio::null())
            .stderr(Stdio::inherit());
        let kith = Self {
            process: command.spawn().expect("started"),
            folder,
        };
        fake.until("a session", |world| {
            (world.log.identifies.len() > known).then_some(())
        })
        .await;
        while fake.connected() == 0 {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        kith
    }

    /// A line of `/proc/PID/status`, in MB.
    fn status(&self, name: &str) -> f64 {
        let status =
            fs::read_to_string(format!("/proc/{}/status", self.process.id())).unwrap_or_default();
        let line = status
            .lines()
            .find_map(|line| line.strip_prefix(name)?.strip_prefix(':'));
        let kib: f64 = line
            .and_then(|line| line.split_whitespace().next()?.parse().ok())
            .unwrap_or(f64::NAN);
        kib * 1024.0 / 1e6
    }

    /// Resident memory now, in MB.
    pub fn resident(&self) -> f64 {
        self.status("VmRSS")
    }

    /// The most memory that was ever resident, in MB.
    pub fn most_resident(&self) -> f64 {
        self.status("VmHWM")
    }

    /// Processor time so far, of all threads.
    pub fn processor_time(&self) -> Duration {
        let stat =
            fs::read_to_string(format!("/proc/{}/stat", self.process.id())).unwrap_or_default();
        // The name in brackets may hold spaces; user and system time are the 12th and 13th field behind it.
        let fields = stat
            .rsplit_once(')')
            .map_or("", |(_, fields)| fields)
            .split_whitespace();
        TICK * fields
            .skip(11)
            .take(2)
            .filter_map(|ticks| ticks.parse::<u32>().ok())
            .sum()
    }

    /// Sends it a signal, by its name as of `-TERM`.
    pub fn send_signal(&self, name: &str) {
        let sent = Command::new("kill")
            .args([name, &self.process.id().to_string()])
            .status();
        assert!(sent.is_ok_and(|sent| sent.success()), "kith ended before");
    }

    /// SIGKILL, whether it lives still or not; gives its folder.
    pub fn kill(mut self) -> TempDir {
        let _ = self.process.kill();
        self.process.wait().expect("ended");
        self.folder
    }

    /// SIGTERM, and waits until everything is written down; gives its folder.
    pub fn stop(mut self) -> TempDir {
        let sent = Command::new("kill")
            .arg(self.process.id().to_string())
            .status();
        assert!(
            sent.is_ok_and(|sent| sent.success()),
            "kith ended before it was told to"
        );
        self.process.wait().expect("ended");
        self.folder
    }
}

/// The middle one, and the one that nine in ten are below.
pub fn median_and_ninth(mut values: Vec<f64>) -> (f64, f64) {
    values.sort_unstable_by(f64::total_cmp);
    let at = |share: f64| {
        values
            .get((values.len() as f64 * share) as usize)
            .copied()
            .unwrap_or(f64::NAN)
    };
    (at(0.5), at(0.9))
}
