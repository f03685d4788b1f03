//! From somebody's mention to what Kith does about it, with a model that answers at once and without any wait.

use std::time::Duration;

use kith_system::clock;

use crate::engines::Engine;
use crate::fake_discord::{ANNA, BOT, FakeDiscord, GENERAL, World};
use crate::kith_process;
use crate::process::{Kith, median_and_ninth};

/// Between two mentions: Kith keeps to 50 requests a second by itself.
const APART: Duration = Duration::from_millis(100);
/// The first ones warm up.
const WARM_UP: usize = 2;
/// What it is asked: eight of so many words, so that memory has something to find.
const WORDS: usize = 300;

/// Mentions it so many times, with its database on this engine.
pub async fn measure(mentions: usize, engine: &Engine) {
    let fake = FakeDiscord::start(World::small());
    let url =
        kith_process::model(|_| "<turn><send_message>hi Anna</send_message></turn>".into()).await;
    let kith = Kith::start(
        &fake,
        &url,
        &format!("[channel.{GENERAL}]\nmode = \"on\"\n"),
        engine,
    )
    .await;
    let (mut first, mut said) = (Vec::new(), Vec::new());
    for round in 0..mentions + WARM_UP {
        tokio::time::sleep(APART).await;
        let known = fake.world(|world| world.log.requests.len());
        let from = clock::monotonic();
        fake.says(GENERAL, ANNA, &format!("<@{BOT}>{}", line(round)));
        fake.until("a request", |world| {
            (world.log.requests.len() > known).then_some(())
        })
        .await;
        first.push(from.elapsed().as_secs_f64() * 1e3);
        fake.until("a post", |world| {
            (world.posts(GENERAL).len() > round).then_some(())
        })
        .await;
        said.push(from.elapsed().as_secs_f64() * 1e3);
    }
    let (first, said) = (first.split_off(WARM_UP), said.split_off(WARM_UP));
    for (what, values) in [("first request", first), ("message", said)] {
        let (median, ninth) = median_and_ninth(values);
        println!(
            "latency on {}: mention to {what}: {median:.1} ms median of {mentions}, 90 % within {ninth:.1} ms",
            engine.name
        );
    }
    kith.stop();
}

fn line(round: usize) -> String {
    (0..8)
        .map(|word| format!(" w{:03}", (round * 8 + word) * 7_919 % WORDS))
        .collect()
}
