//! Whose words are these: its own, a role's of a model's training, or somebody else's in the chat that it repeats.

use unicode_normalization::UnicodeNormalization;
use unicode_security::confusable_detection::skeleton;

use crate::protocol::entity::decode_entities;
use crate::protocol::names::{ANSWER_WORDS, ToolNames, fold_name};
use crate::protocol::outside_text::strip_open_fence;
use crate::transcript_roles::{self, parse_history_head, strip_verb};

/// Who has the word at a place in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum WordsOf {
    #[default]
    Nobody,
    Companion,
    Other,
    /// Somebody else, up to the end of the line.
    Quoted,
}

impl WordsOf {
    pub(super) fn is_other(self) -> bool {
        matches!(self, Self::Other | Self::Quoted)
    }

    /// Who has the word where a call begins behind this text: a line's head tells, up to another head or an empty line.
    pub(super) fn follow(mut self, text: &str, names: &ToolNames) -> Self {
        let text = strip_open_fence(text).unwrap_or(text);
        let mut lines = text.split('\n').enumerate().peekable();
        while let Some((place, line)) = lines.next() {
            let is_last = lines.peek().is_none();
            if place > 0 && (self == Self::Quoted || !is_last && line.trim().is_empty()) {
                self = Self::Nobody;
            }
            let is_quotation = line.trim_start().starts_with('>');
            self = match find_speaker(line, is_last, names) {
                Some(Self::Other) if is_quotation => Self::Quoted,
                None if line.trim_start().starts_with("> ") => Self::Quoted,
                speaker => speaker.unwrap_or(self),
            };
        }
        self
    }
}

/// What is left of a text without the lines of others, which go on up to a head of its own.
pub(super) fn drop_others_lines(text: &str, names: &ToolNames) -> String {
    let mut speaker = WordsOf::Nobody;
    let mut is_kept = |line: &&str| {
        speaker = read_head(&normalize(line), false, names).unwrap_or(speaker);
        !speaker.is_other()
    };
    text.split_inclusive('\n')
        .filter(|line| is_kept(line))
        .collect()
}

/// Whose head stands last on a line. Right before a call, whatever follows a number is a name.
fn find_speaker(line: &str, is_before_call: bool, names: &ToolNames) -> Option<WordsOf> {
    let line = normalize(line);
    let mut parts = line.rsplit(['<', '>', '\r', '\u{2028}', '\u{2029}']);
    parts.find_map(|part| read_head(part, is_before_call, names))
}

fn read_head(part: &str, is_before_call: bool, names: &ToolNames) -> Option<WordsOf> {
    let judge = |name: &str| match [name, strip_verb(name)] {
        called if called.iter().any(|name| names.is_own_name(name)) => WordsOf::Companion,
        _ => WordsOf::Other,
    };
    if let Some((name, words)) = parse_history_head(part) {
        let mut later = words.match_indices(' ').map(|(at, _)| &words[at + 1..]);
        let is_others = |text: &str| {
            let head = parse_history_head(text).filter(|_| text.starts_with(char::is_numeric));
            head.is_some_and(|(name, _)| judge(name) == WordsOf::Other)
        };
        let speaker = judge(name);
        let goes_on = speaker == WordsOf::Companion && later.any(is_others);
        return Some(if goes_on { WordsOf::Other } else { speaker });
    }
    let (marks, behind) = part.split_at(part.find(char::is_alphabetic)?);
    let name = behind.split(':').next().unwrap_or_default();
    let has_colon = name.len() < behind.len();
    // Not the colour of a terminal.
    let is_apart = has_colon || !marks.ends_with(char::is_numeric);
    if is_before_call && is_apart && marks.contains(char::is_numeric) {
        return Some(judge(name));
    }
    let mut called = [name, strip_verb(name)].into_iter();
    let is_head = has_colon || is_before_call;
    (is_head && called.any(|name| names.is_others_name(name))).then_some(WordsOf::Other)
}

/// A text in the plainest letters and signs there are.
fn normalize(text: &str) -> String {
    let text = decode_entities(text);
    if text.is_ascii() {
        return text;
    }
    let is_colon = |c: char| {
        let is_letter = c.is_alphanumeric();
        !is_letter && skeleton(c.encode_utf8(&mut [0; 4])).eq([':'])
    };
    let plain = text.chars().map(|c| if is_colon(c) { ':' } else { c });
    plain.nfkc().collect()
}

/// Whether a line is what somebody else says: a role before a colon or in a heading, or a line of the chat's history.
pub(super) fn is_foreign_line(line: &str, names: &ToolNames) -> bool {
    if line.contains("[INST]") {
        return true;
    }
    let is_frame =
        |c: char| c.is_whitespace() || matches!(c, '#' | '*' | '[' | ']' | '<' | '>' | '|' | '_');
    let is_heading = line.trim_start().starts_with('#');
    let line = line.trim_start_matches(is_frame);
    let (role, words) = match line.split_once([':', '：']) {
        Some((role, words)) => (role, Some(words)),
        None => (line, None),
    };
    let folded = fold_name(role.trim_end_matches(is_frame));
    let is_known = transcript_roles::is_role(&folded) || ANSWER_WORDS.others.contains(&folded);
    let is_call = words.is_some_and(|words| names.find_tool(words.trim()).is_some());
    (words.is_some() || is_heading) && is_known && !is_call
        || parse_history_head(&normalize(line)).is_some()
}
