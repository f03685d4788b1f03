//! In which order many channels are looked back at: first those in which somebody waits.

use std::time::Duration;

use crate::discord::prelude::*;

/// Many for what is looked back at in one go, which are four.
const CHANNELS: usize = 24;
const PAGES: &str = "GET /channels/*/messages";
/// Long enough that all of them wait before the first one is through.
const SLOW: Fault = Fault::Slow(Duration::from_millis(400));

/// A companion that heard something in many channels and was stopped, and these channels.
async fn stopped() -> (DiscordTest, Vec<Id>) {
    let mut world = World::small();
    let channels: Vec<Id> = (0..CHANNELS)
        .map(|number| world.add_channel(GUILD, &format!("room-{number}")))
        .collect();
    let tables: String = channels.iter().map(|channel| on(*channel)).collect();
    let (_, answer) = remembering();
    let mut test = DiscordTest::of(world, "", &tables, answer).await;
    for channel in &channels {
        test.fake
            .says(*channel, ANNA, &format!("good night {channel}"));
        test.is_stored(&format!("good night {channel}")).await;
    }
    test.kith.stop();
    (test, channels)
}

/// How many were looked back at before a channel, after so many requests.
fn turn_of(test: &DiscordTest, channel: Id, before: usize) -> Option<usize> {
    let pages = test.fake.requests(PAGES);
    let channel = channel.to_string();
    let mut pages = pages.iter().skip(before);
    pages.position(|page| page.path.contains(&channel))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_something_was_missed_is_looked_first() {
    let (mut test, channels) = stopped().await;
    let asked = channels[CHANNELS - 1];
    test.calls(asked, ANNA, "who is up?");
    let before = test.fake.requests(PAGES).len();
    test.fake.faults(PAGES, SLOW, 1_000);
    test.starts().await;
    assert_eq!(test.post(asked, 0).await, "answer 1", "{}", test.log());
    let turn = turn_of(&test, asked, before).unwrap();
    assert!(turn < 8, "as number {turn}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn where_somebody_speaks_meanwhile_is_looked_next() {
    let (mut test, channels) = stopped().await;
    let before = test.fake.requests(PAGES).len();
    test.fake.faults(PAGES, SLOW, 1_000);
    test.starts().await;
    // All wait: four of them were asked for, and no more.
    while test.fake.requests(PAGES).len() < before + 4 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let asked = |channel: &&Id| turn_of(&test, **channel, before).is_none();
    let quiet = *channels.iter().rev().find(asked).unwrap();
    assert_eq!(
        test.talk(quiet, ANNA, "who is up?").await,
        "answer 1",
        "{}",
        test.log()
    );
    let turn = turn_of(&test, quiet, before).unwrap();
    assert!(turn < 14, "as number {turn}");
}
