//! How many tokens a text will take, guessed from its characters without a vocabulary, and calibrated by what a
//! model's server reports. Must stay cheap: every prompt is measured with it, whole.

use serde::{Deserialize, Serialize};

/// Below this share of the estimate, a report means that the server cut the prompt.
const CUT_SHARE: f32 = 0.6;
/// How much of the difference one report corrects.
const LEARNING_RATE: f32 = 0.1;
/// The factor's limits: vocabularies differ by less than this.
const FACTOR: std::ops::RangeInclusive<f32> = 0.6..=2.0;

/// Hundredths of a token that a lower-case or capitalised ASCII word of this length takes on average, measured with
/// o200k over the #ubuntu logs of the disentanglement corpus (Kummerfeld et al. 2019).
const WORD: [u32; 14] = [
    0, 97, 98, 100, 102, 108, 112, 117, 125, 130, 145, 175, 200, 220,
];
/// The same for words with capitals inside, such as nicks and constants.
const MIXED_WORD: [u32; 14] = [
    0, 100, 109, 135, 181, 214, 228, 253, 300, 310, 310, 310, 340, 370,
];
/// For each further letter of longer words.
const LETTER: u32 = 28;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CalibrationOutcome {
    /// The factor moved towards it.
    Learnt,
    /// It says nothing: one of the numbers is too small.
    Ignored,
    /// So far below the estimate that the server must have cut the prompt. Nothing was learnt; people should be warned.
    ServerCut,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TokenEstimator {
    factor: f32,
}

impl Default for TokenEstimator {
    fn default() -> Self {
        Self { factor: 1.0 }
    }
}

impl TokenEstimator {
    pub fn estimate_tokens(&self, text: &str) -> u32 {
        self.token_count(estimate_hundredths(text))
    }

    /// Tokens from a sum of [`hundredths`].
    pub(super) fn token_count(&self, sum: u32) -> u32 {
        (sum as f32 * self.factor / 100.0).ceil() as u32
    }

    /// The sum of [`hundredths`] that fits into this many tokens.
    pub(super) fn to_hundredths(self, tokens: u32) -> u32 {
        (tokens as f32 * 100.0 / self.factor) as u32
    }

    /// Learns from the prompt tokens a server reported for a prompt that was estimated at `estimated` tokens.
    pub fn learn(&mut self, estimated: u32, reported: u32) -> CalibrationOutcome {
        if estimated < 100 || reported == 0 {
            return CalibrationOutcome::Ignored;
        }
        let ratio = reported as f32 / estimated as f32;
        if ratio < CUT_SHARE {
            return CalibrationOutcome::ServerCut;
        }
        let wanted = self.factor * (1.0 + LEARNING_RATE * (ratio - 1.0));
        self.factor = wanted.clamp(*FACTOR.start(), *FACTOR.end());
        CalibrationOutcome::Learnt
    }
}

/// The kinds of characters that vocabularies treat alike.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Class {
    Letter,
    Digit,
    Space,
    Newline,
    Punctuation,
    Han,
    Other,
}

fn classify_char(c: char) -> Class {
    match c {
        'a'..='z' | 'A'..='Z' => Class::Letter,
        '0'..='9' => Class::Digit,
        ' ' | '\t' => Class::Space,
        '\n' | '\r' => Class::Newline,
        '\0'..='\u{7f}' => Class::Punctuation,
        '\u{3400}'..='\u{9fff}' | '\u{20000}'..='\u{3ffff}' => Class::Han,
        _ => Class::Other,
    }
}

/// The estimate in hundredths of a token of an uncalibrated vocabulary: one pass over runs of like characters.
pub(super) fn estimate_hundredths(text: &str) -> u32 {
    let mut sum: u32 = 0;
    let mut rest = text;
    let mut before = Class::Newline;
    while let Some(first) = rest.chars().next() {
        let kind = classify_char(first);
        let end = match kind {
            Class::Other => first.len_utf8(),
            // Most of a text: bytes are faster to look at than characters.
            Class::Letter => rest
                .bytes()
                .position(|byte| !byte.is_ascii_alphabetic())
                .unwrap_or(rest.len()),
            _ => rest
                .find(|c| classify_char(c) != kind)
                .unwrap_or(rest.len()),
        };
        let (run, after) = rest.split_at(end);
        let next = after.chars().next().map(classify_char);
        sum = sum.saturating_add(match kind {
            Class::Letter => estimate_word(run),
            Class::Digit => 100 * run.len().div_ceil(3) as u32,
            // One space belongs to the word behind it; before a digit or at the end it stands alone.
            Class::Space if run.len() > 1 || matches!(next, None | Some(Class::Digit)) => 100,
            Class::Space => 0,
            // Line ends melt into punctuation before them.
            Class::Newline if before == Class::Punctuation => 0,
            Class::Newline => 100,
            Class::Punctuation => estimate_punctuation(run.len() as u32, before, next),
            Class::Han => estimate_han(run.len() as u32 / 3),
            Class::Other => estimate_other(first),
        });
        before = kind;
        rest = after;
    }
    sum
}

fn estimate_word(run: &str) -> u32 {
    let mixed = run.len() > 1 && !run.bytes().skip(1).all(|b| b.is_ascii_lowercase());
    let table = if mixed { &MIXED_WORD } else { &WORD };
    let last = table.len() - 1;
    table[run.len().min(last)] + LETTER * run.len().saturating_sub(last) as u32
}

fn estimate_punctuation(length: u32, before: Class, next: Option<Class>) -> u32 {
    // A single mark often melts into the word behind it, as in `(so` or `-like`.
    let first = if length == 1 && next == Some(Class::Letter) && before != Class::Space {
        60
    } else {
        95
    };
    first + 10 * (length - 1).min(3) + 12 * length.saturating_sub(4)
}

/// Short runs as in chat hold fewer known words than the long ones of prose.
fn estimate_han(characters: u32) -> u32 {
    let characters = characters.max(1);
    100 + 78 * (characters - 1).min(7) + 62 * characters.saturating_sub(8)
}

fn estimate_other(c: char) -> u32 {
    match c {
        '\u{3040}'..='\u{30ff}' => 69,
        '\u{ac00}'..='\u{d7af}' => 60,
        '\u{3000}'..='\u{303f}' | '\u{ff00}'..='\u{ffef}' | '\u{2010}'..='\u{2069}' => 90,
        '\u{fe0f}' | '\u{200d}' => 100,
        '\u{2190}'..='\u{2bff}' | '\u{1f000}'.. => 200,
        _ if c.is_alphabetic() => 32,
        _ => 100,
    }
}
