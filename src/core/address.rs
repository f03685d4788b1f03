//! Whether a name in a message is used to call its owner, by the word lists of all languages. Looks at the words around
//! the name only; decides nothing about whether to answer.

mod called_person;
mod cues;
mod description;
mod ending;
mod misspelling;
mod name;
mod name_position;
mod nicknames;
mod spaced_script;
mod unspaced_script;

pub use self::called_person::{find_called_person, is_calling_stranger};
use self::called_person::{find_name_ends, find_name_starts};
use self::cues::AddressCues;
pub use self::description::find_descriptions;
pub use self::ending::{LineEnding, classify_ending};
use self::name::{CompanionName, NameKind};
use self::name_position::NamePosition;
use self::nicknames::derive_nicknames;
use super::word::{is_ordinary, is_unspaced};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum NameUse {
    #[default]
    Absent,
    /// One occurs: it is spoken about.
    Named,
    /// One is used as a vocative: it is spoken to.
    Vocative,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct CompanionNames {
    names: Vec<CompanionName>,
}

/// The most bytes of a message names are looked for in.
const BYTES: usize = 4_000;

impl CompanionNames {
    /// Makes names ready, and what people make of them; empty ones are left out.
    pub fn new(names: &[String]) -> CompanionNames {
        let bare: Vec<&str> = names
            .iter()
            .map(|name| name.trim().trim_start_matches('@'))
            .collect();
        let kind = |name: &str| {
            if is_ordinary(name) {
                NameKind::Everyday
            } else {
                NameKind::Plain
            }
        };
        let own = bare
            .iter()
            .filter_map(|name| CompanionName::new(name, kind(name), false));
        CompanionNames {
            names: own
                .chain(derive_nicknames(&bare, AddressCues::embedded()))
                .collect(),
        }
    }

    /// What a message does with the names: the strongest use of any of them.
    pub fn find_name_use(&self, text: &str) -> NameUse {
        self.find_name_use_among(text, |_| false)
    }

    /// The same among others: a nickname that `is_other`'s own name is theirs, and so is its name in a longer one.
    pub fn find_name_use_among(&self, text: &str, is_other: impl Fn(&str) -> bool) -> NameUse {
        self.find_use_by_cues(AddressCues::embedded(), text, is_other)
    }

    fn find_use_by_cues(
        &self,
        cues: &AddressCues,
        text: &str,
        is_other: impl Fn(&str) -> bool,
    ) -> NameUse {
        let mut called = NameUse::Absent;
        let mut from = 0;
        for line in text.split_inclusive('\n') {
            let quoted = line.trim_start().starts_with('>');
            from += line.len();
            if from > BYTES {
                break;
            }
            if !quoted {
                let line = line.trim_end_matches('\n');
                called = called.max(self.find_line_use(cues, line, &is_other));
                if called == NameUse::Absent {
                    called = self.find_mistyped_use(cues, line, &is_other);
                }
            }
            if called == NameUse::Vocative {
                break;
            }
        }
        called
    }

    /// How the names are written where they stand in a line: "junooo", 柚子.
    pub fn find_spellings(&self, line: &str) -> Vec<String> {
        let line = &line[..line.floor_char_boundary(BYTES)];
        let found = self.names.iter().filter_map(|name| name.find(line, 0));
        found
            .map(|found| line[found.start..found.end].to_owned())
            .collect()
    }

    /// A short text without the names and mentions in it, and whether there were any names.
    pub fn strip_names(&self, text: &str) -> (String, bool) {
        let mut bare = text.to_owned();
        let mut named = false;
        for name in self
            .names
            .iter()
            .filter(|name| name.kind != NameKind::PetName)
        {
            while let Some(found) = name.find(&bare, 0) {
                bare.replace_range(found.start..found.end, " ");
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

    /// The same of a line that opens or ends with one of its names typed wrong, where nobody and nothing is called so.
    fn find_mistyped_use(
        &self,
        cues: &AddressCues,
        line: &str,
        is_other: &impl Fn(&str) -> bool,
    ) -> NameUse {
        let mut words = split_words(line);
        let (first, last) = (words.next(), words.next_back());
        let from = |word: &str| word_offset(line, word);
        let used = |written: &str| {
            let Some(meant) = self.names.iter().find(|name| name.is_mistyped_as(written)) else {
                return NameUse::Absent;
            };
            let is_taken = is_ordinary(written)
                || is_ordinary(written.trim_end_matches('s'))
                || is_other(written);
            let (start, end) = (from(written), from(written) + written.len());
            let place = NamePosition {
                cues,
                name: written,
                line,
                before: &line[..start],
                after: &line[end..],
            };
            match meant.kind {
                _ if is_taken => NameUse::Absent,
                NameKind::Everyday => place.everyday_use(),
                _ => place.plain_use(),
            }
        };
        first
            .into_iter()
            .chain(last)
            .map(used)
            .max()
            .unwrap_or_default()
    }

    fn find_line_use(
        &self,
        cues: &AddressCues,
        line: &str,
        is_other: &impl Fn(&str) -> bool,
    ) -> NameUse {
        let mut called = NameUse::Absent;
        for name in &self.names {
            let mut rest = 0;
            while let Some(found) = name.find(line, rest) {
                rest = found.end;
                let written = &line[found.start..found.end];
                let mut ends = find_name_ends(line, found.start).filter(|end| *end > found.end);
                let mut starts =
                    find_name_starts(line, found.end).filter(|start| *start < found.start);
                if name.derived && is_other(written)
                    || ends.any(|end| is_other(&line[found.start..end]))
                    || starts.any(|start| is_other(&line[start..found.end]))
                {
                    continue;
                }
                let place = NamePosition {
                    cues,
                    name: written,
                    line,
                    before: &line[..found.start],
                    after: &line[found.end..],
                };
                if place.is_of_another() || name.derived && self.is_longer_name(&place) {
                    continue;
                }
                let used = match name.kind {
                    NameKind::Plain if found.owner && !place.has_at_sign() => NameUse::Named,
                    NameKind::Plain => place.plain_use(),
                    NameKind::Everyday => place.everyday_use(),
                    NameKind::PetName => place.pet_name_use(),
                };
                called = called.max(used);
            }
        }
        called
    }

    /// Behind an @ a pet name that goes on from one of its own names is somebody else's: "@阿柚子" for 阿柚.
    fn is_longer_name(&self, place: &NamePosition<'_>) -> bool {
        let starts = |own: &CompanionName| own.find(place.name, 0).is_some_and(|at| at.start == 0);
        place.has_at_sign() && self.names.iter().any(|own| !own.derived && starts(own))
    }
}

/// Whether what follows a name after `@` makes it the longer name of somebody else: "@Juno K can you", "@阿柚子 来".
pub fn is_longer_handle(after: &str) -> bool {
    let cues = AddressCues::embedded();
    cues.spaced.is_initial(after) || cues.unspaced.is_handle_end(after)
}

fn lowercase_char(c: char) -> char {
    if c.is_ascii() {
        c.to_ascii_lowercase()
    } else {
        c.to_lowercase().next().unwrap_or(c)
    }
}

/// A letter or digit of a script that puts spaces between words.
fn is_letter(c: char) -> bool {
    c.is_alphanumeric() && !is_unspaced(c)
}

fn is_stop(c: char) -> bool {
    matches!(
        c,
        '.' | '!' | '?' | ';' | '…' | '。' | '！' | '？' | '；' | '~' | '～'
    )
}

/// What sets a name off from what is said.
fn is_comma(c: char) -> bool {
    matches!(c, ',' | ':' | '，' | '：')
}

/// Neither a letter nor a comma: emoji, brackets, stars.
fn is_mark(c: char) -> bool {
    !c.is_alphanumeric() && !c.is_whitespace() && !is_comma(c) && c != '、'
}

fn char_width(text: &str, at: usize) -> usize {
    text.get(at..)
        .and_then(|rest| rest.chars().next())
        .map_or(0, char::len_utf8)
}

/// Where a word begins that was cut out of a line.
fn word_offset(line: &str, word: &str) -> usize {
    word.as_ptr() as usize - line.as_ptr() as usize
}

fn split_words(text: &str) -> impl DoubleEndedIterator<Item = &str> {
    text.split(|c: char| !(is_letter(c) || c == '\'' || c == '’'))
        .filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::test_languages::toy_lists;

    #[test]
    fn a_language_that_is_only_word_lists_shows_whom_it_calls() {
        let cues = AddressCues::from_lists(toy_lists);
        let names = CompanionNames::new(&["Mika".into(), "ミケ".into()]);
        let find_use = |text: &str| names.find_use_by_cues(&cues, text, |_| false);
        for call in [
            "zala Mika hoverta",
            "Mika vu hoverta",
            "hoverta nai Mika",
            "ヤホミケ",
            "コネミケ",
        ] {
            assert_eq!(find_use(call), NameUse::Vocative, "{call}");
        }
        for mention in ["hey Mika how are you", "hoverta zalo Mika", "コラミケ"] {
            assert_eq!(find_use(mention), NameUse::Named, "{mention}");
        }
        assert!(cues.spaced.pet_ends.contains(&"ko"));
    }
}
