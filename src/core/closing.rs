//! The sentence a message closes with, and whether an earlier message closed with the same: a companion that ends
//! everything it says with one question sounds like a form.

use super::similarity::{extract_letters, letter_count};
use super::style::{QUOTES, ends_in_question};
use super::word::is_wide;

/// Shorter closings may be repeated, "ok" and "你呢？" among them: in letters, a wide one counts as two.
const SHORTEST_QUESTION: usize = 8;
const SHORTEST_STATEMENT: usize = 12;
/// ASCII marks that end a clause where a space follows: "3.5" has none.
const ASCII_MARKS: &[char] = &['.', '!', '?', ',', ';', '~', ')'];
/// What stands between the clauses of one word or opens what belongs to the clause before.
const JOINTS: &[char] = &['’', '：', '·', '—', '–'];
const LOOSE_ENDS: &[char] = &[',', '，', ';', '；', '、'];

/// A message without the closing that an earlier one had.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RepeatedClosing<'a> {
    /// What is said before it; empty where it is all that is said.
    pub kept: &'a str,
    pub closing: &'a str,
    pub is_question: bool,
}

/// The longest closing an earlier message had as well. None where too short, or where it may be somebody else's words.
pub fn find_repeated_closing<'a>(text: &'a str, earlier: &str) -> Option<RepeatedClosing<'a>> {
    if text.contains(QUOTES) {
        return None;
    }
    let earlier_letters = extract_letters(earlier);
    let is_earlier_closing = |letters: &str| {
        earlier_letters.ends_with(letters)
            && find_clause_starts(earlier)
                .into_iter()
                .any(|start| extract_letters(&earlier[start..]) == letters)
    };
    let starts = find_clause_starts(text).into_iter();
    let mut closings = starts.map(|start| text.split_at(start));
    closings.find_map(|(kept, closing)| {
        let is_question = ends_in_question(closing);
        let shortest = match is_question {
            true => SHORTEST_QUESTION,
            false => SHORTEST_STATEMENT,
        };
        let is_repeated =
            letter_count(closing) >= shortest && is_earlier_closing(&extract_letters(closing));
        is_repeated.then(|| RepeatedClosing {
            kept: trim_kept(kept),
            closing: closing.trim(),
            is_question,
        })
    })
}

/// What is left of a message, unless that holds no word.
fn trim_kept(kept: &str) -> &str {
    let has_words = kept.contains(char::is_alphanumeric);
    let kept = if has_words { kept } else { "" };
    kept.trim_end().trim_end_matches(LOOSE_ENDS).trim()
}

/// Where the clauses of a text begin: at letters or digits, the first one's included.
fn find_clause_starts(text: &str) -> Vec<usize> {
    let mut starts = Vec::new();
    let mut last_letter: Option<(usize, char)> = None;
    for (at, c) in text.char_indices().filter(|(_, c)| c.is_alphanumeric()) {
        let is_start = last_letter.is_none_or(|(before, letter)| {
            let between = &text[before + letter.len_utf8()..at];
            is_clause_border(between, is_wide(letter) || is_wide(c))
        });
        if is_start {
            starts.push(at);
        }
        last_letter = Some((at, c));
    }
    starts
}

/// Whether what stands between two letters ends a clause. Beside a wide letter a space does, as people type it.
fn is_clause_border(between: &str, is_beside_wide: bool) -> bool {
    let has_space = between.contains(char::is_whitespace);
    let is_sign = |c: char| !c.is_ascii() && !c.is_whitespace() && !JOINTS.contains(&c);
    between.contains('\n')
        || between.contains(is_sign)
        || has_space && (is_beside_wide || between.contains(ASCII_MARKS))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut<'a>(text: &'a str, earlier: &str) -> Option<(&'a str, &'a str)> {
        find_repeated_closing(text, earlier).map(|found| (found.kept, found.closing))
    }

    #[test]
    fn a_closing_that_an_earlier_message_had_is_found_whatever_stands_before_it() {
        for (text, earlier, kept, closing) in [
            (
                "我在呢～有啥想聊的吗？",
                "刚吃完饭。有啥想聊的吗?",
                "我在呢～",
                "有啥想聊的吗？",
            ),
            (
                "在看书，有啥想聊的吗",
                "有啥想聊的吗？",
                "在看书",
                "有啥想聊的吗",
            ),
            (
                "哈哈哈 有啥想聊的吗？",
                "早😀有啥想聊的吗？",
                "哈哈哈",
                "有啥想聊的吗？",
            ),
            (
                "Nice one! Anything you want to talk about?",
                "morning, anything you want to talk about 🙂",
                "Nice one!",
                "Anything you want to talk about?",
            ),
            (
                "it was 3.5 in the end, what about you today?",
                "so tired. what about you today?",
                "it was 3.5 in the end",
                "what about you today?",
            ),
            (
                "cleaned the kitchen. i swear it never ends",
                "two more dishes. I swear it never ends.",
                "cleaned the kitchen.",
                "i swear it never ends",
            ),
            (
                "（有啥想聊的吗？",
                "在呢～有啥想聊的吗？",
                "",
                "有啥想聊的吗？",
            ),
        ] {
            assert_eq!(cut(text, earlier), Some((kept, closing)), "{text}");
        }
    }

    #[test]
    fn a_nod_a_quotation_and_the_tail_of_another_sentence_are_none() {
        for (text, earlier) in [
            ("i'll bring it, ok?", "that one, ok?"),
            ("拿过来了，好的", "知道了，好的"),
            ("我刚到家，你呢？", "还在路上，你呢？"),
            ("so funny, lol", "stop it, lol"),
            (
                "she said \"hi. what about you today?\"",
                "tired. what about you today?",
            ),
            (
                "well, what about you today?",
                "i never asked what about you today?",
            ),
            ("我问的是：有啥想聊的吗？", "在呢～有啥想聊的吗？"),
            ("不知道他有啥想聊的吗？", "在呢～有啥想聊的吗？"),
        ] {
            assert_eq!(cut(text, earlier), None, "{text}");
        }
    }
}
