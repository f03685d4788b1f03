//! Entries of a log channel that a crash kept off the record: found again, so that forgetting and expiry reach them.

use serde_json::json;

use crate::discord::prelude::*;

const SECRET: &str = "aardvarkquartz";

fn tables() -> String {
    format!("[discord.log]\nchannel = \"{LOG}\"\ntext = true\n") + &on(GENERAL)
}

/// The entry about a turn stands in the log channel, and the process is killed before it hears so.
async fn killed_while_logging() -> (DiscordTest, Message) {
    let answer = |_: &str| say(&format!("{SECRET}? lovely"));
    let (mut test, _) = DiscordTest::watched(World::small(), "", &tables(), answer).await;
    test.fake.fault(
        &format!("POST /channels/{LOG}/messages"),
        Fault::DoneButHang,
    );
    test.calls(GENERAL, ANNA, &format!("I collect {SECRET}"));
    let entry = test.logged(LOG, SECRET).await;
    test.kith.kill();
    (test, entry)
}

impl DiscordTest {
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
    let (mut test, entry) = killed_while_logging().await;
    test.starts().await;
    test.asks(GENERAL, ANNA, "kith forget me", json!({})).await;
    test.is_gone_from_the_log(entry.id).await;
    let left: Vec<String> = test
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
    let (mut test, entry) = killed_while_logging().await;
    let forget = ["forget", "--person", &ANNA.to_string(), "--yes"];
    let forgotten = build_kith_command(test.kith.dir.path())
        .args(forget)
        .output()
        .unwrap();
    assert!(
        forgotten.status.success(),
        "{}",
        String::from_utf8_lossy(&forgotten.stderr)
    );
    test.starts().await;
    test.is_gone_from_the_log(entry.id).await;
}
