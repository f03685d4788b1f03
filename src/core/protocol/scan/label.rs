//! What the words around a document say of it: that it is a draft, a form, the final answer, or somebody else's line.

use crate::core::non_speech::{self, Speakers};
use crate::core::protocol::names::{Names, fold};
use crate::core::role;
use crate::core::willingness::words::is_unspaced;

/// The longest line that can tell what the document behind it is, in bytes.
const LONGEST_LABEL: usize = 120;
/// The longest name before the colon of a line of chat, in bytes.
const LONGEST_NAME: usize = 40;
/// The most words of a line that is a label without a colon.
const MOST_WORDS: usize = 5;
/// The longest tag or special token between words, in bytes.
const LONGEST_MARK: usize = 64;

/// What the words before a document say of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Label {
    None,
    Draft,
    /// It may only show what an answer looks like.
    Form,
    Final,
    /// One of several.
    Another,
}

/// What the last line of words before a document says of it, and whether a fence stands between. Only a label says
/// something: of a line that tells a story, an example may be what somebody has asked for.
pub(super) fn label(chunk: &str) -> (Label, bool) {
    #[rustfmt::skip]
    const DRAFT: &[&str] = &[
        "draft", "attempt", "example", "sample", "template", "placeholder", "rejected", "instead of", "entwurf",
        "beispiel", "brouillon", "exemple", "borrador", "ejemplo", "草稿", "例如", "比如", "示例", "例子", "模板", "初稿",
        "下書き",
    ];
    /// What such a label begins with that shows what not to write.
    #[rustfmt::skip]
    const NOT: &[&str] = &[
        "don't", "don’t", "do not", "not", "never", "wrong", "bad", "avoid", "incorrect", "不要", "别", "错误", "不对", "不好",
    ];
    #[rustfmt::skip]
    const FORM: &[&str] = &[
        "format", "syntax", "structure", "looks like", "look like", "could", "might", "maybe", "格式", "语法", "可以写",
        "也许",
    ];
    const FINAL: &[&str] = &["final", "revised", "corrected", "improved", "最终", "最後", "endgültig", "definitiv"];
    #[rustfmt::skip]
    const ANOTHER: &[&str] = &[
        "option", "alternative", "candidate", "version", "variant", "try again", "scratch that", "wait,", "or:",
        "maybe:", "方案", "选项", "或者",
    ];
    let words = without_fence(chunk).trim_end();
    let is_fenced = words.len() < chunk.trim_end().len();
    let is_own_line = is_fenced || chunk[chunk.trim_end().len()..].contains('\n');
    let line = words.rsplit('\n').next().unwrap_or_default();
    let line = &line[line.ceil_char_boundary(line.len().saturating_sub(LONGEST_LABEL))..];
    // Of a longer line only what stands behind its last sentence.
    let is_end = |c: char| matches!(c, '.' | '。' | '!' | '！' | '?' | '？');
    let line = line.trim_end().to_lowercase();
    let last = line.trim_end_matches(is_end).rsplit(is_end).find(|part| has_words(part)).unwrap_or_default().trim();
    let label = last.trim_end_matches(is_mark);
    let is_short = |part: &str| count_words(part) <= MOST_WORDS;
    let has_colon = label.ends_with([':', '：']);
    let is_label = has_colon || is_short(label) || !is_own_line && !line.ends_with(is_end);
    let clauses = || label.split([',', '，', ';', '；']).filter(|part| has_words(part));
    let clause = || clauses().rev().enumerate().filter(|(at, part)| *at == 0 || is_short(part)).map(|(_, part)| part);
    let says = |words: &[&str]| is_label && words.iter().any(|word| label.contains(word));
    let begins = |words: &[&str]| words.iter().any(|word| begins_with(without_marks(label), word));
    let is_draft = is_label && clause().any(|part| DRAFT.iter().any(|word| has_word(part, word)))
        || has_colon && is_short(label) && begins(NOT)
        || line.trim_end_matches('.').ends_with("e.g");
    let names = Speakers::default();
    let is_later = || {
        let label = without_marks(label).trim_end_matches([':', '：']).trim_end_matches(is_mark);
        non_speech::label_of(label, names) == Some(non_speech::Label::LaterVersion)
            || is_lettered(label)
            || matches!(label, "or" | "或" | "oder" | "ou")
            || non_speech::retraction(last, names).is_some()
    };
    let label = match () {
        () if says(FINAL) => Label::Final,
        () if is_draft => Label::Draft,
        () if says(ANOTHER) || has_words(last) && is_later() => Label::Another,
        () if FORM.iter().any(|word| label.contains(word)) => Label::Form,
        () => Label::None,
    };
    (label, is_fenced)
}

/// `b)`: another answer in a list of them.
fn is_lettered(label: &str) -> bool {
    let letter = label.trim_start_matches(['(', '（']).strip_suffix([')', '）']);
    letter.is_some_and(|letter| matches!(letter, "b" | "c" | "d"))
}

fn is_mark(c: char) -> bool {
    matches!(c, '*' | '_' | '`' | ' ')
}

/// Whether a word of a label stands in a text, maybe with an ending.
fn has_word(text: &str, word: &str) -> bool {
    text.match_indices(word)
        .any(|(at, _)| !word.is_ascii() || !text[..at].ends_with(|c: char| c.is_ascii_alphanumeric()))
}

fn begins_with(text: &str, word: &str) -> bool {
    let rest = text.strip_prefix(word);
    rest.is_some_and(|rest| !word.is_ascii() || !rest.starts_with(|c: char| c.is_ascii_alphanumeric()))
}

/// The words of a text; two characters of a script without spaces are one.
fn count_words(text: &str) -> usize {
    let characters = text.chars().filter(|c| is_unspaced(*c)).count();
    characters.div_ceil(2) + text.split_whitespace().filter(|word| word.is_ascii() && has_words(word)).count()
}

/// The chunk without the fence that opens at its end, and without one that closes at its beginning.
pub(super) fn without_fence(chunk: &str) -> &str {
    let chunk = chunk.trim_start().trim_start_matches(['`', '~']);
    match chunk.trim_end().rsplit_once(['`', '~']) {
        Some((before, info))
            if info.len() < 20 && !info.contains(char::is_whitespace) && before.ends_with(['`', '~']) =>
        {
            before.trim_end_matches(['`', '~'])
        }
        _ => chunk,
    }
}

/// A line without the marks of a list before it.
pub(super) fn without_marks(line: &str) -> &str {
    line.trim_start().trim_start_matches(|c: char| c.is_ascii_digit() || matches!(c, '.' | ')' | '-' | '*' | '>' | ' '))
}

/// Whether a text says anything beside tags and special tokens.
pub(super) fn has_words(text: &str) -> bool {
    let mut rest = text;
    while let Some(at) = rest.find(|c: char| c.is_alphanumeric() || matches!(c, '<' | '[' | '\u{1b}')) {
        rest = &rest[at..];
        let is_mark = |inner: &str| inner.chars().all(|c| c.is_ascii_uppercase() || matches!(c, '_' | '/'));
        let end = match rest.chars().next() {
            Some('<') => rest.get(..rest.floor_char_boundary(LONGEST_MARK)).and_then(|near| near.find('>')),
            // The colour of a terminal.
            Some('\u{1b}') => rest.find(|c: char| c.is_ascii_alphabetic()).filter(|end| *end < LONGEST_MARK),
            Some('[') => rest.find(']').filter(|end| *end < LONGEST_MARK && is_mark(&rest[1..*end])),
            _ => return true,
        };
        rest = &rest[end.unwrap_or(0) + 1..];
    }
    false
}

/// Whether a document on this line is shown as what somebody else wrote: behind a mark of quotation, or a line of the
/// chat's history that is not its own.
pub(super) fn is_quoted(line: &str, names: &Names) -> bool {
    let name = history_name(line.trim_matches(is_frame).split([':', '：']).next().unwrap_or_default());
    line.trim_start().starts_with("> ") || line.contains([':', '：']) && name.is_some_and(|name| !names.is_own(name))
}

fn is_frame(c: char) -> bool {
    c.is_whitespace() || matches!(c, '#' | '*' | '[' | ']' | '<' | '>' | '|' | '_')
}

/// The name behind the number of a line of the history: `15>12 Ben`.
fn history_name(head: &str) -> Option<&str> {
    let (numbers, name) = head.split_once([' ', '\u{a0}'])?;
    numbers.split('>').all(|number| number.parse::<u16>().is_ok()).then(|| name.trim())
}

/// Whether a line is what somebody else says: a role before a colon or in a heading, or a line of the chat's history.
pub(in crate::core::protocol) fn is_of_another(line: &str, names: &Names) -> bool {
    #[rustfmt::skip]
    const PARTS: &[&str] = &[
        "tool", "observation", "instruction", "instructions", "input", "response", "question", "toolresult",
        "toolresponse", "result", "观察", "问", "答",
    ];
    if line.contains("[INST]") {
        return true;
    }
    let is_heading = line.trim_start().starts_with('#');
    let line = line.trim_matches(is_frame);
    let (name, has_colon, said) = match line.split_once([':', '：']) {
        Some((name, said)) => (name, true, said),
        None => (line, false, ""),
    };
    if name.len() > LONGEST_NAME || name.is_empty() {
        return false;
    }
    let folded = fold(name);
    let is_known = role::is_role(&folded) || PARTS.contains(&&*folded);
    let is_role = (has_colon || is_heading) && is_known && names.tool(said.trim()).is_none();
    is_role || has_colon && history_name(name).is_some()
}
