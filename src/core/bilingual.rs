//! A sentence in every language there is, for what is found out where nobody knows yet in which language it will be read.
//! What the model is told of failures is made of these: each is written once, in both languages side by side, where it
//! arises, and picked where it becomes a result.

use std::fmt;

use super::persona::Language;

/// A sentence in English and in Chinese. Printed, for the log, it is the English one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bilingual {
    english: String,
    chinese: String,
}

impl Bilingual {
    /// The same in both; `bilingual!` writes one with values in it.
    pub fn new(english: impl Into<String>, chinese: impl Into<String>) -> Self {
        Self {
            english: english.into(),
            chinese: chinese.into(),
        }
    }

    /// As it is read in a language.
    pub fn into_text(self, language: Language) -> String {
        language.pick(self.english, self.chinese)
    }
}

impl fmt::Display for Bilingual {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.english)
    }
}

/// Words of somebody else, which are in whatever language they are in.
impl From<String> for Bilingual {
    fn from(words: String) -> Self {
        Self {
            chinese: words.clone(),
            english: words,
        }
    }
}

/// Two `format!`s beside each other.
#[macro_export]
macro_rules! bilingual {
    ($english:literal, $chinese:literal $(, $($value:expr),+ $(,)?)?) => {
        $crate::bilingual::Bilingual::new(
            format!($english $(, $($value),+)?),
            format!($chinese $(, $($value),+)?),
        )
    };
}
pub use bilingual;
