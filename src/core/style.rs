//! What assistants write and friends do not: stock phrases that are left out of a message, and wider signs that are only
//! counted. Looks at the words only.

use std::sync::LazyLock;

use kith_language::word_lists;

use super::word::strip_leading_word;

/// Nothing is lost where a clause that is one of these is left out, or that begins with one that ends in `*`.
static STOCK: LazyLock<Vec<Stock>> = LazyLock::new(|| {
    let read = |line: &'static str| Stock {
        phrase: line.trim_end_matches('*'),
        is_prefix: line.ends_with('*'),
    };
    word_lists("assistant_phrases")
        .flat_map(|list| list.entries())
        .map(read)
        .collect()
});
/// Friends say these, too, now and then.
static DOUBTFUL: LazyLock<Vec<&str>> = LazyLock::new(|| {
    word_lists("assistant_signs")
        .flat_map(|list| list.entries())
        .collect()
});

/// In a message with one of these, somebody else's words may stand.
pub(super) const QUOTES: &[char] = &['"', '“', '”', '「', '『', '《', '`'];
const COMMAS: &[char] = &[',', '，', ';', '；'];
const ENDS: &[char] = &['.', '!', '?', '。', '！', '？', '\n'];
/// What may stand before a phrase and leaves it one, in this order.
static LEADS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    word_lists("assistant_leads")
        .flat_map(|list| list.entries())
        .collect()
});

/// How a phrase begins that is a condition: what follows it in the sentence goes with it.
static CONDITION_LEADS: LazyLock<Vec<&str>> = LazyLock::new(|| {
    word_lists("condition_leads")
        .flat_map(|list| list.entries())
        .collect()
});
/// What a question ends with, with or without a mark.
static QUESTION_PARTICLES: LazyLock<Vec<&str>> = LazyLock::new(|| {
    word_lists("question_particles")
        .flat_map(|list| list.entries())
        .collect()
});

struct Stock {
    phrase: &'static str,
    /// Whether more of the clause may follow.
    is_prefix: bool,
}

/// A message without the clauses only an assistant would write.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainMessage {
    /// What is left; empty where nothing else was in it.
    pub text: String,
    pub left_out: Vec<String>,
}

/// Leaves out of a message what only an assistant would write. A message with code or a quotation stays as it is.
pub fn strip_assistant_phrases(text: &str) -> PlainMessage {
    let mut kept = String::new();
    let mut left_out = Vec::new();
    let mut is_rest = false;
    for clause in split_clauses(text) {
        let phrase = find_stock_phrase(&fold_text(clause));
        if is_rest || phrase.is_some() {
            left_out.push(clause.trim().to_owned());
        } else {
            kept.push_str(clause);
        }
        let is_condition = phrase.is_some_and(|phrase| {
            CONDITION_LEADS
                .iter()
                .any(|lead| strip_leading_word(phrase, lead).is_some())
        });
        is_rest = (is_rest || is_condition) && clause.trim_end().ends_with(COMMAS);
    }
    if left_out.is_empty() || text.contains(QUOTES) {
        return PlainMessage {
            text: text.to_owned(),
            left_out: Vec::new(),
        };
    }
    let kept = kept.trim_end().trim_end_matches(COMMAS).trim();
    let text = if kept.chars().any(char::is_alphanumeric) {
        kept.to_owned()
    } else {
        String::new()
    };
    PlainMessage { text, left_out }
}

pub fn ends_in_question(text: &str) -> bool {
    let marks = |c: char| !c.is_alphanumeric() && !matches!(c, '?' | '？');
    let text = text.trim_end_matches(marks);
    text.ends_with(['?', '？']) || QUESTION_PARTICLES.iter().any(|end| text.ends_with(end))
}

/// A message without its last question, and that. None where it says nothing else, or may be somebody else's words.
pub fn split_last_question(text: &str) -> Option<(&str, &str)> {
    if !ends_in_question(text) || text.contains(QUOTES) {
        return None;
    }
    let mut start = 0;
    let mut at = 0;
    for clause in split_clauses(text) {
        at += clause.len();
        let ends = clause.ends_with('\n') || clause.trim_end().ends_with(ENDS);
        // What holds no letter, such as a smile, belongs to the sentence before it.
        if ends && text[at..].contains(char::is_alphanumeric) {
            start = at;
        }
    }
    let (kept, question) = text.split_at(start);
    kept.contains(char::is_alphanumeric)
        .then(|| (kept.trim(), question.trim()))
}

/// The assistant phrases in a text, the doubtful ones included; of two that overlap the longer one.
pub fn find_assistant_phrases(text: &str) -> Vec<&'static str> {
    let text = fold_text(text);
    let found: Vec<&str> = STOCK
        .iter()
        .map(|stock| stock.phrase)
        .chain(DOUBTFUL.iter().copied())
        .filter(|phrase| text.contains(phrase))
        .collect();
    let is_part = |phrase: &str| {
        found
            .iter()
            .any(|other| other.len() > phrase.len() && other.contains(phrase))
    };
    found
        .iter()
        .copied()
        .filter(|phrase| !is_part(phrase))
        .collect()
}

/// What a text tells of its writer's body between asterisks or underscores at its beginning or end: `*smiles*`.
pub fn find_narration(text: &str) -> Option<&str> {
    let text = text.trim();
    let at_start = |mark: char| {
        text.strip_prefix(mark)?
            .split_once(mark)
            .map(|(inside, _)| inside)
    };
    let at_end = |mark: char| {
        text.strip_suffix(mark)?
            .rsplit_once(mark)
            .map(|(_, inside)| inside)
    };
    ['*', '_']
        .into_iter()
        .flat_map(|mark| [at_start(mark), at_end(mark)])
        .flatten()
        .find(|inside| is_action(inside))
}

/// An English verb of the third person or on its own, or Chinese. Anything else is emphasis: `*so*`.
fn is_action(inside: &str) -> bool {
    let first = inside
        .split_whitespace()
        .next()
        .unwrap_or_default()
        .to_lowercase();
    let is_verb = first.len() > 3
        && first.is_ascii()
        && (first.ends_with('s') && !first.ends_with("ss") || first.ends_with("ing"));
    is_verb || inside.chars().next().is_some_and(super::word::is_wide)
}

fn find_stock_phrase(clause: &str) -> Option<&'static str> {
    let clause = clause.trim_matches(|c: char| !c.is_alphanumeric());
    let bare = LEADS.iter().fold(clause, |text, lead| {
        strip_leading_word(text, lead).unwrap_or(text)
    });
    let fits = |stock: &&Stock| {
        let is_it = |text: &str| match text.strip_prefix(stock.phrase) {
            Some(rest) => {
                rest.is_empty()
                    || stock.is_prefix && !rest.starts_with(|c: char| c.is_ascii_alphanumeric())
            }
            None => false,
        };
        is_it(clause) || is_it(bare)
    };
    STOCK.iter().find(fits).map(|stock| stock.phrase)
}

fn fold_text(text: &str) -> String {
    text.to_lowercase().replace('’', "'")
}

/// The clauses of a text with what ends them and the spaces after that: joined they are the text.
fn split_clauses(text: &str) -> Vec<&str> {
    let mut clauses = Vec::new();
    let mut rest = text;
    while let Some(end) = find_clause_end(rest) {
        let (clause, after) = rest.split_at(end);
        clauses.push(clause);
        rest = after;
    }
    clauses
}

/// "3.5" and "kith.toml" end nothing: an ASCII mark counts before a space only.
fn find_clause_end(text: &str) -> Option<usize> {
    let ends = |(at, c): (usize, char)| {
        let after = &text[at + c.len_utf8()..];
        let is_end = match c {
            '\n' | '。' | '！' | '？' | '，' | '；' => !after.starts_with(ENDS),
            '.' | '!' | '?' | ',' | ';' => after.starts_with(char::is_whitespace),
            _ => false,
        };
        is_end.then(|| text.len() - after.trim_start().len())
    };
    text.char_indices()
        .find_map(ends)
        .or_else(|| (!text.is_empty()).then_some(text.len()))
}
