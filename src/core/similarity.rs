//! How alike two lines are: by their letters, and by what is left of them without the words that say nothing.

use std::collections::HashMap;
use std::sync::LazyLock;

use kith_language::{WordSet, word_lists, word_table};

use super::word::is_wide;

/// Lines shorter than this may be repeated: "yes", "lol", 👍.
const SHORTEST_COMPARED: usize = 12;

word_table! {
    /// What opens or fills a line, and may be put for one another.
    struct Fillers {
        words: WordSet,
        signs: Vec<char>,
    }
}

static FILLERS: LazyLock<Fillers> = LazyLock::new(|| Fillers::from_lists(word_lists("fillers")));

/// How alike two lines are, 0 … 1: the Dice coefficient over character pairs of letters and digits, case folded, of the
/// lines or of what is left of both without fillers, whichever is more. Lines under twelve characters are only alike when
/// they are equal and longer than a nod.
pub fn compute_similarity(a: &str, b: &str) -> f32 {
    let whole = dice_coefficient(&prepare_letters(a), &prepare_letters(b));
    whole.max(dice_coefficient(
        &prepare_letters(&strip_fillers(a)),
        &prepare_letters(&strip_fillers(b)),
    ))
}

fn dice_coefficient(a: &[char], b: &[char]) -> f32 {
    if a.len() < SHORTEST_COMPARED || b.len() < SHORTEST_COMPARED {
        return 0.0;
    }
    let mut pairs: HashMap<(char, char), i32> = HashMap::new();
    for pair in a.windows(2) {
        *pairs.entry((pair[0], pair[1])).or_default() += 1;
    }
    let mut shared = 0;
    for pair in b.windows(2) {
        if let Some(left) = pairs.get_mut(&(pair[0], pair[1]))
            && *left > 0
        {
            *left -= 1;
            shared += 1;
        }
    }
    2.0 * shared as f32 / (a.len() + b.len() - 2) as f32
}

/// A text without the words and sounds that say nothing, in lower case.
pub(crate) fn strip_fillers(text: &str) -> String {
    let text = text.to_lowercase().replace(&FILLERS.signs[..], "");
    let words = text.split(|c: char| !(c.is_alphanumeric() || matches!(c, '\'' | '’')));
    words.filter(|word| !FILLERS.words.contains(word)).collect()
}

/// How many letters and digits a text has; a wide character counts twice.
pub fn letter_count(text: &str) -> usize {
    lower_letters(text)
        .map(|c| if is_wide(c) { 2 } else { 1 })
        .sum()
}

/// The letters and digits of a text, in lower case: what is left when spelling habits are taken away.
pub fn extract_letters(text: &str) -> String {
    lower_letters(text).collect()
}

fn lower_letters(text: &str) -> impl Iterator<Item = char> {
    text.chars()
        .filter(|c| c.is_alphanumeric())
        .flat_map(char::to_lowercase)
}

/// The letters of a text; a wide character stands twice so that short Chinese lines compare too.
fn prepare_letters(text: &str) -> Vec<char> {
    let mut out = Vec::with_capacity(text.len());
    for c in lower_letters(text) {
        out.push(c);
        if is_wide(c) {
            out.push(c);
        }
    }
    out
}
