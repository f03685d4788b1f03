//! A sentence that is put into a language where it is read: what happens is found out where nobody knows yet who reads
//! of it.

use std::error::Error;
use std::fmt;

use fluent_bundle::{FluentArgs, FluentValue};

use crate::catalog::Catalog;
use crate::language::Language;

/// Whole numbers up to here are the same as floats, which Fluent calculates with.
const EXACT: u64 = 1 << 53;

/// A message of a catalog with its arguments, or words that are in whatever language they are in. Printed, for the log,
/// it is English.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LocalizedMessage(Content);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Content {
    Catalog {
        file: &'static str,
        key: &'static str,
        arguments: Vec<(&'static str, Argument)>,
    },
    Verbatim(String),
}

/// What stands in a message where it has a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Argument {
    Text(String),
    /// A whole number, shown in digits; it chooses the form of a plural.
    Count(Count),
    /// Another message, shown in the language of the message it stands in.
    Message(LocalizedMessage),
}

/// A whole number that chooses the form of a plural.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count(pub(crate) i64);

impl Argument {
    fn to_value(&self, catalog: &Catalog) -> FluentValue<'_> {
        match self {
            Self::Text(text) => text.as_str().into(),
            Self::Count(Count(number)) if number.unsigned_abs() <= EXACT => (*number).into(),
            Self::Count(Count(number)) => number.to_string().into(),
            Self::Message(message) => message.render(catalog).into(),
        }
    }
}

impl LocalizedMessage {
    pub(crate) fn from_catalog(
        file: &'static str,
        key: &'static str,
        arguments: Vec<(&'static str, Argument)>,
    ) -> Self {
        Self(Content::Catalog {
            file,
            key,
            arguments,
        })
    }

    pub fn in_language(&self, language: Language) -> String {
        self.render(language.catalog())
    }

    /// The same text in further locales of a language, by locale: its attributes in the catalog.
    pub fn list_variants(&self, language: Language) -> Vec<(String, String)> {
        match &self.0 {
            Content::Catalog { file, key, .. } => language.catalog().list_variants(file, key),
            _ => Vec::new(),
        }
    }

    /// As it is read in a catalog; what it does not have is shown as its key.
    pub fn render(&self, catalog: &Catalog) -> String {
        match &self.0 {
            Content::Verbatim(text) => text.clone(),
            Content::Catalog {
                file,
                key,
                arguments,
            } => {
                let mut values = FluentArgs::with_capacity(arguments.len());
                for (name, argument) in arguments {
                    values.set(*name, argument.to_value(catalog));
                }
                catalog
                    .render_message(file, key, &values)
                    .unwrap_or_else(|| format!("{file}: {key}"))
            }
        }
    }
}

impl fmt::Display for LocalizedMessage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.in_language(Language::default()))
    }
}

/// So that what reads the arguments hands it on to who tells what is wrong with them.
impl Error for LocalizedMessage {}

/// Words of somebody else.
impl From<String> for LocalizedMessage {
    fn from(words: String) -> Self {
        Self(Content::Verbatim(words))
    }
}

impl From<&str> for Argument {
    fn from(text: &str) -> Self {
        Self::Text(text.to_owned())
    }
}

impl From<String> for Argument {
    fn from(text: String) -> Self {
        Self::Text(text)
    }
}

impl From<&String> for Argument {
    fn from(text: &String) -> Self {
        Self::Text(text.clone())
    }
}

impl From<&LocalizedMessage> for Argument {
    fn from(message: &LocalizedMessage) -> Self {
        Self::Message(message.clone())
    }
}

impl From<LocalizedMessage> for Argument {
    fn from(message: LocalizedMessage) -> Self {
        Self::Message(message)
    }
}

macro_rules! count_from {
    ($($number:ty),+) => {$(
        impl From<$number> for Count {
            fn from(number: $number) -> Self {
                Self(i64::try_from(number).unwrap_or(i64::MAX))
            }
        }

        impl From<$number> for Argument {
            fn from(number: $number) -> Self {
                Self::Count(number.into())
            }
        }
    )+};
}
count_from!(i32, i64, u8, u16, u32, u64, usize);
