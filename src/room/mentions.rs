//! Which members a message of the room mentions: `@` and a member's name. Never guesses at names without an `@`.

use kith_core::address::is_longer_handle;
use kith_core::chat::{Author, UserId};

/// The members mentioned, by their first mention. Case does not matter; of two names the longer one counts.
pub fn find_mentions(text: &str, members: &[Author]) -> Vec<UserId> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices('@') {
        if text[..at]
            .chars()
            .next_back()
            .is_some_and(|c| c.is_ascii_alphanumeric())
        {
            continue;
        }
        let rest = &text[at + 1..];
        let longest = members
            .iter()
            .filter(|member| starts_with_name(rest, &member.name))
            .max_by_key(|member| member.name.chars().count());
        if let Some(member) = longest
            && !found.contains(&member.id)
        {
            found.push(member.id);
        }
    }
    found
}

/// Whether `text` starts with `name` as a word of its own, and nothing behind it makes it the name of somebody else. Names
/// in scripts without spaces end anywhere.
fn starts_with_name(text: &str, name: &str) -> bool {
    let mut rest = text.chars();
    for expected in name.chars() {
        if !rest
            .next()
            .is_some_and(|c| c.to_lowercase().eq(expected.to_lowercase()))
        {
            return false;
        }
    }
    let after = rest.as_str();
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let goes_on = name.ends_with(|c: char| c.is_ascii_alphanumeric()) && after.starts_with(is_word);
    !name.is_empty() && !goes_on && !is_longer_handle(after)
}
