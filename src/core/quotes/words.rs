//! Finds what a model quoted of an erased text: single rare words of it, in any case. Pure; knows no table.

use std::collections::BTreeSet;

use regex::{Regex, RegexBuilder};

use super::passages::ERASED;
use crate::text_piece::{TextPiece, split_pieces};
use crate::word::is_ordinary;

/// A word of so many letters that is not an everyday word gives its text away.
const TELLING_LETTERS: usize = 6;
/// So does a number, or a word with a digit, of so many characters; it has to stand alone.
const TELLING_DIGITS: usize = 4;
/// So do so many characters in a row of a script written without spaces.
const TELLING_RUN: usize = 3;
/// A longer word is looked for in pieces, and so many patterns are looked for at once: no text makes one too large.
const PIECE: usize = 24;
const AT_ONCE: usize = 256;

/// The words that give a text away.
pub struct QuotedWords {
    patterns: Vec<Regex>,
}

impl QuotedWords {
    /// The telling words of `text`, except those that may be said: everyday words, and those of `still`.
    pub fn from_text(text: &str, remaining_text: &str) -> Self {
        let still = remaining_text.to_lowercase();
        Self::new(
            extract_distinctive_words(text)
                .filter(|word| !still.contains(word))
                .collect(),
        )
    }

    /// These words, in lower case.
    pub fn new(mut words: Vec<String>) -> Self {
        words.retain(|word| !ERASED.contains(word.as_str()));
        // Of two words that begin alike the longer one is tried first.
        words.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        words.dedup();
        let pattern = |words: &[String]| {
            let alternatives: Vec<String> =
                words.iter().map(|word| build_word_pattern(word)).collect();
            RegexBuilder::new(&alternatives.join("|"))
                .case_insensitive(true)
                .build()
        };
        // A pattern of escaped words in this number is always well-formed and small enough.
        Self {
            patterns: words
                .chunks(AT_ONCE)
                .filter_map(|words| pattern(words).ok())
                .collect(),
        }
    }

    /// The telling words that stand in a text, in lower case.
    pub fn find_words(&self, text: &str) -> BTreeSet<String> {
        let found = self.find(text);
        found
            .map(|(start, end)| text[start..end].to_lowercase())
            .collect()
    }

    fn find<'a>(&'a self, string: &'a str) -> impl Iterator<Item = (usize, usize)> + 'a {
        self.patterns.iter().flat_map(move |pattern| {
            let mut from = 0;
            // Runs overlap, so the next one is looked for behind the first character of this one.
            std::iter::from_fn(move || {
                let hit = pattern.find_at(string, from)?;
                from = hit.start() + hit.as_str().chars().next().map_or(1, char::len_utf8);
                Some((hit.start(), hit.end()))
            })
        })
    }

    /// `string` without the telling words; none if it holds none of them.
    pub fn redact(&self, string: &str) -> Option<String> {
        let mut found: Vec<(usize, usize)> = self.find(string).collect();
        found.sort_unstable();
        let mut out = String::new();
        let mut kept = 0;
        for (index, (start, end)) in found.iter().enumerate() {
            if index == 0 || *start > kept {
                out.push_str(&string[kept..*start]);
                out.push_str(ERASED);
            }
            kept = kept.max(*end);
        }
        (!found.is_empty()).then(|| out + &string[kept..])
    }
}

/// The words of a text that give it away, in lower case: not everyday words.
pub fn extract_distinctive_words(text: &str) -> impl Iterator<Item = String> {
    split_pieces(text).flat_map(|piece| match piece {
        TextPiece::Cjk(run) => {
            let chars: Vec<char> = run.chars().collect();
            let runs = chars.windows(TELLING_RUN).map(String::from_iter);
            runs.filter(|run| !is_everyday_run(run)).collect::<Vec<_>>()
        }
        TextPiece::Other(other) => {
            let runs = other.split(|c: char| !c.is_alphanumeric());
            runs.filter(|word| !is_ordinary(word))
                .flat_map(extract_distinctive_pieces)
                .collect()
        }
    })
}

/// A run whose characters are all parts of everyday words.
fn is_everyday_run(run: &str) -> bool {
    let second = run.chars().next().map_or(0, char::len_utf8);
    let last = run.chars().next_back().map_or(0, char::len_utf8);
    is_ordinary(run) || is_ordinary(&run[second..]) && is_ordinary(&run[..run.len() - last])
}

/// What is looked for of a word, in lower case; nothing if it is too short to tell anything.
fn extract_distinctive_pieces(word: &str) -> Vec<String> {
    let mut chars: Vec<char> = word.to_lowercase().chars().collect();
    if chars.iter().any(|c| c.is_numeric())
        && (TELLING_DIGITS..TELLING_LETTERS).contains(&chars.len())
    {
        return vec![chars.into_iter().collect()];
    }
    // A model may write "secret" of "secrets".
    if chars.len() > TELLING_LETTERS && chars.last() == Some(&'s') {
        chars.pop();
    }
    chars
        .chunks(PIECE)
        .filter(|piece| piece.len() >= TELLING_LETTERS)
        .map(String::from_iter)
        .collect()
}

fn build_word_pattern(word: &str) -> String {
    let word_of_its_own = word.chars().count() < TELLING_LETTERS && word.contains(char::is_numeric);
    let escaped = regex::escape(word);
    if word_of_its_own {
        format!(r"\b{escaped}\b")
    } else {
        escaped
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(text: &str, string: &str) -> String {
        QuotedWords::from_text(text, "")
            .redact(string)
            .map_or(string.into(), |string| string.replace(ERASED, "#"))
    }

    #[test]
    fn rare_words_and_numbers_go_in_any_case_and_everyday_words_stay() {
        assert_eq!(
            left(
                "my secret is xylophonists",
                "her secret is XYLOPHONIST, because"
            ),
            "her secret is #, because"
        );
        assert_eq!(
            left("call because 4711", "the number 4711 is not 47112 because"),
            "the number # is not 47112 because"
        );
        assert_eq!(left("pin b4ck", "B4CK\nxb4ck"), "#\nxb4ck");
        assert_eq!(left("ПРИВЕТСТВИЕ", "приветствие!"), "#!");
    }

    #[test]
    fn any_three_characters_in_a_row_of_a_text_without_spaces_go() {
        assert_eq!(
            left("我的秘密是木琴演奏家", "她说秘密是木琴演，真的"),
            "她说#，真的"
        );
        assert_eq!(
            left("비밀은 실로폰연주자", "그는 실로폰을 친다"),
            "그는 #을 친다"
        );
    }

    #[test]
    fn what_the_new_text_still_says_and_the_note_itself_stay() {
        let quoted = QuotedWords::from_text(
            "flying tommorow from Heathrow",
            "flying tomorrow from heathrow",
        );
        assert_eq!(
            quoted.redact("Tommorow, Heathrow").as_deref(),
            Some(&*format!("{ERASED}, Heathrow"))
        );
        assert_eq!(
            QuotedWords::from_text("it was erased or deleted", "").redact(ERASED),
            None
        );
    }

    #[test]
    fn a_word_without_end_is_looked_for_in_pieces() {
        assert_eq!(
            left(&"qzj".repeat(9_000), &format!("so {}", "QZJ".repeat(16))),
            "so #"
        );
    }
}
