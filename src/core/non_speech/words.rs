//! The words of a text as rules read them: names as one sign, contractions as what they stand for, characters one by one
//! where the script has no spaces.

use std::collections::HashMap;
use std::sync::LazyLock;

use kith_language::{WordList, WordSections, word_lists};

use crate::word::is_unspaced;

#[derive(Clone, Copy, Debug, Default)]
pub struct SpeakerNames<'a> {
    /// All names of the companion.
    pub own: &'a [String],
    /// Those of the members in view.
    pub members: &'a [String],
}

/// Stands for the companion's own names among the words, and for a member's.
pub(super) const ME: &str = "@";
pub(super) const MEMBER: &str = "&";

/// The sentences of a text, and whether each asks something.
pub(crate) fn split_sentences(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let is_end = |c: char| {
        matches!(
            c,
            '.' | '!' | '?' | ';' | '。' | '！' | '？' | '；' | '\n' | '…'
        )
    };
    let pieces = text
        .split_inclusive(is_end)
        .map(|piece| (piece, piece.ends_with(['?', '？'])));
    pieces.filter(|(piece, _)| piece.contains(char::is_alphanumeric))
}

/// The words of a sentence, each with a space behind it: in lower case, contractions as what they stand for, names as
/// one sign, characters one by one where the script has no spaces.
pub(super) fn normalize_words(text: &str, names: SpeakerNames<'_>) -> String {
    let mut words = split_words(text);
    let own = names.own.iter().map(|name| (split_words(name), ME));
    let members = names.members.iter().map(|name| (split_words(name), MEMBER));
    let mut names: Vec<_> = own
        .chain(members)
        .filter(|(name, _)| !name.is_empty())
        .collect();
    names.sort_by_key(|(name, _)| std::cmp::Reverse(name.len()));
    let mut at = 0;
    while at < words.len() {
        if let Some((name, sign)) = names.iter().find(|(name, _)| words[at..].starts_with(name)) {
            words.splice(at..at + name.len(), [(*sign).to_owned()]);
        }
        at += 1;
    }
    join_words(&words)
}

pub(super) fn join_words(words: &[String]) -> String {
    words.iter().flat_map(|word| [word.as_str(), " "]).collect()
}

pub(crate) fn split_words(text: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    for c in text.chars() {
        match c {
            '\'' | '’' if !word.is_empty() => word.push('\''),
            _ if is_unspaced(c) => {
                flush_word(&mut word, &mut words);
                words.push(c.to_string());
            }
            _ if c.is_alphanumeric() => word.extend(c.to_lowercase()),
            _ => flush_word(&mut word, &mut words),
        }
    }
    flush_word(&mut word, &mut words);
    words
}

fn flush_word(word: &mut String, words: &mut Vec<String>) {
    let taken = std::mem::take(word);
    let whole = match taken.trim_end_matches('\'').split_once('\'') {
        None => taken.trim_end_matches('\'').to_owned(),
        Some((before, ending)) => CONTRACTIONS.write_out(before, ending),
    };
    for part in whole.split(' ').filter(|part| !part.is_empty()) {
        let stands_for = CONTRACTIONS.typed.get(part).unwrap_or(&part);
        words.extend(stands_for.split(' ').map(str::to_owned));
    }
}

static CONTRACTIONS: LazyLock<Contractions> =
    LazyLock::new(|| Contractions::from_lists(word_lists("contractions")));

struct Contractions {
    /// As they are typed without their apostrophe, and what they stand for.
    typed: HashMap<&'static str, &'static str>,
    /// What stands behind an apostrophe, and the word it stands for.
    endings: HashMap<&'static str, &'static str>,
    /// The same behind some words only.
    word_endings: HashMap<(&'static str, &'static str), &'static str>,
    owner_endings: Vec<&'static str>,
}

impl Contractions {
    fn from_lists<'a>(lists: impl IntoIterator<Item = &'a WordList>) -> Self {
        let mut sections = WordSections::from_lists(lists);
        let mut pairs = |heading| {
            let entries: Vec<&'static str> = sections.take(heading);
            entries
                .into_iter()
                .filter_map(|entry| entry.split_once(" = "))
        };
        let typed = pairs("typed").collect();
        let endings = pairs("endings").collect();
        let word_endings = pairs("word_endings").flat_map(|(written, meant)| {
            let (words, ending) = written.split_once(" | ").unwrap_or_default();
            words.split(' ').map(move |word| ((word, ending), meant))
        });
        Self {
            typed,
            endings,
            word_endings: word_endings.collect(),
            owner_endings: sections.take("owner_endings"),
        }
    }

    /// A word with an apostrophe as what it stands for.
    fn write_out(&self, before: &str, ending: &str) -> String {
        let meant = self
            .endings
            .get(ending)
            .or_else(|| self.word_endings.get(&(before, ending)));
        match meant {
            Some(meant) => format!("{before} {meant}"),
            None if self.owner_endings.contains(&ending) => before.to_owned(),
            None => format!("{before}{ending}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contractions_and_names_are_read_as_what_they_stand_for() {
        let (own, members) = (
            ["Juno".to_owned(), "阿柚".to_owned()],
            ["Anna Lee".to_owned()],
        );
        let names = SpeakerNames {
            own: &own,
            members: &members,
        };
        assert_eq!(
            normalize_words("I’m sorry, but I can't… Juno doesn't", names),
            "i am sorry but i can not @ does not "
        );
        assert_eq!(normalize_words("阿柚AI不说话", names), "@ ai 不 说 话 ");
        assert_eq!(
            normalize_words("im cant it's Juno's anna lee's", names),
            "i am can not it is @ & "
        );
    }
}
