//! What a message is about, as the hashes of its rarest-looking words, and how rare words are in a channel.

use serde::{Deserialize, Serialize};

/// The most words of a message that are remembered as its topic.
pub const TOPIC: usize = 10;

/// The rarest-looking words of a message, as hashes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TopicHashes {
    words: [u32; TOPIC],
    len: u8,
}

impl TopicHashes {
    pub fn words(&self) -> &[u32] {
        self.words
            .get(..usize::from(self.len))
            .unwrap_or(&self.words)
    }

    /// Adds a word, if there is room for it.
    pub(crate) fn add(&mut self, word: u32) {
        if usize::from(self.len) < TOPIC && !self.words().contains(&word) {
            self.words[usize::from(self.len)] = word;
            self.len += 1;
        }
    }
}

/// How often words were heard in a channel: a sketch of fixed size that forgets slowly.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct WordSketch {
    /// Empty until something was heard: most channels of a large guild stay silent.
    counts: Vec<u16>,
    lines: u32,
}

/// The cells of the sketch; two words share one now and then, which only makes both look less rare.
const CELLS: usize = 1_024;
/// After this many lines all counts are halved.
const HALVED_AFTER: u32 = 2_000;

impl WordSketch {
    pub fn count_words(&mut self, topic: &TopicHashes) {
        if self.counts.is_empty() {
            self.counts.resize(CELLS, 0);
        }
        for word in topic.words() {
            if let Some(count) = self.counts.get_mut(*word as usize % CELLS) {
                *count = count.saturating_add(1);
            }
        }
        self.lines += 1;
        if self.lines >= HALVED_AFTER {
            self.lines /= 2;
            self.counts.iter_mut().for_each(|count| *count /= 2);
        }
    }

    /// How rare a word is here, 0 … 1: one minus the logarithm of its count over that of all lines.
    pub fn rarity(&self, word: u32) -> f32 {
        let count = self.counts.get(word as usize % CELLS).copied().unwrap_or(0);
        let all = (self.lines as f32 + 20.0).ln();
        (1.0 - (f32::from(count) + 1.0).ln() / all).clamp(0.0, 1.0)
    }

    /// Makes a topic ready to be compared with many others.
    pub fn build_query<'a>(&self, topic: &'a TopicHashes) -> TopicQuery<'a> {
        let mut sought = TopicQuery {
            topic,
            rarities: [0.0; TOPIC],
            bits: [0; 4],
        };
        for (word, rarity) in topic.words().iter().zip(&mut sought.rarities) {
            *rarity = self.rarity(*word);
            sought.bits[slot_index(*word)] |= bit_mask(*word);
        }
        sought
    }
}

pub struct TopicQuery<'a> {
    topic: &'a TopicHashes,
    rarities: [f32; TOPIC],
    /// A bit for each of its words, so that most words of others are passed over at once.
    bits: [u64; 4],
}

impl TopicQuery<'_> {
    /// The rarities of the words it shares with another topic: all together, and the greatest.
    pub fn compute_shared_rarity(&self, other: &TopicHashes) -> (f32, f32) {
        let (mut sum, mut most) = (0.0, 0.0f32);
        for word in other
            .words()
            .iter()
            .filter(|word| self.bits[slot_index(**word)] & bit_mask(**word) != 0)
        {
            let known = self.topic.words().iter().position(|own| own == word);
            let rarity = known
                .and_then(|at| self.rarities.get(at))
                .copied()
                .unwrap_or(0.0);
            sum += rarity;
            most = most.max(rarity);
        }
        (sum, most)
    }
}

impl TopicQuery<'_> {
    /// How much of the topic occurs among many words, weighed by rarity: 0 none, nearing 1 where all of it does.
    pub fn compute_share(&self, (older, newer): (&[u32], &[u32])) -> f32 {
        let mut found = [0.0f32; TOPIC];
        for word in older
            .iter()
            .chain(newer)
            .filter(|word| self.bits[slot_index(**word)] & bit_mask(**word) != 0)
        {
            if let Some(at) = self.topic.words().iter().position(|own| own == word) {
                found[at] = self.rarities[at];
            }
        }
        let all: f32 = self.rarities.iter().sum();
        found.iter().sum::<f32>() / (all + 1.0)
    }
}

fn slot_index(word: u32) -> usize {
    (word >> 6) as usize % 4
}

fn bit_mask(word: u32) -> u64 {
    1 << (word % 64)
}
