//! Code inside a call's text: a fence, or a span within a line. An end tag in it belongs to the code if the code ends and
//! the call ends once more behind it.

use std::ops::Range;

use super::names::TURN;
use super::sign::find_first_sign;

const FENCE: &str = "```";

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CodeContext {
    None,
    Fence,
    /// Between backticks of one line.
    Span,
    /// Behind a quote on one line, up to this.
    Quote(char),
}

/// The quotes that what somebody wrote may stand in, with what closes them.
const QUOTES: [(char, char); 4] = [('"', '"'), ('“', '”'), ('「', '」'), ('『', '』')];

impl CodeContext {
    /// What a tag behind `text` is inside of, if that ends in a quote that opens.
    pub(super) fn from_open_quote(text: &str) -> Self {
        let open = QUOTES.iter().find(|(open, _)| text.ends_with(*open));
        let is_apart = |open: char| {
            !text
                .strip_suffix(open)
                .is_some_and(|before| before.ends_with(char::is_alphanumeric))
                && (open != '"' || text.matches(open).count() % 2 == 1)
        };
        open.filter(|(open, _)| is_apart(*open))
            .map_or(Self::None, |(_, close)| Self::Quote(*close))
    }

    /// What the end of `text` is inside of, if its beginning is inside of this.
    pub(super) fn advance_over(mut self, text: &str) -> Self {
        let mut at = 0;
        while let Some((offset, sign)) = text
            .get(at..)
            .and_then(|rest| find_first_sign(rest, ['`', '\n']))
        {
            let place = at + offset;
            let is_fence = self != Self::Span && text[place..].starts_with(FENCE);
            at = place + if is_fence { FENCE.len() } else { 1 };
            self = match (self, sign) {
                (Self::Fence, _) if is_fence => Self::None,
                (Self::Fence, _) => Self::Fence,
                (Self::None, '`') => {
                    if is_fence {
                        Self::Fence
                    } else {
                        Self::Span
                    }
                }
                _ => Self::None,
            };
        }
        self
    }
}

/// What was found behind an end tag that stands in code.
#[derive(Debug)]
pub(super) struct CodeRemainder {
    code: CodeContext,
    name: String,
    position: usize,
    depth: usize,
    code_end: Option<usize>,
}

impl CodeRemainder {
    pub(super) fn new(code: CodeContext, name: &str, position: usize) -> Self {
        Self {
            code,
            name: name.to_owned(),
            position,
            depth: 0,
            code_end: None,
        }
    }

    /// Where the code ends that the tag belongs to, or that it belongs to none; nothing while that is not known.
    pub(super) fn find_code_end(&mut self, text: &str) -> Option<Option<usize>> {
        while let Some((offset, sign)) = text
            .get(self.position..)
            .and_then(|rest| find_first_sign(rest, ['`', '<', '\n', '"', '”', '」', '』']))
        {
            let place = self.position + offset;
            let rest = &text[place..];
            let is_open = self.code_end.is_none();
            let length = match sign {
                '\n' if is_open && self.code != CodeContext::Fence => return Some(None),
                '`' if is_open && self.code == CodeContext::Span => self.end_code(place, 1),
                '`' if is_open && self.code == CodeContext::Fence && rest.starts_with(FENCE) => {
                    self.end_code(place, FENCE.len())
                }
                '`' if is_open && self.code == CodeContext::Fence && FENCE.starts_with(rest) => {
                    return None;
                }
                _ if is_open && self.code == CodeContext::Quote(sign) => {
                    self.end_code(place, sign.len_utf8())
                }
                '<' => {
                    let is_end = rest[1..].starts_with('/');
                    let name = &rest[1 + usize::from(is_end)..];
                    let longest = self.name.len().max(TURN.len()) + 1;
                    if name.len() < longest {
                        return None;
                    }
                    match (is_end, self.code_end) {
                        (true, Some(end)) if self.depth == 0 && is_named(name, &self.name) => {
                            return Some(Some(end));
                        }
                        (true, Some(_))
                            if self.depth == 0
                                && is_named(name, TURN)
                                && !text[..place].ends_with('`') =>
                        {
                            return Some(None);
                        }
                        (true, _) if is_named(name, &self.name) => {
                            self.depth = self.depth.saturating_sub(1)
                        }
                        (false, _) if is_named(name, &self.name) => self.depth += 1,
                        _ => {}
                    }
                    // A quote within a tag is none of the text.
                    match self.code {
                        CodeContext::Quote(_) => rest.find('>')? + 1,
                        _ => 1,
                    }
                }
                _ => sign.len_utf8(),
            };
            self.position = place + length;
        }
        self.position = text.len();
        None
    }

    fn end_code(&mut self, place: usize, length: usize) -> usize {
        self.code_end = Some(place + length);
        length
    }
}

fn is_named(rest: &str, name: &str) -> bool {
    rest.strip_prefix(name)
        .is_some_and(|rest| rest.starts_with(['>', '/', ' ', '\n', '\t', '\r']))
}

/// The inside of the code that begins at `tick`, where it ends, and behind its mark.
pub(super) fn read_code(text: &str, tick: usize) -> (Option<Range<usize>>, usize) {
    let mark = if text[tick..].starts_with(FENCE) {
        FENCE
    } else {
        "`"
    };
    let from = tick + mark.len();
    let near = &text[from..];
    let line = near.split('\n').next().unwrap_or_default();
    match (if mark == FENCE { near } else { line }).find(mark) {
        Some(length) => (Some(from..from + length), from + length + mark.len()),
        None => (None, from),
    }
}

/// The pieces of code in a text, marks left out; what has no end is none.
pub(super) fn find_code_ranges(text: &str) -> Vec<Range<usize>> {
    let (mut ranges, mut at) = (Vec::new(), 0);
    while let Some(offset) = text.get(at..).and_then(|rest| rest.find('`')) {
        let (inside, end) = read_code(text, at + offset);
        ranges.extend(inside);
        at = end;
    }
    ranges
}
