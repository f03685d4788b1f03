//! A text in a file that people write: a field, and beside it the same in further languages, each in a field named after
//! its language, such as `description_zh` beside `description`.

use std::collections::BTreeMap;

use serde::{Deserialize, Deserializer};

use crate::language::Language;

/// A text with its translations; empty where nobody wrote one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TranslatedText {
    original: String,
    translations: BTreeMap<Language, String>,
}

impl TranslatedText {
    /// The language of a field that holds a translation of this one: `description_zh` translates `description`.
    pub fn find_language(field: &str, translated_field: &str) -> Option<Language> {
        let code = translated_field.strip_prefix(field)?.strip_prefix('_')?;
        Language::from_code(code)
    }

    pub fn add(&mut self, language: Language, text: String) {
        self.translations.insert(language, text);
    }

    pub fn add_all(&mut self, other: Self) {
        self.translations.extend(other.translations);
    }

    pub fn has_original(&self) -> bool {
        !self.original.trim().is_empty()
    }

    /// The original where it is not translated.
    pub fn in_language(&self, language: Language) -> &str {
        let translation = self.translations.get(&language);
        translation
            .filter(|text| !text.trim().is_empty())
            .unwrap_or(&self.original)
    }

    pub fn is_empty(&self) -> bool {
        self.fields("").all(|(_, text)| text.is_empty())
    }

    /// What stands in the file: the name of the field and of those that translate it, each with its text.
    pub fn fields(&self, field: &str) -> impl Iterator<Item = (String, &str)> {
        let translations = self
            .translations
            .iter()
            .map(move |(language, text)| (format!("{field}_{}", language.code()), text.as_str()));
        [(field.to_owned(), self.original.as_str())]
            .into_iter()
            .chain(translations)
    }
}

impl From<String> for TranslatedText {
    fn from(original: String) -> Self {
        Self {
            original,
            translations: BTreeMap::new(),
        }
    }
}

/// Reads the original; who reads the struct it stands in adds the translations.
impl<'de> Deserialize<'de> for TranslatedText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer).map(Self::from)
    }
}
