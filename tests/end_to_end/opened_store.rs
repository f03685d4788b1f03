//! The store of a process that does not run, on whichever engine it is.

use kith_store::{DatabasePlace, Store};
use kith_testkit::kith_process::KithProcess;

pub fn open_store(kith: &KithProcess) -> Store {
    let database = kith.database();
    let place = match database.url() {
        Some(url) => DatabasePlace::Server(Box::new(url.parse().unwrap())),
        None => DatabasePlace::File(database.file().to_path_buf()),
    };
    place.open().unwrap()
}
