//! What transcripts and chat templates call those who take part in them, in lower case. Whoever reads what a model wrote
//! holds it against these: behind one of them somebody else speaks, or the model for itself.

use std::sync::LazyLock;

use kith_language::{PhraseList, word_lists, word_table};

/// The longest name of a member, in characters: no prompt shows a longer one.
const LONGEST_NAME: usize = 40;
/// A date, a time of day, and the numbers of a line and of the one it answers.
const MOST_NUMBERS: usize = 8;

word_table! {
    #[derive(Debug)]
    pub struct RoleWords {
        assistant: Vec<&'static str>,
        model: Vec<&'static str>,
        user: Vec<&'static str>,
        system: Vec<&'static str>,
        says: PhraseList,
    }
}

pub static ROLES: LazyLock<RoleWords> =
    LazyLock::new(|| RoleWords::from_lists(word_lists("roles")));

/// Whether this is a word for whoever answers.
pub fn is_assistant(name: &str) -> bool {
    ROLES.assistant.contains(&name) || ROLES.model.contains(&name)
}

/// Whether this is a word for anybody who takes part.
pub fn is_role(name: &str) -> bool {
    is_assistant(name) || ROLES.user.contains(&name) || ROLES.system.contains(&name)
}

/// The name and the words of a line as the history writes it, `15>12 Ben: hey`, with whatever marks and numbers before.
pub fn parse_history_head(text: &str) -> Option<(&str, &str)> {
    let is_mark = |c: char| !c.is_alphanumeric();
    let mut rest = text.trim_start_matches(is_mark);
    let (mut number, mut marks) = ("", "");
    for _ in 0..MOST_NUMBERS {
        let behind = rest.trim_start_matches(char::is_numeric);
        if behind.len() == rest.len() {
            break;
        }
        let is_apart = marks.ends_with(char::is_whitespace);
        number = if is_apart {
            &rest[..rest.len() - behind.len()]
        } else {
            ""
        };
        rest = behind.trim_start_matches(is_mark);
        marks = &behind[..behind.len() - rest.len()];
    }
    // A name of digits or of signs alone.
    if let Some((sign, _)) = marks.split_once(':') {
        let is_plain = |c: char| c.is_whitespace() || c.is_ascii_punctuation();
        let name = Some(sign.trim_matches(is_plain)).filter(|sign| !sign.is_empty());
        let name = name.unwrap_or(number);
        return (!name.is_empty()).then_some((name, rest));
    }
    // Points of a list, and lines of a document that are counted.
    let is_counted = marks.contains('{') || marks.contains('"') && marks.starts_with("  ");
    if marks.is_empty() || marks.contains(['.', ')', ',']) || is_counted {
        return None;
    }
    let near = rest
        .char_indices()
        .nth(LONGEST_NAME)
        .map_or(rest, |(end, _)| &rest[..end]);
    let (name, _) = near
        .split_once(':')
        .filter(|(name, _)| !name.contains([',', '、', '。']))?;
    Some((name, &rest[name.len() + 1..]))
}

/// A name without the word for saying something behind it, and without marks.
pub fn strip_verb(name: &str) -> &str {
    let name = name.trim_end_matches(|c: char| !c.is_alphanumeric());
    let verbs = ROLES.says.iter().filter(|verb| {
        name.len() > verb.len()
            && name.is_char_boundary(name.len() - verb.len())
            && name[name.len() - verb.len()..].eq_ignore_ascii_case(verb)
    });
    verbs
        .map(|verb| &name[..name.len() - verb.len()])
        .min_by_key(|name| name.len())
        .unwrap_or(name)
}
