//! Which texts may quote another, for a quick look beforehand: to tell for certain takes far longer, and the prompts of turns
//! are long. A signature keeps which letters follow each other in texts, as bits that give no text away, so that what they
//! show can be asked for without reading them.

use std::borrow::Cow;

use super::passages::{ENTITIES, TELLING_LETTERS, WORDS_OF_ITS_OWN, is_quote, list_forms};
use super::words::extract_distinctive_words;
use crate::recall::is_cjk;

/// So many letters in a row are a piece, and so many of a script written without spaces. No telling word is shorter.
const PIECE: usize = 6;
const CJK_PIECE: usize = 3;
/// Of the pieces that reach over several words one in so many is kept, the same ones of every text.
const KEPT_OF: u64 = 4;
/// How a line break is written in a text that stands in another.
const ESCAPES: &[&str] = &["\\n", "\\r", "\\t"];

/// Which letters follow each other in texts.
pub struct TextSignature(Vec<u8>);

/// What stands in whatever quotes a text.
pub struct QuoteFilter {
    /// Each telling word as its pieces: one of the words is enough.
    words: Vec<Vec<u64>>,
    /// Whoever repeats the text as a whole, in one of its forms, holds all pieces of that form.
    forms: Vec<Vec<u64>>,
    is_quote: bool,
}

impl QuoteFilter {
    pub fn new(text: &str) -> Self {
        let mut words = Vec::new();
        for word in extract_distinctive_words(text) {
            let mut pieces = Vec::new();
            list_pieces(&word, |piece, kind| {
                if kind == PieceKind::Word || kind == PieceKind::Cjk {
                    pieces.push(piece);
                }
            });
            // A number or the like, which stands alone.
            if pieces.is_empty() {
                list_pieces(&word, |piece, _| pieces.push(piece));
            }
            words.push(pieces);
        }
        Self {
            words,
            forms: list_forms(text).filter_map(list_form_pieces).collect(),
            is_quote: is_quote(text),
        }
    }

    /// Whether [`super::QuotedWords`] or [`super::ErasedPassages`] may find the text there; if not, neither does.
    pub fn may_be_in(&self, other: &TextSignature) -> bool {
        self.has_word_in(other) || self.is_quote && self.may_be_whole_in(other)
    }

    /// Whether a telling word of it may stand there.
    pub fn has_word_in(&self, other: &TextSignature) -> bool {
        self.words.iter().any(|word| other.has_all(word))
    }

    /// Whether [`super::ErasedPassage`] may find the text there.
    pub fn may_be_whole_in(&self, other: &TextSignature) -> bool {
        self.forms.iter().any(|form| other.has_all(form))
    }
}

/// The pieces of a text as a whole; none if it gives nothing away. What stands between its letters may be written otherwise.
fn list_form_pieces(text: &str) -> Option<Vec<u64>> {
    let letters = || text.chars().filter(|c| c.is_alphanumeric());
    let is_alone = letters().count() < WORDS_OF_ITS_OWN;
    // A number may stand behind a name.
    let is_named = text.contains('@');
    let telling: String = match letters().next() {
        Some(_) if is_alone || is_named => list_first_words(text),
        Some(_) => letters().take(TELLING_LETTERS).collect(),
        None => text.trim().into(),
    };
    let mut whole = Vec::new();
    list_pieces(&telling, |piece, kind| {
        let is_kept = match kind {
            PieceKind::Word => false,
            PieceKind::Across => !is_named,
            PieceKind::Alone => is_alone || is_named,
            PieceKind::Cjk => true,
        };
        if is_kept {
            whole.push(piece);
        }
    });
    (letters().next().is_some() || !whole.is_empty()).then_some(whole)
}

/// The words within the beginning of a text that gives it away.
fn list_first_words(text: &str) -> String {
    let mut letters = 0;
    let mut words = String::new();
    for word in text.split_inclusive(|c: char| !c.is_alphanumeric() || is_cjk(c)) {
        letters += word.chars().filter(|c| c.is_alphanumeric()).count();
        if letters > TELLING_LETTERS {
            break;
        }
        words += word;
    }
    words.replace(|c: char| !c.is_alphanumeric(), " ")
}

impl TextSignature {
    /// The signature of these texts together, of so many bytes: for a quick look about one for every ten letters.
    pub fn new<'t>(bytes: usize, texts: impl IntoIterator<Item = &'t str>) -> Self {
        let mut signature = Self(vec![0; bytes.max(1)]);
        for text in texts {
            let mut forms = vec![Cow::Borrowed(text)];
            // Whether a letter is one or only escapes another, nobody knows: it is read in both ways.
            for escapes in [ESCAPES, ENTITIES] {
                let is_escaped = |form: &&Cow<'_, str>| escapes.iter().any(|it| form.contains(it));
                let plain = |form: &Cow<'_, str>| {
                    let text = form.to_string();
                    Cow::from(escapes.iter().fold(text, |text, it| text.replace(it, " ")))
                };
                let plain: Vec<_> = forms.iter().filter(is_escaped).map(plain).collect();
                forms.extend(plain);
            }
            forms.iter().for_each(|form| signature.add(form));
        }
        signature
    }

    /// One that was kept; none if it is none.
    pub fn from_bytes(bytes: Vec<u8>) -> Option<Self> {
        (!bytes.is_empty()).then_some(Self(bytes))
    }

    /// To be kept.
    pub fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    fn add(&mut self, text: &str) {
        list_pieces(text, |piece, _| {
            let (byte, bit) = self.find_place(piece);
            self.0[byte] |= bit;
        });
    }

    fn has_all(&self, pieces: &[u64]) -> bool {
        let has = |(byte, bit): (usize, u8)| self.0[byte] & bit != 0;
        pieces.iter().all(|piece| has(self.find_place(*piece)))
    }

    fn find_place(&self, piece: u64) -> (usize, u8) {
        let place = (piece >> 24) as usize % (self.0.len() * 8);
        (place / 8, 1 << (place % 8))
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum PieceKind {
    Word,
    /// Letters whatever stands between them.
    Across,
    /// A whole short word.
    Alone,
    /// Characters of a script written without spaces, whatever stands between them; a single one is any that is not ASCII.
    Cjk,
}

/// Gives each piece of a text as a number, without regard to case.
fn list_pieces(text: &str, mut give: impl FnMut(u64, PieceKind)) {
    let mut letters = LetterRun::default();
    for c in text.chars() {
        if c.is_ascii() {
            letters.add(c.to_ascii_lowercase(), &mut give);
            continue;
        }
        // What is the same but for its case is the same afterwards: also a long s, or the sign of the Kelvin.
        let upper = c.to_lowercase().flat_map(char::to_uppercase);
        for c in upper.flat_map(char::to_lowercase) {
            if !c.is_ascii() {
                give(hash(1, &[c]), PieceKind::Cjk);
            }
            letters.add(c, &mut give);
        }
    }
    letters.end_word(&mut give);
}

/// The letters and digits of a text so far.
#[derive(Default)]
struct LetterRun {
    letters: Vec<char>,
    cjk: Vec<char>,
    in_word: usize,
    /// The last letters as one number.
    sum: u64,
}

/// What a letter counts more than the one behind it in a sum, and one that is a piece's length before it.
const BASE: u64 = 0x9E37_79B9_7F4A_7C15;
const BASE_OF_PIECE: u64 = BASE.wrapping_pow(PIECE as u32);

impl LetterRun {
    fn add(&mut self, c: char, give: &mut impl FnMut(u64, PieceKind)) {
        if !c.is_alphanumeric() || is_cjk(c) {
            self.end_word(give);
            if is_cjk(c) {
                self.letters.clear();
                self.sum = 0;
                self.cjk.push(c);
                if let Some(piece) = self.cjk.last_chunk::<CJK_PIECE>() {
                    give(hash(2, piece), PieceKind::Cjk);
                }
            }
            return;
        }
        self.sum = self.sum.wrapping_mul(BASE).wrapping_add(c.into());
        let before = self.letters.len().checked_sub(PIECE);
        if let Some(before) = before.and_then(|place| self.letters.get(place)) {
            let gone = u64::from(*before).wrapping_mul(BASE_OF_PIECE);
            self.sum = self.sum.wrapping_sub(gone);
        }
        self.letters.push(c);
        self.in_word += 1;
        if self.in_word >= PIECE {
            give(mix(self.sum), PieceKind::Word);
        }
        let across = mix(!self.sum);
        if self.letters.len() >= PIECE && across.is_multiple_of(KEPT_OF) {
            give(across, PieceKind::Across);
        }
    }

    fn end_word(&mut self, give: &mut impl FnMut(u64, PieceKind)) {
        let word = &self.letters[self.letters.len() - self.in_word..];
        if (1..WORDS_OF_ITS_OWN).contains(&word.len()) {
            give(hash(3, word), PieceKind::Alone);
        }
        self.in_word = 0;
    }
}

/// The same in every version, for signatures are kept.
fn hash(seed: u64, letters: &[char]) -> u64 {
    letters
        .iter()
        .fold(seed, |hash, c| mix(hash ^ u64::from(*c)))
}

fn mix(number: u64) -> u64 {
    let mixed = (number ^ (number >> 32)).wrapping_mul(BASE);
    mixed ^ (mixed >> 29)
}
