//! How an answer is cut into the messages a person would send. What a platform takes as one message is in
//! `message_split.rs`.

use super::message_split::{MESSAGE_CHARACTERS, split_message};

/// Cuts a text into the messages a person would send: one a paragraph, code blocks whole, too long ones in parts. Each is
/// typed by itself, so that a long answer is no burst. A platform may cut again where a name becomes a longer mention.
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
