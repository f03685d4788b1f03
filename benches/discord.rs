//! What Discord says, converted: one message, one guild, a thousand guilds in memory: `cargo bench --bench discord`.

use std::sync::{Arc, RwLock};

use divan::{AllocProfiler, Bencher, black_box};
use kith_core::chat::ChannelId;
use kith_core::directory::Directory;
use kith_core::partition::Partition;
use kith_core::persona::Language;
use kith_discord::convert::EventConverter;
use serde_json::{Value, json};

#[global_allocator]
static COUNTED: AllocProfiler = AllocProfiler::system();

fn main() {
    divan::main();
}

const EVERYBODY: u64 = (1 << 10) | (1 << 11) | (1 << 16);
/// Messages that are read in turn.
const MESSAGES: u64 = 1_000;

/// A guild of 50 channels and 40 roles; every fifth channel is only for some of the roles.
fn guild(id: u64) -> Value {
    let role = |number: u64| {
        let permissions = if number == 0 { EVERYBODY } else { 0 };
        json!({"id": (id + number).to_string(), "name": format!("role {number}"), "permissions": permissions.to_string()})
    };
    let channel = |number: u64| {
        let allow = |role: u64| json!({"id": (id + role).to_string(), "type": 0, "allow": "1024", "deny": "0"});
        let deny = json!({"id": id.to_string(), "type": 0, "allow": "0", "deny": "1024"});
        let overwrites = if number.is_multiple_of(5) {
            vec![
                deny,
                allow(number % 40),
                allow(number % 7 + 1),
                allow(number % 11 + 1),
            ]
        } else {
            Vec::new()
        };
        json!({
            "id": (id + 100 + number).to_string(), "type": 0, "name": format!("channel-{number}"),
            "topic": "what is talked about here", "permission_overwrites": overwrites,
        })
    };
    json!({
        "id": id.to_string(), "name": "A guild", "owner_id": "1", "roles": (0..40).map(role).collect::<Vec<_>>(),
        "channels": (0..50).map(channel).collect::<Vec<_>>(),
    })
}

fn ready() -> Value {
    json!({"user": {"id": "900", "username": "kith"}, "guilds": []})
}

fn converter(guilds: u64) -> (EventConverter, Arc<RwLock<Directory>>) {
    let directory = Arc::new(RwLock::new(Directory::default()));
    let mut converter = EventConverter::new(directory.clone(), Language::EN, Partition::WHOLE);
    converter.convert_event("READY", &ready());
    for number in 1..=guilds {
        converter.convert_event("GUILD_CREATE", &guild(number * 1_000));
    }
    (converter, directory)
}

fn message(number: u64) -> Value {
    let lines = [
        "does anybody know why the second disk is not mounted after a reboot?",
        "<@2> it is in fstab, isn't it? paste the line with the uuid in <#1102> please <:thanks:77>",
        "今天晚上有人一起吃火锅吗，我知道一家新开的店",
    ];
    let author = 2 + number * 7 % 9;
    json!({
        "id": (number + 1).to_string(), "channel_id": "1101", "guild_id": "1000", "type": 0,
        "author": {"id": author.to_string(), "username": format!("person{author}"), "discriminator": "0",
            "global_name": "Somebody", "avatar": null},
        "member": {"nick": null, "roles": [], "joined_at": "2020-01-01T00:00:00Z", "deaf": false, "mute": false},
        "content": lines[number as usize % lines.len()], "timestamp": "2024-01-01T00:00:00Z",
        "edited_timestamp": null, "tts": false, "mention_everyone": false, "mention_roles": [], "attachments": [],
        "mentions": [{"id": "2", "username": "anna", "discriminator": "0", "global_name": null, "avatar": null}],
        "embeds": [], "pinned": false,
    })
}

/// 1,000 messages.
#[divan::bench]
fn a_thousand_messages(bencher: Bencher) {
    let values: Vec<Value> = (0..MESSAGES).map(message).collect();
    bencher
        .with_inputs(|| converter(1).0)
        .bench_refs(|converter| {
            values
                .iter()
                .map(|value| black_box(converter.convert_event("MESSAGE_CREATE", value)).len())
                .sum::<usize>()
        });
}

/// Which of a guild's 50 channels may be read in a public one, and in a private one.
#[divan::bench(args = [1_101, 1_105])]
fn readable(bencher: Bencher, channel: u64) {
    let (_, directory) = converter(1);
    let directory = directory.read().expect("nobody else is here");
    bencher.bench_local(|| black_box(directory.find_readable_channels(ChannelId(channel))));
}

/// 1,000 guilds; the number to look at is the memory that is allocated at most.
#[divan::bench(sample_count = 3, sample_size = 1)]
fn a_thousand_guilds(bencher: Bencher) {
    bencher.bench_local(|| converter(1_000));
}
