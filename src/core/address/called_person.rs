//! Whether a message calls somebody other than the companion, of whom no more is known than what they are called, or not
//! even that.

use super::cues::AddressCues;
use super::name_position::NamePosition;
use super::{NameUse, char_width, is_comma, is_letter, is_mark, is_stop};
use crate::similarity::strip_fillers;
use crate::word::{is_ordinary, is_unspaced};

/// The most bytes of a line before a comma that may be a name.
const LONGEST: usize = 40;
/// The most characters of a name in a script without spaces.
const CHARS: usize = 8;
/// The most words of a name in a script with spaces: "Anna van Dam".
const WORDS: usize = 3;

/// Whom a message opens or ends with a call of, among those `known` finds by name: "Tom: …", "@Tom …", "Tom can you …",
/// "…, Tom?", "胖虎你来不来", "去吗胖虎". Of several names that begin or end together it is the longest.
pub fn find_called_person<T>(text: &str, known: impl Fn(&str) -> Option<T>) -> Option<T> {
    let line = text.lines().next()?.trim();
    let end = line
        .trim_end_matches(|c: char| c.is_whitespace() || is_mark(c) || is_stop(c))
        .len();
    let match_called = |start, end| match_called_name(line, start, end, &known);
    find_mentioned_name(line, &known)
        .or_else(|| find_set_off_name(line).and_then(&known))
        .or_else(|| {
            let ends = find_name_ends(line, 0);
            ends.filter_map(|end| match_called(0, end)).last()
        })
        .or_else(|| {
            let starts = find_name_starts(line, end);
            starts.filter_map(|start| match_called(start, end)).last()
        })
}

/// Whether a message seems to call somebody nothing is known of: "@Ben …", "Ben are you there", "hi Ben", "you in, Ben?".
pub fn is_calling_stranger(text: &str) -> bool {
    let line = text.lines().next().unwrap_or_default().trim();
    let mut starts = (0..line.len())
        .filter(|at| line.is_char_boundary(*at) && !line[..*at].ends_with(is_letter));
    find_mentioned_name(line, |name| (!is_ordinary(name)).then_some(())).is_some()
        || starts.any(|start| {
            find_name_ends(line, start).any(|end| is_stranger_called(line, start, end))
        })
}

/// Whether a stranger is called by more than place and a word behind, as in "Paris", "so, Paris", "Recommend any books".
fn is_stranger_called(line: &str, start: usize, end: usize) -> bool {
    let (before, name, after) = (&line[..start], &line[start..end], &line[end..]);
    let place = NamePosition {
        cues: AddressCues::embedded(),
        name,
        line,
        before,
        after,
    };
    let cues = place.cues;
    let said = after.trim_start_matches([',', '，', ' ']);
    let is_set_off = said.len() < after.len();
    let is_asked = is_set_off && cues.spaced.is_asking_owner(said)
        || cues.unspaced.is_turning_to(said)
        || after.starts_with([',', '，']) && cues.unspaced.is_addressing(said);
    looks_like_name(name)
        && (place.is_hailed()
            || name.starts_with(is_unspaced) && place.is_sure_ending()
            || place.is_asked_last()
            || before.is_empty() && is_asked)
}

/// Whether a word is written as names are and is no word that everybody uses: "Ben", 小周, but not "LOL", "Ugh", 老哥.
fn looks_like_name(name: &str) -> bool {
    let cues = &AddressCues::embedded().unspaced;
    let mut chars = name.chars();
    let (Some(first), Some(second)) = (chars.next(), chars.next()) else {
        return false;
    };
    let is_written_so = if is_unspaced(first) {
        let is_title = cues.suffixes.contains(&second);
        cues.prefixes.contains(&first) && !is_title && chars.next().is_none()
    } else {
        first.is_uppercase() && second.is_lowercase() && chars.all(char::is_alphabetic)
    };
    is_written_so && !is_ordinary(name) && !strip_fillers(name).is_empty()
}

/// The longest known name right behind an @ that opens the line.
fn find_mentioned_name<T>(line: &str, known: impl Fn(&str) -> Option<T>) -> Option<T> {
    let name = line.strip_prefix('@')?;
    find_name_ends(name, 0)
        .filter_map(|end| known(&name[..end]))
        .last()
}

/// What stands apart at the start or the end as names do: by a comma or a colon.
fn find_set_off_name(line: &str) -> Option<&str> {
    if let Some(first) = line
        .find(is_comma)
        .filter(|at| *at < LONGEST)
        .map(|at| line[..at].trim())
        .filter(|first| !first.is_empty() && first.split_whitespace().count() <= WORDS)
    {
        return Some(first);
    }
    let last = line
        .rsplit_once(is_comma)?
        .1
        .trim_matches(|c: char| c.is_whitespace() || is_mark(c) || is_stop(c));
    (!last.is_empty() && last.len() <= LONGEST).then_some(last)
}

/// Where a name that begins there may end, nearest first: behind each of the first characters or words.
pub fn find_name_ends(line: &str, start: usize) -> impl Iterator<Item = usize> {
    let rest = &line[start..];
    let by_character = rest.starts_with(is_unspaced);
    let is_beyond = |c: char| is_comma(c) || by_character && !c.is_alphanumeric();
    let rest = &rest[..rest.find(is_beyond).unwrap_or(rest.len())];
    let is_end = move |c: char| by_character || c.is_whitespace() || is_stop(c);
    rest.char_indices()
        .filter(|(_, c)| !c.is_whitespace())
        .map(|(at, c)| at + c.len_utf8())
        .filter(move |end| *end == rest.len() || rest[*end..].starts_with(is_end))
        .take(if by_character { CHARS } else { WORDS })
        .map(move |end| start + end)
}

/// Where a name that ends there may begin, nearest first.
pub fn find_name_starts(line: &str, end: usize) -> impl Iterator<Item = usize> {
    let said = &line[..end];
    let by_character = said.ends_with(is_unspaced);
    let is_beyond = |c: char| is_comma(c) || by_character && !c.is_alphanumeric();
    let from = said
        .rfind(is_beyond)
        .map_or(0, |at| at + char_width(said, at));
    said[from..]
        .char_indices()
        .rev()
        .filter(|(_, c)| !c.is_whitespace())
        .map(move |(at, _)| from + at)
        .filter(move |at| by_character || *at == from || said[..*at].ends_with(char::is_whitespace))
        .take(if by_character { CHARS } else { WORDS })
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
