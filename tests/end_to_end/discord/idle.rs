//! What it takes while nothing happens.

use kith_testkit::test_database::is_skipped_off_the_file;

use crate::discord::prelude::*;
use crate::discord::wakeups::assert_idle;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn connected_and_idle_it_wakes_less_than_once_a_second() {
    // On a server it says every three seconds that it lives: another process could share the companion.
    if is_skipped_off_the_file() {
        return;
    }
    let test = DiscordTest::of(World::small(), "", &on(GENERAL), |_| say("hello")).await;
    test.fake.says(GENERAL, ANNA, "@Juno hello");
    test.post(GENERAL, 0).await;
    assert_idle(test.kith.process_id()).await;
}
