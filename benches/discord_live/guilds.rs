//! Being in many guilds, of 50 channels and 40 roles each.

use std::time::Duration;

use kith_system::clock;

use crate::engines::Engine;
use crate::fake_discord::{FakeDiscord, For, Id, World, permissions};
use crate::kith_process;
use crate::process::Kith;

const CHANNELS: usize = 50;
const ROLES: usize = 40;
/// Channels that are on, each in a guild of its own.
const ON: usize = 50;

/// Lets it come into so many guilds, with its database on this engine, and rest there.
pub async fn measure(guilds: usize, rest: Duration, engine: &Engine) {
    let mut world = World::empty();
    let person = world.add_user("Anna");
    let spoken: Vec<Id> = (0..guilds)
        .map(|number| guild(&mut world, number, person))
        .collect();
    let on: Vec<String> = spoken
        .iter()
        .rev()
        .take(ON)
        .map(|id| format!("[channel.{id}]\nmode = \"on\"\n"))
        .collect();
    let last = *spoken.last().expect("a guild");
    let bot = world.bot;
    let fake = FakeDiscord::start(world);
    let url = kith_process::model(|_| "<turn><send_message>hi</send_message></turn>".into()).await;
    let from = clock::monotonic();
    let kith = Kith::start(&fake, &url, &on.concat(), engine).await;
    // The answer comes after all guilds, which were told before.
    fake.says(last, person, &format!("<@{bot}> are you there?"));
    while fake.posts(last).is_empty() {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let (took, then) = (from.elapsed(), kith.resident());
    tokio::time::sleep(rest).await;
    println!(
        "guilds on {}: {guilds} of {CHANNELS} channels and {ROLES} roles: answered {:.1} s after the start",
        engine.name,
        took.as_secs_f64()
    );
    println!(
        "guilds: resident {then:.0} MB then, {:.0} MB after {} s more, {:.0} MB at most",
        kith.resident(),
        rest.as_secs(),
        kith.most_resident()
    );
    println!(
        "guilds: {:.1} s of processor time",
        kith.processor_time().as_secs_f64()
    );
    kith.stop();
}

/// A guild; every fifth of its channels is only for some of its roles. Gives its first channel.
fn guild(world: &mut World, number: usize, person: Id) -> Id {
    let guild = world.add_guild(&format!("Guild {number}"), person);
    // Two are there already: everybody's and the bot's own.
    let roles: Vec<Id> = (2..ROLES)
        .map(|role| world.add_role(guild, &format!("role {role}"), 0))
        .collect();
    let channels: Vec<Id> = (0..CHANNELS)
        .map(|channel| world.add_channel(guild, &format!("channel-{channel}")))
        .collect();
    for (number, channel) in channels.iter().enumerate() {
        world.channel_mut(*channel).topic = Some(format!(
            "everything about {number}, and be kind to each other"
        ));
        if number % 5 == 4 {
            world.overwrite(*channel, For::Role(guild), 0, permissions::VIEW_CHANNEL);
            for role in [number % 38, number % 7, number % 11] {
                world.overwrite(
                    *channel,
                    For::Role(roles[role]),
                    permissions::VIEW_CHANNEL,
                    0,
                );
            }
        }
    }
    channels[0]
}
