//! Entries of a log channel that a crash kept off the record: found again, so that forgetting and expiry reach them.

use serde_json::json;

use crate::discord::fake_discord::{ANNA, BOT, Fault, GENERAL, Id, LOG, Message, World};
use crate::discord::house::kith;
use crate::discord::people::said;
use crate::discord::town::{Town, on, say};

/// What nobody but her would say.
const SECRET: &str = "aardvarkquartz";

fn tables() -> String {
    format!("[discord.log]\nchannel = \"{LOG}\"\ntext = true\n") + &on(GENERAL)
}

/// The entry about a turn stands in the log channel, and the process is killed before it hears so.
async fn killed_while_logging() -> (Town, Message) {
    let answer = |_: &str| say(&format!("{SECRET}? lovely"));
    let (mut town, _) = Town::watched(World::small(), "", &tables(), answer).await;
    town.fake.fault(
        &format!("POST /channels/{LOG}/messages"),
        Fault::DoneButHang,
    );
    town.fake
        .says(GENERAL, ANNA, &format!("<@{BOT}> I collect {SECRET}"));
    let entry = town.logged(LOG, SECRET).await;
    town.house.kill();
    (town, entry)
}

impl Town {
    async fn is_gone_from_the_log(&self, entry: Id) {
        let gone = |world: &World| {
            world
                .posts(LOG)
                .iter()
                .all(|post| post.id != entry)
                .then_some(())
        };
        self.fake.until("the entry is deleted", gone).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn an_entry_that_a_crash_kept_off_the_record_is_deleted_with_who_is_forgotten() {
    let (mut town, entry) = killed_while_logging().await;
    town.starts().await;
    town.asks(GENERAL, ANNA, "kith forget me", json!({})).await;
    town.is_gone_from_the_log(entry.id).await;
    let left: Vec<String> = town
        .fake
        .posts(LOG)
        .iter()
        .map(said)
        .filter(|entry| entry.contains(SECRET))
        .collect();
    assert!(left.is_empty(), "{left:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn who_is_forgotten_before_it_starts_again_is_in_no_such_entry_either() {
    let (mut town, entry) = killed_while_logging().await;
    let forget = ["forget", "--person", &ANNA.to_string(), "--yes"];
    let forgotten = kith(town.house.dir.path()).args(forget).output().unwrap();
    assert!(
        forgotten.status.success(),
        "{}",
        String::from_utf8_lossy(&forgotten.stderr)
    );
    town.starts().await;
    town.is_gone_from_the_log(entry.id).await;
}
