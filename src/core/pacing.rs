//! How long typing a message takes, how an answer is cut into messages, and how alike two lines are.

use std::collections::HashMap;

use super::chat::Millis;
use super::policy::Pacing;
use super::split::{MESSAGE_CHARACTERS, split};

/// Lines shorter than this may be repeated: "yes", "lol", 👍.
const SHORTEST_COMPARED: usize = 12;

/// How long a person would need to type `text`.
pub fn typing_time(text: &str, pacing: &Pacing) -> Millis {
    if pacing.characters_per_second <= 0.0 {
        return 0;
    }
    let (mut wide, mut narrow) = (0u32, 0u32);
    for c in text.chars() {
        if is_wide(c) { wide += 1 } else { narrow += 1 }
    }
    let seconds = narrow as f32 / pacing.characters_per_second + wide as f32 / pacing.cjk_per_second.max(0.1);
    (seconds.min(pacing.longest_pause_seconds) * 1_000.0) as Millis
}

/// Chinese, Japanese and Korean characters, each of which takes about as long as a short word.
pub fn is_wide(c: char) -> bool {
    matches!(c as u32, 0x1100..=0x11FF | 0x2E80..=0x9FFF | 0xA960..=0xA97F | 0xAC00..=0xD7FF | 0xF900..=0xFAFF | 0x20000..=0x3FFFF)
}

/// Cuts a text into the messages a person would send: one a paragraph, blocks of code whole, and what is longer than a
/// platform takes in parts. Each is typed by itself, so that a long answer is no burst after one pause. A platform may
/// have to cut once more where a name becomes a longer mention; that part follows at once.
pub fn messages(text: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut fenced = false;
    let mut current = String::new();
    for line in text.trim().lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        if line.trim().is_empty() && !fenced {
            parts.extend(split(&std::mem::take(&mut current)));
            continue;
        }
        if !current.is_empty() {
            current.push('\n');
        }
        current.push_str(line.trim_end());
    }
    parts.extend(split(&current));
    parts
}

/// The same messages as few as fit into so many, short neighbours put together; more where they do not fit.
pub fn packed(parts: &[String], most: usize) -> Vec<String> {
    let whole: usize = parts.iter().map(|part| part.chars().count() + 2).sum();
    let room = whole.div_ceil(most.max(1)).min(MESSAGE_CHARACTERS);
    let mut packed: Vec<String> = Vec::new();
    for part in parts {
        let fits = |last: &&mut String| {
            let used = last.chars().count();
            used < room && used + 2 + part.chars().count() <= MESSAGE_CHARACTERS
        };
        match packed.last_mut().filter(|last| fits(last)) {
            Some(last) => *last = format!("{last}\n\n{part}"),
            None => packed.push(part.clone()),
        }
    }
    packed
}

/// How alike two lines are, 0 … 1: the Dice coefficient over character pairs of letters and digits, case folded.
/// Lines under twelve characters are only alike when they are equal and longer than a nod.
pub fn likeness(a: &str, b: &str) -> f32 {
    let (a, b) = (letters(a), letters(b));
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

/// How many letters and digits a text has; a wide character counts twice.
pub fn letter_count(text: &str) -> usize {
    letters(text).len()
}

/// Letters and digits, lower case; a wide character counts twice so that short Chinese lines compare too.
fn letters(text: &str) -> Vec<char> {
    let mut out = Vec::with_capacity(text.len());
    for c in text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase) {
        out.push(c);
        if is_wide(c) {
            out.push(c);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chinese_takes_longer_to_type_than_the_same_number_of_latin_letters() {
        let pacing = Pacing::default();
        assert!(typing_time("你好你好你好", &pacing) > typing_time("hello!", &pacing));
        assert_eq!(typing_time(&"a".repeat(5_000), &pacing), 6_000);
        assert_eq!(typing_time("anything", &Pacing { characters_per_second: 0.0, ..Pacing::default() }), 0);
    }

    #[test]
    fn paragraphs_become_messages_and_code_stays_whole() {
        assert_eq!(messages("one\n\ntwo\nstill two\n\n\n"), ["one", "two\nstill two"]);
        assert_eq!(messages("look:\n```\na\n\nb\n```"), ["look:\n```\na\n\nb\n```"]);
        assert!(messages("  \n ").is_empty());
    }

    #[test]
    fn a_long_text_is_cut_at_borders_and_loses_nothing() {
        let text = "A sentence of some length. ".repeat(200);
        let parts = messages(&text);
        assert!(parts.iter().all(|part| part.chars().count() <= MESSAGE_CHARACTERS && part.ends_with('.')));
        assert_eq!(parts.join(" "), text.trim());
    }

    #[test]
    fn a_block_of_code_that_is_too_long_is_closed_and_opened_again() {
        let code = "let x = 1;\n\n".repeat(300);
        let parts = messages(&format!("look:\n```rust\n{code}```"));
        assert!(parts.len() > 1 && parts.iter().all(|part| part.chars().count() <= MESSAGE_CHARACTERS));
        assert!(parts.iter().all(|part| part.matches("```").count() == 2 && part.ends_with("```")), "{parts:?}");
    }

    #[test]
    fn a_reworded_line_is_not_alike_but_a_repeated_one_is() {
        assert!(likeness("so how did the exam go today?", "So how did the exam go, today") > 0.95);
        assert!(likeness("so how did the exam go today?", "what about dinner on friday then") < 0.5);
        assert!(likeness("今天晚上一起吃火锅吧", "今天晚上一起吃火锅吧！") > 0.95);
        assert_eq!(likeness("lol", "lol"), 0.0);
    }
}
