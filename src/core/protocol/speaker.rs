//! Whose words are these: its own, a role's of a model's training, or somebody else's in the chat that it repeats.

use std::borrow::Cow;

use unicode_normalization::UnicodeNormalization;
use unicode_security::confusable_detection::skeleton;

use crate::protocol::answer_words::ANSWER_WORDS;
use crate::protocol::names::{ToolNames, fold_name};
use crate::transcript_roles::{self, ROLES};

/// The longest role before a colon, in bytes.
const LONGEST_ROLE: usize = 160;
/// The longest name of a member, in characters: no prompt shows a longer one.
const LONGEST_NAME: usize = 40;
/// A date, a time of day, and the numbers of a line and of the one it answers.
const MOST_NUMBERS: usize = 8;

/// Who has the word at a place in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Speaker {
    #[default]
    Nobody,
    Companion,
    Other,
    /// Somebody else, up to the end of the line.
    Quoted,
}

impl Speaker {
    pub(super) fn is_other(self) -> bool {
        matches!(self, Self::Other | Self::Quoted)
    }

    /// Who has the word behind this text, where a call begins: the head of a line tells, for the lines below it as well,
    /// up to another head or an empty line.
    pub(super) fn follow(mut self, text: &str, names: &ToolNames) -> Self {
        let mut lines = strip_open_fence(text).split('\n').enumerate().peekable();
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

/// A text without the fence that opens at its end.
fn strip_open_fence(text: &str) -> &str {
    let before = text
        .trim_end()
        .trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    before
        .strip_suffix("```")
        .or(before.strip_suffix("~~~"))
        .unwrap_or(text)
}

/// What is left of a text without the lines of others, which go on up to a head of its own.
pub(super) fn drop_others_lines(text: &str, names: &ToolNames) -> String {
    let mut speaker = Speaker::Nobody;
    let mut is_kept = |line: &&str| {
        speaker = find_speaker(line, false, names).unwrap_or(speaker);
        !speaker.is_other()
    };
    text.split_inclusive('\n')
        .filter(|line| is_kept(line))
        .collect()
}

/// Whose head stands last on a line. Right before a call, whatever follows a number is a name.
fn find_speaker(line: &str, is_before_call: bool, names: &ToolNames) -> Option<Speaker> {
    let line = normalize(line);
    let mut parts = line.rsplit(['<', '>', '\r', '\u{2028}', '\u{2029}']);
    parts.find_map(|part| read_head(part, is_before_call, names))
}

fn read_head(part: &str, is_before_call: bool, names: &ToolNames) -> Option<Speaker> {
    let is_own = |name: &str| names.is_own_name(name) || names.is_own_name(strip_verb(name));
    let judge = |name: &str| {
        if is_own(name) {
            Speaker::Companion
        } else {
            Speaker::Other
        }
    };
    if let Some((name, words)) = parse_history_head(part) {
        let mut later = words.match_indices(' ').map(|(at, _)| &words[at + 1..]);
        let is_others = |text: &str| {
            text.starts_with(char::is_numeric)
                && parse_history_head(text).is_some_and(|(name, _)| !is_own(name))
        };
        let speaker = judge(name);
        return Some(match speaker {
            Speaker::Companion if later.any(is_others) => Speaker::Other,
            speaker => speaker,
        });
    }
    let (marks, behind) = part.split_at(part.find(char::is_alphabetic)?);
    let (name, has_colon) = behind
        .split_once(':')
        .map_or((behind, false), |(name, _)| (name, true));
    if !has_colon && !is_before_call {
        return None;
    }
    // Not the colour of a terminal.
    let is_apart = has_colon || !marks.ends_with(char::is_numeric);
    if is_before_call && is_apart && marks.contains(char::is_numeric) {
        return Some(judge(name));
    }
    names
        .is_others_name(strip_verb(name))
        .then_some(Speaker::Other)
}

/// The name and the words of a line as the history writes it, `15>12 Ben: hey`, with whatever marks and numbers before.
fn parse_history_head(text: &str) -> Option<(&str, &str)> {
    let is_mark = |c: char| !c.is_alphanumeric();
    let mut rest = text.trim_start_matches(is_mark);
    let (mut number, mut marks) = ("", "");
    for _ in 0..MOST_NUMBERS {
        let behind = rest.trim_start_matches(char::is_numeric);
        if behind.len() == rest.len() {
            break;
        }
        let is_apart = marks.ends_with(char::is_whitespace);
        number = if is_apart {
            &rest[..rest.len() - behind.len()]
        } else {
            ""
        };
        rest = behind.trim_start_matches(is_mark);
        marks = &behind[..behind.len() - rest.len()];
    }
    // A name of digits or of signs alone.
    if let Some((sign, _)) = marks.split_once(':') {
        let is_plain = |c: char| c.is_whitespace() || c.is_ascii_punctuation();
        let name = Some(sign.trim_matches(is_plain)).filter(|sign| !sign.is_empty());
        let name = name.unwrap_or(number);
        return (!name.is_empty()).then_some((name, rest));
    }
    // Points of a list, and lines of a document that are counted.
    let is_counted = marks.contains('{') || marks.contains('"') && marks.starts_with("  ");
    if marks.is_empty() || marks.contains(['.', ')', ',']) || is_counted {
        return None;
    }
    let near = rest
        .char_indices()
        .nth(LONGEST_NAME)
        .map_or(rest, |(end, _)| &rest[..end]);
    let (name, _) = near
        .split_once(':')
        .filter(|(name, _)| !name.contains([',', '、', '。']))?;
    Some((name, &rest[name.len() + 1..]))
}

/// A text in the plainest letters and signs there are.
fn normalize(text: &str) -> Cow<'_, str> {
    let text = match text.contains("&gt;") {
        true => Cow::Owned(text.replace("&gt;", ">")),
        false => Cow::Borrowed(text),
    };
    if text.is_ascii() {
        return text;
    }
    let is_colon = |c: char| !c.is_alphanumeric() && skeleton(c.encode_utf8(&mut [0; 4])).eq([':']);
    let plain = text.chars().map(|c| if is_colon(c) { ':' } else { c });
    plain.nfkc().collect::<String>().into()
}

/// A name without the word for saying something behind it, and without marks.
fn strip_verb(name: &str) -> &str {
    let name = name.trim_end_matches(|c: char| !c.is_alphanumeric());
    let verbs = ROLES.says.iter().filter(|verb| {
        name.len() > verb.len()
            && name.is_char_boundary(name.len() - verb.len())
            && name[name.len() - verb.len()..].eq_ignore_ascii_case(verb)
    });
    verbs
        .map(|verb| &name[..name.len() - verb.len()])
        .min_by_key(|name| name.len())
        .unwrap_or(name)
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
    let near = &line[..line.floor_char_boundary(LONGEST_ROLE)];
    let (role, words) = near
        .split_once([':', '：'])
        .map_or((line, None), |(role, words)| (role, Some(words)));
    let folded = fold_name(role.trim_end_matches(is_frame));
    let is_known = transcript_roles::is_role(&folded) || ANSWER_WORDS.others.contains(&folded);
    let is_call = words.is_some_and(|words| names.find_tool(words.trim()).is_some());
    (words.is_some() || is_heading) && is_known && !is_call
        || parse_history_head(&normalize(line)).is_some()
}
