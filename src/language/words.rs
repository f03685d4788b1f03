//! Word lists: what people of a language say in chats, one entry a line. People mix languages, so a list is read in all
//! languages at once, whatever the persona speaks.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordList {
    pub language: &'static str,
    /// The file's name without `.txt`.
    pub name: &'static str,
    pub text: &'static str,
}

impl WordList {
    /// Its entries: one a line, without blank lines and lines that begin with `#`.
    pub fn entries(&self) -> impl Iterator<Item = &'static str> + use<> {
        read_entries(self.text)
    }
}

const EMBEDDED: &[WordList] = include!(concat!(env!("OUT_DIR"), "/word_lists.rs"));

/// The lists of this name, one for each language that has one, by language code.
pub fn word_lists(name: &str) -> impl Iterator<Item = &'static WordList> {
    EMBEDDED.iter().filter(move |list| list.name == name)
}

/// The entries of a list: one a line, trimmed, without blank lines and lines that begin with `#`.
pub fn read_entries(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.starts_with('#'))
}
