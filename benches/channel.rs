//! One message through links and score, and through a whole channel state: `cargo bench --bench channel`.

use std::sync::Arc;

use divan::{Bencher, black_box};
use kith_core::chat::{
    Author, AuthorKind, Channel, ChannelId, ChannelKind, Message, MessageId, Millis, TurnId, UserId,
};
use kith_core::event::{ChatEvent, Event};
use kith_core::partition::Partition;
use kith_core::persona::Persona;
use kith_core::policy::{ChannelMode, ChannelPolicy};
use kith_core::willingness::{AddressMatcher, ChannelFeatures, Weights};
use kith_core::{Core, CoreSetup};

fn main() {
    divan::main();
}

const ME: UserId = UserId(1);
const LINES: [&str; 6] = [
    "does anybody know why the second disk is not mounted after a reboot?",
    "person3: it is in fstab, isn't it? paste the line with the uuid somewhere please",
    "yes, but the uuid has changed since i formatted it last week",
    "今天晚上有人一起吃火锅吗，我知道一家新开的店",
    "lol",
    "Mia is away, she said the new kernel panics on her old laptop and went to bed",
];

fn message(number: u64) -> Message {
    let author = 2 + number * 7 % 9;
    Message {
        id: MessageId(number + 1),
        channel: ChannelId(1),
        arrival: number + 1,
        at: 1_700_000_000_000 + number as Millis * 9_000,
        author: Author {
            id: UserId(author),
            name: Arc::from(format!("person{author}")),
            kind: AuthorKind::Person,
        },
        text: Arc::from(LINES[number as usize % LINES.len()]),
        reply_to: None,
        mentions: if number.is_multiple_of(5) {
            vec![UserId(2 + number % 9)]
        } else {
            Vec::new()
        },
    }
}

fn persona() -> Persona {
    let interests = [
        "kernel",
        "noodles",
        "science fiction",
        "old laptops",
        "火锅",
        "/r(ust|uby)/",
    ]
    .map(String::from);
    Persona {
        name: "Mia".into(),
        interests: interests.to_vec(),
        ..Persona::default()
    }
}

#[divan::bench]
fn links_and_score(bencher: Bencher) {
    let weights = Weights::load_embedded();
    let names = ["Mia".into(), "Mimi".into(), "小雨".into()];
    let listener = AddressMatcher::new(ME, &names, &persona(), ChannelKind::Group);
    let mut sense = ChannelFeatures::default();
    let mut number = 0;
    let mut next = || {
        number += 1;
        message(number)
    };
    for _ in 0..200 {
        let message = next();
        if message.id.0 % 11 == 0 {
            sense.record_own_message(&message, &weights);
        } else {
            sense.score_message(&message, &listener, &weights);
        }
    }
    bencher.with_inputs(next).bench_local_values(|message| {
        sense.score_message(black_box(&message), &listener, &weights)
    });
}

#[divan::bench]
fn whole_lane(bencher: Bencher) {
    let policy = Arc::new(ChannelPolicy {
        mode: ChannelMode::Observe,
        names: vec!["Mia".into(), "Mimi".into(), "小雨".into()],
        persona: Arc::new(persona()),
        ..ChannelPolicy::default()
    });
    let setup = CoreSetup {
        me: ME,
        weights: Arc::new(Weights::load_embedded()),
        turns_in_flight: 4,
        last_turn: TurnId(0),
        partition: Partition::WHOLE,
    };
    let mut core = Core::new(setup);
    let kind = ChannelKind::Group;
    let channel = Channel {
        id: ChannelId(1),
        guild: None,
        name: "den".into(),
        topic: "".into(),
        kind,
        parent: None,
    };
    core.handle_event(0, Event::ChannelSeen { channel, policy });
    let mut number = 0;
    let next = || {
        number += 1;
        message(number)
    };
    bencher.with_inputs(next).bench_local_values(|message| {
        core.handle_event(message.at, Event::Chat(ChatEvent::Message(message)))
    });
}
