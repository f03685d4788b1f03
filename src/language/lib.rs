//! The languages Kith speaks, read from files under `data/`: a new language is new files, no code.

mod words;

pub use words::{WordList, read_entries, word_lists};
