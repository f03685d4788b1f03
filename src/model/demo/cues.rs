//! What the demo model understands of the words of a line, in any language.

use std::sync::LazyLock;

use kith_language::{word_lists, word_table};

word_table! {
    /// The words it listens to, in lower case.
    pub(super) struct DemoCues {
        about_itself: Vec<&'static str>,
        time: Vec<&'static str>,
        liked: Vec<&'static str>,
    }
}

pub(super) static CUES: LazyLock<DemoCues> =
    LazyLock::new(|| DemoCues::from_lists(word_lists("demo")));

impl DemoCues {
    /// Whether a text greets it or asks what it is.
    pub fn is_about_itself(&self, text: &str) -> bool {
        contains_word(text, &self.about_itself)
    }

    pub fn is_about_time(&self, text: &str) -> bool {
        contains_word(text, &self.time)
    }

    /// Whether a text is one that people put a thumb on.
    pub fn is_liked(&self, text: &str) -> bool {
        contains_word(text, &self.liked)
    }
}

/// Whether one of the words begins somewhere in the text: at the start of a word where words have starts.
fn contains_word(text: &str, words: &[&str]) -> bool {
    let text = text.to_lowercase();
    words.iter().any(|word| {
        text.match_indices(word).any(|(at, _)| {
            let before = text[..at].chars().next_back();
            let after = text[at + word.len()..].chars().next();
            let opens = before.is_none_or(|character| !character.is_ascii_alphanumeric());
            // Words of two or three letters are whole words or nothing: "hi" is not in "history".
            let closes =
                word.len() > 3 || after.is_none_or(|character| !character.is_ascii_alphanumeric());
            !word.is_ascii() || (opens && closes)
        })
    })
}
