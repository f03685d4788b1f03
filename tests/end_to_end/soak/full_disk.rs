//! A disk of its own for the companion's data, which can be made as small as what is on it. Only where this user may mount
//! one; elsewhere no disk is ever full.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use kith_testkit::monitoring::{MONITORED, probe, until_probed};

use crate::discord::discord_test::{DiscordTest, on, say};
use crate::discord::fake_discord::{ANNA, BEN, BOT, GENERAL, LOG, World};

/// How large it is while it is not full, in MiB.
const SIZE: u64 = 8_192;

/// A mounted disk; gone when it is dropped.
pub struct SmallDisk {
    path: PathBuf,
}

impl SmallDisk {
    /// Moves the companion's data to such a disk; it is started anew.
    pub fn mount(test: &mut DiscordTest) -> Option<Self> {
        let path = test.kith.dir.path().join("data");
        let aside = test.kith.dir.path().join("aside");
        test.kith.stop();
        std::fs::rename(&path, &aside).unwrap();
        std::fs::create_dir(&path).unwrap();
        let options = format!("size={SIZE}m,mode=700");
        let is_mounted = runs("mount", &["-t", "tmpfs", "-o", &options, "tmpfs"], &path);
        for file in std::fs::read_dir(&aside).unwrap() {
            let file = file.unwrap();
            // A copy keeps who may read it.
            std::fs::copy(file.path(), path.join(file.file_name())).unwrap();
        }
        std::fs::remove_dir_all(&aside).unwrap();
        test.kith.start();
        if !is_mounted {
            kith_testkit::say_skipped("no disk can be mounted here, so none is ever full");
        }
        is_mounted.then_some(Self { path })
    }

    /// Hardly a byte more fits on it.
    pub fn fills(&self) {
        // What is smaller than what is on it is refused, and folders take room, too.
        for doublings in 0..12 {
            let bytes = self.used() + (4_096 << doublings);
            if runs(
                "mount",
                &["-o", &format!("remount,size={bytes}")],
                &self.path,
            ) {
                return;
            }
        }
        panic!("the disk cannot be made smaller");
    }

    fn used(&self) -> u64 {
        let files = std::fs::read_dir(&self.path).unwrap();
        files
            .filter_map(|file| file.ok()?.metadata().ok())
            .map(|file| file.len().next_multiple_of(4_096))
            .sum()
    }

    pub fn has_room(&self) {
        let options = format!("remount,size={SIZE}m");
        assert!(runs("mount", &["-o", &options], &self.path));
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        runs("umount", &["-l"], &self.path);
    }
}

fn runs(program: &str, arguments: &[&str], path: &Path) -> bool {
    let status = Command::new(program)
        .args(arguments)
        .arg(path)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    status.is_ok_and(|status| status.success())
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn on_a_full_disk_it_goes_on_reading_tells_the_host_and_recovers() {
    let tables = format!(
        "[discord.log]\nchannel = \"{LOG}\"\n{}{MONITORED}",
        on(GENERAL)
    );
    let mut test = DiscordTest::of(World::small(), "", &tables, |_| say("hi")).await;
    let Some(disk) = SmallDisk::mount(&mut test) else {
        return;
    };
    test.is_there().await;
    test.fake.says(GENERAL, ANNA, "while there is room");
    test.is_stored("while there is room").await;
    disk.fills();
    let texts: Vec<String> = (0..40)
        .map(|number| format!("n{number}. {}", "long ".repeat(300)))
        .collect();
    for text in &texts {
        test.fake.says(GENERAL, ANNA, text);
    }
    test.logged(LOG, "no room left on the disk").await;
    until_probed(&test.kith, "/readyz", 503, "store\n").await;
    assert_eq!(probe(&test.kith, "/healthz").await, (200, "ok\n".into()));
    test.fake
        .says(GENERAL, BEN, &format!("<@{BOT}> are you there?"));
    assert_eq!(
        test.posts_in_peace(GENERAL).await,
        0,
        "nothing of it is stored"
    );
    disk.has_room();
    assert_eq!(test.post(GENERAL, 0).await, "hi");
    until_probed(&test.kith, "/readyz", 200, "ok\n").await;
    test.kith.stop();
    let stored = test.stored(GENERAL).await;
    let numbers = |texts: &[String]| -> Vec<String> {
        let heads = texts.iter().filter_map(|text| text.split('.').next());
        heads
            .filter(|head| head.starts_with('n'))
            .map(str::to_owned)
            .collect()
    };
    assert_eq!(numbers(&stored), numbers(&texts));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn killed_on_a_full_disk_it_starts_again_and_loses_nothing() {
    let mut test = DiscordTest::of(World::small(), "", &on(GENERAL), |_| say("hi")).await;
    let Some(disk) = SmallDisk::mount(&mut test) else {
        return;
    };
    test.is_there().await;
    test.fake.says(GENERAL, ANNA, "while there is room");
    test.is_stored("while there is room").await;
    disk.fills();
    for number in 0..40 {
        let text = format!("n{number}. {}", "long ".repeat(300));
        test.fake.says(GENERAL, ANNA, &text);
    }
    test.kith.until_logged("no room left on the disk").await;
    test.kith.kill();
    test.starts().await;
    test.fake.says(GENERAL, ANNA, "while there is none");
    disk.has_room();
    test.is_stored("while there is none").await;
    test.is_stored("n39.").await;
}
