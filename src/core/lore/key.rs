//! A key of a lore entry: a word or phrase, or a regular expression between slashes with JavaScript's flags behind it,
//! as the lorebooks of other programs have them.

use std::fmt;
use std::sync::OnceLock;

use regex::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};

use crate::phrase::{fold_text, has_phrase_as_written};

/// The longest key, in characters: longer ones are texts and not keys.
const KEY_CHARACTERS: usize = 300;
/// The most memory a compiled expression may take, in bytes. The engine takes linear time whatever the expression.
const EXPRESSION_BYTES: usize = 128 * 1024;

/// A word or phrase, or a `/regular expression/flags`.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct LoreKey {
    written: String,
    form: LoreKeyForm,
}

#[derive(Clone, Debug)]
enum LoreKeyForm {
    /// The phrase in small letters with single spaces.
    Phrase(String),
    Expression {
        expression: String,
        flags: String,
        /// Compiled when it is first tried: most are never read again, and each takes a hundred kilobytes.
        compiled: OnceLock<Option<Regex>>,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LoreKeyError {
    Empty,
    TooLong,
    UnknownFlag(char),
    /// It is no regular expression, for this reason.
    Expression(String),
}

impl fmt::Display for LoreKeyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Empty => f.write_str("key: it is empty"),
            Self::TooLong => write!(f, "key: it has more than {KEY_CHARACTERS} characters"),
            Self::UnknownFlag(flag) => {
                write!(f, "key: there is no flag `{flag}` for an expression")
            }
            Self::Expression(reason) => write!(f, "key: it is no regular expression: {reason}"),
        }
    }
}

impl TryFrom<String> for LoreKey {
    type Error = LoreKeyError;

    fn try_from(written: String) -> Result<Self, LoreKeyError> {
        if written.chars().count() > KEY_CHARACTERS {
            return Err(LoreKeyError::TooLong);
        }
        let form = match split_expression(&written) {
            Some((expression, flags)) => {
                compile(expression, flags)?;
                LoreKeyForm::Expression {
                    expression: expression.to_owned(),
                    flags: flags.to_owned(),
                    compiled: OnceLock::new(),
                }
            }
            None => LoreKeyForm::Phrase(fold_text(&written)),
        };
        match form {
            LoreKeyForm::Phrase(folded) if folded.is_empty() => Err(LoreKeyError::Empty),
            form => Ok(Self { written, form }),
        }
    }
}

impl From<LoreKey> for String {
    fn from(key: LoreKey) -> Self {
        key.written
    }
}

impl PartialEq for LoreKey {
    fn eq(&self, other: &Self) -> bool {
        self.written == other.written
    }
}

#[derive(Debug)]
pub(super) struct ScannedText<'a> {
    written: &'a str,
    /// In small letters with single spaces.
    folded: String,
}

impl<'a> ScannedText<'a> {
    pub(super) fn new(written: &'a str) -> Self {
        Self {
            written,
            folded: fold_text(written),
        }
    }
}

impl LoreKey {
    /// The key as it is written in a file.
    pub fn as_str(&self) -> &str {
        &self.written
    }

    pub fn is_expression(&self) -> bool {
        matches!(self.form, LoreKeyForm::Expression { .. })
    }

    pub(super) fn is_in(
        &self,
        text: &ScannedText<'_>,
        case_sensitive: bool,
        whole_words: bool,
    ) -> bool {
        match &self.form {
            LoreKeyForm::Phrase(folded) => match (case_sensitive, whole_words) {
                (false, true) => has_phrase_as_written(folded, &text.folded),
                (false, false) => text.folded.contains(folded),
                (true, true) => has_phrase_as_written(self.written.trim(), text.written),
                (true, false) => text.written.contains(self.written.trim()),
            },
            LoreKeyForm::Expression {
                expression,
                flags,
                compiled,
            } => compiled
                .get_or_init(|| compile(expression, flags).ok())
                .as_ref()
                .is_some_and(|compiled| compiled.is_match(text.written)),
        }
    }
}

/// The expression and its flags, where a text is one: `/…/` with nothing but letters behind the last slash.
fn split_expression(written: &str) -> Option<(&str, &str)> {
    let (expression, flags) = written.trim().strip_prefix('/')?.rsplit_once('/')?;
    let is_expression = !expression.is_empty() && flags.chars().all(|c| c.is_ascii_alphabetic());
    is_expression.then_some((expression, flags))
}

fn compile(expression: &str, flags: &str) -> Result<Regex, LoreKeyError> {
    // What a search for the first place in a text always is (`g`, `d`) or this engine always does (`u`, `v`).
    if let Some(unknown) = flags.chars().find(|flag| !"gdimsuv".contains(*flag)) {
        return Err(LoreKeyError::UnknownFlag(unknown));
    }
    RegexBuilder::new(expression)
        .case_insensitive(flags.contains('i'))
        .multi_line(flags.contains('m'))
        .dot_matches_new_line(flags.contains('s'))
        .size_limit(EXPRESSION_BYTES)
        .dfa_size_limit(EXPRESSION_BYTES)
        .build()
        .map_err(|error| {
            let reason = error.to_string();
            let last = reason.lines().last().unwrap_or_default();
            LoreKeyError::Expression(last.trim_start_matches("error: ").to_owned())
        })
}
