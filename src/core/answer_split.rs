//! How an answer is cut into the messages a person would send. What a platform takes as one message is in
//! `message_split.rs`.

use super::message_split::{MESSAGE_CHARACTERS, split_message};

/// Cuts a text into the messages a person would send: one a paragraph, blocks of code whole, and what is longer than a
/// platform takes in parts. Each is typed by itself, so that a long answer is no burst after one pause. A platform may
/// have to cut once more where a name becomes a longer mention; that part follows at once.
pub fn split_messages(text: &str) -> Vec<String> {
    let mut parts: Vec<String> = Vec::new();
    let mut fenced = false;
    let mut current = String::new();
    for line in text.trim().lines() {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
        }
        if line.trim().is_empty() && !fenced {
            parts.extend(split_message(&std::mem::take(&mut current)));
            continue;
        }
        if !current.is_empty() {
            current.push('\n');
        }
        current.push_str(line.trim_end());
    }
    parts.extend(split_message(&current));
    parts
}

/// The same messages as few as fit into so many, short neighbours put together; more where they do not fit.
pub fn pack_messages(parts: &[String], most: usize) -> Vec<String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paragraphs_become_messages_and_code_stays_whole() {
        assert_eq!(
            split_messages("one\n\ntwo\nstill two\n\n\n"),
            ["one", "two\nstill two"]
        );
        assert_eq!(
            split_messages("look:\n```\na\n\nb\n```"),
            ["look:\n```\na\n\nb\n```"]
        );
        assert!(split_messages("  \n ").is_empty());
    }

    #[test]
    fn a_long_text_is_cut_at_borders_and_loses_nothing() {
        let text = "A sentence of some length. ".repeat(200);
        let parts = split_messages(&text);
        assert!(
            parts
                .iter()
                .all(|part| part.chars().count() <= MESSAGE_CHARACTERS && part.ends_with('.'))
        );
        assert_eq!(parts.join(" "), text.trim());
    }

    #[test]
    fn a_block_of_code_that_is_too_long_is_closed_and_opened_again() {
        let code = "let x = 1;\n\n".repeat(300);
        let parts = split_messages(&format!("look:\n```rust\n{code}```"));
        assert!(
            parts.len() > 1
                && parts
                    .iter()
                    .all(|part| part.chars().count() <= MESSAGE_CHARACTERS)
        );
        assert!(
            parts
                .iter()
                .all(|part| part.matches("```").count() == 2 && part.ends_with("```")),
            "{parts:?}"
        );
    }
}
