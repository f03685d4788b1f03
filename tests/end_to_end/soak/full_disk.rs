//! A disk of its own for the companion's data, which can be made as small as what is on it. Only where this user may mount
//! one; elsewhere no disk is ever full.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::discord::discord_test::DiscordTest;

/// How large it is while it is not full, in MiB.
const SIZE: u64 = 1_024;

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
            println!("skipped: no disk can be mounted here, so none is ever full");
        }
        is_mounted.then_some(Self { path })
    }

    /// No byte more fits on it.
    pub fn fills(&self) {
        let used: u64 = std::fs::read_dir(&self.path)
            .unwrap()
            .filter_map(|file| file.ok()?.metadata().ok())
            .map(|file| file.len().next_multiple_of(4_096))
            .sum();
        // What is smaller than what is on it is refused; the folder takes a page, too.
        for pages in 0..64 {
            let bytes = used + 4_096 * pages;
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

    /// There is room again.
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
