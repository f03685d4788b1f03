//! A recorded chat over many channels through the real core, with the store in memory: `cargo bench --bench replay`.

mod scale;

use std::sync::Arc;

use divan::Bencher;
use divan::counter::ItemsCount;
use kith_agent::prompt::PromptTemplates;
use kith_core::policy::ChannelPolicy;
use kith_core::willingness::Weights;
use kith_replay::player::{ReplayPlayer, ReplayRole};
use kith_replay::recorded_message::{RecordedAuthor, RecordedMessage};
use kith_store::Store;

use scale::scale_down;

const MESSAGES: u64 = 50_000;
const CHANNELS: usize = 100;

fn main() {
    divan::main();
}

const LINES: [&str; 6] = [
    "does anybody know why the second disk is not mounted after a reboot?",
    "person3: it is in fstab, isn't it? paste the line with the uuid somewhere please",
    "yes, but the uuid has changed since i formatted it last week",
    "今天晚上有人一起吃火锅吗，我知道一家新开的店",
    "lol",
    "Mia is away, she said the new kernel panics on her old laptop and went to bed",
];

/// A message of a made-up chat: every channel has its own dozen of people, one of them the companion.
fn recorded(number: usize, channels: usize) -> RecordedMessage {
    let channel = number % channels;
    let turn = number / channels;
    let author = if turn % 17 == 3 {
        "mia".to_owned()
    } else {
        format!("person{}", channel * 12 + turn * 7 % 11)
    };
    RecordedMessage {
        id: number.to_string(),
        at: 1_700_000_000_000 + number as i64 * 200,
        channel: format!("channel{channel}"),
        author: RecordedAuthor {
            name: author.clone(),
            id: author,
            bot: false,
        },
        text: LINES[(number * 31 + turn) % LINES.len()].to_owned(),
        reply_to: None,
        reply_typed: false,
        mentions: Vec::new(),
    }
}

fn play(messages: usize, channels: usize, store: Store) -> u64 {
    let role = ReplayRole {
        me: "mia".into(),
        policy: ChannelPolicy::default(),
        learns_names: true,
    };
    let templates = PromptTemplates::load(None).expect("the shipped templates are good");
    let weights = Arc::new(Weights::load_embedded());
    let mut player =
        ReplayPlayer::new(role, weights, templates, store).expect("the shipped templates are good");
    let mut seen = 0;
    let mut see = |_: kith_replay::event::ReplayEvent<'_>| {
        seen += 1;
        Ok(())
    };
    for number in 0..messages {
        player
            .feed(recorded(number, channels), &mut see)
            .expect("the store in memory takes everything");
    }
    player
        .finish(&mut see)
        .expect("the store in memory takes everything");
    seen
}

#[divan::bench(sample_count = 3, sample_size = 1)]
fn replay_with_the_store_in_memory(bencher: Bencher) {
    let messages = scale_down(MESSAGES) as usize;
    bencher
        .counter(ItemsCount::new(messages))
        .bench_local(|| play(messages, CHANNELS, Store::open_in_memory().unwrap()));
}
