//! One name, and where it stands in a line: as a word of its own, with letters drawn out ("junooo"), as an owner
//! ("Juno's"). Whether somebody is called by it there is
//! for `name_position.rs` to say.

use super::misspelling::is_slip;
use super::{char_width, is_letter, lowercase_char};
use crate::word::{is_ordinary, is_unspaced};

/// From so many letters on a name is known with letters drawn out, or with an s behind it: shorter ones are other words.
const LONG_ENOUGH: usize = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameKind {
    /// It is nothing but a name: it is spoken to or about.
    Plain,
    /// It is an everyday word: counts only after @, or where it plainly opens or closes as a call.
    Everyday,
    /// It is a pet name that is a word or the start of one as well: counts only where it is a call.
    PetName,
}

#[derive(Clone, Debug, PartialEq)]
pub struct CompanionName {
    /// Lower case, one for one.
    letters: Vec<char>,
    pub kind: NameKind,
    /// Whether it was made from what the companion is called: somebody else of that name comes first.
    pub derived: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NameMatch {
    /// Its bytes in the line.
    pub start: usize,
    pub end: usize,
    /// Whether something is said of it or its own: "Juno's", "junos", "Juno'd".
    pub owner: bool,
}

impl CompanionName {
    /// Makes a name ready; none if it is empty.
    pub fn new(name: &str, kind: NameKind, derived: bool) -> Option<CompanionName> {
        let letters: Vec<char> = name.chars().map(lowercase_char).collect();
        (!letters.is_empty()).then_some(CompanionName {
            letters,
            kind,
            derived,
        })
    }

    /// Whether a word is this name typed wrong; what others make of a name is not looked for.
    pub fn is_mistyped_as(&self, word: &str) -> bool {
        !self.derived && is_slip(word, &self.letters)
    }

    /// The next place at or after `from` where the name stands as a word of its own.
    pub fn find(&self, line: &str, from: usize) -> Option<NameMatch> {
        let first = *self.letters.first()?;
        let mut from = from;
        loop {
            let rest = line.get(from..)?;
            let at = from
                + if first.is_ascii() {
                    rest.bytes()
                        .position(|byte| byte.eq_ignore_ascii_case(&(first as u8)))?
                } else {
                    rest.find(|c| lowercase_char(c) == first)?
                };
            if let Some(end) = self.find_match_end(line, at) {
                let after = line.get(end..).unwrap_or_default();
                let with_s = self.has_owner_s(line.get(at..end).unwrap_or_default(), after);
                if !self.is_inside(line, at, end + usize::from(with_s)) {
                    let mut next = after.chars();
                    let apostrophe = matches!(next.next(), Some('\'' | '’'))
                        && next.next().is_some_and(is_letter);
                    return Some(NameMatch {
                        start: at,
                        end,
                        owner: with_s || apostrophe,
                    });
                }
            }
            from = at + char_width(line, at);
        }
    }

    /// Where the name ends that starts there. Letters may be drawn out: one of them by two, or the vowel at the end.
    fn find_match_end(&self, line: &str, start: usize) -> Option<usize> {
        let mut chars = line.get(start..)?.chars().peekable();
        let mut end = start;
        let (mut more, mut at_end) = (0, 0);
        for (place, letter) in self.letters.iter().enumerate() {
            let c = chars.next().filter(|c| lowercase_char(*c) == *letter)?;
            end += c.len_utf8();
            if self.letters.get(place + 1) == Some(letter) || !self.can_draw_out(place) {
                continue;
            }
            at_end = 0;
            while let Some(again) = chars.next_if(|again| lowercase_char(*again) == *letter) {
                end += again.len_utf8();
                (more, at_end) = (more + 1, at_end + 1);
            }
        }
        let last = *self.letters.last()?;
        let vowel = matches!(last, 'a' | 'e' | 'i' | 'o' | 'u' | 'y') || is_unspaced(last);
        let drawn = more >= 2 || vowel && at_end >= 1;
        (more == 0 || drawn && !line.get(start..end).is_some_and(is_ordinary)).then_some(end)
    }

    /// Whether the letter at this place may be written more often than it is in the name.
    fn can_draw_out(&self, place: usize) -> bool {
        let Some(letter) = self.letters.get(place) else {
            return false;
        };
        if is_unspaced(*letter) {
            // "柚柚柚", but not "小明明天来".
            return place > 0
                && place + 1 == self.letters.len()
                && self.letters.get(place - 1) == Some(letter);
        }
        self.kind == NameKind::Plain && self.letters.len() >= LONG_ENOUGH && letter.is_alphabetic()
    }

    /// "junos bike": the s of an owner whose apostrophe was not typed.
    fn has_owner_s(&self, found: &str, after: &str) -> bool {
        let mut next = after.chars();
        self.kind == NameKind::Plain
            && self.letters.len() >= LONG_ENOUGH
            && self.letters.last().is_some_and(|last| is_letter(*last))
            && matches!(next.next(), Some('s' | 'S'))
            && !next.next().is_some_and(is_letter)
            && !is_ordinary(&format!("{found}s"))
    }

    /// Whether what was found is a part of a longer word or name.
    fn is_inside(&self, line: &str, start: usize, end: usize) -> bool {
        let after = line.get(end..).unwrap_or_default();
        let previous = line
            .get(..start)
            .and_then(|before| before.chars().next_back());
        let (first, last) = (self.letters.first().copied(), self.letters.last().copied());
        let joined = |edge: Option<char>, neighbour: Option<char>| match (edge, neighbour) {
            (Some(edge), Some(neighbour)) => {
                is_letter(edge) && (is_letter(neighbour) || neighbour == '_')
            }
            _ => false,
        };
        if joined(first, previous) || joined(last, after.chars().next()) {
            return true;
        }
        // "Mia-Rose" and "anna-mia" are other people.
        let mut next = after.chars();
        if last.is_some_and(is_letter)
            && next.next() == Some('-')
            && next.next().is_some_and(is_letter)
        {
            return true;
        }
        let mut back = line.get(..start).unwrap_or_default().chars().rev();
        if first.is_some_and(is_letter)
            && back.next() == Some('-')
            && back.next().is_some_and(is_letter)
        {
            return true;
        }
        last.is_some_and(is_unspaced)
            && (is_in_longer_word(line, start, end)
                || self.derived && is_overlapping_word(line, start, end))
    }
}

/// Whether the everyday words list has a longer word that starts with the last characters of what was found, or ends
/// with its first: "小雨" in "大小雨伞".
fn is_in_longer_word(line: &str, start: usize, end: usize) -> bool {
    let mut chars = line
        .get(start..)
        .unwrap_or_default()
        .char_indices()
        .map(|(at, c)| start + at + c.len_utf8());
    let longer = chars.find(|at| *at > end);
    let earlier = line
        .get(..start)
        .and_then(|before| before.char_indices().next_back())
        .map(|(at, _)| at);
    let whole = |from: usize, to: usize| line.get(from..to).is_some_and(is_ordinary);
    longer.is_some_and(|to| whole(start, to)) || earlier.is_some_and(|from| whole(from, end))
}

/// Whether its last character and the next, or its first and the one before, are a word or the same: "周周" in "周周末".
fn is_overlapping_word(line: &str, start: usize, end: usize) -> bool {
    let found = line.get(start..end).unwrap_or_default();
    let pair = |a: Option<char>, b: Option<char>| match (a, b) {
        (Some(a), Some(b)) => a == b || is_ordinary(&String::from_iter([a, b])),
        _ => false,
    };
    let before = line
        .get(..start)
        .and_then(|before| before.chars().next_back());
    let after = line.get(end..).and_then(|after| after.chars().next());
    pair(found.chars().next_back(), after) || pair(before, found.chars().next())
}
