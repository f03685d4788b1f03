//! A message as hashes of its words: what topic, rarity and interests are measured on. Text goes in, numbers come out,
//! so that nothing anybody wrote can be read back from a channel's saved state. Never allocates.

mod cues;
mod traits;

pub use self::cues::{CueSet, DialogueCue};

use self::traits::{MessageWords, WordTrait, letter_bit};
use crate::topic::TopicHashes;
use crate::word::{HASH_SEED, hash_character, is_ordinary_hash, is_unspaced};

/// The most words of a message that are looked at.
const WORDS: usize = 160;
/// The most bytes of a message that are looked at.
const BYTES: usize = 2_400;
/// From so many letters on a word in capitals is loud.
const LOUD: usize = 4;

/// What a message looks like without its text.
pub struct MessageShape {
    all: [u32; WORDS],
    len: usize,
    pub topic: TopicHashes,
    /// Bytes of UTF-8 looked at: a Chinese character says about as much as the three letters it is as long as.
    pub length: usize,
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

struct WordReader {
    /// Its hash, and the hash before its last character.
    hash: u32,
    before: u32,
    last: char,
    size: usize,
    letters: u32,
    capitals: usize,
}

impl WordReader {
    fn new() -> Self {
        Self {
            hash: HASH_SEED,
            before: HASH_SEED,
            last: ' ',
            size: 0,
            letters: 0,
            capitals: 0,
        }
    }

    /// Reads a letter or digit; an apostrophe belongs to a word and counts for nothing.
    fn push(&mut self, c: char) {
        if c == '\'' {
            return;
        }
        self.capitals += usize::from(c.is_ascii_uppercase());
        self.letters |= letter_bit(c.to_ascii_lowercase());
        self.size += 1;
        for c in c.to_lowercase() {
            self.before = self.hash;
            self.hash = hash_character(self.hash, c);
            self.last = c;
        }
    }

    fn is_loud(&self) -> bool {
        self.capitals == self.size && self.size >= LOUD
    }

    /// The word without an s that makes it a plural: "cats" and "cat" are one topic.
    fn stem(&self) -> u32 {
        if self.last == 's' && self.size > 3 {
            self.before
        } else {
            self.hash
        }
    }
}

impl MessageShape {
    pub fn from_text(text: &str) -> MessageShape {
        let mut words = MessageShape::scan_text(text, MessageWords::embedded());
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

    fn scan_text(text: &str, known: &MessageWords) -> MessageShape {
        let mut shape = MessageShape::empty();
        let mut word = WordReader::new();
        let (mut previous, mut earlier) = (' ', ' ');
        // The last two letters, whatever marks follow.
        let mut ending = (' ', ' ');
        for (at, c) in text.char_indices() {
            if at >= BYTES {
                break;
            }
            shape.length += c.len_utf8();
            let unspaced = is_unspaced(c);
            if (c.is_alphanumeric() || c == '\'' && word.size > 0) && !unspaced {
                word.push(c);
            } else {
                shape.end_word(&mut word, known);
                if unspaced {
                    shape.add_unspaced(earlier, previous, c, known);
                } else {
                    shape.add_mark(previous, c);
                }
            }
            (earlier, previous) = (previous, c);
            if c.is_alphanumeric() {
                ending = (ending.1, c);
            }
        }
        shape.end_word(&mut word, known);
        shape.question |= is_question_end(ending, known);
        shape
    }

    fn empty() -> MessageShape {
        MessageShape {
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
        }
    }

    /// All words in order, characters one by one where the script has no spaces.
    pub fn all(&self) -> &[u32] {
        self.all.get(..self.len).unwrap_or(&self.all)
    }

    fn mark_laughter(&mut self, laughs: bool) {
        if let Some(bits) = self.laughing.get_mut(self.len / 64) {
            *bits |= u64::from(laughs) << (self.len % 64);
        }
    }

    fn end_word(&mut self, reader: &mut WordReader, known: &MessageWords) {
        if reader.size == 0 {
            return;
        }
        let word = std::mem::replace(reader, WordReader::new());
        let shown = known.find_traits(word.hash);
        self.mark_laughter(known.is_laughter(word.letters, word.size));
        self.loud += u32::from(word.is_loud());
        if self.len == 0 {
            self.question |= shown.has(WordTrait::QuestionStart);
        }
        // Hardly anybody types the question mark.
        let opens = self.opens || self.is_first();
        self.question |= opens && self.len > 0 && shown.has(WordTrait::Asking);
        self.question |= self.inverts.is_some_and(|of_things| {
            shown.has(WordTrait::Person) || of_things && shown.has(WordTrait::Thing)
        });
        let of_things = shown.has(WordTrait::Inverting);
        self.inverts =
            (opens && (of_things || shown.has(WordTrait::InvertingPeople))).then_some(of_things);
        let agrees = shown.has(WordTrait::Agreement);
        self.opens = opens && (shown.has(WordTrait::LeadIn) || agrees);
        self.greeting |= shown.has(WordTrait::Greeting);
        self.to_all |= shown.has(WordTrait::Everybody);
        self.personal |= shown.has(WordTrait::Personal);
        self.you |= shown.has(WordTrait::You);
        self.agrees |= self.is_first() && agrees;
        self.size += 1.0;
        let stem = word.stem();
        self.push(stem);
        if word.size > 2 && !is_ordinary_hash(word.hash) && !is_ordinary_hash(stem) {
            self.topic.add(stem);
        }
    }

    /// Takes a character of a script without spaces, behind two others.
    fn add_unspaced(&mut self, earlier: char, previous: char, c: char, known: &MessageWords) {
        let alone = hash_character(HASH_SEED, c);
        let shown = known.find_traits(alone);
        self.mark_laughter(shown.has(WordTrait::LaughingSign));
        self.agrees |= self.is_first() && shown.has(WordTrait::Agreement);
        self.you |= shown.has(WordTrait::You);
        self.personal |= shown.has(WordTrait::Personal);
        self.size += 0.5;
        self.push(alone);
        self.question |= shown.has(WordTrait::AskingSign);
        if !is_unspaced(previous) {
            return;
        }
        // "去不去", "有没有" ask by saying both.
        let before = hash_character(HASH_SEED, previous);
        self.question |= earlier == c && known.find_traits(before).has(WordTrait::Negation);
        if is_kana(previous) && is_kana(c) {
            return;
        }
        let pair = hash_character(before, c);
        let shown = known.find_traits(pair);
        self.question |= shown.has(WordTrait::AskingSign);
        self.question |= shown.has(WordTrait::Choice) && self.has_being(known);
        self.greeting |= shown.has(WordTrait::Greeting);
        self.to_all |= shown.has(WordTrait::Everybody);
        self.agrees |= self.len <= 2 && shown.has(WordTrait::Agreement);
        if !is_ordinary_hash(pair) {
            self.topic.add(pair);
        }
    }

    fn add_mark(&mut self, previous: char, c: char) {
        self.loud += u32::from(matches!(c, '!' | '！'));
        self.question |= matches!(c, '?' | '？');
        self.called |= matches!(c, ',' | ':' | '，' | '：') && self.len == 1;
        self.opens |= c == '\n' || c == ' ' && matches!(previous, '.' | '!' | '?' | '…');
    }

    /// Whether one of the characters says "is", as a word of its own: 是, but not 但是, 是的.
    fn has_being(&self, known: &MessageWords) -> bool {
        let all = self.all();
        let has = |place: Option<usize>, wanted| {
            let word = place.and_then(|place| all.get(place));
            word.is_some_and(|word| known.find_traits(*word).has(wanted))
        };
        (0..all.len()).any(|place| {
            has(Some(place), WordTrait::Being)
                && !has(place.checked_sub(1), WordTrait::BeforeBeing)
                && !has(Some(place + 1), WordTrait::BehindBeing)
        })
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

/// Whether a message that ends with these two letters asks something.
fn is_question_end((before, last): (char, char), known: &MessageWords) -> bool {
    let pair = known.find_traits(hash_character(hash_character(HASH_SEED, before), last));
    let alone = known.find_traits(hash_character(HASH_SEED, last));
    (alone.has(WordTrait::QuestionEnd) || pair.has(WordTrait::QuestionEnd))
        && !pair.has(WordTrait::StatementEnd)
}

fn is_kana(c: char) -> bool {
    matches!(c as u32, 0x3040..=0x309f)
}

/// The hashes of the words of `phrase`, to be looked for in [`MessageShape::all`].
pub fn hash_phrase(phrase: &str) -> Vec<u32> {
    MessageShape::scan_text(phrase, MessageWords::embedded())
        .all()
        .to_vec()
}
