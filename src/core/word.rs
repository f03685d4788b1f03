//! Words as numbers: the hash of a word, whether it is an everyday word, and which scripts have no spaces between words.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::LazyLock;

use kith_language::word_lists;

/// Everyday words of all languages, as hashes: they say nothing about a topic and make poor names.
static ORDINARY: LazyLock<HashSet<u32, BitMixer>> = LazyLock::new(|| {
    word_lists("ordinary")
        .flat_map(|list| list.entries())
        .map(hash_word)
        .collect()
});

/// Hashes what is a hash already.
pub(crate) type BitMixer = BuildHasherDefault<SpreadHasher>;

/// Spreads what is a hash already over the bits a set looks at.
#[derive(Default)]
pub(crate) struct SpreadHasher(u64);

impl Hasher for SpreadHasher {
    fn write(&mut self, bytes: &[u8]) {
        bytes
            .iter()
            .for_each(|byte| self.write_u32(u32::from(*byte)));
    }

    fn write_u32(&mut self, hash: u32) {
        self.0 = (self.0 ^ u64::from(hash)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

pub fn is_ordinary(word: &str) -> bool {
    is_ordinary_hash(hash_word(word))
}

pub(crate) fn is_ordinary_hash(word: u32) -> bool {
    ORDINARY.contains(&word)
}

/// A word's hash, without regard to case (FNV-1a over lower-case characters, 32 bits; stable over versions).
pub fn hash_word(word: &str) -> u32 {
    word.chars()
        .flat_map(char::to_lowercase)
        .fold(HASH_SEED, hash_character)
}

/// The hash of a word without characters.
pub(crate) const HASH_SEED: u32 = 0x811c_9dc5;

pub(crate) fn hash_character(hash: u32, c: char) -> u32 {
    let mut hash = hash;
    let mut code = c as u32;
    loop {
        hash = (hash ^ (code & 0xff)).wrapping_mul(0x0100_0193);
        code >>= 8;
        if code == 0 {
            return hash;
        }
    }
}

/// What follows a word a text begins with, and the space behind it where its script has spaces.
pub(crate) fn strip_leading_word<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let rest = text.strip_prefix(word)?;
    if word.ends_with(is_unspaced) {
        Some(rest)
    } else {
        rest.strip_prefix(' ')
    }
}

/// Chinese, Japanese and Korean characters, each of which takes about as long as a short word.
pub fn is_wide(c: char) -> bool {
    matches!(c as u32, 0x1100..=0x11FF | 0x2E80..=0x9FFF | 0xA960..=0xA97F | 0xAC00..=0xD7FF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}

/// Whether a character belongs to a script written without spaces between words.
pub fn is_unspaced(c: char) -> bool {
    matches!(c as u32,
        0x3040..=0x30ff | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff | 0x0e00..=0x0e7f | 0x2_0000..=0x3_ffff)
}
