//! Which members a message of the room mentions: `@` and a member's name. Never guesses at names without an `@`.

use kith_core::chat::{Author, UserId};

/// The members mentioned in `text`, in the order of their first mention. Upper and lower case are the same; of two
/// names that fit, the longer one counts.
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

/// Whether `text` starts with `name` as a word of its own. Names in scripts without spaces end anywhere, except one
/// character before a space: "@阿柚子 " is another member.
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
    let (next, after) = (rest.next(), rest.next());
    let goes_on = next.is_some_and(|c| c.is_ascii_alphanumeric() || c == '_');
    let is_longer = next.is_some_and(|c| c.is_alphabetic() && !c.is_ascii())
        && after.is_some_and(char::is_whitespace);
    match name.chars().next_back() {
        Some(last) if last.is_ascii_alphanumeric() => !goes_on,
        Some(_) => !is_longer,
        None => false,
    }
}
