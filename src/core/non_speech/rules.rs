//! The rules of `data/words/<language>/non_speech.txt`: which words make a text what.

use std::collections::HashMap;
use std::sync::LazyLock;

use kith_language::{WordList, word_lists};
use regex::Regex;

use super::words::{ME, MEMBER, join_words, split_words};

pub(super) static RULES: LazyLock<NonSpeechRules> =
    LazyLock::new(|| NonSpeechRules::from_lists(word_lists("non_speech")));

macro_rules! kinds {
    ($($kind:ident = $heading:literal),+ $(,)?) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub(super) enum NonSpeechKind {
            $($kind,)+
        }

        /// What stands above the rules of each kind.
        const HEADINGS: &[(&str, NonSpeechKind)] = &[$(($heading, NonSpeechKind::$kind),)+];
    };
}

kinds! {
    NarratedSilence = "narrated silence",
    Silence = "silence",
    BracketedSilence = "silence in brackets",
    OneWordSilence = "silence in a word",
    WholeTextSilence = "silence as the whole",
    AboutSilence = "about silence",
    Placeholder = "placeholder",
    BracketedPlaceholder = "placeholder in brackets",
    Retraction = "retraction",
    Deliberation = "deliberation",
    Refusal = "refusal",
    Label = "label",
    Thought = "thought label",
    Answer = "answer label",
    NoteLabel = "note label",
    Note = "note",
    Offer = "offer",
    FirstVersion = "first version",
    LaterVersion = "later version",
}

/// The rules of the file, those of a kind as one expression.
pub(super) struct NonSpeechRules(HashMap<NonSpeechKind, Regex>);

impl NonSpeechRules {
    /// Whether words are of one of these kinds.
    pub(super) fn is_match(&self, kinds: &[NonSpeechKind], words: &str) -> bool {
        let mut rules = kinds.iter().filter_map(|kind| self.0.get(kind));
        rules.any(|rules| rules.is_match(words))
    }

    /// Reads the files of all languages. A list may go on in another language; a rule may use lists of any.
    fn from_lists<'a>(files: impl Iterator<Item = &'a WordList>) -> Self {
        let mut choices: HashMap<&str, Vec<&str>> = HashMap::new();
        let mut written: Vec<(NonSpeechKind, &str)> = Vec::new();
        for file in files {
            let mut kind = None;
            for line in file.entries() {
                if let Some(heading) = line
                    .strip_prefix('[')
                    .and_then(|rest| rest.strip_suffix(']'))
                {
                    let found = HEADINGS.iter().find(|(written, _)| *written == heading);
                    kind = found.map(|(_, kind)| *kind);
                } else if let Some((name, list)) = line.split_once(" = ") {
                    choices.entry(name).or_default().extend(list.split('|'));
                } else if let Some(kind) = kind {
                    written.push((kind, line));
                }
            }
        }
        let lists: HashMap<&str, String> = choices
            .into_iter()
            .map(|(name, list)| (name, compile_choices(list.into_iter())))
            .collect();
        let mut rules: HashMap<NonSpeechKind, Vec<String>> = HashMap::new();
        for (kind, line) in written {
            let parts = line.split_whitespace();
            let rule = parts.map(|word| compile_part(word, &lists)).collect();
            rules.entry(kind).or_default().push(rule);
        }
        let whole = |(kind, rules): (NonSpeechKind, Vec<String>)| {
            let whole = Regex::new(&format!("^(?:{})$", rules.join("|")));
            Some((
                kind,
                whole
                    .inspect_err(|error| debug_assert!(false, "{kind:?}: {error}"))
                    .ok()?,
            ))
        };
        Self(rules.into_iter().filter_map(whole).collect())
    }
}

/// One part of a rule as an expression over words.
fn compile_part(written: &str, lists: &HashMap<&str, String>) -> String {
    let (written, is_optional) = match written.strip_suffix('?') {
        Some(rest) => (rest, "?"),
        None => (written, ""),
    };
    let list = written
        .strip_prefix('<')
        .and_then(|rest| rest.strip_suffix('>'));
    let one = match (written, list) {
        ("...", _) => return "(?:[^ ]+ ){0,8}".to_owned(),
        ("***", _) => return ".*".to_owned(),
        (_, Some(name)) => {
            debug_assert!(lists.contains_key(name), "there is no list {name}");
            lists.get(name).cloned().unwrap_or_default()
        }
        _ => compile_choices(written.split('/')),
    };
    one + is_optional
}

fn compile_choices<'a>(choices: impl Iterator<Item = &'a str>) -> String {
    let words = |choice: &str| {
        let sign = |piece: &str| {
            [ME, MEMBER]
                .into_iter()
                .find(|sign| piece.ends_with(*sign))
                .map(str::to_owned)
        };
        let pieces = choice.split_inclusive(['@', '&']);
        join_words(
            &pieces
                .flat_map(|piece| split_words(piece).into_iter().chain(sign(piece)))
                .collect::<Vec<_>>(),
        )
    };
    let choices = choices.map(words);
    let mut choices: Vec<String> = choices.map(|choice| regex::escape(&choice)).collect();
    choices.sort_unstable();
    choices.dedup();
    format!("(?:{})", choices.join("|"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kind_of_the_file_has_rules_that_can_be_read() {
        let mut kinds = HEADINGS.iter().map(|(_, kind)| kind);
        assert!(
            kinds.all(|kind| RULES.0.contains_key(kind)),
            "{:?}",
            RULES.0.keys()
        );
    }
}
