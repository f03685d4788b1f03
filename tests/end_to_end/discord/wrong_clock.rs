//! A machine whose clock is wrong: Discord says what time it is, and what is said in time is answered in time.

use crate::discord::prelude::*;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mention_is_answered_and_the_host_is_told_though_the_clock_is_twenty_minutes_fast() {
    let fake = FakeDiscord::start(World::small());
    fake.tells_date(fake.now() - 20 * 60_000);
    let tables = format!("[discord.log]\nchannel = \"{LOG}\"\n{}", on(GENERAL));
    let test = DiscordTest::on(fake, "", &tables, |_| say("hi Anna")).await;
    assert_eq!(test.talk(GENERAL, ANNA, "hello").await, "hi Anna");
    test.logged(LOG, "fast by Discord's").await;
}
