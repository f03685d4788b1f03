//! Made-up chat for benchmarks: the same every time.

use kith_core::chat::{Author, ChannelId, Message, MessageId, Millis};
use kith_core::event::ChatEvent;

/// A small generator of numbers that look random.
pub fn mix(n: u64) -> u64 {
    let n = (n ^ (n >> 31)).wrapping_mul(0x7FB5_D329_728E_A185);
    let n = (n ^ (n >> 27)).wrapping_mul(0x81DA_DEF4_BC2D_D44D);
    n ^ (n >> 33)
}

/// Words of a vocabulary of 50,000, as often as Zipf says that words are; each begins with these letters.
pub fn words(beginning: &str, n: u64, count: u64) -> String {
    let word = |word: u64| {
        let draw = (mix(n * 31 + word) % 100_000) as f64 / 100_000.0;
        format!("{beginning}{:x}", 50_000_f64.powf(draw) as u64)
    };
    (0..count).map(word).collect::<Vec<_>>().join(" ")
}

/// The message of this number.
pub fn said(n: u64, at: Millis, channel: ChannelId, author: Author, text: String) -> ChatEvent {
    ChatEvent::Message(Message {
        id: MessageId(n + 1),
        channel,
        arrival: 0,
        at,
        author,
        text: text.into(),
        reply_to: None,
        mentions: Vec::new(),
    })
}
