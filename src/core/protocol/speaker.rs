//! Whose line is it: its own, a role's of a model's training, or somebody else's in the chat's history.

use std::borrow::Cow;

use crate::protocol::answer_words::ANSWER_WORDS;
use crate::protocol::names::{ToolNames, fold_name};
use crate::transcript_roles;

/// The longest number and name before the colon of a line of chat, in bytes.
const LONGEST_HEAD: usize = 160;

/// Whether what stands on this line is shown as what somebody else wrote: behind a mark of quotation, or a line of the
/// chat's history that is not its own.
pub(super) fn is_quoted_line(line: &str, names: &ToolNames) -> bool {
    line.trim_start().starts_with("> ") || is_others_line(line, names)
}

/// What is left of a text without the lines of the chat's history that are somebody else's: such a line goes on up to one
/// of its own.
pub(super) fn drop_others_lines<'a>(text: &'a str, names: &ToolNames) -> Cow<'a, str> {
    if !text.lines().any(|line| is_others_line(line, names)) {
        return text.into();
    }
    let mut is_others = false;
    let mut is_kept = |line: &&str| {
        is_others = read_history_name(line).map_or(is_others, |name| !names.is_own_name(name));
        !is_others
    };
    text.split_inclusive('\n')
        .filter(|line| is_kept(line))
        .collect()
}

fn is_others_line(line: &str, names: &ToolNames) -> bool {
    read_history_name(line).is_some_and(|name| !names.is_own_name(name))
}

/// The name that a line of the history stands under: `15>12 Ben: hey`.
fn read_history_name(line: &str) -> Option<&str> {
    parse_history_name(read_head(line)?.0)
}

/// What stands before the first colon of a line, without the marks around it, and what stands behind it.
fn read_head(line: &str) -> Option<(&str, &str)> {
    let line = line.trim_start_matches(is_frame_sign);
    let near = &line[..line.floor_char_boundary(LONGEST_HEAD)];
    let (head, _) = near.split_once([':', '：'])?;
    let words = line[head.len()..].trim_start_matches([':', '：']);
    Some((head.trim_end_matches(is_frame_sign), words)).filter(|(head, _)| !head.is_empty())
}

fn is_frame_sign(c: char) -> bool {
    c.is_whitespace() || matches!(c, '#' | '*' | '[' | ']' | '<' | '>' | '|' | '_')
}

/// The name behind the number of a line of the history: `15>12 Ben`.
fn parse_history_name(head: &str) -> Option<&str> {
    let (numbers, name) = head.split_once([' ', '\u{a0}'])?;
    numbers
        .split('>')
        .all(|number| number.parse::<u16>().is_ok())
        .then_some(name.trim_end())
        .filter(|name| !name.starts_with(char::is_whitespace))
}

/// Whether a line is what somebody else says: a role before a colon or in a heading, or a line of the chat's history.
pub(super) fn is_foreign_line(line: &str, names: &ToolNames) -> bool {
    if line.contains("[INST]") {
        return true;
    }
    let is_heading = line.trim_start().starts_with('#');
    let (name, words) = read_head(line).unzip();
    let name = name.unwrap_or_else(|| line.trim_matches(is_frame_sign));
    let folded = fold_name(name);
    let is_known = transcript_roles::is_role(&folded) || ANSWER_WORDS.others.contains(&folded);
    let is_call = words.is_some_and(|words| names.find_tool(words.trim()).is_some());
    (words.is_some() || is_heading) && is_known && !is_call
        || words.is_some() && parse_history_name(name).is_some()
}
