//! The languages Kith speaks, read from files under `data/`: a new language is new files, no code.

mod word_table;
mod words;

pub use word_table::{FromEntries, PhraseList, WordSections, WordSet};
pub use words::{WordList, read_entries, word_lists};
