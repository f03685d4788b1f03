//! Which texts can be shown: a name or a setting in one line, a description in several. Changes no text.

/// What keeps a text from being shown in one line, and how to mend it.
pub fn check_one_line(text: &str) -> Option<(&'static str, &'static str)> {
    if text.contains(is_break) {
        Some(("runs over several lines", "write it on one line"))
    } else if text.contains(char::is_control) {
        Some(HIDDEN)
    } else {
        None
    }
}

/// What keeps a text from being shown in several lines, and how to mend it.
pub fn check_printable(text: &str) -> Option<(&'static str, &'static str)> {
    text.contains(|c: char| c.is_control() && !matches!(c, '\n' | '\r' | '\t'))
        .then_some(HIDDEN)
}

const HIDDEN: (&str, &str) = ("holds a control character", "remove it; it cannot be seen");

/// Whether `c` starts a new line or does something to a terminal instead of being seen there.
pub fn is_break_or_control(c: char) -> bool {
    is_break(c) || c.is_control()
}

fn is_break(c: char) -> bool {
    matches!(
        c,
        '\n' | '\r' | '\u{b}' | '\u{c}' | '\u{85}' | '\u{2028}' | '\u{2029}'
    )
}
