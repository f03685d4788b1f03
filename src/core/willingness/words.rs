//! A message as hashes of its words: what topic, rarity and interests are measured on. Text goes in, numbers come out,
//! so that nothing anybody wrote can be read back from a channel's saved state. Never allocates.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::sync::LazyLock;

use serde::{Deserialize, Serialize};

use super::cues::{self, CueSet, DialogueCue};

/// The most words of a message that are looked at.
const WORDS: usize = 160;
/// The most bytes of a message that are looked at.
const BYTES: usize = 2_400;
/// The most words of a message that are remembered as its topic.
pub const TOPIC: usize = 10;

/// Everyday words of English and Chinese, as hashes: they say nothing about a topic and make poor names.
static ORDINARY: LazyLock<Hashes> = LazyLock::new(|| {
    [
        include_str!("../../../data/words/en.txt"),
        include_str!("../../../data/words/zh.txt"),
    ]
    .iter()
    .flat_map(|list| list.lines())
    .map(|word| hash_word(word.trim()))
    .collect()
});

/// A set of words by their hash.
type Hashes = HashSet<u32, BuildHasherDefault<Spread>>;

/// Spreads what is a hash already over the bits a set looks at.
#[derive(Default)]
struct Spread(u64);

impl Hasher for Spread {
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

/// Whether a name or word is an everyday word.
pub fn is_ordinary(word: &str) -> bool {
    ORDINARY.contains(&hash_word(word))
}

/// A word's hash, without regard to case (FNV-1a over lower-case characters, 32 bits; stable over versions).
pub fn hash_word(word: &str) -> u32 {
    word.chars()
        .flat_map(char::to_lowercase)
        .fold(SEED, hash_character)
}

const SEED: u32 = 0x811c_9dc5;

fn hash_character(hash: u32, c: char) -> u32 {
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

    fn add(&mut self, word: u32) {
        if usize::from(self.len) < TOPIC && !self.words().contains(&word) {
            self.words[usize::from(self.len)] = word;
            self.len += 1;
        }
    }
}

/// What a message looks like without its text.
pub struct MessageShape {
    all: [u32; WORDS],
    len: usize,
    /// Its topic words.
    pub topic: TopicHashes,
    /// Bytes of UTF-8 looked at: a Chinese character says about as much as the three letters it is as long as.
    pub length: usize,
    /// Whether it asks something.
    pub question: bool,
    /// Whether it greets or thanks.
    pub greeting: bool,
    /// Whether it turns to everybody here: "anyone", "大家".
    pub to_all: bool,
    /// Whether it opens with a reaction: it agrees, declines, thanks.
    pub agrees: bool,
    /// Whether it speaks of its author: "I", "my", "我".
    pub personal: bool,
    /// Whether it says "you" to somebody: "you", "your", "你".
    pub you: bool,
    /// How many words it has; two characters of a script without spaces count as one.
    pub size: f32,
    /// What its phrases say about the talk; the senses add whom it names.
    pub cues: CueSet,
    /// Whether a first word was followed by a comma or colon, as a name is.
    called: bool,
    /// Whether the next word opens a sentence, or follows on what leads into one: "ok so".
    opens: bool,
    /// Whether the last word opened a sentence and asks where the next is who it is about: "did" in "did you".
    inverts: Option<bool>,
    /// Which of the words are laughing, by their place.
    laughing: [u64; 3],
    /// Exclamation marks and words in capitals.
    loud: u32,
}

impl MessageShape {
    /// Reads a message.
    pub fn from_text(text: &str) -> MessageShape {
        let mut words = MessageShape::scan_text(text);
        let laughing = words.laughing;
        let mut cues = cues::read_cues(words.all(), |at| {
            laughing
                .get(at / 64)
                .is_some_and(|bits| bits & (1 << (at % 64)) != 0)
        });
        let end = text.trim_end_matches(|c: char| c.is_whitespace());
        cues.add(
            DialogueCue::Trailing,
            end.ends_with(['…', ',', '，', '、', ':', '：']) || end.ends_with(".."),
        );
        cues.add(DialogueCue::Question, words.question);
        cues.add(DialogueCue::You, words.you);
        cues.add(DialogueCue::Personal, words.personal);
        cues.add(DialogueCue::Loud, words.loud > 0);
        words.cues = cues;
        words
    }

    fn scan_text(text: &str) -> MessageShape {
        let mut words = MessageShape {
            all: [0; WORDS],
            len: 0,
            topic: TopicHashes::default(),
            length: 0,
            question: false,
            greeting: false,
            to_all: false,
            agrees: false,
            personal: false,
            you: false,
            size: 0.0,
            cues: CueSet::default(),
            called: false,
            opens: true,
            inverts: None,
            laughing: [0; 3],
            loud: 0,
        };
        // The letters of the word being read, one bit each, and its capitals.
        let (mut letters, mut capitals) = (0u32, 0usize);
        // The word being read: its hash, the hash before its last character, that character, its length.
        let (mut word, mut before, mut last, mut size) = (SEED, SEED, ' ', 0usize);
        let (mut previous, mut earlier) = (' ', ' ');
        // The last two letters, whatever marks follow.
        let mut ending = (' ', ' ');
        for (at, c) in text.char_indices() {
            if at >= BYTES {
                break;
            }
            words.length += c.len_utf8();
            let unspaced = is_unspaced(c);
            if (c.is_alphanumeric() || c == '\'' && size > 0) && !unspaced {
                if c.is_ascii_alphanumeric() {
                    before = word;
                    last = c.to_ascii_lowercase();
                    letters |= 1 << (last as u32 % 32);
                    capitals += usize::from(c.is_ascii_uppercase());
                    word = hash_character(word, last);
                    size += 1;
                } else if c != '\'' {
                    for c in c.to_lowercase() {
                        before = word;
                        word = hash_character(word, c);
                        last = c;
                    }
                    letters |= 1 << 31;
                    size += 1;
                }
            } else {
                if size > 0 {
                    words.mark_laughter(is_laughter(letters, size));
                    words.loud += u32::from(capitals == size && size >= LOUD);
                    words.end_word(word, before, last, size);
                    (word, size, letters, capitals) = (SEED, 0, 0, 0);
                }
                if unspaced {
                    words.mark_laughter(matches!(c, '哈' | '嘿' | '嘻' | '呵'));
                    words.add_unspaced(earlier, previous, c);
                } else {
                    words.loud += u32::from(matches!(c, '!' | '！'));
                    words.question |= matches!(c, '?' | '？');
                    words.called |= matches!(c, ',' | ':' | '，' | '：') && words.len == 1;
                    words.opens |=
                        c == '\n' || c == ' ' && matches!(previous, '.' | '!' | '?' | '…');
                }
            }
            (earlier, previous) = (previous, c);
            if c.is_alphanumeric() {
                ending = (ending.1, c);
            }
        }
        if size > 0 {
            words.mark_laughter(is_laughter(letters, size));
            words.loud += u32::from(capitals == size && size >= LOUD);
            words.end_word(word, before, last, size);
        }
        words.question |= match ending {
            (_, '吗' | '呢' | '么' | 'か') | ('在' | '来' | '去' | '行' | '要', '不') => {
                true
            }
            (before, '没') => !matches!(before, '还' | '都' | '也' | '并' | '从' | '才'),
            _ => false,
        };
        words
    }

    /// All words in order, characters one by one where the script has no spaces.
    pub fn all(&self) -> &[u32] {
        self.all.get(..self.len).unwrap_or(&self.all)
    }

    /// Says whether the word about to be pushed is laughter.
    fn mark_laughter(&mut self, laughs: bool) {
        if let Some(bits) = self.laughing.get_mut(self.len / 64) {
            *bits |= u64::from(laughs) << (self.len % 64);
        }
    }

    fn end_word(&mut self, word: u32, before: u32, last: char, size: usize) {
        let ordinary = ORDINARY.contains(&word);
        // "cats" and "cat" are one topic.
        let stem = if last == 's' && size > 3 {
            before
        } else {
            word
        };
        if self.len == 0 {
            self.question |= QUESTION_STARTS.contains(&word);
        }
        // Hardly anybody types the question mark.
        let opens = self.opens || self.is_first();
        self.question |= opens && self.len > 0 && ASKING.contains(&word);
        self.question |= self
            .inverts
            .is_some_and(|of_things| PEOPLE.contains(&word) || of_things && THINGS.contains(&word));
        let of_things = INVERTING.contains(&word);
        self.inverts =
            (opens && (of_things || INVERTING_PEOPLE.contains(&word))).then_some(of_things);
        self.opens = opens && (LEADS_IN.contains(&word) || AGREES.contains(&word));
        self.greeting |= GREETINGS.contains(&word);
        self.to_all |= EVERYBODY.contains(&word);
        self.personal |= PERSONAL.contains(&word);
        self.you |= YOU.contains(&word);
        self.agrees |= self.is_first() && AGREES.contains(&word);
        self.size += 1.0;
        self.push(stem);
        if !ordinary && size > 2 && !ORDINARY.contains(&stem) {
            self.topic.add(stem);
        }
    }

    fn add_unspaced(&mut self, earlier: char, previous: char, c: char) {
        let alone = hash_character(SEED, c);
        self.agrees |= self.is_first() && AGREES.contains(&alone);
        self.you |= matches!(c, '你' | '您');
        self.personal |= matches!(c, '我' | '俺' | '私' | '僕');
        self.size += 0.5;
        self.push(alone);
        // "去不去", "有没有" ask by saying both.
        let either = earlier == c && matches!(previous, '不' | '没');
        self.question |= either
            || matches!(
                (previous, c),
                (_, '谁' | '吗' | '哪' | '啥' | '咋')
                    | ('什' | '怎', '么')
                    | ('多', '少' | '久' | '大')
                    | ('是' | '能', '否')
                    | ('如' | '为', '何')
                    | ('几', '点' | '号' | '楼' | '岁')
            );
        if is_unspaced(previous) && !(is_kana(previous) && is_kana(c)) {
            let pair = hash_character(hash_character(SEED, previous), c);
            self.greeting |= GREETINGS.contains(&pair);
            self.to_all |= EVERYBODY.contains(&pair);
            self.agrees |= self.len <= 2 && AGREES.contains(&pair);
            if !ORDINARY.contains(&pair) {
                self.topic.add(pair);
            }
        }
    }

    /// Whether nothing but a name in front has been read.
    fn is_first(&self) -> bool {
        self.len == 0 || self.len == 1 && self.called
    }

    fn push(&mut self, word: u32) {
        if let Some(place) = self.all.get_mut(self.len) {
            *place = word;
            self.len += 1;
        }
    }
}

/// From so many letters on a word in capitals is loud.
const LOUD: usize = 4;

/// Whether a word of these letters is laughter: "haha", "hehehe", "lol", "lmaoo", "xd", "hhh", "233".
fn is_laughter(letters: u32, size: usize) -> bool {
    let of = |letters: &str| {
        letters
            .bytes()
            .fold(0u32, |bits, letter| bits | 1 << (u32::from(letter) % 32))
    };
    let only = |known: &str| letters & !of(known) == 0 && size >= 2;
    let (ha, lol) = (
        letters & of("h") != 0,
        letters == of("lo") || letters == of("lmao") || letters == of("lmfao"),
    );
    size >= 2
        && (ha && only("hae") && letters != of("he")
            || lol
            || letters == of("xd")
            || letters == of("rofl"))
        || size >= 3 && (letters == of("he") && size > 4 || letters == of("23"))
}

fn is_kana(c: char) -> bool {
    matches!(c as u32, 0x3040..=0x309f)
}

/// The hashes of the words of `phrase`, to be looked for in [`MessageShape::all`].
pub fn hash_phrase(phrase: &str) -> Vec<u32> {
    MessageShape::scan_text(phrase).all().to_vec()
}

static QUESTION_STARTS: LazyLock<Hashes> = LazyLock::new(|| {
    let words = "who what when where why how can could does do is are anyone anybody any whats hows whos wheres which";
    words.split(' ').map(hash_word).collect()
});

static GREETINGS: LazyLock<Hashes> = LazyLock::new(|| {
    let words = "hi hello hey thanks thank thx ty bye lol 你好 早安 午安 晚安 早啊 早呀 谢谢 谢啦 谢了 多谢 感谢 辛苦 \
                 再见 拜拜 哈喽 嗨嗨 欢迎 恭喜 快乐 撤了 溜了";
    words.split_whitespace().map(hash_word).collect()
});

static EVERYBODY: LazyLock<Hashes> = LazyLock::new(|| {
    let words = "anyone anybody everyone everybody guys yall folks 大家 有人 各位 你们 谁有 谁会 谁能 谁在 谁去 谁知 \
                 谁要 谁想 谁来 谁懂 谁用";
    words.split_whitespace().map(hash_word).collect()
});

static AGREES: LazyLock<Hashes> = LazyLock::new(|| {
    let words = "yes yeah yep yup ya no nope nah ok okay k right sure thanks thank thx ty cool nice great lol haha true \
        exactly ah oh hmm hm indeed agreed 嗯 好 对 行 哦 噢 哈 是的 好的 不是 没有 可以 谢谢 多谢 哈哈 确实 真的 当然";
    words
        .split(' ')
        .filter(|word| !word.is_empty())
        .map(hash_word)
        .collect()
});

/// What asks wherever it opens a sentence.
static ASKING: LazyLock<Hashes> = LazyLock::new(|| {
    "who what where why how which whats hows whos wheres"
        .split(' ')
        .map(hash_word)
        .collect()
});

/// What asks where it opens a sentence and is followed by a person: "did you", "have we"; or by a thing as well: "was it".
static INVERTING_PEOPLE: LazyLock<Hashes> = LazyLock::new(|| {
    "do did have has am havent didnt dont"
        .split(' ')
        .map(hash_word)
        .collect()
});
static INVERTING: LazyLock<Hashes> = LazyLock::new(|| {
    "does is are was were will would should shall can could isnt wasnt doesnt wont cant"
        .split(' ')
        .map(hash_word)
        .collect()
});
static PEOPLE: LazyLock<Hashes> = LazyLock::new(|| {
    "i you u ya he she we they anyone anybody someone somebody everyone everybody"
        .split(' ')
        .map(hash_word)
        .collect()
});
static THINGS: LazyLock<Hashes> = LazyLock::new(|| {
    "it this that these those there the my your"
        .split(' ')
        .map(hash_word)
        .collect()
});

/// What stands before a sentence without belonging to it.
static LEADS_IN: LazyLock<Hashes> = LazyLock::new(|| {
    "so and but or wait hey um uh well also anyway actually sorry btw"
        .split(' ')
        .map(hash_word)
        .collect()
});

static PERSONAL: LazyLock<Hashes> = LazyLock::new(|| {
    "i im ive id ill my me mine"
        .split(' ')
        .map(hash_word)
        .collect()
});

static YOU: LazyLock<Hashes> = LazyLock::new(|| {
    "you u ya your ur youre yours yourself youll youve"
        .split(' ')
        .map(hash_word)
        .collect()
});

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
    /// Counts a message's topic words.
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

/// A topic that is compared with many others.
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
