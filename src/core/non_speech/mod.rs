//! What models write in the place of speech: silence put into words, talk about speaking, stock refusals. Looks at the
//! words only, by rules of `data/words/non_speech.txt`; whose business the text is, is not known here.

mod rules;
mod words;

pub use self::words::SpeakerNames;

use self::rules::{NonSpeechKind, RULES};
use self::words::{sentences, words};

/// What a text is where it is no speech.
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

const LABELS: &[(NonSpeechKind, NoteLabel)] = &[
    (NonSpeechKind::Thought, NoteLabel::Thought),
    (NonSpeechKind::FirstVersion, NoteLabel::FirstVersion),
    (NonSpeechKind::LaterVersion, NoteLabel::LaterVersion),
    (NonSpeechKind::Answer, NoteLabel::Answer),
    (NonSpeechKind::NoteLabel, NoteLabel::Note),
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
/// Before its name they turn the meaning round.
const NEGATIONS: &[&str] =
    &["not ", "n't ", "n’t ", "no ", "rather than", "instead of", "不", "别", "没", "而非", "无需"];
/// What stands around a stage direction, opened and closed.
const BRACKETS: &[(char, char)] = &[
    ('(', ')'),
    ('[', ']'),
    ('{', '}'),
    ('<', '>'),
    ('（', '）'),
    ('【', '】'),
    ('〔', '〕'),
    ('〈', '〉'),
    ('《', '》'),
    ('「', '」'),
    ('*', '*'),
    ('_', '_'),
    ('~', '~'),
    ('-', '-'),
    ('—', '—'),
    ('`', '`'),
];
/// What a text without an action is, where it is none for people.
pub fn in_plain_text(text: &str, names: SpeakerNames<'_>) -> Option<NonSpeech> {
    if let Some(found) = in_any_text(text, names) {
        return Some(found);
    }
    let read = Sentences::new(text, names)?;
    let first = read.0.first()?;
    if read.is_throughout(SILENCE) || says(&[NonSpeechKind::Narrated, NonSpeechKind::Silence], &first.words) {
        return Some(NonSpeech::Silence);
    }
    if read.opens_with(&[NonSpeechKind::Refusal]) {
        return Some(NonSpeech::Refusal);
    }
    let is_labelled = label(text.trim()).is_some_and(|label| says(&[NonSpeechKind::Label], &words(label, names)));
    let deliberates = |sentence: &Sentence| !sentence.asks && says(&[NonSpeechKind::Deliberation], &sentence.words);
    // "silence!!! thank you Rory": a word or two before something else may be an exclamation.
    let begins_silent = says(SILENCE, &first.words) && first.words.split_whitespace().count() > LONGEST_EXCLAMATION;
    let is_deliberation = is_labelled || begins_silent || read.opening().any(deliberates);
    is_deliberation.then_some(NonSpeech::Deliberation)
}

/// The same of a text that was given as a message: only what cannot be meant for anybody, for a friend may well say that
/// they will stay out of it.
pub fn in_message(text: &str, names: SpeakerNames<'_>) -> Option<NonSpeech> {
    if let Some(found) = in_any_text(text, names) {
        return Some(found);
    }
    let read = Sentences::new(text, names)?;
    if read.is_throughout(&[NonSpeechKind::Narrated]) {
        return Some(NonSpeech::Silence);
    }
    if read.is_throughout(SILENCE) || says(&[NonSpeechKind::Silence], &read.0.first()?.words) {
        return Some(NonSpeech::LikelySilence);
    }
    read.opens_with(&[NonSpeechKind::Refusal]).then_some(NonSpeech::Refusal)
}

/// What a text is however it was given.
fn in_any_text(text: &str, names: SpeakerNames<'_>) -> Option<NonSpeech> {
    let text = text.trim();
    if text.len() > LONGEST {
        return None;
    }
    let is_dots = !text.is_empty() && text.chars().all(|c| c.is_whitespace() || ".-…—–·。".contains(c));
    if is_dots || names_silence(text) {
        return Some(NonSpeech::Silence);
    }
    let directed = stage_direction(text).map(|inner| words(inner, names));
    if let Some(inner) = &directed {
        if says(
            &[NonSpeechKind::Bracketed, NonSpeechKind::Narrated, NonSpeechKind::Silence, NonSpeechKind::Whole],
            inner,
        ) {
            return Some(NonSpeech::Silence);
        }
        if says(&[NonSpeechKind::BracketedPlaceholder, NonSpeechKind::Placeholder], inner) {
            return Some(NonSpeech::Placeholder);
        }
    }
    let words = words(text, names);
    if says(&[NonSpeechKind::Word], &words) {
        return Some(NonSpeech::SilenceOrAnswer);
    }
    says(&[NonSpeechKind::Placeholder], &words).then_some(NonSpeech::Placeholder)
}

/// Whether a line is about silence or replies.
pub fn is_about_silence(line: &str, names: SpeakerNames<'_>) -> bool {
    line.len() <= LONGEST && says(&[NonSpeechKind::AboutSilence], &words(line, names))
}

/// Where a sentence stands that takes back what was written before it, in bytes from and to.
pub fn retraction(text: &str, names: SpeakerNames<'_>) -> Option<(usize, usize)> {
    if text.len() > LONGEST {
        return None;
    }
    let is_retraction = |(sentence, _): &(&str, bool)| says(&[NonSpeechKind::Retraction], &words(sentence, names));
    let (sentence, _) = sentences(text).find(is_retraction)?;
    let from = sentence.as_ptr() as usize - text.as_ptr() as usize;
    Some((from, from + sentence.len()))
}

const SILENCE: &[NonSpeechKind] = &[NonSpeechKind::Narrated, NonSpeechKind::Silence, NonSpeechKind::Whole];

fn says(kinds: &[NonSpeechKind], words: &str) -> bool {
    kinds.iter().any(|kind| RULES.fits(*kind, words))
}

/// A text, sentence by sentence; there is one at least.
struct Sentences(Vec<Sentence>);

struct Sentence {
    words: String,
    asks: bool,
}

impl Sentences {
    /// None of a text that is too long to be looked at, or has no words.
    fn new(text: &str, names: SpeakerNames<'_>) -> Option<Self> {
        let text = Some(text.trim()).filter(|text| text.len() <= LONGEST)?;
        let sentences: Vec<Sentence> =
            sentences(text).map(|(sentence, asks)| Sentence { words: words(sentence, names), asks }).collect();
        (!sentences.is_empty()).then_some(Self(sentences))
    }

    fn is_throughout(&self, kinds: &[NonSpeechKind]) -> bool {
        self.0.iter().all(|sentence| says(kinds, &sentence.words))
    }

    fn opening(&self) -> impl Iterator<Item = &Sentence> {
        self.0.iter().take(SENTENCES_READ)
    }

    fn opens_with(&self, kinds: &[NonSpeechKind]) -> bool {
        self.opening().any(|sentence| says(kinds, &sentence.words))
    }
}

/// The label a line begins with, and what follows its colon, without the marks around the label.
pub fn labelled<'a>(line: &'a str, names: SpeakerNames<'_>) -> Option<(NoteLabel, &'a str)> {
    let head = label(line)?;
    let rest = line[head.len()..].trim_start_matches([':', '：']);
    let marks = |c: char| matches!(c, '*' | '_');
    let is_open = head.trim_start().starts_with(marks) && !head.trim_end().ends_with(marks);
    let rest = if is_open { rest.trim_start_matches(marks) } else { rest };
    Some((label_of(head, names)?, rest.trim_start()))
}

/// What a label says of what follows it.
pub fn label_of(label: &str, names: SpeakerNames<'_>) -> Option<NoteLabel> {
    if label.len() > LONGEST_LABEL * 3 {
        return None;
    }
    let words = words(label, names);
    LABELS.iter().find(|(kind, _)| RULES.fits(*kind, &words)).map(|(_, label)| *label)
}

/// Whether a text notes something about the message it stands behind.
pub fn is_note(text: &str, names: SpeakerNames<'_>) -> bool {
    RULES.fits(NonSpeechKind::Note, &words(text, names))
}

/// Whether a text offers to write the message anew.
pub fn is_offer(text: &str, names: SpeakerNames<'_>) -> bool {
    RULES.fits(NonSpeechKind::Offer, &words(text, names))
}

/// Whether a text names the tool for silence and no other: `stay_silent: not my business`.
fn names_silence(text: &str) -> bool {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut tools = text.split(|c| !is_part(c)).filter(|word| word.trim_matches('_').contains('_')).peekable();
    let is_denied = || {
        let before = text.split(STAY_SILENT).next().unwrap_or_default().to_lowercase();
        NEGATIONS.iter().any(|no| before.contains(no))
    };
    text.len() <= LONGEST_NAMED
        && tools.peek().is_some()
        && tools.all(|tool| tool.trim_matches('_') == STAY_SILENT)
        && !is_denied()
}

/// What stands between brackets or marks that hold the whole of a text.
fn stage_direction(text: &str) -> Option<&str> {
    let ends = |c: char| c.is_whitespace() || ".!。！…".contains(c);
    let mut inner = text.trim_matches(ends);
    // `NO_REPLY`
    let mut stripped = inner.contains('_') && inner.chars().all(|c| c.is_ascii_uppercase() || c == '_');
    while let Some(rest) = BRACKETS.iter().find_map(|(open, close)| inner.strip_prefix(*open)?.strip_suffix(*close)) {
        (inner, stripped) = (rest.trim_matches(ends), true);
    }
    let is_whole = !BRACKETS.iter().any(|(open, close)| open != close && inner.contains([*open, *close]));
    (stripped && is_whole && !inner.is_empty()).then_some(inner)
}

/// What stands before a colon at the beginning of a text.
fn label(text: &str) -> Option<&str> {
    let (at, _) = text.char_indices().take(LONGEST_LABEL).find(|(_, c)| matches!(c, ':' | '：'))?;
    Some(&text[..at])
}
