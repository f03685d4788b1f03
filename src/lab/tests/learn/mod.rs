//! Scores and learning through their public faces: on chats made up here, and, where the public logs are, held against
//! the reference implementation and its gold points.

mod converting;
mod friends;
mod invented_corpus;
mod learning;
mod scoring;

use std::path::PathBuf;

/// The folder of the public logs, if somebody told where it is.
#[expect(
    clippy::disallowed_methods,
    reason = "where the shared logs lie is told to the tests, not to the program"
)]
fn groupchat() -> Option<PathBuf> {
    let shared = std::env::var("KITH_SHARED").ok();
    if shared.is_none() {
        println!("skipped: KITH_SHARED names no folder with the group-chat logs");
    }
    Some(PathBuf::from(shared?).join("groupchat"))
}
