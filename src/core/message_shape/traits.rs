//! What single words show about the message they stand in, read from `data/words/<language>/message_words.txt`: one
//! look-up a word tells everything.

use std::collections::HashMap;
use std::sync::LazyLock;

use kith_language::{WordList, WordSections, word_lists};

use crate::word::{BitMixer, hash_word};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WordTrait {
    /// It asks where a message begins with it.
    QuestionStart,
    /// It asks wherever it opens a sentence.
    Asking,
    /// It asks where it opens a sentence and a person follows.
    InvertingPeople,
    /// It asks where it opens a sentence and a person or a thing follows.
    Inverting,
    Person,
    Thing,
    /// It stands before a sentence without belonging to it.
    LeadIn,
    Greeting,
    Everybody,
    /// It opens a message that agrees, declines or thanks.
    Agreement,
    Personal,
    You,
    LaughingSign,
    /// A character or pair that asks wherever it stands.
    AskingSign,
    /// It asks at the end of a message.
    QuestionEnd,
    /// It asks nothing there, though it ends with what asks.
    StatementEnd,
    /// It asks between two equal characters.
    Negation,
    /// It asks to choose behind a form of "be".
    Choice,
    Being,
    /// It makes another word of it.
    BeforeBeing,
    BehindBeing,
}

const HEADINGS: [(&str, WordTrait); 21] = [
    ("question_starts", WordTrait::QuestionStart),
    ("asking", WordTrait::Asking),
    ("inverting_people", WordTrait::InvertingPeople),
    ("inverting", WordTrait::Inverting),
    ("people", WordTrait::Person),
    ("things", WordTrait::Thing),
    ("leads_in", WordTrait::LeadIn),
    ("greetings", WordTrait::Greeting),
    ("everybody", WordTrait::Everybody),
    ("agrees", WordTrait::Agreement),
    ("personal", WordTrait::Personal),
    ("you", WordTrait::You),
    ("laughing_signs", WordTrait::LaughingSign),
    ("asking_signs", WordTrait::AskingSign),
    ("question_ends", WordTrait::QuestionEnd),
    ("statement_ends", WordTrait::StatementEnd),
    ("negations", WordTrait::Negation),
    ("choices", WordTrait::Choice),
    ("being", WordTrait::Being),
    ("before_being", WordTrait::BeforeBeing),
    ("behind_being", WordTrait::BehindBeing),
];

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct TraitSet(u32);

impl TraitSet {
    pub(super) fn has(self, shown: WordTrait) -> bool {
        self.0 & (1 << shown as u32) != 0
    }
}

/// A kind of laughter: the letters a word is made of, and from how many letters on it laughs.
struct LaughterForm {
    letters: u32,
    shortest: usize,
}

pub(super) struct MessageWords {
    traits: HashMap<u32, TraitSet, BitMixer>,
    laughter: Vec<LaughterForm>,
}

static WORDS: LazyLock<MessageWords> =
    LazyLock::new(|| MessageWords::from_lists(word_lists("message_words")));

impl MessageWords {
    pub(super) fn embedded() -> &'static Self {
        &WORDS
    }

    pub(super) fn from_lists<'a>(lists: impl IntoIterator<Item = &'a WordList>) -> Self {
        let mut sections = WordSections::from_lists(lists);
        let mut traits: HashMap<u32, TraitSet, BitMixer> = HashMap::default();
        for (heading, shown) in HEADINGS {
            for word in sections.take::<Vec<&str>>(heading) {
                traits.entry(hash_word(word)).or_default().0 |= 1 << shown as u32;
            }
        }
        let laughter = sections.take::<Vec<&str>>("laughter");
        let read_form = |entry: &&str| {
            let (letters, shortest) = entry.split_once(' ')?;
            Some(LaughterForm {
                letters: letters.chars().fold(0, |bits, c| bits | letter_bit(c)),
                shortest: shortest.parse().ok()?,
            })
        };
        debug_assert!(sections.headings().next().is_none());
        Self {
            traits,
            laughter: laughter.iter().filter_map(read_form).collect(),
        }
    }

    pub(super) fn find_traits(&self, word: u32) -> TraitSet {
        self.traits.get(&word).copied().unwrap_or_default()
    }

    /// Whether a word of these letters is laughter: "haha", "lol", "lmaoo", "xd", "hhh", "233".
    pub(super) fn is_laughter(&self, letters: u32, size: usize) -> bool {
        self.laughter
            .iter()
            .any(|form| form.letters == letters && size >= form.shortest)
    }
}

/// The bit that stands for an ASCII letter or digit in a word; any other letter has the last one.
pub(super) fn letter_bit(c: char) -> u32 {
    if c.is_ascii() {
        1 << (c as u32 % 32)
    } else {
        1 << 31
    }
}
