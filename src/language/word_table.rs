//! Tables of words: several lists in one file, each below its `[heading]`, read once into the fields of a struct that are
//! named like the headings. The lists of all languages stand together, for people mix languages.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::words::{WordList, read_entries};

/// The lists of some files by their headings, those of all languages together.
#[derive(Debug, Default)]
pub struct WordSections(BTreeMap<&'static str, Vec<&'static str>>);

impl WordSections {
    /// Reads files in their order; entries above the first heading belong to none and are left out.
    pub fn from_lists<'a>(lists: impl IntoIterator<Item = &'a WordList>) -> Self {
        let mut sections: BTreeMap<&'static str, Vec<&'static str>> = BTreeMap::new();
        for list in lists {
            let mut heading = None;
            for entry in read_entries(list.text) {
                let named = entry
                    .strip_prefix('[')
                    .and_then(|rest| rest.strip_suffix(']'));
                if named.is_some() {
                    heading = named;
                } else if let Some(heading) = heading {
                    sections.entry(heading).or_default().push(entry);
                }
            }
        }
        Self(sections)
    }

    /// Takes the entries below a heading; none where no language has the heading.
    pub fn take<T: FromEntries>(&mut self, heading: &str) -> T {
        T::from_entries(self.0.remove(heading).unwrap_or_default())
    }

    /// The headings nobody has taken: they are misspelt, or of no use any more.
    pub fn headings(&self) -> impl Iterator<Item = &'static str> {
        self.0.keys().copied()
    }
}

pub trait FromEntries {
    /// Makes it, from all languages' entries in their order.
    fn from_entries(entries: Vec<&'static str>) -> Self;
}

impl FromEntries for Vec<&'static str> {
    fn from_entries(entries: Vec<&'static str>) -> Self {
        entries
    }
}

impl FromEntries for Vec<char> {
    fn from_entries(entries: Vec<&'static str>) -> Self {
        entries
            .iter()
            .flat_map(|entry| entry.chars())
            .filter(|c| !c.is_whitespace())
            .collect()
    }
}

/// A set of words or phrases that are looked for whole, whatever the case of their ASCII letters.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WordSet(Vec<&'static str>);

impl FromEntries for WordSet {
    fn from_entries(mut entries: Vec<&'static str>) -> Self {
        entries.sort_unstable_by(|a, b| compare_ignoring_case(a, b));
        Self(entries)
    }
}

impl WordSet {
    pub fn contains(&self, word: &str) -> bool {
        self.0
            .binary_search_by(|known| compare_ignoring_case(known, word))
            .is_ok()
    }
}

/// Orders words by their bytes in lower case.
fn compare_ignoring_case(a: &str, b: &str) -> Ordering {
    a.bytes()
        .map(|byte| byte.to_ascii_lowercase())
        .cmp(b.bytes().map(|byte| byte.to_ascii_lowercase()))
}

/// Phrases that are looked for at the beginning, at the end or inside of a text, in their order, by exact case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PhraseList(Vec<&'static str>);

impl FromEntries for PhraseList {
    fn from_entries(entries: Vec<&'static str>) -> Self {
        Self(entries)
    }
}

impl PhraseList {
    /// The first of them the text begins with.
    pub fn find_prefix(&self, text: &str) -> Option<&'static str> {
        self.0
            .iter()
            .copied()
            .find(|phrase| text.starts_with(phrase))
    }

    /// What follows the first of them the text begins with.
    pub fn strip_prefix<'a>(&self, text: &'a str) -> Option<&'a str> {
        self.0.iter().find_map(|phrase| text.strip_prefix(phrase))
    }

    pub fn is_prefix_of(&self, text: &str) -> bool {
        self.find_prefix(text).is_some()
    }

    pub fn is_suffix_of(&self, text: &str) -> bool {
        self.0.iter().any(|phrase| text.ends_with(phrase))
    }

    pub fn is_within(&self, text: &str) -> bool {
        self.0.iter().any(|phrase| text.contains(phrase))
    }

    pub fn contains(&self, text: &str) -> bool {
        self.0.contains(&text)
    }

    pub fn iter(&self) -> impl Iterator<Item = &'static str> {
        self.0.iter().copied()
    }
}

/// Defines a struct whose fields are lists of word files, each read from below the heading that is the field's name, with
/// a function `from_lists` that reads it. What a list is for stands in the files.
#[macro_export]
macro_rules! word_table {
    ($(#[$meta:meta])* $visibility:vis struct $table:ident { $($field:ident: $kind:ty),+ $(,)? }) => {
        $(#[$meta])*
        $visibility struct $table { $(pub $field: $kind),+ }

        impl $table {
            /// Reads the table from the files of all languages.
            fn from_lists<'a>(
                lists: impl IntoIterator<Item = &'a $crate::WordList>,
            ) -> Self {
                let mut sections = $crate::WordSections::from_lists(lists);
                let table = Self { $($field: sections.take(stringify!($field))),+ };
                debug_assert!(
                    sections.headings().next().is_none(),
                    "no table has these lists: {:?}",
                    sections.headings().collect::<Vec<_>>()
                );
                table
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    word_table! {
        struct Toy { greetings: WordSet, marks: Vec<char>, ends: PhraseList }
    }

    #[test]
    fn the_lists_of_all_languages_stand_together_below_their_headings() {
        let lists = [
            WordList {
                language: "xa",
                name: "toy",
                text: "# a toy\n[greetings]\nHi\nhey there\n[marks]\nab\nc\n",
            },
            WordList {
                language: "xb",
                name: "toy",
                text: "[ends]\nö\n[greetings]\n早\n",
            },
        ];
        let toy = Toy::from_lists(&lists);
        assert!(toy.greetings.contains("hi") && toy.greetings.contains("Hey There"));
        assert!(toy.greetings.contains("早") && !toy.greetings.contains("hey"));
        assert_eq!(toy.marks, ['a', 'b', 'c']);
        assert!(toy.ends.is_suffix_of("fö") && !toy.ends.is_prefix_of("fö"));
    }
}
