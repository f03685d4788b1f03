//! From the end of a process, in three ways, to what a standby says in its place. Both share a database on a PostgreSQL
//! server; most of the time is the wait until the first one counts as dead.

use kith_system::clock;

use crate::engines::Engine;
use crate::fake_discord::{ANNA, BOT, FakeDiscord, GENERAL, World};
use crate::kith_process;
use crate::process::{Kith, median_and_ninth};

/// A way in which a process ends, and the signal for it.
pub type Way = (&'static str, &'static str);
pub const WAYS: [Way; 3] = [
    ("told to stop", "-TERM"),
    ("killed", "-KILL"),
    ("frozen", "-STOP"),
];

/// Each of the ways so many times.
pub async fn measure(ways: &[Way], rounds: usize, engine: &Engine) {
    if engine.url().is_none() {
        return;
    }
    let fake = FakeDiscord::start(World::small());
    let url =
        kith_process::model(|_| "<turn><send_message>hi Anna</send_message></turn>".into()).await;
    let tables = format!("[channel.{GENERAL}]\nmode = \"on\"\n");
    let mut first = Kith::start(&fake, &url, &tables, engine).await;
    // A channel that was heard before is looked back at.
    ask(&fake, 0).await;
    let mut asked = 1;
    for (way, signal) in ways {
        let mut took = Vec::new();
        for _ in 0..rounds {
            let second = Kith::start(&fake, &url, &tables, engine).await;
            let from = clock::monotonic();
            first.send_signal(signal);
            ask(&fake, asked).await;
            took.push(from.elapsed().as_secs_f64());
            asked += 1;
            drop(first.kill());
            first = second;
        }
        let (median, ninth) = median_and_ninth(took);
        println!(
            "takeover: from a process that is {way} to an answer of the standby: {median:.1} s median of {rounds}, 90 % within {ninth:.1} s"
        );
    }
    drop(first.kill());
}

/// Asks, and waits for the answer.
async fn ask(fake: &FakeDiscord, known: usize) {
    fake.says(GENERAL, ANNA, &format!("<@{BOT}> are you there? {known}"));
    fake.until("an answer", |world| {
        (world.posts(GENERAL).len() > known).then_some(())
    })
    .await;
}
