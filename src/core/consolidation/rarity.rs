//! How rare a word is in a channel.

use std::collections::{BTreeSet, HashMap};

use crate::recall::extract_terms;

/// In how many of a channel's lines each word stands.
#[derive(Clone, Debug, Default)]
pub struct WordRarity {
    counts: HashMap<String, u32>,
    lines: u32,
}

impl WordRarity {
    pub fn from_lines<'a>(lines: impl IntoIterator<Item = &'a str>) -> Self {
        let mut rarity = Self::default();
        for line in lines {
            rarity.lines += 1;
            for term in extract_terms(line).into_iter().collect::<BTreeSet<_>>() {
                *rarity.counts.entry(term).or_default() += 1;
            }
        }
        rarity
    }

    /// How much a word says: the logarithm of lines without it to lines with it, as BM25 weighs words.
    pub fn weigh(&self, term: &str) -> f64 {
        let held = f64::from(self.counts.get(term).copied().unwrap_or(0));
        ((f64::from(self.lines) - held + 0.5) / (held + 0.5)).ln_1p()
    }
}
