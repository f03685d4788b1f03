//! Whether a message calls somebody other than the companion, of whom no more is known than what they are called.

use super::cues::AddressCues;
use super::name_position::NamePosition;
use super::{NameUse, char_width, is_mark, is_stop};
use crate::word::{is_ordinary, is_unspaced};

/// The most bytes of a line before a comma that may be a name.
const LONGEST: usize = 40;
/// The most characters of a name in a script without spaces.
const CHARS: usize = 8;

/// Whom a message opens or ends with a call of, among those `known` finds by name: "Tom: …", "@Tom …", "Tom can you …",
/// "…, Tom?", "胖虎你来不来", "去吗胖虎".
pub fn find_called_person<T>(text: &str, known: impl Fn(&str) -> Option<T>) -> Option<T> {
    let line = text.lines().next()?.trim();
    find_set_off_name(line)
        .and_then(&known)
        .or_else(|| find_opening_name(line, &known))
        .or_else(|| find_closing_name(line, &known))
}

/// What stands apart at the start or the end as names do: by an @, a comma or a colon.
fn find_set_off_name(line: &str) -> Option<&str> {
    let mark = |c: char| matches!(c, ',' | ':' | '，' | '：');
    if let Some(rest) = line.strip_prefix('@') {
        return rest.split(|c: char| c.is_whitespace() || mark(c)).next();
    }
    if let Some(at) = line
        .char_indices()
        .take(LONGEST)
        .find(|(_, c)| mark(*c))
        .map(|(at, _)| at)
    {
        let first = line.get(..at)?.trim();
        if !first.is_empty() && first.split_whitespace().count() <= 2 {
            return Some(first);
        }
    }
    let last = line
        .rsplit_once(mark)?
        .1
        .trim_matches(|c: char| c.is_whitespace() || is_mark(c) || is_stop(c));
    (!last.is_empty() && last.len() <= LONGEST).then_some(last)
}

/// A name that opens the line and runs on into what is said: the longest that is known.
fn find_opening_name<T>(line: &str, known: &impl Fn(&str) -> Option<T>) -> Option<T> {
    let opening = line.chars().next()?;
    let mut ends = [0; CHARS];
    let mut count = 0;
    if is_unspaced(opening) {
        for (slot, (at, c)) in ends
            .iter_mut()
            .zip(line.char_indices())
            .take_while(|(_, (_, c))| c.is_alphanumeric())
        {
            *slot = at + c.len_utf8();
            count += 1;
        }
    } else {
        ends[0] = line.find(char::is_whitespace)?;
        count = 1;
    }
    ends.get(..count)?
        .iter()
        .rev()
        .find_map(|end| match_called_name(line, 0, *end, known))
}

fn find_closing_name<T>(line: &str, known: &impl Fn(&str) -> Option<T>) -> Option<T> {
    let end = line
        .trim_end_matches(|c: char| c.is_whitespace() || is_mark(c) || is_stop(c))
        .len();
    let said = line.get(..end)?;
    if !said.chars().next_back().is_some_and(is_unspaced) {
        let start = said
            .rfind(char::is_whitespace)
            .map_or(0, |at| at + char_width(said, at));
        return match_called_name(line, start, end, known);
    }
    let mut starts = [0; CHARS];
    let mut count = 0;
    for (slot, (at, _)) in starts.iter_mut().zip(
        said.char_indices()
            .rev()
            .take_while(|(_, c)| c.is_alphanumeric()),
    ) {
        *slot = at;
        count += 1;
    }
    starts
        .get(..count)?
        .iter()
        .rev()
        .find_map(|start| match_called_name(line, *start, end, known))
}

fn match_called_name<T>(
    line: &str,
    start: usize,
    end: usize,
    known: &impl Fn(&str) -> Option<T>,
) -> Option<T> {
    let name = line.get(start..end)?;
    let person = known(name)?;
    let place = NamePosition {
        cues: AddressCues::embedded(),
        name,
        line,
        before: line.get(..start)?,
        after: line.get(end..)?,
    };
    (!is_ordinary(name) && place.plain_use() == NameUse::Vocative).then_some(person)
}
