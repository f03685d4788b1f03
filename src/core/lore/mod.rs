//! Lore: what a persona knows of its world, kept apart from the persona. An entry comes into the prompt when one of its
//! keys is written in the chat. Its text is data: it is escaped like what people write and never a template.

mod key;
mod selection;

use serde::{Deserialize, Serialize};

pub use key::{LoreKey, LoreKeyError};
pub use selection::{LONGEST_SCAN, ScannedMessage, select_entries};

/// The most entries a file of lore may have.
pub const LORE_ENTRIES: usize = 2_000;
/// The longest text of an entry, in characters: ten times what a prompt has room for by default.
pub const LORE_TEXT_CHARACTERS: usize = 20_000;
/// The most keys of an entry, secondary ones counted apart.
pub const LORE_KEYS: usize = 100;
/// The most keys of a file in all: each is searched for in every prompt.
pub const LORE_FILE_KEYS: usize = 5_000;
/// The most regular expressions among them: each may take [a hundred kilobytes](LoreKey) once it was tried.
pub const LORE_FILE_EXPRESSIONS: usize = 200;

/// What an entry's `secondary_keys` must do besides one of its keys being written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SecondaryKeyLogic {
    /// At least one of them is written, too.
    #[default]
    AnyOf,
    /// All of them are written, too.
    AllOf,
    /// None of them is written.
    NoneOf,
    /// At least one of them is not written.
    NotAllOf,
}

/// One thing a persona knows of its world.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct LoreEntry {
    /// What people call it; no prompt shows it.
    pub name: String,
    /// Words, phrases or `/regular expressions/`; one of them has to be written.
    pub keys: Vec<LoreKey>,
    /// Further keys, which `secondary_logic` asks for; without any, only `keys` count.
    pub secondary_keys: Vec<LoreKey>,
    /// What the secondary keys have to do.
    pub secondary_logic: SecondaryKeyLogic,
    /// What the prompt says.
    pub text: String,
    /// Which entry counts more: one with a higher number has its place in the prompt first, and stands nearer its end.
    pub order: i32,
    /// Whether it is in every prompt, whatever is written.
    pub constant: bool,
    /// Whether it is used at all.
    pub enabled: bool,
    /// How many of the newest messages are searched for its keys; without it, what the file says.
    pub scan_depth: Option<u32>,
    /// In how many of a hundred cases it comes in when its keys are written.
    pub probability: u8,
    /// Whether capital letters in its keys have to be capital in the chat. Regular expressions say so themselves, by `i`.
    pub case_sensitive: bool,
    /// Whether a key has to stand as a word of its own. Chinese, Japanese and Korean know no such bounds.
    pub whole_words: bool,
    /// Whether its keys are searched for in the text of other entries that came in, too.
    pub reached_by_entries: bool,
    /// Whether its own text may bring in other entries.
    pub leads_to_entries: bool,
}

impl Default for LoreEntry {
    fn default() -> Self {
        Self {
            name: String::new(),
            keys: Vec::new(),
            secondary_keys: Vec::new(),
            secondary_logic: SecondaryKeyLogic::default(),
            text: String::new(),
            order: 100,
            constant: false,
            enabled: true,
            scan_depth: None,
            probability: 100,
            case_sensitive: false,
            whole_words: true,
            reached_by_entries: true,
            leads_to_entries: true,
        }
    }
}

/// A file of lore.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Lorebook {
    /// What people call it; no prompt shows it.
    pub name: String,
    /// How many of the newest messages are searched for keys, where an entry does not say.
    pub scan_depth: u32,
    /// Whether the texts of its entries may bring in other entries at all.
    pub recursive: bool,
    /// What it knows.
    pub entries: Vec<LoreEntry>,
}

impl Lorebook {
    /// How many keys it has, and how many of them are regular expressions.
    pub fn count_keys(&self) -> (usize, usize) {
        let entries = self.entries.iter();
        let keys = entries.flat_map(|entry| entry.keys.iter().chain(&entry.secondary_keys));
        keys.fold((0, 0), |(all, expressions), key| {
            (all + 1, expressions + usize::from(key.is_expression()))
        })
    }
}

impl Default for Lorebook {
    fn default() -> Self {
        Self {
            name: String::new(),
            // A handful of lines is what a group talks about at one time.
            scan_depth: 8,
            recursive: true,
            entries: Vec::new(),
        }
    }
}
