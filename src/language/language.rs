//! Which languages there are: one for each folder of `data/messages`.

use std::fmt;
use std::sync::OnceLock;

use fluent_bundle::FluentArgs;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::catalog::Catalog;
use crate::message::{Argument, LocalizedMessage};

include!(concat!(env!("OUT_DIR"), "/languages.rs"));

/// The language prompts, page and messages are in. Its constants and `ALL` come from the folders of `data/messages`; no
/// code asks which one it is.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Language(u8);

impl Language {
    pub const ALL: [Language; CODES.len()] = {
        let mut all = [Language(0); CODES.len()];
        let mut index = 0;
        while index < all.len() {
            all[index] = Language(index as u8);
            index += 1;
        }
        all
    };

    /// Its code: the folder of its prompts, and how settings and personas spell it.
    pub fn code(self) -> &'static str {
        CODES[self.index()]
    }

    /// For what is kept by language in an array.
    pub fn index(self) -> usize {
        usize::from(self.0)
    }

    /// The language of a locale such as `zh-CN` or `en_GB.UTF-8`.
    pub fn from_locale(locale: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|language| locale.starts_with(language.code()))
    }

    pub fn from_code(code: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|language| language.code() == code)
    }

    /// Its prompt templates, by file name: `prompts/<code>`.
    pub fn templates(self) -> &'static [(&'static str, &'static str)] {
        TEMPLATES[self.index()]
    }

    /// The shipped persona that speaks it, as its file's path and text; where none does, the one of the default language.
    pub fn persona(self) -> (&'static str, &'static str) {
        PERSONAS[self.index()]
    }

    /// The messages of the room's page and of the console, by key. Where they have a variable stands its name in
    /// braces, which the page fills in.
    pub fn list_page_words(self) -> impl Iterator<Item = (String, String)> {
        PAGE_MESSAGES.iter().map(move |(catalog, key, variables)| {
            let arguments = variables
                .iter()
                .map(|name| (*name, Argument::from(format!("{{{name}}}"))));
            let message = LocalizedMessage::from_catalog(catalog, key, arguments.collect());
            (key.replace('-', "_"), message.in_language(self))
        })
    }

    pub fn find_help(self, key: &str) -> Option<String> {
        let none = FluentArgs::new();
        self.catalog().render_message("cli_help", key, &none)
    }

    pub(crate) fn catalog(self) -> &'static Catalog {
        static CATALOG: [OnceLock<Catalog>; CODES.len()] = [const { OnceLock::new() }; CODES.len()];
        CATALOG[self.index()].get_or_init(|| {
            let files = CATALOGS[self.index()].iter().copied();
            Catalog::new(self.code(), files)
        })
    }
}

impl Default for Language {
    fn default() -> Self {
        Language::EN
    }
}

impl fmt::Debug for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

impl Serialize for Language {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.code())
    }
}

impl<'de> Deserialize<'de> for Language {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let code = String::deserialize(deserializer)?;
        Self::from_code(&code).ok_or_else(|| D::Error::unknown_variant(&code, CODES))
    }
}
