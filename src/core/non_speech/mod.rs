//! What models write in the place of speech: silence put into words, talk about speaking, stock refusals. Looks at the
//! words only, by rules of `data/words/<language>/non_speech.txt`; whose business the text is, is not known here.

mod rules;
mod words;

pub use self::words::SpeakerNames;

use std::sync::LazyLock;

use kith_language::{PhraseList, word_lists, word_table};

use self::rules::{NonSpeechKind as Kind, RULES};
use self::words::normalize_words;
pub(crate) use self::words::{split_sentences, split_words};
use crate::word::strip_leading_word;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NonSpeech {
    /// It says that nothing is said.
    Silence,
    /// The same, in words that are an answer to somebody who speaks of silence or of replies.
    LikelySilence,
    /// The same, in a word that is an answer to any question.
    SilenceOrAnswer,
    /// It talks about what to say.
    Deliberation,
    /// A stock refusal of an assistant.
    Refusal,
    /// What stands where a message should: "your message here".
    Placeholder,
}

/// What stands before a colon at the beginning of a line, where it tells what follows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoteLabel {
    /// Thoughts that are for nobody.
    Thought,
    /// The message itself.
    Answer,
    /// An aside, which may be one for people.
    Note,
    /// The first of several versions.
    FirstVersion,
    /// Another of them.
    LaterVersion,
}

const LABELS: &[(Kind, NoteLabel)] = &[
    (Kind::Thought, NoteLabel::Thought),
    (Kind::FirstVersion, NoteLabel::FirstVersion),
    (Kind::LaterVersion, NoteLabel::LaterVersion),
    (Kind::Answer, NoteLabel::Answer),
    (Kind::NoteLabel, NoteLabel::Note),
];

/// How many sentences at the beginning may show that a text is none for people.
const SENTENCES_READ: usize = 3;
/// The most words of an exclamation that could be read as silence; a Chinese character is one.
const LONGEST_EXCLAMATION: usize = 3;
/// The longest text that is looked at, in bytes: whoever writes more does not only say that nothing is said.
const LONGEST: usize = 4_000;
/// The most characters before a colon that may be a label.
const LONGEST_LABEL: usize = 40;
/// The longest text, in bytes, that is silence because it names the tool for it.
const LONGEST_NAMED: usize = 300;
/// The tool that says nothing. Where a text names no other tool, it means to use this one.
const STAY_SILENT: &str = "stay_silent";
word_table! {
    /// What turns the meaning of the tool's name round that stands behind it.
    struct Negations {
        words: PhraseList,
        phrases: PhraseList,
    }
}

static NEGATIONS: LazyLock<Negations> =
    LazyLock::new(|| Negations::from_lists(word_lists("negations")));

impl Negations {
    fn is_in(&self, text: &str) -> bool {
        let is_word_in = |word: &str| {
            text.match_indices(word)
                .any(|(at, _)| strip_leading_word(&text[at..], word).is_some())
        };
        self.phrases.is_within(text) || self.words.iter().any(is_word_in)
    }
}

/// What stands around a stage direction, opened and closed.
#[rustfmt::skip]
const BRACKETS: &[(char, char)] = &[
    ('(', ')'), ('[', ']'), ('{', '}'), ('<', '>'), ('（', '）'), ('【', '】'), ('〔', '〕'), ('〈', '〉'), ('《', '》'),
    ('「', '」'), ('*', '*'), ('_', '_'), ('~', '~'), ('-', '-'), ('—', '—'), ('`', '`'),
];
/// What a text without an action is, where it is none for people.
pub fn classify_plain_text(text: &str, names: SpeakerNames<'_>) -> Option<NonSpeech> {
    let is_dot = |c: char| c.is_whitespace() || ".-…—–·。".contains(c);
    if !text.trim().is_empty() && text.chars().all(is_dot) {
        return Some(NonSpeech::Silence);
    }
    if let Some(found) = classify_any_text(text, names) {
        return Some(found);
    }
    if is_word_for_nothing(text, names) {
        return Some(NonSpeech::SilenceOrAnswer);
    }
    let sentences = Sentences::new(text, names)?;
    let first = sentences.0.first()?;
    if sentences.is_throughout(SILENCE)
        || RULES.is_match(&[Kind::NarratedSilence, Kind::Silence], &first.words)
    {
        return Some(NonSpeech::Silence);
    }
    if sentences.has_opening_kind(&[Kind::Refusal]) {
        return Some(NonSpeech::Refusal);
    }
    let is_labelled = find_label(text.trim())
        .is_some_and(|label| RULES.is_match(&[Kind::Label], &normalize_words(label, names)));
    let deliberates = |sentence: &Sentence| {
        !sentence.is_question && RULES.is_match(&[Kind::Deliberation], &sentence.words)
    };
    // "silence!!! thank you Rory": a word or two before something else may be an exclamation.
    let begins_silent = RULES.is_match(SILENCE, &first.words)
        && first.words.split_whitespace().count() > LONGEST_EXCLAMATION;
    let is_deliberation =
        is_labelled || begins_silent || sentences.opening_sentences().any(deliberates);
    is_deliberation.then_some(NonSpeech::Deliberation)
}

/// The same of a text given as a message: only what cannot be meant for anybody. A friend may well say "none" or "…".
pub fn classify_message(text: &str, names: SpeakerNames<'_>) -> Option<NonSpeech> {
    if is_word_for_nothing(text, names) {
        return None;
    }
    if let Some(found) = classify_any_text(text, names) {
        return Some(found);
    }
    let sentences = Sentences::new(text, names)?;
    if sentences.is_throughout(&[Kind::NarratedSilence]) {
        return Some(NonSpeech::Silence);
    }
    if sentences.is_throughout(SILENCE)
        || RULES.is_match(&[Kind::Silence], &sentences.0.first()?.words)
    {
        return Some(NonSpeech::LikelySilence);
    }
    sentences
        .has_opening_kind(&[Kind::Refusal])
        .then_some(NonSpeech::Refusal)
}

fn is_word_for_nothing(text: &str, names: SpeakerNames<'_>) -> bool {
    text.len() <= LONGEST
        && RULES.is_match(&[Kind::OneWordSilence], &normalize_words(text, names))
        && find_stage_direction(text).is_none()
}

/// What a text is however it was given.
fn classify_any_text(text: &str, names: SpeakerNames<'_>) -> Option<NonSpeech> {
    let text = text.trim();
    if text.len() > LONGEST {
        return None;
    }
    if has_only_silence_tool(text) {
        return Some(NonSpeech::Silence);
    }
    let directed = find_stage_direction(text).map(|inner| normalize_words(inner, names));
    if let Some(inner) = &directed {
        if RULES.is_match(
            &[
                Kind::BracketedSilence,
                Kind::NarratedSilence,
                Kind::Silence,
                Kind::WholeTextSilence,
            ],
            inner,
        ) {
            return Some(NonSpeech::Silence);
        }
        if RULES.is_match(&[Kind::BracketedPlaceholder, Kind::Placeholder], inner) {
            return Some(NonSpeech::Placeholder);
        }
    }
    let words = normalize_words(text, names);
    RULES
        .is_match(&[Kind::Placeholder], &words)
        .then_some(NonSpeech::Placeholder)
}

/// Whether a line is about silence or replies.
pub fn is_about_silence(line: &str, names: SpeakerNames<'_>) -> bool {
    line.len() <= LONGEST && RULES.is_match(&[Kind::AboutSilence], &normalize_words(line, names))
}

/// Where a sentence stands that takes back what was written before it, in bytes from and to.
pub fn find_retraction(text: &str, names: SpeakerNames<'_>) -> Option<(usize, usize)> {
    if text.len() > LONGEST {
        return None;
    }
    let is_retraction = |(sentence, _): &(&str, bool)| {
        RULES.is_match(&[Kind::Retraction], &normalize_words(sentence, names))
    };
    let (sentence, _) = split_sentences(text).find(is_retraction)?;
    let from = sentence.as_ptr() as usize - text.as_ptr() as usize;
    Some((from, from + sentence.len()))
}

const SILENCE: &[Kind] = &[Kind::NarratedSilence, Kind::Silence, Kind::WholeTextSilence];

/// A text, sentence by sentence; there is one at least.
struct Sentences(Vec<Sentence>);

struct Sentence {
    words: String,
    is_question: bool,
}

impl Sentences {
    /// None of a text that is too long to be looked at, or has no words.
    fn new(text: &str, names: SpeakerNames<'_>) -> Option<Self> {
        let text = Some(text.trim()).filter(|text| text.len() <= LONGEST)?;
        let sentences: Vec<Sentence> = split_sentences(text)
            .map(|(sentence, asks)| Sentence {
                words: normalize_words(sentence, names),
                is_question: asks,
            })
            .collect();
        (!sentences.is_empty()).then_some(Self(sentences))
    }

    fn is_throughout(&self, kinds: &[Kind]) -> bool {
        self.0
            .iter()
            .all(|sentence| RULES.is_match(kinds, &sentence.words))
    }

    fn opening_sentences(&self) -> impl Iterator<Item = &Sentence> {
        self.0.iter().take(SENTENCES_READ)
    }

    fn has_opening_kind(&self, kinds: &[Kind]) -> bool {
        self.opening_sentences()
            .any(|sentence| RULES.is_match(kinds, &sentence.words))
    }
}

/// The label a line begins with, and what follows its colon, without the marks around the label.
pub fn split_label<'a>(line: &'a str, names: SpeakerNames<'_>) -> Option<(NoteLabel, &'a str)> {
    let head = find_label(line)?;
    let rest = line[head.len()..].trim_start_matches([':', '：']);
    let marks = |c: char| matches!(c, '*' | '_');
    let is_open = head.trim_start().starts_with(marks) && !head.trim_end().ends_with(marks);
    let rest = if is_open {
        rest.trim_start_matches(marks)
    } else {
        rest
    };
    Some((classify_label(head, names)?, rest.trim_start()))
}

pub fn classify_label(label: &str, names: SpeakerNames<'_>) -> Option<NoteLabel> {
    if label.len() > LONGEST_LABEL * 3 {
        return None;
    }
    let words = normalize_words(label, names);
    LABELS
        .iter()
        .find(|(kind, _)| RULES.is_match(&[*kind], &words))
        .map(|(_, label)| *label)
}

/// Whether a text notes something about the message it stands behind.
pub fn is_note(text: &str, names: SpeakerNames<'_>) -> bool {
    RULES.is_match(&[Kind::Note], &normalize_words(text, names))
}

/// Whether a text offers to write the message anew.
pub fn is_offer(text: &str, names: SpeakerNames<'_>) -> bool {
    RULES.is_match(&[Kind::Offer], &normalize_words(text, names))
}

/// Whether a text names the tool for silence and no other: `stay_silent: not my business`.
fn has_only_silence_tool(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut tools = text
        .split(|c| !is_part(c))
        .filter(|word| word.trim_matches('_').contains('_'))
        .peekable();
    let is_denied = || {
        let before = text
            .split(STAY_SILENT)
            .next()
            .unwrap_or_default()
            .to_lowercase();
        NEGATIONS.is_in(&before)
    };
    text.len() <= LONGEST_NAMED
        && tools.peek().is_some()
        && tools.all(|tool| tool.trim_matches('_') == STAY_SILENT)
        && !is_denied()
}

/// What stands between brackets or marks that hold the whole of a text.
fn find_stage_direction(text: &str) -> Option<&str> {
    let ends = |c: char| c.is_whitespace() || ".!。！…".contains(c);
    let mut inner = text.trim_matches(ends);
    // `NO_REPLY`
    let mut stripped =
        inner.contains('_') && inner.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    while let Some(rest) = BRACKETS
        .iter()
        .find_map(|(open, close)| inner.strip_prefix(*open)?.strip_suffix(*close))
    {
        (inner, stripped) = (rest.trim_matches(ends), true);
    }
    let is_whole = !BRACKETS
        .iter()
        .any(|(open, close)| open != close && inner.contains([*open, *close]));
    (stripped && is_whole && !inner.is_empty()).then_some(inner)
}

/// What stands before a colon at the beginning of a text.
fn find_label(text: &str) -> Option<&str> {
    let (at, _) = text
        .char_indices()
        .take(LONGEST_LABEL)
        .find(|(_, c)| matches!(c, ':' | '：'))?;
    Some(&text[..at])
}
