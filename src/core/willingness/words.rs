//! A message as hashes of its words: what topic, rarity and interests are measured on. Text goes in, numbers come out,
//! so that nothing anybody wrote can be read back from a lane's saved state. Never allocates.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

/// The most words of a message that are looked at.
const WORDS: usize = 160;
/// The most bytes of a message that are looked at.
const BYTES: usize = 2_400;
/// The most words of a message that are remembered as its topic.
pub const TOPIC: usize = 10;

/// Everyday words of English and Chinese, as hashes: they say nothing about a topic and make poor names.
static ORDINARY: LazyLock<Hashes> = LazyLock::new(|| {
    [include_str!("../../../data/words/en.txt"), include_str!("../../../data/words/zh.txt")]
        .iter()
        .flat_map(|list| list.lines())
        .map(|word| hash(word.trim()))
        .collect()
});

/// A set of words by their hash.
type Hashes = HashSet<u32, BuildHasherDefault<Spread>>;

/// Spreads what is a hash already over the bits a set looks at.
#[derive(Default)]
struct Spread(u64);

impl Hasher for Spread {
    fn write(&mut self, bytes: &[u8]) {
        bytes.iter().for_each(|byte| self.write_u32(u32::from(*byte)));
    }

    fn write_u32(&mut self, hash: u32) {
        self.0 = (self.0 ^ u64::from(hash)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

/// Whether a name or word is an everyday word.
pub fn is_ordinary(word: &str) -> bool {
    ORDINARY.contains(&hash(word))
}

/// A word's hash, without regard to case (FNV-1a over lower-case characters, 32 bits; stable over versions).
pub fn hash(word: &str) -> u32 {
    word.chars().flat_map(char::to_lowercase).fold(SEED, feed)
}

const SEED: u32 = 0x811c_9dc5;

fn feed(hash: u32, c: char) -> u32 {
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

/// Whether a character belongs to a script written without spaces between words.
pub fn is_unspaced(c: char) -> bool {
    matches!(c as u32,
        0x3040..=0x30ff | 0x3400..=0x4dbf | 0x4e00..=0x9fff | 0xf900..=0xfaff | 0x0e00..=0x0e7f | 0x2_0000..=0x3_ffff)
}

/// The rarest-looking words of a message, as hashes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Topic {
    words: [u32; TOPIC],
    len: u8,
}

impl Topic {
    /// The words.
    pub fn words(&self) -> &[u32] {
        self.words.get(..usize::from(self.len)).unwrap_or(&self.words)
    }

    fn add(&mut self, word: u32) {
        if usize::from(self.len) < TOPIC && !self.words().contains(&word) {
            self.words[usize::from(self.len)] = word;
            self.len += 1;
        }
    }
}

/// What a message looks like without its text.
pub struct Words {
    all: [u32; WORDS],
    len: usize,
    /// Its topic words.
    pub topic: Topic,
    /// Characters looked at.
    pub length: usize,
    /// Whether it asks something.
    pub question: bool,
    /// Whether it greets or thanks.
    pub greeting: bool,
}

impl Words {
    /// Reads a message.
    pub fn read(text: &str) -> Words {
        let mut words =
            Words { all: [0; WORDS], len: 0, topic: Topic::default(), length: 0, question: false, greeting: false };
        // The word being read: its hash, the hash before its last character, that character, its length.
        let (mut word, mut before, mut last, mut size) = (SEED, SEED, ' ', 0usize);
        let mut previous = ' ';
        for (at, c) in text.char_indices() {
            if at >= BYTES {
                break;
            }
            words.length += 1;
            let unspaced = is_unspaced(c);
            if (c.is_alphanumeric() || c == '\'' && size > 0) && !unspaced {
                if c.is_ascii_alphanumeric() {
                    before = word;
                    last = c.to_ascii_lowercase();
                    word = feed(word, last);
                    size += 1;
                } else if c != '\'' {
                    for c in c.to_lowercase() {
                        before = word;
                        word = feed(word, c);
                        last = c;
                    }
                    size += 1;
                }
            } else {
                if size > 0 {
                    words.end(word, before, last, size);
                    (word, size) = (SEED, 0);
                }
                if unspaced {
                    words.unspaced(previous, c);
                } else if matches!(c, '?' | '？') {
                    words.question = true;
                }
            }
            previous = c;
        }
        if size > 0 {
            words.end(word, before, last, size);
        }
        words.question |= matches!(previous, '吗' | '呢' | '么' | 'か');
        words
    }

    /// All words in order, characters one by one where the script has no spaces.
    pub fn all(&self) -> &[u32] {
        self.all.get(..self.len).unwrap_or(&self.all)
    }

    fn end(&mut self, word: u32, before: u32, last: char, size: usize) {
        let ordinary = ORDINARY.contains(&word);
        // "cats" and "cat" are one topic.
        let stem = if last == 's' && size > 3 { before } else { word };
        if self.len == 0 {
            self.question |= QUESTION_STARTS.contains(&word);
        }
        self.greeting |= GREETINGS.contains(&word);
        self.push(stem);
        if !ordinary && size > 2 && !ORDINARY.contains(&stem) {
            self.topic.add(stem);
        }
    }

    fn unspaced(&mut self, previous: char, c: char) {
        self.push(feed(SEED, c));
        self.question |= matches!((previous, c), (_, '谁' | '吗' | '哪') | ('什' | '怎', '么') | ('多', '少'));
        if is_unspaced(previous) && !(is_kana(previous) && is_kana(c)) {
            let pair = feed(feed(SEED, previous), c);
            self.greeting |= GREETINGS.contains(&pair);
            if !ORDINARY.contains(&pair) {
                self.topic.add(pair);
            }
        }
    }

    fn push(&mut self, word: u32) {
        if let Some(place) = self.all.get_mut(self.len) {
            *place = word;
            self.len += 1;
        }
    }
}

fn is_kana(c: char) -> bool {
    matches!(c as u32, 0x3040..=0x309f)
}

/// The hashes of the words of `phrase`, to be looked for in [`Words::all`].
pub fn sequence(phrase: &str) -> Vec<u32> {
    Words::read(phrase).all().to_vec()
}

static QUESTION_STARTS: LazyLock<Hashes> = LazyLock::new(|| {
    let words = "who what when where why how can could does do is are anyone anybody any whats hows whos wheres which";
    words.split(' ').map(hash).collect()
});

static GREETINGS: LazyLock<Hashes> = LazyLock::new(|| {
    let words = "hi hello hey thanks thank thx ty bye lol 你好 早安 晚安 谢谢 再见 拜拜";
    words.split(' ').map(hash).collect()
});

/// How often words were heard in a channel: a sketch of fixed size that forgets slowly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Heard {
    counts: Vec<u16>,
    lines: u32,
}

/// The cells of the sketch; two words share one now and then, which only makes both look less rare.
const CELLS: usize = 1_024;
/// After this many lines all counts are halved.
const HALVED_AFTER: u32 = 2_000;

impl Default for Heard {
    fn default() -> Self {
        Heard { counts: vec![0; CELLS], lines: 0 }
    }
}

impl Heard {
    /// Counts a message's topic words.
    pub fn hear(&mut self, topic: &Topic) {
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
    pub fn sought<'a>(&self, topic: &'a Topic) -> Sought<'a> {
        let mut sought = Sought { topic, rarities: [0.0; TOPIC], bits: [0; 4] };
        for (word, rarity) in topic.words().iter().zip(&mut sought.rarities) {
            *rarity = self.rarity(*word);
            sought.bits[place(*word)] |= bit(*word);
        }
        sought
    }
}

/// A topic that is compared with many others.
pub struct Sought<'a> {
    topic: &'a Topic,
    rarities: [f32; TOPIC],
    /// A bit for each of its words, so that most words of others are passed over at once.
    bits: [u64; 4],
}

impl Sought<'_> {
    /// The summed rarity of the words it shares with another topic.
    pub fn shared(&self, other: &Topic) -> f32 {
        let mut sum = 0.0;
        for word in other.words().iter().filter(|word| self.bits[place(**word)] & bit(**word) != 0) {
            let known = self.topic.words().iter().position(|own| own == word);
            sum += known.and_then(|at| self.rarities.get(at)).copied().unwrap_or(0.0);
        }
        sum
    }
}

fn place(word: u32) -> usize {
    (word >> 6) as usize % 4
}

fn bit(word: u32) -> u64 {
    1 << (word % 64)
}
