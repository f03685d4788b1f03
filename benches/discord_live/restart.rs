//! From a mention right after a start to the answer, where nothing was missed: every channel is looked back at meanwhile, and
//! Discord takes its time for a page.

use std::time::Duration;

use kith_system::clock;

use crate::engines::Engine;
use crate::fake_discord::{ANNA, BEN, BOT, FakeDiscord, Fault, GUILD, Id, World};
use crate::kith_process;
use crate::process::{Kith, median_and_ninth};

/// More than are looked back at in one go.
const CHANNELS: usize = 12;
/// So much was said in each before: a page, at the lengths of people's lines.
const LINES: usize = 100;
const PAGES: &str = "GET /channels/*/messages";
/// What a page takes over the net.
const PAGE: Fault = Fault::Slow(Duration::from_millis(250));

/// Starts it so many times after it was stopped, and after it was killed.
pub async fn measure(rounds: usize, engine: &Engine) {
    let mut world = World::small();
    let channels: Vec<Id> = (0..CHANNELS)
        .map(|number| world.add_channel(GUILD, &format!("room-{number}")))
        .collect();
    let on = |channel: &Id| format!("[channel.{channel}]\nmode = \"on\"\n");
    let tables: String = channels.iter().map(on).collect();
    let fake = FakeDiscord::start(world);
    let url =
        kith_process::model(|_| "<turn><send_message>hi Anna</send_message></turn>".into()).await;
    let mut kith = Kith::start(&fake, &url, &tables, engine).await;
    for channel in &channels {
        for number in 0..LINES {
            fake.says(*channel, BEN, &line(number));
        }
    }
    tokio::time::sleep(Duration::from_secs(3)).await;
    fake.faults(PAGES, PAGE, u32::MAX);
    let mut known = 0;
    for way in ["stopped", "killed"] {
        let mut took = Vec::new();
        for _ in 0..rounds {
            let folder = if way == "stopped" {
                kith.stop()
            } else {
                kith.kill()
            };
            let begun = fake.world(|world| world.log.identifies.len());
            kith = Kith::start_in(folder, &fake, begun).await;
            let asked = channels[CHANNELS - 1];
            let from = clock::monotonic();
            fake.says(asked, ANNA, &format!("<@{BOT}> who is up?"));
            fake.until("an answer", |world| {
                (world.posts(asked).len() > known).then_some(())
            })
            .await;
            took.push(from.elapsed().as_secs_f64());
            known += 1;
            // All that it does at a start is over.
            tokio::time::sleep(Duration::from_secs(2)).await;
        }
        let (median, ninth) = median_and_ninth(took);
        println!(
            "restart on {}: after it was {way}, mention to answer: {median:.2} s median of {rounds}, 90 % within {ninth:.2} s",
            engine.name
        );
    }
    drop(kith.kill());
}

fn line(number: usize) -> String {
    let words = 3 + number * 7 % 20;
    (0..words)
        .map(|word| format!("w{:03} ", (number * 31 + word) * 7_919 % 300))
        .collect()
}
