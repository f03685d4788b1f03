//! As many messages as Kith takes, through gateway, store and willingness; and whether each of them arrived, the link
//! stayed up and the memory where it was. Then the same in channels that are off.

use std::path::Path;
use std::time::Duration;

use kith_system::clock;

use crate::engines::Engine;
use crate::fake_discord::{BOT, FakeDiscord, GENERAL, GUILD, Id, World};
use crate::kith_process;
use crate::process::Kith;

/// Channels that are read along, and as many that are off; the model is only asked in another one, at the end.
const CHANNELS: usize = 50;
/// People who write.
const PEOPLE: usize = 200;
/// Messages between two looks at the memory.
const PART: usize = 10_000;
/// What is said by turns.
const LINES: [&str; 4] = [
    "does anybody know why the second disk is not mounted after a reboot? {n}",
    "it is in fstab, isn't it? paste line {n} with the uuid please",
    "今天晚上有人一起吃火锅吗，我知道一家新开的店 {n}",
    "lol {n}",
];

/// Floods it with so many messages, with its database on this engine.
pub async fn measure(count: usize, engine: &Engine) {
    let mut world = World::small();
    let people: Vec<Id> = (0..PEOPLE)
        .map(|number| world.add_user(&format!("Person {number}")))
        .collect();
    people.iter().for_each(|person| world.join(GUILD, *person));
    let mut channels: Vec<Id> = (0..CHANNELS * 2)
        .map(|number| world.add_channel(GUILD, &format!("talk-{number}")))
        .collect();
    let off = channels.split_off(CHANNELS);
    let observed = channels
        .iter()
        .map(|channel| format!("[channel.{channel}]\nmode = \"observe\"\n"));
    let tables = format!("[channel.{GENERAL}]\nmode = \"on\"\n") + &observed.collect::<String>();
    let fake = FakeDiscord::start(world);
    // Four times as often as Discord wants them.
    fake.heartbeat_every(10_000);
    let url =
        kith_process::model(|_| "<turn><send_message>done</send_message></turn>".into()).await;
    let kith = Kith::start(&fake, &url, &tables, engine).await;
    answered(&fake, people[0]).await;

    let (took, busy, resident) = flood(&fake, &kith, &channels, &people, count).await;
    let links = fake.world(|world| {
        (
            world.log.connects.len(),
            world.log.identifies.len(),
            world.log.heartbeats,
        )
    });
    let (most, size) = (kith.most_resident(), count as f64);
    let (took_off, busy_off, _) = flood(&fake, &kith, &off, &people, count / 5).await;
    let (known, known_off) = {
        let folder = kith.stop();
        let store = folder.path().join("data/kith.db");
        (
            count_rows(engine, &store, &channels),
            count_rows(engine, &store, &off),
        )
    };
    let quarters: Vec<String> = (0..5)
        .map(|quarter| format!("{:.0}", resident[(resident.len() - 1) * quarter / 4]))
        .collect();
    println!(
        "flood on {}: {:.0} messages a second over {:.0} s",
        engine.name,
        size / took,
        took
    );
    println!(
        "flood: {:.0} µs of processor time a message",
        busy * 1e6 / size
    );
    println!(
        "flood: resident {} MB at every quarter, {most:.0} MB at most",
        quarters.join(", ")
    );
    println!("flood: {known} of {count} messages are in the store, each once");
    println!(
        "flood: {} link, {} session, {} heartbeats in {took:.0} s",
        links.0, links.1, links.2
    );
    println!(
        "flood in channels that are off: {:.0} messages a second, {:.0} µs of processor time each, {known_off} stored",
        size / 5.0 / took_off,
        busy_off * 5e6 / size
    );
}

/// So many messages in these channels, until all are taken in: seconds it took, seconds of processor time, and the
/// resident memory in MB on the way.
async fn flood(
    fake: &FakeDiscord,
    kith: &Kith,
    channels: &[Id],
    people: &[Id],
    count: usize,
) -> (f64, f64, Vec<f64>) {
    let places: Vec<(Id, Id)> = (0..PART)
        .map(|number| (channels[number % CHANNELS], people[number * 7 % PEOPLE]))
        .collect();
    let (from, busy) = (clock::monotonic(), kith.processor_time());
    let mut resident = vec![kith.resident()];
    let mut left = count;
    while left > 0 {
        let part = left.min(PART);
        fake.flood(&places, LINES[left / PART % LINES.len()], part)
            .await;
        resident.push(kith.resident());
        left -= part;
    }
    // Its answer to who speaks now comes after everything that was said before.
    answered(fake, people[0]).await;
    resident.push(kith.resident());
    (
        from.elapsed().as_secs_f64(),
        (kith.processor_time() - busy).as_secs_f64(),
        resident,
    )
}

/// Speaks to it and waits for its answer.
async fn answered(fake: &FakeDiscord, person: Id) {
    let known = fake.posts(GENERAL).len();
    fake.says(GENERAL, person, &format!("<@{BOT}> are you there?"));
    // The fake may have more to send before than it has patience for.
    while fake.posts(GENERAL).len() == known {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
}

/// How many messages of these channels are stored; no two of a channel can have one id.
fn count_rows(engine: &Engine, file: &Path, channels: &[Id]) -> i64 {
    let ids: Vec<String> = channels
        .iter()
        .map(|channel| channel.cast_signed().to_string())
        .collect();
    let count = format!(
        "SELECT count(*) FROM messages WHERE channel IN ({})",
        ids.join(", ")
    );
    engine.read_number(file, &count)
}
