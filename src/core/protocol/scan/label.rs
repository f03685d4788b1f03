//! What the words around a document say of it: that it is a draft, a form, the final answer or another.

use std::sync::LazyLock;

use kith_language::{PhraseList, word_lists, word_table};
use regex::Regex;

use crate::non_speech::{self, SpeakerNames};
use crate::protocol::outside_text::strip_open_fence;
use crate::word::is_unspaced;

/// The longest line that can tell what the document behind it is, in bytes.
const LONGEST_LABEL: usize = 120;
/// The most words of a line that is a label without a colon.
const MOST_WORDS: usize = 5;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CandidateLabel {
    None,
    Draft,
    /// It may only show what an answer looks like.
    Form,
    Final,
    /// One of several.
    Alternative,
}

word_table! {
    struct LabelWords {
        draft: PhraseList,
        not: PhraseList,
        never: PhraseList,
        form: PhraseList,
        last: PhraseList,
        another: PhraseList,
        or: PhraseList,
    }
}

static LABELS: LazyLock<LabelWords> =
    LazyLock::new(|| LabelWords::from_lists(word_lists("answer_labels")));

/// What the last line of words before a document says of it, and whether a fence stands between.
pub(super) fn read_label(chunk: &str) -> (CandidateLabel, bool) {
    let written = chunk.trim_end();
    let words = strip_fence(chunk).trim_end();
    let is_fenced = words.len() < written.len();
    let is_above = is_fenced || chunk[written.len()..].contains('\n');
    let line = words.rsplit('\n').next().unwrap_or_default();
    let line = &line[line.ceil_char_boundary(line.len().saturating_sub(LONGEST_LABEL))..];
    (classify_line(&line.to_lowercase(), is_above), is_fenced)
}

/// What a line says of the document on it, or below it where it stands above: only the last sentence counts, and only if
/// it is a label. Of a line that tells a story, an example may be what somebody has asked for.
fn classify_line(line: &str, is_above: bool) -> CandidateLabel {
    let sentence = line
        .trim_end_matches(is_sentence_end)
        .rsplit(is_sentence_end)
        .find(|part| has_words(part))
        .unwrap_or_default();
    let label = sentence.trim().trim_end_matches(is_emphasis_mark);
    let has_colon = label.ends_with([':', '：']);
    let is_label = has_colon || is_short(label) || !is_above && !line.ends_with(is_sentence_end);
    let says = |words: &PhraseList| is_label && words.is_within(label);
    let shows_what_not = || {
        let begins = |word: &str| has_word_prefix(strip_list_marks(label), word);
        let forbids = |word: &str| has_word(label, word);
        has_colon
            && is_short(label)
            && (LABELS.not.iter().any(begins) || LABELS.never.iter().any(forbids))
    };
    match () {
        () if says(&LABELS.last) => CandidateLabel::Final,
        () if is_label && is_draft_label(label)
            || shows_what_not()
            || line.trim_end_matches('.').ends_with("e.g") =>
        {
            CandidateLabel::Draft
        }
        () if says(&LABELS.another) || is_later_candidate(label) => CandidateLabel::Alternative,
        () if LABELS.form.is_within(label) => CandidateLabel::Form,
        () => CandidateLabel::None,
    }
}

/// Whether the last clause of a label, or a short one before it, calls what follows a draft.
fn is_draft_label(label: &str) -> bool {
    let clauses = label
        .split([',', '，', ';', '；'])
        .rev()
        .filter(|part| has_words(part))
        .enumerate();
    let mut counting = clauses.filter(|(place, clause)| *place == 0 || is_short(clause));
    counting.any(|(_, clause)| LABELS.draft.iter().any(|word| has_word(clause, word)))
}

/// Whether a label is that of a second candidate, or takes back what stands before it.
fn is_later_candidate(label: &str) -> bool {
    let name = strip_list_marks(label)
        .trim_end_matches([':', '：'])
        .trim_end_matches(is_emphasis_mark);
    let nobody = SpeakerNames::default();
    non_speech::classify_label(name, nobody) == Some(non_speech::NoteLabel::LaterVersion)
        || is_lettered(name)
        || LABELS.or.contains(name)
        || non_speech::find_retraction(label, nobody).is_some()
}

/// `b)`: another answer in a list of them.
fn is_lettered(label: &str) -> bool {
    let letter = label
        .trim_start_matches(['(', '（'])
        .strip_suffix([')', '）']);
    letter.is_some_and(|letter| matches!(letter, "b" | "c" | "d"))
}

fn is_sentence_end(c: char) -> bool {
    matches!(c, '.' | '。' | '!' | '！' | '?' | '？')
}

fn is_emphasis_mark(c: char) -> bool {
    matches!(c, '*' | '_' | '`' | ' ')
}

/// Whether a word of a label stands in a text, maybe with an ending.
fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word).any(|(at, _)| {
        !word.is_ascii() || !text[..at].ends_with(|c: char| c.is_ascii_alphanumeric())
    })
}

fn has_word_prefix(text: &str, word: &str) -> bool {
    let rest = text.strip_prefix(word);
    rest.is_some_and(|rest| {
        !word.is_ascii() || !rest.starts_with(|c: char| c.is_ascii_alphanumeric())
    })
}

/// Whether a text has few words; two characters of a script without spaces are one.
fn is_short(text: &str) -> bool {
    let characters = text.chars().filter(|c| is_unspaced(*c)).count();
    let words = text
        .split_whitespace()
        .filter(|word| word.is_ascii() && has_words(word))
        .count();
    characters.div_ceil(2) + words <= MOST_WORDS
}

/// The chunk without the fence that opens at its end, and without one that closes at its beginning.
pub(super) fn strip_fence(chunk: &str) -> &str {
    let chunk = chunk.trim_start().trim_start_matches(['`', '~']);
    strip_open_fence(chunk).unwrap_or(chunk)
}

pub(super) fn strip_list_marks(line: &str) -> &str {
    line.trim_start().trim_start_matches(|c: char| {
        c.is_ascii_digit() || matches!(c, '.' | ')' | '-' | '*' | '>' | ' ')
    })
}

/// Tags and special tokens, and the colours of a terminal.
static MARKS: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(r"<[^>]{0,62}>|\x1b[^A-Za-z]{0,62}[A-Za-z]|\[[A-Z_/]{0,62}\]").ok()
});

/// Whether a text says anything beside marks.
pub(super) fn has_words(text: &str) -> bool {
    let has_letters = |part: &str| part.contains(char::is_alphanumeric);
    match &*MARKS {
        Some(marks) => marks.split(text).any(has_letters),
        None => has_letters(text),
    }
}
