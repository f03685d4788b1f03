//! The languages Kith speaks, read from files under `data/`: a new language is new files, no code. Each catalog of
//! `data/messages` is a module here, each of its messages a function: `embeds::turn_failed(why)`.

mod catalog;
mod language;
mod message;
mod translated_text;
mod word_table;
mod words;

pub use catalog::Catalog;
pub use language::Language;
pub use message::{Argument, Count, LocalizedMessage};
pub use translated_text::TranslatedText;
pub use word_table::{FromEntries, PhraseList, WordSections, WordSet};
pub use words::{WordList, read_entries, word_lists};

include!(concat!(env!("OUT_DIR"), "/messages.rs"));
