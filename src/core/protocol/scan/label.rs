//! What the words around a document say of it: that it is a draft, a form, the final answer, or somebody else's line.

use crate::core::protocol::names::{Names, fold};
use crate::core::role;

/// The longest line that can tell what the document behind it is, in bytes.
const LONGEST_LABEL: usize = 120;
/// The longest name before the colon of a line of chat, in bytes.
const LONGEST_NAME: usize = 40;
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

/// What the last line of words before a document says of it, and whether a fence stands between.
pub(super) fn label(chunk: &str) -> (Label, bool) {
    #[rustfmt::skip]
    const DRAFT: &[&str] = &[
        "draft", "attempt", "example", "e.g", "sample", "template", "placeholder", "rejected", "instead of",
        "entwurf", "beispiel", "brouillon", "exemple", "borrador", "ejemplo", "草稿", "例如", "比如", "示例", "例子", "模板",
        "初稿", "下書き",
    ];
    #[rustfmt::skip]
    const FORM: &[&str] = &[
        "format", "syntax", "structure", "looks like", "look like", "could", "might", "maybe", "格式", "语法", "可以写",
        "也许",
    ];
    const FINAL: &[&str] = &["final", "revised", "corrected", "improved", "最终", "最後", "endgültig", "definitiv"];
    #[rustfmt::skip]
    const ANOTHER: &[&str] = &[
        "option", "alternative", "candidate", "version", "variant", "try again", "wait,", "or:", "maybe:", "方案", "选项", "或者",
    ];
    let words = without_fence(chunk).trim_end();
    let is_fenced = words.len() < chunk.trim_end().len();
    let line = words.rsplit('\n').next().unwrap_or_default();
    let line = &line[line.ceil_char_boundary(line.len().saturating_sub(LONGEST_LABEL))..];
    // Of a longer line only what stands behind its last sentence.
    let line = line.trim_end().trim_end_matches(['.', '。', '!', '！']).to_lowercase();
    let last = line.rsplit(['.', '。', '!', '?', '！', '？']).find(|part| has_words(part)).unwrap_or_default();
    let says = |words: &[&str]| words.iter().any(|word| last.contains(word) || *word == "e.g" && line.ends_with("e.g"));
    let label = match () {
        () if says(FINAL) => Label::Final,
        () if says(DRAFT) => Label::Draft,
        () if says(ANOTHER) => Label::Another,
        () if says(FORM) => Label::Form,
        () => Label::None,
    };
    (label, is_fenced)
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
    let line = line.trim().trim_matches(|c: char| matches!(c, '#' | '*' | '[' | ']' | '<' | '>' | '|' | '_' | ' '));
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
    let numbers = name.split([' ', '\u{a0}']).next().unwrap_or_default();
    let is_history =
        has_colon && numbers.len() < name.len() && numbers.split('>').all(|number| number.parse::<u16>().is_ok());
    is_role || is_history
}
