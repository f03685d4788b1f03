//! Whose line is it: its own, a role's of a model's training, or somebody else's in the chat's history.

use crate::protocol::answer_words::ANSWER_WORDS;
use crate::protocol::names::{ToolNames, fold_name};
use crate::transcript_roles;

/// The longest name before the colon of a line of chat, in bytes.
const LONGEST_NAME: usize = 40;

/// Whether a document on this line is shown as what somebody else wrote: behind a mark of quotation, or a line of the
/// chat's history that is not its own.
pub(super) fn is_quoted_line(line: &str, names: &ToolNames) -> bool {
    let name = parse_history_name(
        line.trim_matches(is_frame_sign)
            .split([':', '：'])
            .next()
            .unwrap_or_default(),
    );
    line.trim_start().starts_with("> ")
        || line.contains([':', '：']) && name.is_some_and(|name| !names.is_own_name(name))
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
        .then(|| name.trim())
}

/// Whether a line is what somebody else says: a role before a colon or in a heading, or a line of the chat's history.
pub(super) fn is_foreign_line(line: &str, names: &ToolNames) -> bool {
    if line.contains("[INST]") {
        return true;
    }
    let is_heading = line.trim_start().starts_with('#');
    let line = line.trim_matches(is_frame_sign);
    let (name, has_colon, words) = match line.split_once([':', '：']) {
        Some((name, said)) => (name, true, said),
        None => (line, false, ""),
    };
    if name.len() > LONGEST_NAME || name.is_empty() {
        return false;
    }
    let folded = fold_name(name);
    let is_known = transcript_roles::is_role(&folded) || ANSWER_WORDS.others.contains(&folded);
    let is_role = (has_colon || is_heading) && is_known && names.find_tool(words.trim()).is_none();
    is_role || has_colon && parse_history_name(name).is_some()
}
