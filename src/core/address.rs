//! Whether a name in a message is used to call its owner, in English and Chinese. Looks at the words around the name
//! only; decides nothing about whether to answer.

mod chinese;
mod cues;
mod ending;
mod english;
mod others;
mod place;

pub use self::ending::{LineEnding, line_ending};
pub use self::others::called_among;
use self::place::Place;
use super::willingness::words::{is_ordinary, is_unspaced};

/// What a message does with the companion's names.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Called {
    /// None of them occurs.
    #[default]
    Not,
    /// One occurs: it is spoken about.
    Named,
    /// One is used as a vocative: it is spoken to.
    Vocative,
}

/// The names a companion answers to, made ready for searching.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Names {
    names: Vec<Name>,
}

#[derive(Clone, Debug, PartialEq)]
struct Name {
    /// Lower case, one for one.
    letters: Vec<char>,
    /// An everyday word: counts only after @, or at the start before a comma or colon.
    ordinary: bool,
}

/// The most bytes of a message names are looked for in.
const BYTES: usize = 4_000;

impl Names {
    /// Makes names ready; empty ones are left out.
    pub fn new(names: &[String]) -> Names {
        let ready = |name: &String| {
            let name = name.trim().trim_start_matches('@');
            let letters: Vec<char> = name.chars().map(lower).collect();
            (!letters.is_empty()).then(|| Name { letters, ordinary: is_ordinary(name) })
        };
        Names { names: names.iter().filter_map(ready).collect() }
    }

    /// What a message does with the names: the strongest use of any of them.
    pub fn called(&self, text: &str) -> Called {
        let mut called = Called::Not;
        let mut from = 0;
        for line in text.split_inclusive('\n') {
            let quoted = line.trim_start().starts_with('>');
            from += line.len();
            if from > BYTES {
                break;
            }
            if !quoted {
                called = called.max(self.called_in(line.trim_end_matches('\n')));
            }
            if called == Called::Vocative {
                break;
            }
        }
        called
    }

    /// A short text without the names and mentions in it, and whether there were any names.
    pub fn taken_out(&self, text: &str) -> (String, bool) {
        let mut bare = text.to_owned();
        let mut named = false;
        for name in &self.names {
            while let Some((start, end)) = name.find(&bare, 0) {
                bare.replace_range(start..end, " ");
                named = true;
            }
        }
        while let Some(start) = bare.find("<@")
            && let Some(length) = bare[start..].find('>')
        {
            bare.replace_range(start..=start + length, " ");
        }
        (bare, named)
    }

    fn called_in(&self, line: &str) -> Called {
        let mut called = Called::Not;
        for name in &self.names {
            let mut rest = 0;
            while let Some((start, end)) = name.find(line, rest) {
                let place = Place { name: &line[start..end], line, before: &line[..start], after: &line[end..] };
                let used = if name.ordinary { place.ordinary() } else { place.used() };
                called = called.max(used);
                rest = end;
            }
        }
        called
    }
}

impl Name {
    /// The next place at or after `from` where the name stands as a word of its own.
    fn find(&self, line: &str, from: usize) -> Option<(usize, usize)> {
        let first = *self.letters.first()?;
        let mut from = from;
        loop {
            let rest = line.get(from..)?;
            let at = from
                + if first.is_ascii() {
                    rest.bytes().position(|byte| byte.eq_ignore_ascii_case(&(first as u8)))?
                } else {
                    rest.find(|c| lower(c) == first)?
                };
            if let Some(end) = self.matches(line, at)
                && !self.is_inside(line, at, end)
            {
                return Some((at, end));
            }
            from = at + width(line, at);
        }
    }

    fn matches(&self, line: &str, start: usize) -> Option<usize> {
        let mut chars = line.get(start..)?.char_indices();
        let mut end = start;
        for letter in &self.letters {
            let (at, c) = chars.next()?;
            if lower(c) != *letter {
                return None;
            }
            end = start + at + c.len_utf8();
        }
        Some(end)
    }

    /// Whether what was found is a part of a longer word or name.
    fn is_inside(&self, line: &str, start: usize, end: usize) -> bool {
        let after = line.get(end..).unwrap_or_default();
        let previous = line.get(..start).and_then(|before| before.chars().next_back());
        let (first, last) = (self.letters.first().copied(), self.letters.last().copied());
        let joined = |edge: Option<char>, neighbour: Option<char>| match (edge, neighbour) {
            (Some(edge), Some(neighbour)) => is_letter(edge) && (is_letter(neighbour) || neighbour == '_'),
            _ => false,
        };
        if joined(first, previous) || joined(last, after.chars().next()) {
            return true;
        }
        // "Mia-Rose" and "anna-mia" are other people.
        let mut next = after.chars();
        if last.is_some_and(is_letter) && next.next() == Some('-') && next.next().is_some_and(is_letter) {
            return true;
        }
        let mut back = line.get(..start).unwrap_or_default().chars().rev();
        if first.is_some_and(is_letter) && back.next() == Some('-') && back.next().is_some_and(is_letter) {
            return true;
        }
        last.is_some_and(is_unspaced) && extends_to_word(line, start, end)
    }
}

/// Whether the everyday words list has a longer word that starts with the last characters of what was found, or ends
/// with its first: "小雨" in "大小雨伞".
fn extends_to_word(line: &str, start: usize, end: usize) -> bool {
    let mut chars = line.get(start..).unwrap_or_default().char_indices().map(|(at, c)| start + at + c.len_utf8());
    let longer = chars.find(|at| *at > end);
    let earlier = line.get(..start).and_then(|before| before.char_indices().next_back()).map(|(at, _)| at);
    let whole = |from: usize, to: usize| line.get(from..to).is_some_and(is_ordinary);
    longer.is_some_and(|to| whole(start, to)) || earlier.is_some_and(|from| whole(from, end))
}

fn lower(c: char) -> char {
    if c.is_ascii() { c.to_ascii_lowercase() } else { c.to_lowercase().next().unwrap_or(c) }
}

/// A letter or digit of a script that puts spaces between words.
fn is_letter(c: char) -> bool {
    c.is_alphanumeric() && !is_unspaced(c)
}

fn is_stop(c: char) -> bool {
    matches!(c, '.' | '!' | '?' | ';' | '…' | '。' | '！' | '？' | '；' | '~' | '～')
}

/// Neither a letter nor a comma: emoji, brackets, stars.
fn is_mark(c: char) -> bool {
    !c.is_alphanumeric() && !c.is_whitespace() && !matches!(c, ',' | ':' | '，' | '：' | '、')
}

fn width(text: &str, at: usize) -> usize {
    text.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8)
}

fn listed(list: &[&str], word: &str) -> bool {
    list.iter().any(|known| if known.is_ascii() { known.eq_ignore_ascii_case(word) } else { *known == word })
}

fn words(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    text.split(|c: char| !(is_letter(c) || c == '\'' || c == '’')).filter(|word| !word.is_empty())
}
