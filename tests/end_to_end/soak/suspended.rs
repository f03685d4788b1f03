//! A machine that sleeps: hours pass by the time of day, and none by the clock that measures how long something takes.

use kith_system::clock;
use tokio::time::{Duration, sleep};

use super::simulated_time::SimulatedTime;
use crate::discord::discord_test::{DiscordTest, on, say, settings};
use crate::discord::fake_discord::{ANNA, BOT, FakeDiscord, Fault, GENERAL, Millis, TOKEN, World};
use crate::discord::kith_process::{KithProcess, model};

const MINUTE: Millis = 60_000;
/// Long enough for Discord to forget a nonce, and not for an answer to be too old.
const SLEEP: Millis = 7 * MINUTE;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn what_was_said_just_before_the_machine_slept_is_not_said_again_when_it_wakes() {
    let fake = FakeDiscord::start(World::small());
    let time = SimulatedTime::begin(clock::now());
    let url = model(|_| say("good night")).await;
    let settings = settings(&fake, &url, "", &on(GENERAL));
    let (variable, file) = time.variable();
    let environment = [("DISCORD_TOKEN", TOKEN), (variable, &*file)];
    let kith = KithProcess::furnished(&[("kith.toml", &settings)], &environment).await;
    let test = DiscordTest { fake, kith };
    test.is_there().await;
    test.fake
        .fault("POST /channels/*/messages", Fault::DoneBut504);
    test.fake
        .says(GENERAL, ANNA, &format!("<@{BOT}> I'm off to bed"));
    test.post(GENERAL, 0).await;
    time.pass_until(time.now() + SLEEP, &test.fake).await;
    test.knows_it_did(1).await;
    // The second try would come within a second.
    sleep(Duration::from_secs(1)).await;
    assert_eq!(test.fake.posts(GENERAL).len(), 1, "{}", test.log());
}
