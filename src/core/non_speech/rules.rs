//! The rules of `data/words/non_speech.txt`: which words make a text what.

use std::collections::HashMap;
use std::sync::LazyLock;

use regex::Regex;

use super::words::{ME, MEMBER, joined, split};

pub(super) static RULES: LazyLock<NonSpeechRules> =
    LazyLock::new(|| NonSpeechRules::read(include_str!("../../../data/words/non_speech.txt")));

/// What a rule shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum NonSpeechKind {
    Narrated,
    Silence,
    Bracketed,
    Word,
    Whole,
    AboutSilence,
    Placeholder,
    BracketedPlaceholder,
    Retraction,
    Deliberation,
    Refusal,
    Label,
    Thought,
    Answer,
    NoteLabel,
    Note,
    Offer,
    FirstVersion,
    LaterVersion,
}

impl NonSpeechKind {
    fn named(heading: &str) -> Option<Self> {
        Some(match heading {
            "narrated silence" => Self::Narrated,
            "silence" => Self::Silence,
            "silence in brackets" => Self::Bracketed,
            "silence in a word" => Self::Word,
            "silence as the whole" => Self::Whole,
            "about silence" => Self::AboutSilence,
            "placeholder" => Self::Placeholder,
            "placeholder in brackets" => Self::BracketedPlaceholder,
            "retraction" => Self::Retraction,
            "deliberation" => Self::Deliberation,
            "refusal" => Self::Refusal,
            "label" => Self::Label,
            "thought label" => Self::Thought,
            "answer label" => Self::Answer,
            "note label" => Self::NoteLabel,
            "note" => Self::Note,
            "offer" => Self::Offer,
            "first version" => Self::FirstVersion,
            "later version" => Self::LaterVersion,
            _ => return None,
        })
    }
}

/// The rules of the file, those of a kind as one expression.
pub(super) struct NonSpeechRules(HashMap<NonSpeechKind, Regex>);

impl NonSpeechRules {
    pub(super) fn fits(&self, kind: NonSpeechKind, words: &str) -> bool {
        self.0.get(&kind).is_some_and(|rules| rules.is_match(words))
    }

    fn read(file: &str) -> Self {
        let mut lists: HashMap<&str, String> = HashMap::new();
        let mut rules: HashMap<NonSpeechKind, Vec<String>> = HashMap::new();
        let mut kind = None;
        for line in file.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')) {
            if let Some(heading) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                kind = NonSpeechKind::named(heading);
            } else if let Some((name, list)) = line.split_once(" = ") {
                lists.insert(name, one_of(list.split('|')));
            } else if let Some(kind) = kind {
                rules.entry(kind).or_default().push(line.split_whitespace().map(|word| part(word, &lists)).collect());
            }
        }
        let whole = |(kind, rules): (NonSpeechKind, Vec<String>)| {
            let whole = Regex::new(&format!("^(?:{})$", rules.join("|")));
            Some((kind, whole.inspect_err(|error| debug_assert!(false, "{kind:?}: {error}")).ok()?))
        };
        Self(rules.into_iter().filter_map(whole).collect())
    }
}

/// One part of a rule as an expression over words.
fn part(written: &str, lists: &HashMap<&str, String>) -> String {
    let (written, is_optional) = match written.strip_suffix('?') {
        Some(rest) => (rest, "?"),
        None => (written, ""),
    };
    let list = written.strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
    let one = match (written, list) {
        ("...", _) => return "(?:[^ ]+ ){0,8}".to_owned(),
        ("***", _) => return ".*".to_owned(),
        (_, Some(name)) => {
            debug_assert!(lists.contains_key(name), "there is no list {name}");
            lists.get(name).cloned().unwrap_or_default()
        }
        _ => one_of(written.split('/')),
    };
    one + is_optional
}

fn one_of<'a>(choices: impl Iterator<Item = &'a str>) -> String {
    let words = |choice: &str| {
        let sign = |piece: &str| [ME, MEMBER].into_iter().find(|sign| piece.ends_with(*sign)).map(str::to_owned);
        let pieces = choice.split_inclusive(['@', '&']);
        joined(&pieces.flat_map(|piece| split(piece).into_iter().chain(sign(piece))).collect::<Vec<_>>())
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
        let kinds = [
            NonSpeechKind::Narrated,
            NonSpeechKind::Silence,
            NonSpeechKind::Bracketed,
            NonSpeechKind::Word,
            NonSpeechKind::Whole,
            NonSpeechKind::AboutSilence,
            NonSpeechKind::Placeholder,
            NonSpeechKind::BracketedPlaceholder,
            NonSpeechKind::Retraction,
            NonSpeechKind::Deliberation,
            NonSpeechKind::Refusal,
            NonSpeechKind::Label,
            NonSpeechKind::Thought,
            NonSpeechKind::Answer,
            NonSpeechKind::NoteLabel,
            NonSpeechKind::Note,
            NonSpeechKind::Offer,
            NonSpeechKind::FirstVersion,
            NonSpeechKind::LaterVersion,
        ];
        assert!(kinds.iter().all(|kind| RULES.0.contains_key(kind)), "{:?}", RULES.0.keys());
    }
}
